// Failed routing tests as diagnostics, each with the place of the test and of the rule that decided.

import type { Diagnostic, Reference } from '../base/model.ts';
import { listed } from '../base/nearest.ts';
import type { RouteResult } from '../routing/route-tests.ts';
import { groupTitle } from '../routing/sources.ts';
import { type Visitor, visitorText } from '../routing/visitor.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { PlaceMark } from '../yaml/places.ts';
import type { Route } from './routes.ts';

export interface Failing {
  /** Which rules were tested. */
  readonly on: 'desired' | 'live';
  /** The target whose rules were tested; null where the project has no other. */
  readonly target: string | null;
  /** Where a rule is declared; null for one that is not. */
  readonly ruleAt: (name: string) => PlaceMark | null;
  /** What people call a rule that no file declares, as `"Promo" (5b03)`; null where no license was read. */
  readonly unmanaged: (name: string) => string | null;
  /** Whether a test failed before the plan also, with the same groups; left out where no plan is tested. */
  readonly isStanding?: (test: Route) => boolean;
}

export function routeFailures(results: readonly RouteResult<Route>[], how: Failing): readonly Diagnostic[] {
  return results.flatMap((result) => (result.outcome === 'failed' ? [failure(result, how)] : []));
}

function failure({ test, got, decidedBy, greeted }: RouteResult<Route>, how: Failing): Diagnostic {
  const { ruleAt, unmanaged, isStanding } = how;
  const by = (rule: string | null): string => {
    const known = rule === null ? null : unmanaged(rule);
    return known !== null ? ` by the unmanaged rule ${known}` : rule === null ? '' : ` by rule \`${rule}\``;
  };
  const isMisrouted = got.join() !== test.expect.join();
  const who = `${test.name === null ? '' : `${test.name}: `}${visitorText(test.when)}`;
  const isRuled = test.rule === null || test.rule === decidedBy;
  const message =
    !isMisrouted && isRuled
      ? `${who} gets ${greetings(greeted ?? [])}, but ${greetings(test.greetings ?? [])} is expected`
      : isMisrouted
        ? `${who} reaches ${groups(got)}${by(decidedBy)}, but ${test.expect.length === 0 ? 'no rule may match' : `${groups(test.expect)} is expected`}`
        : `${who} is decided${by(decidedBy)}, but rule \`${test.rule}\` is expected to decide`;
  const decider = decidedBy === null ? null : ruleAt(decidedBy);
  const wanted = test.rule === null || test.rule === decidedBy ? null : ruleAt(test.rule);
  const related = [
    ...(decider === null ? [] : [{ mark: decider, message: `\`${decidedBy}\` decides` }]),
    ...(wanted === null ? [] : [{ mark: wanted, message: `\`${test.rule}\` should decide` }]),
  ];
  const mark: PlaceMark = isMisrouted || test.ruleMark === null ? test : test.ruleMark;
  const about = { place: mark.place, excerpt: mark.excerpt };
  if (isStanding?.(test) !== true) {
    const why = `run ${explainCommand(test.when, how)} to see why`;
    const remedy = isStanding === undefined ? why : 'change the rules that the plan writes, or the test';
    return diagnose(about, { code: 'route-failed', message, remedy }, related);
  }
  const warning = {
    code: 'route-failed',
    severity: 'warning',
    message: `${message}; it is so before this plan as well`,
    remedy: waysOut(decidedBy, how),
  } as const;
  return diagnose(about, warning, related);
}

/** How a test passes again that no change of the plan broke. */
function waysOut(decidedBy: string | null, { unmanaged }: Failing): string {
  if (decidedBy === null || unmanaged(decidedBy) === null)
    return 'change the rule, apply the other rules of the files where --only or --except leaves them out, or change the test';
  return `change, move or delete that rule in the application of the service, declare it with \`chatform import --only auto_access/${decidedBy}\`, or change the test`;
}

function greetings(references: readonly Reference[]): string {
  return references.length === 0 ? 'no greeting' : listed(references);
}

function groups(references: readonly Reference[]): string {
  return references.length === 0 ? 'no group' : listed(references.map(groupTitle));
}

const FLAGS = ['country', 'country_code', 'region', 'city'] as const satisfies readonly (keyof Visitor)[];

function explainCommand(visitor: Visitor, { on, target }: Failing): string {
  const flags = FLAGS.flatMap((name) => {
    const given = visitor[name];
    return given === undefined ? [] : [`--${name.replace('_', '-')}`, quoted(given)];
  });
  const variables = Object.entries(visitor.variables ?? {}).flatMap(([name, value]) => [
    '--variable',
    quoted(`${name}=${value}`),
  ]);
  const chosen = target === null ? [] : ['-t', quoted(target)];
  const side = on === 'live' ? ['--on', 'live'] : [];
  return `\`${['chatform', 'explain', ...chosen, '--url', quoted(visitor.url), ...flags, ...variables, ...side].join(' ')}\``;
}

/** As a word of a shell command. */
function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Rules that leave something to the license, so that the files alone cannot decide the tests that reach them. */
export function openRoutes(results: readonly RouteResult<Route>[], { ruleAt }: Failing): readonly Diagnostic[] {
  const rules = new Map<string, number>();
  for (const { dependsOn } of results) if (dependsOn !== null) rules.set(dependsOn, (rules.get(dependsOn) ?? 0) + 1);
  return [...rules].flatMap(([rule, count]) => {
    const mark = ruleAt(rule);
    if (mark === null) return [];
    const message = `${count} routing ${count === 1 ? 'test depends' : 'tests depend'} on fields of this rule that only the license has`;
    const remedy = 'run them with `chatform plan`, or declare `conditions` and `access` of the rule';
    return [diagnose(mark, { code: 'route-failed', severity: 'warning', message, remedy })];
  });
}
