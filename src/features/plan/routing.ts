// The routing of a plan: which visitors go where before and after, and who is misrouted while the rules are written.

import type { KindName } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { Plan, PlannedRouting, Unmanaged } from '../../plan/plan.ts';
import type { Exposed } from '../../plan/rerouting/write-order.ts';
import type { Rerouted } from '../../routing/compare.ts';
import type { Decision } from '../../routing/list.ts';
import type { Block, Entry, Section, Span, Text } from '../../view/blocks.ts';
import { because, described, MADE_UP, splitByPages, to, UNDECIDED, wayOut, whence } from '../../view/words/routing.ts';

/** Kinds of visitors that a terminal lists. */
const MOST = 6;

export function visitorBlocks({ routing, unmanaged }: Pick<Plan, 'routing' | 'unmanaged'>): readonly Block[] {
  if (routing === null) return [];
  const named = withNames(routing, unmanaged);
  return [reroutedBlock(named), ...exposedBlocks(named)];
}

/** Ids of unmanaged rules and groups, with the names by which a person knows them. */
function withNames(routing: PlannedRouting, unmanaged: readonly Unmanaged[]): PlannedRouting {
  const names = new Map(unmanaged.map(({ type, id, name }) => [`${type} ${id}`, name]));
  const named = (type: KindName, id: string): string => {
    const name = names.get(`${type} ${id}`);
    return name === undefined || name === id ? id : `${JSON.stringify(name)} (${id})`;
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

function reroutedBlock({ rerouted, exact }: PlannedRouting): Block {
  if (rerouted.length === 0) {
    const said = exact
      ? 'no visitor is routed differently.'
      : `no visitor is known to be routed differently; ${UNDECIDED}.`;
    return { type: 'text', text: [{ text: 'Routing:', tone: 'strong' }, ` ${said}`] };
  }
  const { likely, madeUp } = splitByPages(rerouted);
  return {
    type: 'section',
    id: 'visitors',
    title: 'Visitors who are routed differently',
    count: rerouted.length,
    weight: 15,
    body: [
      {
        type: 'list',
        texts: likely.map(wayEntry),
        most: MOST,
        remarks: exact ? [] : [`and possibly others: ${UNDECIDED}`],
      },
      ...madeUpSection(madeUp),
    ],
  };
}

/** A page to look at stands below, unless the line has all of it. */
function wayEntry(each: Rerouted): Entry {
  const [first] = each.examples;
  const url = first?.visitor.url;
  const isSaid = first?.on.some((text) => url === text || url === `https://${text}`) ?? true;
  return {
    text: [`${whence(each.examples) || 'visitors'}: `, ...wayText(each), faint(` (${because(each.cause, each)})`)],
    below: first === undefined || isSaid ? [] : [faint(`for example ${described(first.visitor)}`)],
  };
}

function wayText({ before, after }: Rerouted): readonly Span[] {
  return [to(before), faint(' -> '), { text: to(after), tone: 'strong' }];
}

function faint(text: string): Span {
  return { text, tone: 'faint' };
}

/** Pages that nothing names are folded: how many ways, and one of them. */
function madeUpSection(ways: readonly Rerouted[]): readonly Section[] {
  const [first] = ways;
  const example = first?.examples[0];
  if (first === undefined || example === undefined) return [];
  const brief: Text = [
    `${counted(ways.length, 'kind')}, for example ${described(example.visitor)}: `,
    ...wayText(first),
  ];
  const body: readonly Block[] = [{ type: 'list', texts: ways.map(wayEntry) }];
  return [
    {
      type: 'section',
      id: 'made-up',
      title: `Only on ${MADE_UP}`,
      fold: { brief, isComplete: true },
      body,
      weight: -5,
    },
  ];
}

function exposedBlocks({ way, exposed, longer }: PlannedRouting): readonly Block[] {
  if (way === 'safe') return [];
  if (exposed.length === 0) {
    const said = 'There are too many rules to tell whether chats are misrouted while the rules are written.';
    return [{ type: 'text', text: [{ text: '!', tone: 'warning' }, ` ${said}`] }];
  }
  return [
    {
      type: 'section',
      id: 'exposed',
      title: 'While the rules are written, some chats go to a group that is neither the old nor the new one',
      tone: 'warning',
      count: exposed.length,
      weight: 15,
      body: [{ type: 'list', texts: exposed.map(exposedText), most: MOST, remarks: [wayOut(longer)] }],
    },
  ];
}

function exposedText({ visitor, before, meanwhile, after, writes }: Exposed): string {
  return `after ${counted(writes, 'write')}, ${described(visitor)} reaches ${to(meanwhile)} instead of ${to(before)} or ${to(after)}`;
}
