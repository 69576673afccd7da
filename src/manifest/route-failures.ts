// Failed routing tests as diagnostics, each with the place of the test and of the rule that decided.

import { groupedBy } from '../base/grouped.ts';
import type { Diagnostic, Reference } from '../base/model.ts';
import { listed } from '../base/nearest.ts';
import { counted, few } from '../base/text.ts';
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

/** One finding for each test, or for all tests that one rule fails which no file has: there is one thing to do about it. */
export function routeFailures(results: readonly RouteResult<Route>[], how: Failing): readonly Diagnostic[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const byHand = groupedBy(
    failed.filter(({ decidedBy }) => decidedBy !== null && how.unmanaged(decidedBy) !== null),
    ({ decidedBy }) => decidedBy,
  );
  return failed.flatMap((result): readonly Diagnostic[] => {
    const own = byHand.get(result.decidedBy);
    if (own === undefined) return [failure(result, how)];
    return own[0] === result ? [failuresByHand(own, how)] : [];
  });
}

/** Tests that a finding names at most. */
const MOST_TESTS = 5;

/** The tests that one rule fails which no file has. */
function failuresByHand(failed: readonly [RouteResult<Route>, ...RouteResult<Route>[]], how: Failing): Diagnostic {
  const { unmanaged, isStanding } = how;
  const [first] = failed;
  const rule = first.decidedBy ?? '';
  const isOld = isStanding !== undefined && failed.every(({ test }) => isStanding(test));
  const names = failed.map(({ test }) => test.name ?? visitorText(test.when));
  const tests = counted(failed.length, 'routing test');
  const mark = markOf(failed.find(isMisrouted) ?? first);
  return diagnose(
    { place: mark.place, excerpt: mark.excerpt },
    {
      code: 'route-failed',
      severity: isOld ? 'warning' : 'error',
      message: `no file has the rule ${unmanaged(rule)}, which fails ${tests}: ${few(names, MOST_TESTS)}${isOld ? '; it is so before this plan as well' : ''}`,
      remedy: `${isStanding === undefined || isOld ? '' : 'change the rules that the plan writes; or '}${waysOut(rule, how)}`,
    },
    failed.slice(0, MOST_TESTS).map((each) => ({ mark: markOf(each), message: failureText(each, () => ' by it') })),
  );
}

/** What can be done with a rule that no file has. */
function waysOut(rule: string, { target }: Failing): string {
  const chosen = target === null ? '' : ` -t ${quoted(target)}`;
  return [
    `to keep it, write the entry that \`chatform drift${chosen} --accept auto_access/${rule}\` prints below the rules that must decide, or change the tests and accept it`,
    'to remove it, delete it in the application of the service, or set `prune: { auto_access: all }`, which deletes every rule that no file has',
  ].join('; ');
}

function isMisrouted({ test, got }: RouteResult<Route>): boolean {
  return got.join() !== test.expect.join();
}

function markOf(result: RouteResult<Route>): PlaceMark {
  const { test } = result;
  return isMisrouted(result) || test.ruleMark === null ? test : test.ruleMark;
}

/** `by`: the rule that decides, as a part of the sentence. */
function failureText(result: RouteResult<Route>, by: (rule: string | null) => string): string {
  const { test, got, decidedBy, greeted } = result;
  const who = `${test.name === null ? '' : `${test.name}: `}${visitorText(test.when)}`;
  if (isMisrouted(result))
    return `${who} reaches ${groups(got)}${by(decidedBy)}, but ${test.expect.length === 0 ? 'no rule may match' : `${groups(test.expect)} is expected`}`;
  return test.rule === null || test.rule === decidedBy
    ? `${who} gets ${greetings(greeted ?? [])}, but ${greetings(test.greetings ?? [])} is expected`
    : `${who} is decided${by(decidedBy)}, but rule \`${test.rule}\` is expected to decide`;
}

function failure(result: RouteResult<Route>, how: Failing): Diagnostic {
  const { test, decidedBy } = result;
  const { ruleAt, isStanding } = how;
  const message = failureText(result, (rule) => (rule === null ? '' : ` by rule \`${rule}\``));
  const decider = decidedBy === null ? null : ruleAt(decidedBy);
  const wanted = test.rule === null || test.rule === decidedBy ? null : ruleAt(test.rule);
  const related = [
    ...(decider === null ? [] : [{ mark: decider, message: `\`${decidedBy}\` decides` }]),
    ...(wanted === null ? [] : [{ mark: wanted, message: `\`${test.rule}\` should decide` }]),
  ];
  const mark = markOf(result);
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
    remedy:
      'change the rule, apply the other rules of the files where --only or --except leaves them out, or change the test',
  } as const;
  return diagnose(about, warning, related);
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
