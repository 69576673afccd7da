// Results of routing tests in; a finding for each test that failed, at the place of the test and with that of the rule that decided, out.

import type { Diagnostic, Reference } from '../base/model.ts';
import { listed } from '../base/nearest.ts';
import type { RouteResult } from '../routing/route-tests.ts';
import { type Visitor, visitorText } from '../routing/visitor.ts';
import { diagnose, type Mark } from '../yaml/mark.ts';
import type { Route } from './routes.ts';

export interface Failing {
  /** Which rules were asked. */
  readonly on: 'desired' | 'live';
  /** Where a rule is declared; null for one that is not. */
  readonly ruleAt: (name: string) => Mark | null;
}

export function routeFailures(results: readonly RouteResult<Route>[], how: Failing): readonly Diagnostic[] {
  return results.flatMap((result) => (result.outcome === 'failed' ? [failure(result, how)] : []));
}

function failure({ test, got, decidedBy }: RouteResult<Route>, { on, ruleAt }: Failing): Diagnostic {
  const isMisrouted = got.join() !== test.expect.join();
  const who = `${test.name === null ? '' : `${test.name}: `}${visitorText(test.when)}`;
  const message = isMisrouted
    ? `${who} reaches ${groups(got)}${by(decidedBy)}, and ${test.expect.length === 0 ? 'no rule may match' : `${groups(test.expect)} is expected`}`
    : `${who} is decided${by(decidedBy)}, and rule \`${test.rule}\` is expected to decide`;
  const decider = decidedBy === null ? null : ruleAt(decidedBy);
  const wanted = test.rule === null || test.rule === decidedBy ? null : ruleAt(test.rule);
  const related = [
    ...(decider === null ? [] : [{ mark: decider, message: `\`${decidedBy}\` decides` }]),
    ...(wanted === null ? [] : [{ mark: wanted, message: `\`${test.rule}\` should decide` }]),
  ];
  const mark: Mark = isMisrouted || test.ruleMark === null ? test : test.ruleMark;
  const remedy = `${explainCommand(test.when, on)} says why`;
  return diagnose({ place: mark.place, excerpt: mark.excerpt }, { code: 'route-failed', message, remedy, related });
}

function groups(references: readonly Reference[]): string {
  return references.length === 0 ? 'no group' : listed(references);
}

function by(rule: string | null): string {
  return rule === null ? '' : ` by rule \`${rule}\``;
}

const FLAGS = ['country', 'country_code', 'region', 'city'] as const satisfies readonly (keyof Visitor)[];

function explainCommand(visitor: Visitor, on: Failing['on']): string {
  const flags = FLAGS.flatMap((name) => {
    const given = visitor[name];
    return given === undefined ? [] : [`--${name.replace('_', '-')}`, quoted(given)];
  });
  const side = on === 'live' ? ['--on', 'live'] : [];
  return `\`${['chatform', 'explain', '--url', quoted(visitor.url), ...flags, ...side].join(' ')}\``;
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A rule of which only the license knows all keeps the tests that come to it from being decided by the files. */
export function openRoutes(results: readonly RouteResult<Route>[], { ruleAt }: Failing): readonly Diagnostic[] {
  const rules = new Map<string, number>();
  for (const { dependsOn } of results) if (dependsOn !== null) rules.set(dependsOn, (rules.get(dependsOn) ?? 0) + 1);
  return [...rules].flatMap(([rule, count]) => {
    const mark = ruleAt(rule);
    if (mark === null) return [];
    const message = `${count} routing ${count === 1 ? 'test depends' : 'tests depend'} on what this rule leaves to the license`;
    const remedy = '`chatform plan` runs them; declare `conditions` and `access` to have them run without it';
    return [diagnose(mark, { code: 'route-failed', severity: 'warning', message, remedy })];
  });
}
