// Words for what a plan does to the routing of visitors, shared by text, comments, pages and reports.

import { counted, series } from '../../base/text.ts';
import type { PlannedRouting } from '../../plan/plan.ts';
import type { Exposed } from '../../plan/rerouting/write-order.ts';
import type { Cause, Example, Rerouted } from '../../routing/compare.ts';
import type { Decision } from '../../routing/list.ts';
import type { Visitor } from '../../routing/visitor.ts';
import { plain } from '../plain.ts';

/** One sentence, without a full stop. */
export function reroutedText(each: Rerouted): string {
  const { before, after, cause, examples } = each;
  const left = after.groups.length === 0 ? ': no rule matches them any more' : '';
  return `${who(examples)} go from ${to(before)} to ${to(after)} (${because(cause, each)})${left}`;
}

/** One sentence, without a full stop. */
export function exposedText({ visitor, meanwhile, writes }: Exposed): string {
  return `after ${counted(writes, 'write')}, ${described(visitor)} reaches ${to(meanwhile)} for a while, which is neither the old nor the new group`;
}

/** What is said of pages that only `made_up` visitors are on. */
export const MADE_UP = 'pages that no rule, routing test or setting names';

/** Those on pages that are named, and those on pages that are made up; each in the order of the plan. */
export function splitByPages<R extends Pick<Rerouted, 'made_up'>>(
  rerouted: readonly R[],
): { readonly likely: readonly R[]; readonly madeUp: readonly R[] } {
  return {
    likely: rerouted.filter((each) => each.made_up !== true),
    madeUp: rerouted.filter((each) => each.made_up === true),
  };
}

/** One sentence about all of them, without a full stop; none where there are none. */
export function madeUpSummary([first, ...others]: readonly Rerouted[]): readonly string[] {
  if (first === undefined) return [];
  const more =
    others.length === 0 ? '' : `, and ${counted(others.length, 'more kind', 'more kinds')} of visitors on such pages`;
  return [`only on ${MADE_UP}: ${reroutedText(first)}${more}`];
}

export const UNDECIDED = 'some pairs of rules could not be compared';

/** What avoids that visitors are exposed. */
export function wayOut(longer: PlannedRouting['longer']): string {
  if (longer === null) return 'no order of the writes is known to avoid it';
  const cost = longer.requests <= 0 ? 'no more requests' : counted(longer.requests, 'more request');
  const [first, ...others] = longer.rekeyed.map(ruleName);
  if (first === undefined) return `to avoid it, set \`routing: { reorder: safe }\` in chatform.yaml (${cost})`;
  if (others.length === 0)
    return `to avoid it, give rule ${first} a new key: the new rule is created before the old one is deleted (${cost})`;
  return `to avoid it, give the rules ${[first, ...others].join(', ')} new keys: each new rule is created before the old one is deleted (${cost})`;
}

/** `visitors from Poland on /pricing`. */
export function who(examples: readonly Example[]): string {
  return `visitors ${whence(examples)}`.trimEnd();
}

/** `from Poland on /pricing`; empty where it is not known. */
export function whence(examples: readonly Example[]): string {
  const first = examples[0];
  if (first === undefined) return '';
  const isSame = (other: Example): boolean => from(other.visitor) === from(first.visitor);
  const pages = examples.every(isSame) ? examples.filter(({ on }) => on.length <= first.on.length) : [first];
  const place = from(first.visitor);
  if (first.on.length === 0) return place === '' ? 'on any other page' : place.trimStart();
  return `${place} on ${pagesText(pages.map(({ on }) => on).filter((on) => on.length > 0))}`.trimStart();
}

/** `shop.example with /carts or /orders`: what all pages begin with stands once. */
function pagesText(pages: readonly (readonly string[])[]): string {
  const [[start, ...rest] = []] = pages;
  const isShared = rest.length > 0 && pages.every(([other, ...others]) => other === start && others.length > 0);
  if (start === undefined || !isShared) return anyOf([...new Set(pages.map(withAll))]);
  return `${plain(start)} with ${anyOf([...new Set(pages.map(([, ...others]) => others.map(plain).join(' and ')))])}`;
}

function withAll([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? plain(first) : `${plain(first)} with ${others.map(plain).join(' and ')}`;
}

function anyOf(pages: readonly string[]): string {
  const more = pages.length - 3;
  if (more > 0) return `${pages.slice(0, 3).join(', ')} or ${counted(more, 'other')}`;
  return series(pages, 'or');
}

function from({ country, country_code, region, city }: Visitor): string {
  const places = [city, region, country, country_code].filter((place) => place !== undefined);
  return places.length === 0 ? '' : ` from ${places.map(plain).join(', ')}`;
}

/** `https://example.com/pricing from Poland`. */
export function described(visitor: Visitor): string {
  return `${plain(visitor.url)}${from(visitor)}`;
}

/** The groups of a decision: `sales + desk`. */
export function to({ groups }: Decision): string {
  return groups.length === 0 ? 'no rule' : groups.map(groupName).join(' + ');
}

/** Why visitors are rerouted: `rule pricing is new`. */
export function because({ what, rule }: Cause, { before }: Pick<Rerouted, 'before'>): string {
  const name = ruleName(rule);
  switch (what) {
    case 'reordered':
      return before.rule === null || before.rule === rule
        ? `rule ${name} moved`
        : `rule ${name} now precedes ${ruleName(before.rule)}`;
    case 'added':
      return `rule ${name} is new`;
    case 'removed':
      return `rule ${name} is removed`;
    case 'conditions':
      return `the conditions of rule ${name} change`;
    case 'groups':
      return `the groups of rule ${name} change`;
  }
}

/** A declared rule by its key, another one by its id. */
function ruleName(reference: string): string {
  return plain(/^auto_access\/(.*)$/s.exec(reference)?.[1] ?? reference);
}

function groupName(reference: string): string {
  return plain(/^group\/(.*)$/s.exec(reference)?.[1] ?? `group ${reference}`);
}
