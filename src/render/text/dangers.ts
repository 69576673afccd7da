// The dangers of a plan in a terminal. Each object is named, however many there are.

import { few } from '../../base/text.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { PlannedRouting } from '../../plan/plan.ts';
import type { ReviewedPlan } from '../../tasks/review/plan-result.ts';
import type { Paint } from '../paint.ts';
import { plain } from '../plain.ts';
import { DANGERS } from '../words/plan.ts';
import { reroutedText } from '../words/routing.ts';
import { block } from './layout.ts';

/** Empty without dangers. Ends with an empty line. */
export function dangerLines(
  { plan: { routing }, cautions, gaps, felt }: ReviewedPlan,
  paint: Paint,
): readonly string[] {
  const line = (mark: string, text: string): string => `${paint('error', mark)}: ${text}`;
  return block(paint('error', 'Dangers:'), [
    ...cautionsAlike(cautions).map(([{ what }, addresses, meaning]) =>
      line(DANGERS[what].mark, [addresses.join(', '), ...meaning].join(': ')),
    ),
    ...gaps.filter(isDanger).map(({ message }) => line('cover lost', plain(message))),
    ...feltTexts(felt).map((text) => line('routing', text)),
    ...exposure(routing).map((text) => line('during the apply', text)),
  ]);
}

/** Whether a gap stands among the dangers, so that it need not be told as a finding. */
export function isDanger({ code }: Pick<ReviewedPlan['gaps'][number], 'code'>): boolean {
  return code === 'lost-cover';
}

type Alike = readonly [first: Caution, addresses: readonly string[], meaning: readonly string[]];

/** Those of one sort that mean the same, together. */
function cautionsAlike(cautions: readonly Caution[]): readonly Alike[] {
  const alike = new Map<string, readonly [Caution, string[], readonly string[]]>();
  for (const caution of cautions) {
    const meaning = meaningOf(caution);
    const sort = JSON.stringify([caution.what, meaning]);
    const [, addresses] = alike.get(sort) ?? [];
    if (addresses === undefined) alike.set(sort, [caution, [plain(caution.address)], meaning]);
    else addresses.push(plain(caution.address));
  }
  return [...alike.values()];
}

/** One text, or none where the mark says it all. */
function meaningOf({ message, referred_by: referrers }: Caution): readonly string[] {
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

function feltTexts(felt: ReviewedPlan['felt']): readonly string[] {
  return felt.length > MOST_FELT
    ? [`${felt.length} kinds of visitors reach other groups than before; the plan lists them`]
    : felt.map((each) => reroutedText(each));
}

function exposure(routing: PlannedRouting | null): readonly string[] {
  if (routing === null || routing.way === 'safe') return [];
  return routing.exposed.length === 0
    ? ['it is not known whether chats are misrouted while the rules are written']
    : ['some chats are misrouted while the rules are written; the plan lists them'];
}
