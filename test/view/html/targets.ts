// Results of a command for several targets, for pages: each state, a long message, and what there is to read.

import { summaryOf } from '../../../src/many/report.ts';
import { TARGET_STATES, type TargetsReport } from '../../../src/many/schema.ts';

/** One target in each state, called as the names say in turn. */
export function targetsCalled(...names: readonly string[]): TargetsReport {
  const targets = TARGET_STATES.map((state, index) => ({
    target: `${names[index % names.length]} ${index}`,
    state,
    exit_code: index % 3,
    figures: { add: index, change: 0, destroy: 2 * index, rerouted: 1, dangers: 0 },
    requests: index,
    seconds: 0.5,
    message:
      index % 2 === 0 ? null : `${names[0]}: the environment variable TOKEN_OF_A_LICENSE_WITH_A_LONG_NAME is not set`,
    alike: index < 2 ? 0 : null,
  }));
  const alike = [{ targets: targets.slice(0, 2).map(({ target }) => target), document: null }];
  return { command: 'plan', targets, alike, summary: summaryOf(targets, null), since: null, orphaned: [] };
}
