// The visitors of a plan, as terminal text: who is routed differently, in the order of the plan, and who is misrouted while rules are written.

import type { KindName } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { Exposed } from '../../plan/order/write-order.ts';
import type { Plan, PlannedRouting, Unmanaged } from '../../plan/plan.ts';
import type { Rerouted } from '../../routing/compare.ts';
import type { Decision } from '../../routing/list.ts';
import type { Paint } from '../../view/paint.ts';
import { value } from '../../view/plain.ts';
import { block, capped } from '../../view/terminal/layout.ts';
import { because, described, MADE_UP, splitByPages, to, UNDECIDED, wayOut, whence } from '../words/routing.ts';

/** At most `most` visitors are listed under one title; the document has all of them. */
export function visitorLines(
  { routing, unmanaged }: Pick<Plan, 'routing' | 'unmanaged'>,
  most: number,
  paint: Paint,
): readonly string[] {
  if (routing === null) return [];
  const named = withNames(routing, unmanaged);
  return [...reroutedLines(named, most, paint), ...exposedLines(named, most, paint)];
}

/** Ids of unmanaged rules and groups, with the names by which a person knows them. */
function withNames(routing: PlannedRouting, unmanaged: readonly Unmanaged[]): PlannedRouting {
  const names = new Map(unmanaged.map(({ type, id, name }) => [`${type} ${id}`, name]));
  const named = (type: KindName, id: string): string => {
    const name = names.get(`${type} ${id}`);
    return name === undefined || name === id ? id : `${value(name)} (${id})`;
  };
  const decision = ({ rule, groups }: Decision): Decision => ({
    rule: rule === null ? null : named('auto_access', rule),
    groups: groups.map((group) => named('group', group)),
  });
  return {
    ...routing,
    rerouted: routing.rerouted.map((each) => ({
      ...each,
      before: decision(each.before),
      after: decision(each.after),
      cause: { ...each.cause, rule: named('auto_access', each.cause.rule) },
    })),
    exposed: routing.exposed.map((each) => ({
      ...each,
      before: decision(each.before),
      meanwhile: decision(each.meanwhile),
      after: decision(each.after),
    })),
  };
}

function reroutedLines({ rerouted, exact }: PlannedRouting, most: number, paint: Paint): readonly string[] {
  if (rerouted.length === 0) {
    const said = exact
      ? 'no visitor is routed differently.'
      : `no visitor is known to be routed differently; ${UNDECIDED}.`;
    return [`${paint('strong', 'Routing:')} ${said}`, ''];
  }
  const { likely, madeUp } = splitByPages(rerouted);
  const listed = likely.slice(0, most);
  const more = likely.length - listed.length;
  return block(paint('strong', 'Visitors who are routed differently:'), [
    ...listed.flatMap((each) => [wayLine(each, paint), ...exampleLine(each, paint)]),
    ...(more === 0 ? [] : [`and ${exact ? '' : 'at least '}${more} more`]),
    ...madeUpLines(madeUp, likely.length > 0, paint),
    ...(exact || more > 0 ? [] : [`and possibly others: ${UNDECIDED}`]),
  ]);
}

function wayLine(each: Rerouted, paint: Paint): string {
  return `${whence(each.examples) || 'visitors'}: ${to(each.before)} ${paint('faint', '->')} ${paint('strong', to(each.after))} ${paint('faint', `(${because(each.cause, each)})`)}`;
}

/** A page to look at; none where the line before it has all of it. */
function exampleLine({ examples }: Rerouted, paint: Paint): readonly string[] {
  const [first] = examples;
  if (first === undefined) return [];
  const { url } = first.visitor;
  const isSaid = first.on.some((text) => url === text || url === `https://${text}`);
  return isSaid ? [] : [paint('faint', `  for example ${described(first.visitor)}`)];
}

/** Made-up pages, folded: how many ways, and one of them. */
function madeUpLines(madeUp: readonly Rerouted[], hasOthers: boolean, paint: Paint): readonly string[] {
  const [first] = madeUp;
  const example = first?.examples[0];
  if (first === undefined || example === undefined) return [];
  const count = hasOthers ? `and ${madeUp.length} more` : counted(madeUp.length, 'kind');
  return [
    `${count}, only on ${MADE_UP}`,
    paint('faint', `  for example ${described(example.visitor)}: ${to(first.before)} -> ${to(first.after)}`),
  ];
}

function exposedLines({ way, exposed, longer }: PlannedRouting, most: number, paint: Paint): readonly string[] {
  if (way === 'safe') return [];
  if (exposed.length === 0)
    return [
      `${paint('warning', '!')} There are too many rules to tell whether chats are misrouted while the rules are written.`,
      '',
    ];
  return block(
    paint('warning', 'While the rules are written, some chats go to a group that is neither the old nor the new one:'),
    [...capped(exposed, most, exposedLine), wayOut(longer)],
  );
}

function exposedLine({ visitor, before, meanwhile, after, writes }: Exposed): string {
  return `after ${counted(writes, 'write')}, ${described(visitor)} reaches ${to(meanwhile)} instead of ${to(before)} or ${to(after)}`;
}
