// The block of dangers at the top of a comment. It shrinks last, and never to nothing: however long the plan is, each danger is counted, and named as
// long as names fit.

import type { Diagnostic } from '../../base/model.ts';
import { counted, few } from '../../base/text.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { PlannedRouting, Referrer } from '../../plan/plan.ts';
import type { ReviewedPlan } from '../../tasks/review/plan-result.ts';
import { addressCode, bytes, code, cut, fitting, fullest, type LineUrl, placeLink } from '../../view/markdown.ts';
import { DANGERS } from '../words/plan.ts';
import { exposedText, madeUpSummary, reroutedText, splitByPages, UNDECIDED, wayOut } from '../words/routing.ts';

const LONGEST_MESSAGE = 400;
const MOST_REFERRERS = 8;

const DANGER_ORDER = Object.keys(DANGERS) as readonly Caution['what'][];

/** Empty when there is no danger. */
export function dangerBlock(of: ReviewedPlan, lineOf: LineUrl | null, room: number): string {
  const { cautions } = of;
  const routing = routingLines(of);
  if (cautions.length + routing.length === 0) return '';
  const totals = [...cautionTotals(cautions), ...(routing.length === 0 ? [] : routingTotals(of))];
  const opening = `\n> [!CAUTION]\n> ${totals.join(' · ')}\n>\n`;
  const quote = (lines: readonly string[]): string => lines.map((line) => `> - ${line}\n`).join('');
  const inFull = (mostReferrers: number) => () => {
    const lines = cautions.map((caution) => cautionLine(caution, lineOf, mostReferrers));
    return `${opening}${quote([...lines, ...routing])}`;
  };
  const byName = (): string => {
    const paths = quote(routing.slice(0, 3));
    return `${opening}${cautionNames(cautions, room - bytes(opening) - bytes(paths))}${paths}`;
  };
  return fullest([inFull(MOST_REFERRERS), inFull(0), byName], room);
}

function cautionTotals(cautions: readonly Caution[]): readonly string[] {
  return DANGER_ORDER.flatMap((what) => {
    const count = cautions.filter((caution) => caution.what === what).length;
    return count === 0 ? [] : [`**${count}** ${DANGERS[what].counted}`];
  });
}

function cautionLine(caution: Caution, lineOf: LineUrl | null, mostReferrers: number): string {
  const { what, address, message, source, referred_by: referrers } = caution;
  const place = placeLink(source, lineOf);
  const at = place === '' ? '' : ` (${place})`;
  const why = message === '' ? '' : `: ${code(cut(message, LONGEST_MESSAGE))}`;
  return `${addressCode(address)}${at} ${DANGERS[what].says}${why}${referrersText(referrers, mostReferrers)}`;
}

/** The objects that still refer to a destroyed one. */
function referrersText(referrers: readonly Referrer[], most: number): string {
  if (referrers.length === 0) return '';
  if (most === 0) return `; ${counted(referrers.length, 'object refers', 'objects refer')} to it`;
  const names = referrers.map(({ type, reference, name }) =>
    addressCode(reference.startsWith(`${type}/`) ? reference : `${type} ${reference} ${JSON.stringify(name)}`),
  );
  return `; referred to by ${few(names, most)}`;
}

/** Names alone, by danger and kind, as many as fit. */
function cautionNames(cautions: readonly Caution[], room: number): string {
  const groups = DANGER_ORDER.flatMap((what) => {
    const those = cautions.filter((caution) => caution.what === what);
    const types = [...new Set(those.map(({ type }) => type))];
    return types.map((type) => ({ what, type, those: those.filter((caution) => caution.type === type) }));
  });
  const headOf = ({ what, type, those }: (typeof groups)[number]): string =>
    `> - **${DANGERS[what].counted}**: ${those.length} ${code(type)}: `;
  const endOf = (hidden: number): string => (hidden === 0 ? '\n' : `and ${hidden} more, listed in the plan\n`);
  let left = room - bytes(groups.map((group) => headOf(group) + endOf(group.those.length)).join(''));
  return groups
    .map((group) => {
      const names = group.those.map(({ address }) => `${addressCode(address)}, `);
      const { text, left: hidden } = fitting(names, left);
      left -= bytes(text);
      return `${headOf(group)}${hidden === 0 ? text.replace(/, $/, '') : text}${endOf(hidden)}`;
    })
    .join('');
}

/** Lines about routing of one sort. */
const MOST = 20;
const LONGEST = 200;

function quoted(text: string): string {
  return code(cut(text, LONGEST));
}

function routingTotals({ plan: { routing }, gaps }: ReviewedPlan): readonly string[] {
  const rerouted = routing?.rerouted.length ?? 0;
  const exposed = routing?.exposed.length ?? 0;
  const totals = [
    ...(rerouted === 0 ? [] : [`**${rerouted}** ${rerouted === 1 ? 'kind' : 'kinds'} of visitors routed differently`]),
    ...(exposed === 0 ? [] : [`**${exposed}** misrouted while rules are written`]),
    ...(gaps.length === 0 ? [] : [`**${gaps.length}** ${gaps.length === 1 ? 'gap' : 'gaps'} in routing`]),
  ];
  return totals.length === 0 ? ['routing uncertain'] : totals;
}

function routingLines({ plan: { routing }, gaps }: ReviewedPlan): readonly string[] {
  const lines = [
    ...(routing === null ? [] : [...reroutedLines(routing), ...exposedLines(routing)]),
    ...gaps.map(gapLine),
  ];
  return lines.map((line) => `routing: ${line}`);
}

function reroutedLines({ rerouted, exact }: PlannedRouting): readonly string[] {
  const { likely, madeUp } = splitByPages(rerouted);
  const more = likely.length - MOST;
  return [
    ...likely.slice(0, MOST).map((each) => reroutedText(each, quoted)),
    ...(more > 0 ? [`and ${exact ? '' : 'at least '}${more} more`] : []),
    ...madeUpSummary(madeUp, quoted),
    ...(exact || more > 0 ? [] : [`possibly others as well; ${UNDECIDED}`]),
  ];
}

function exposedLines({ way, exposed, longer }: PlannedRouting): readonly string[] {
  if (way === 'safe') return [];
  if (exposed.length === 0) return ['too many rules to tell whether chats are misrouted while the rules are written'];
  return [...exposed.slice(0, MOST).map((each) => exposedText(each, quoted)), quoted(wayOut(longer))];
}

function gapLine({ message, place }: Diagnostic): string {
  return `${quoted(message)} (${quoted(`${place.file}:${place.line}`)})`;
}
