// What a plan does to the ways of visitors in, the lines that a person reads out. Decides nothing.

import type { KindName } from '../base/model.ts';
import { counted } from '../base/text.ts';
import type { Exposed } from '../plan/order/course.ts';
import type { PlannedRouting, Unmanaged } from '../plan/plan.ts';
import type { Cause, Example, Rerouted } from '../routing/compare.ts';
import type { Decision } from '../routing/list.ts';
import type { Visitor } from '../routing/visitor.ts';
import type { Paint } from './paint.ts';
import { plain, value } from './plain.ts';

/** Lines of each part, at most; the document has all. */
const LISTED = 10;

/** @param unmanaged whose ids say nothing to a person without their names */
export function routingLines(
  routing: PlannedRouting | null,
  paint: Paint,
  unmanaged: readonly Unmanaged[] = [],
): readonly string[] {
  if (routing === null) return [];
  const named = withNames(routing, unmanaged);
  return [...reroutedLines(named, paint), ...exposedLines(named, paint)];
}

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
    rerouted: routing.rerouted.map(({ before, after, cause, examples }) => ({
      before: decision(before),
      after: decision(after),
      cause: { ...cause, rule: named('auto_access', cause.rule) },
      examples,
    })),
    exposed: routing.exposed.map((each) => ({
      ...each,
      before: decision(each.before),
      meanwhile: decision(each.meanwhile),
      after: decision(each.after),
    })),
  };
}

function reroutedLines({ rerouted, exact }: PlannedRouting, paint: Paint): readonly string[] {
  if (rerouted.length === 0) {
    return [
      exact
        ? `${paint('strong', 'Visitors:')} nobody's chats go to other groups.`
        : `${paint('strong', 'Visitors:')} none is known whose chats go to other groups; not every pair of rules could be decided.`,
      '',
    ];
  }
  const listed = rerouted.slice(0, LISTED);
  const more = rerouted.length - listed.length;
  return [
    paint('strong', 'Visitors whose chats go to other groups:'),
    ...listed.flatMap((each) => [
      `  ${who(each.examples)}: ${to(each.before)} ${paint('faint', '->')} ${paint('strong', to(each.after))} ${paint('faint', `(${because(each.cause, each)})`)}`,
      ...each.examples.slice(0, 1).map(({ visitor }) => paint('faint', `    such as ${described(visitor)}`)),
    ]),
    ...(more === 0 ? [] : [`  and ${exact ? '' : 'at least '}${more} more`]),
    ...(exact || more > 0 ? [] : ['  and perhaps others: not every pair of rules could be decided']),
    '',
  ];
}

function exposedLines({ way, exposed, longer }: PlannedRouting, paint: Paint): readonly string[] {
  if (way === 'safe') return [];
  if (exposed.length === 0) {
    return [
      `${paint('warning', '!')} There are too many rules to tell whether anybody's chats go astray while they are written.`,
      '',
    ];
  }
  const last = exposed.slice(0, LISTED);
  return [
    paint('warning', "While the rules are written, somebody's chats go where they neither went nor shall go:"),
    ...last.map((each) => `  ${astray(each)}`),
    ...(exposed.length > last.length ? [`  and ${exposed.length - last.length} more`] : []),
    `  ${wayOut(longer)}`,
    '',
  ];
}

function astray({ visitor, before, meanwhile, after, writes }: Exposed): string {
  return `after ${counted(writes, 'write')} ${described(visitor)} reaches ${to(meanwhile)}, and neither ${to(before)} nor ${to(after)}`;
}

export function wayOut(longer: PlannedRouting['longer']): string {
  if (longer === null) return 'no order of the writes is known that avoids it';
  const cost = longer.requests <= 0 ? 'no request more' : `${counted(longer.requests, 'request')} more`;
  const [first, ...others] = longer.anew.map(ruleName);
  if (first === undefined) return `\`routing: { reorder: safe }\` in chatform.yaml avoids it, with ${cost}`;
  if (others.length === 0)
    return `a new key for rule ${first} avoids it, with ${cost}: then it is made before the old one is deleted`;
  return `new keys for the rules ${[first, ...others].join(', ')} avoid it, with ${cost}: then each is made before the old one is deleted`;
}

/** `visitors from Poland on /pricing`. */
export function who(examples: readonly Example[]): string {
  const first = examples[0];
  if (first === undefined) return 'visitors';
  const isSame = (other: Example): boolean => from(other.visitor) === from(first.visitor);
  const pages = examples.every(isSame) ? examples.filter(({ on }) => on.length <= first.on.length) : [first];
  const named = [...new Set(pages.map(({ on }) => pageOf(on)))].filter((page) => page !== '');
  const place = from(first.visitor);
  if (named.length === 0) return place === '' ? 'visitors of any other page' : `visitors${place}`;
  return `visitors${place} on ${anyOf(named)}`;
}

function pageOf([first, ...others]: readonly string[]): string {
  if (first === undefined) return '';
  return others.length === 0 ? plain(first) : `${plain(first)} with ${others.map(plain).join(' and ')}`;
}

function anyOf(pages: readonly string[]): string {
  const more = pages.length - 3;
  return more <= 0 ? pages.join(' or ') : `${pages.slice(0, 3).join(', ')} or ${counted(more, 'other')}`;
}

function from({ country, country_code, region, city }: Visitor): string {
  const places = [city, region, country, country_code].filter((place) => place !== undefined);
  return places.length === 0 ? '' : ` from ${places.map(plain).join(', ')}`;
}

export function described(visitor: Visitor): string {
  return `${plain(visitor.url)}${from(visitor)}`;
}

export function to({ groups }: Decision): string {
  return groups.length === 0 ? 'no rule' : groups.map(groupName).join(' + ');
}

export function because({ what, rule }: Cause, { before }: Rerouted): string {
  const name = ruleName(rule);
  switch (what) {
    case 'reordered':
      return before.rule === null || before.rule === rule
        ? `rule ${name} moved`
        : `rule ${name} now precedes ${ruleName(before.rule)}`;
    case 'added':
      return `rule ${name} is new`;
    case 'removed':
      return `rule ${name} is gone`;
    case 'conditions':
      return `the conditions of rule ${name} change`;
    case 'groups':
      return `the groups of rule ${name} change`;
  }
}

/** A declared one by its key, another one by its id. */
function ruleName(reference: string): string {
  return plain(/^auto_access\/(.*)$/s.exec(reference)?.[1] ?? reference);
}

function groupName(reference: string): string {
  return plain(/^group\/(.*)$/s.exec(reference)?.[1] ?? `group ${reference}`);
}
