// Requests about auto access rules come in, rules change and are answered. Must not know how the list is linked.
// Specification: "Auto access rule", "Auto access".

import type { EmulatedLicense } from '../engine/license.ts';
import { shuffled } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import { distinct, int, object, optional, quoted, string, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { changes, reads, writes } from './action.ts';
import { permit } from './caller.ts';
import { conditions } from './conditions.ts';
import { requireGroups } from './memberships.ts';
import type { Rule } from './records.ts';
import { ruleTable } from './records.ts';
import { insertRule, moveRule, removeRule, rulesInOrder } from './rule-list.ts';
import type { ConfigurationSettings } from './settings.ts';
import { isFull } from './settings.ts';
import { BOTH } from './version.ts';

/** Destination groups: at least one, because a rule that assigns none does nothing. */
export const access = object({ groups: distinct(int(0), 1) });

const addRequest = object({
  access,
  conditions,
  description: optional(string),
  next_id: optional(string),
});
const updateRequest = object({
  id: text,
  access: optional(access),
  conditions: optional(conditions),
  description: optional(string),
  next_id: optional(string),
});
const byId = object({ id: text });
const nothing = object({});

function requireRule(license: EmulatedLicense, id: string, at = Infinity): Rule {
  return ruleTable.of(license).get(id, at) ?? refuse('not_found', `rule ${quoted(id)} does not exist`);
}

function requireNext({ license, settings, refersAt }: Context, next: string | undefined): void {
  if (next === undefined || next === '') return;
  if ([Infinity, refersAt].some((at) => ruleTable.of(license).get(next, at) === undefined))
    refuse(settings.missingNextRule, `${quoted('next_id')} names a rule that does not exist`);
}

function addRule(body: unknown, context: Context): object {
  const { license, settings, caller, ids } = context;
  const given = addRequest(body, '');
  permit(caller, 'access_rules:rw');
  requireGroups(context, given.access.groups, 'access.groups');
  requireNext(context, given.next_id);
  if (isFull(settings.limits.accessRules, ruleTable.of(license).size()))
    refuse('limit_reached', 'the license has no auto access rule left');
  const id = ids.object();
  const content = { id, groups: given.access.groups, conditions: given.conditions };
  const described = given.description === undefined ? content : { ...content, description: given.description };
  insertRule(license, described, given.next_id ?? '');
  return { id };
}

function updateRule(body: unknown, context: Context): void {
  const { license, caller } = context;
  const { id, access: given, next_id, ...content } = updateRequest(body, '');
  permit(caller, 'access_rules:rw');
  const rule = requireRule(license, id);
  requireRule(license, id, context.refersAt);
  if (given !== undefined) requireGroups(context, given.groups, 'access.groups');
  requireNext(context, next_id);
  if (next_id === id) refuse('validation', `${quoted('next_id')} must not be the rule itself`);
  ruleTable.of(license).set({ ...rule, ...content, groups: given?.groups ?? rule.groups });
  if (next_id !== undefined) moveRule(license, id, next_id);
}

function deleteRule(body: unknown, { license, caller }: Context): void {
  const { id } = byId(body, '');
  permit(caller, 'access_rules:rw');
  removeRule(license, requireRule(license, id));
}

/** What becomes of the rules of a group that is deleted. */
export function takeGroupOutOfRules(license: EmulatedLicense, settings: ConfigurationSettings, group: number): void {
  const naming = ruleTable
    .of(license)
    .all()
    .filter((rule) => rule.groups.includes(group));
  const [first] = naming;
  if (first !== undefined && settings.deletedGroupInRules === 'refuse')
    refuse('validation', `group ${group} is named by auto access rule ${quoted(first.id)}`);
  for (const rule of naming) ruleTable.of(license).set({ ...rule, groups: rule.groups.filter((id) => id !== group) });
}

type Matches = NonNullable<Rule['conditions']['url']>;

function matchesReply({ values, exclude_values }: Matches): object {
  const fill = (items: Matches['values']) => items?.map((item) => ({ exact_match: false, ...item }));
  return { values: fill(values), exclude_values: fill(exclude_values) };
}

function conditionsReply({ url, domain, geolocation }: Rule['conditions']): object {
  return { url: url && matchesReply(url), domain: domain && matchesReply(domain), geolocation };
}

function nextReply(next: string, { lastRuleNextId }: ConfigurationSettings): string | null | undefined {
  if (next !== '' || lastRuleNextId === 'empty') return next;
  return lastRuleNextId === 'null' ? null : undefined;
}

function ruleReply({ id, description, groups, conditions: kept, next }: Rule, settings: ConfigurationSettings): object {
  const fill = settings.ruleDefaultsOnRead;
  return {
    id,
    description: description ?? (fill ? '' : undefined),
    access: { groups },
    conditions: fill ? conditionsReply(kept) : kept,
    next_id: nextReply(next, settings),
  };
}

function listRules(body: unknown, { license, settings, caller, at, random }: Context): object {
  nothing(body, '');
  permit(caller, 'access_rules:ro');
  const rules = rulesInOrder(license, at);
  const order = settings.ruleListOrder === 'list' ? rules : shuffled(rules, random);
  return order.map((rule) => ruleReply(rule, settings));
}

export const autoAccessActions: readonly Action[] = [
  writes('add_auto_access', BOTH, addRule),
  changes('update_auto_access', BOTH, updateRule),
  changes('delete_auto_access', BOTH, deleteRule),
  reads('list_auto_accesses', BOTH, listRules),
];
