// The dangers of a plan in a terminal: a line or two for those that mean the same. With details, and in a pipe, each object is named.

import { countedBy, groupedBy } from '../../base/grouped.ts';
import { few } from '../../base/text.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { PlannedRouting } from '../../plan/plan.ts';
import type { ReviewedPlan } from '../../tasks/review/plan-result.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { block, INDENT } from '../../view/terminal/layout.ts';
import { fewWhere, fitted } from '../../view/terminal/narrow.ts';
import { DANGERS } from '../words/plan.ts';
import { reroutedText } from '../words/routing.ts';

/** Empty without dangers. Ends with an empty line. */
export function dangerLines(reviewed: ReviewedPlan, paint: Paint, details: boolean): readonly string[] {
  const { plan, cautions, gaps } = reviewed;
  const line = (mark: string, text: string): string => `${paint('error', mark)}: ${text}`;
  return block(paint('error', 'Dangers:'), [
    ...cautionsAlike(cautions, leavingIn(plan)).map(([what, alike, meaning]) => {
      const said = (names: string): string => line(DANGERS[what].mark, [names, ...meaning].join(': '));
      return details || paint.width === undefined
        ? said(alike.map(({ address }) => plain(address)).join(', '))
        : onTwoLines(namesOf(what, alike), said, paint.width);
    }),
    ...gaps.filter(isDanger).map(({ message }) => line('cover lost', plain(message))),
    ...feltTexts(reviewed).map((text) => line('routing', text)),
    ...exposure(plan.routing).map((text) => line('during the apply', text)),
  ]);
}

/** Whether a gap stands among the dangers, so that it need not be told as a finding. */
export function isDanger({ code }: Pick<ReviewedPlan['gaps'][number], 'code'>): boolean {
  return code === 'lost-cover';
}

/** As many of the names as fit, at least one, and how many more there are. */
function onTwoLines(names: readonly string[], said: (names: string) => string, width: number): string {
  const isFitting = (text: string): boolean => fitted(INDENT + text, width).split('\n').length <= 2;
  // A name takes a column, and the comma and the space after it.
  return said(fewWhere(names, Math.min(names.length, width), (text) => isFitting(said(text))));
}

/** Who gets more access is known by name, unless two of them have it. */
function namesOf(what: Caution['what'], alike: readonly Caution[]): readonly string[] {
  const holders = countedBy(alike, ({ name }) => name);
  return alike.map(({ name, address }) =>
    plain(what === 'access' && name.trim() !== '' && holders.get(name) === 1 ? name : address),
  );
}

type Alike = readonly [what: Caution['what'], alike: readonly Caution[], meaning: readonly string[]];

/** Those of one sort that mean the same, together. */
function cautionsAlike(cautions: readonly Caution[], leaving: ReadonlySet<string>): readonly Alike[] {
  const told = cautions.map((caution) => ({ caution, meaning: meaningOf(caution, leaving) }));
  const alike = groupedBy(told, ({ caution: { what }, meaning }) => JSON.stringify([what, meaning]));
  return Array.from(alike.values(), (same): Alike => {
    const [{ caution, meaning }] = same;
    return [caution.what, same.map((each) => each.caution), meaning];
  });
}

function leavingIn({ resource_changes: changes }: ReviewedPlan['plan']): ReadonlySet<string> {
  return new Set(changes.flatMap(({ address, change }) => (change.after === null ? [address] : [])));
}

/** One text, or none where the mark says it all. What refers to the object and goes as well is none of its dangers. */
function meaningOf({ message, referred_by: all }: Caution, leaving: ReadonlySet<string>): readonly string[] {
  const referrers = all.filter(({ reference }) => !leaving.has(reference));
  const names = referrers.map(({ type, reference, name }) =>
    plain(reference.startsWith(`${type}/`) ? reference : `${type} ${reference} ${JSON.stringify(name)}`),
  );
  const parts = [
    ...(message === '' ? [] : [plain(message)]),
    ...(names.length === 0 ? [] : [`referred to by ${few(names)}`]),
  ];
  return parts.length === 0 ? [] : [parts.join('; ')];
}

/** More reroutes than that are counted. */
const MOST_FELT = 3;

/** The count is that of the plan's list, which also has the visitors who had no group before. */
function feltTexts({ felt, plan: { routing } }: ReviewedPlan): readonly string[] {
  if (felt.length <= MOST_FELT || routing === null) return felt.map((each) => reroutedText(each));
  const { rerouted, exact } = routing;
  const newly = rerouted.filter(({ before }) => before.groups.length === 0).length;
  const all = `${exact ? '' : 'at least '}${rerouted.length} kinds of visitors are routed differently`;
  return [`${all}${newly === 0 ? '' : `, ${newly} of them had no group before`}; the plan lists them`];
}

function exposure(routing: PlannedRouting | null): readonly string[] {
  if (routing === null || routing.way === 'safe') return [];
  return routing.exposed.length === 0
    ? ['it is not known whether chats are misrouted while the rules are written']
    : ['some chats are misrouted while the rules are written; the plan lists them'];
}
