// Auto access rules: their records, the list that links them, and every action on them.
// Specification: "Auto access rule", "Auto access".

import type { ParsedObject } from '../../base/json.ts';
import { defineTable, type EmulatedLicense, type TableDefinition } from '../engine/license.ts';
import { seededId, shuffled } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import type { BrokenChain } from '../engine/scenario.ts';
import type { ObjectShape } from '../engine/shape.ts';
import {
  bool,
  checked,
  closed,
  described,
  distinct,
  int,
  list,
  object,
  optional,
  quoted,
  string,
  text,
} from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { changeAction, findForWrite, readAction, writeAction } from './action.ts';
import { groupKey, groupTable, requireGroups } from './memberships.ts';
import { type ConfigurationSettings, isFull } from './settings.ts';

const match = object({ value: text, exact_match: optional(bool) });
const lists = object({ values: optional(list(match, 1)), exclude_values: optional(list(match, 1)) });
type UrlMatches = ReturnType<typeof lists>;

/** `url` or `domain`: positive or negative, one of both. */
const matches = checked(lists, ({ values, exclude_values }, path) => {
  if (values !== undefined && exclude_values !== undefined)
    refuse('validation', `${quoted(`${path}.values`)} cannot be combined with \`exclude_values\``);
  if (values === undefined && exclude_values === undefined)
    refuse('validation', `${quoted(path)} needs \`values\` or \`exclude_values\``);
});

const placeMembers = object({
  country: optional(string),
  country_code: optional(string),
  region: optional(string),
  city: optional(string),
});
const place = checked(placeMembers, (given, path) => {
  if (Object.values(given).every((member) => member === ''))
    refuse('validation', `${quoted(path)} needs one of \`country\`, \`country_code\`, \`region\`, \`city\``);
});

const conditionMembers = object({
  url: optional(matches),
  domain: optional(matches),
  geolocation: optional(object({ values: list(place, 1) })),
});
const conditions = checked(conditionMembers, (given, path) => {
  if (Object.keys(given).length === 0)
    refuse('validation', `${quoted(path)} needs one of \`url\`, \`domain\`, \`geolocation\``);
});
export type RuleConditions = ReturnType<typeof conditions>;

/** A node of a doubly linked list: `next` and `previous` are ids, empty at the ends. */
const ruleRecord = object({
  id: text,
  description: optional(string),
  groups: list(int(0)),
  conditions,
  next: string,
  previous: string,
});
export type RuleRecord = ReturnType<typeof ruleRecord>;
export const ruleTable = defineTable('rules', ruleRecord, ({ id }) => id, {});

/** The only record of its table: the ends of the list of rules, both empty when there is none. */
const endsRecord = object({ first: string, last: string });
const ruleEndsTable = defineTable('ruleEnds', endsRecord, () => 'ends', {});

function endsOf(license: EmulatedLicense, at = Infinity): ReturnType<typeof endsRecord> {
  return ruleEndsTable.of(license).get('ends', at) ?? { first: '', last: '' };
}

/** Makes two rules neighbours; an empty id stands for the end of the list on that side. */
function link(license: EmulatedLicense, previous: string, next: string): void {
  const rules = ruleTable.of(license);
  const [before, after] = [rules.get(previous), rules.get(next)];
  if (before !== undefined && before.next !== next) rules.set({ ...before, next });
  if (after !== undefined && after.previous !== previous) rules.set({ ...after, previous });
  const ends = endsOf(license);
  const changed = { first: previous === '' ? next : ends.first, last: next === '' ? previous : ends.last };
  if (changed.first !== ends.first || changed.last !== ends.last) ruleEndsTable.of(license).set(changed);
}

/** Puts a rule that is not in the list before the rule `next`; at the end when that is empty. */
function insertRule(license: EmulatedLicense, content: Omit<RuleRecord, 'next' | 'previous'>, next: string): void {
  const rules = ruleTable.of(license);
  const previous = rules.get(next)?.previous ?? endsOf(license).last;
  rules.set({ ...content, next, previous });
  link(license, previous, content.id);
  link(license, content.id, next);
}

/** Puts a rule of the list before the rule `next`, which is another one; at the end when that is empty. */
function moveRule(license: EmulatedLicense, id: string, next: string): void {
  const rule = ruleTable.of(license).get(id);
  if (rule === undefined) return;
  link(license, rule.previous, rule.next);
  insertRule(license, rule, next);
}

/** The rules from first to last. */
export function rulesInOrder(license: EmulatedLicense, at: number): readonly RuleRecord[] {
  const rules = ruleTable.of(license);
  const found: RuleRecord[] = [];
  let rule = rules.get(endsOf(license, at).first, at);
  while (rule !== undefined) {
    found.push(rule);
    rule = rules.get(rule.next, at);
  }
  return found;
}

/** Refuses a state whose pointers do not lead through all rules, and back. */
function check(license: EmulatedLicense): void {
  const rules = ruleTable.of(license);
  const { first, last } = endsOf(license);
  let previous = '';
  let rule = rules.get(first);
  let seen = 0;
  while (rule !== undefined && rule.previous === previous && seen < rules.size()) {
    previous = rule.id;
    rule = rules.get(rule.next);
    seen += 1;
  }
  if (seen !== rules.size() || previous !== last) refuse('validation', 'the auto access rules are not one list');
}

/** Destination groups: at least one, because a rule that assigns none does nothing. */
const access = object({ groups: distinct(int(0), 1) });

const seededRule = closed({ id: optional(text), description: optional(string), access, conditions });
const seed = {
  auto_access: described({ description: 'Auto access rules, from first to last.' }, optional(list(seededRule))),
};

function plant(license: EmulatedLicense, { auto_access = [] }: ObjectShape<typeof seed>): void {
  for (const [index, { access, ...rule }] of auto_access.entries()) {
    const id = rule.id ?? seededId('rule', index);
    const missing = access.groups.find((group) => groupTable.of(license).get(groupKey(group)) === undefined);
    if (missing !== undefined)
      refuse('validation', `auto_access[${index}] names group ${missing}, which does not exist`);
    if (ruleTable.of(license).get(id) !== undefined) refuse('validation', `two rules have the id ${id}`);
    insertRule(license, { ...rule, id, groups: access.groups }, '');
  }
}

const addRequest = object({ access, conditions, description: optional(string), next_id: optional(string) });
const updateRequest = object({
  id: text,
  access: optional(access),
  conditions: optional(conditions),
  description: optional(string),
  next_id: optional(string),
});

function requireRule(license: EmulatedLicense, id: string, at = Infinity): RuleRecord {
  return ruleTable.of(license).get(id, at) ?? refuse('not_found', `rule ${quoted(id)} does not exist`);
}

function requireNext({ license, settings, refersAt }: ConfigurationContext, next: string | undefined): void {
  if (next === undefined || next === '') return;
  if ([Infinity, refersAt].some((at) => ruleTable.of(license).get(next, at) === undefined))
    refuse(settings.missingNextRule, `${quoted('next_id')} names a rule that does not exist`);
}

/** Takes a deleted group out of the rules that name it. */
function releaseGroup(license: EmulatedLicense, settings: ConfigurationSettings, key: string): () => void {
  const rules = ruleTable.of(license);
  const naming = rules.all().filter(({ groups }) => groups.map(groupKey).includes(key));
  const [first] = naming;
  if (first !== undefined && settings.deletedGroupInRules === 'refuse')
    refuse('validation', `group ${key} is named by auto access rule ${quoted(first.id)}`);
  return () => {
    for (const rule of naming) rules.set({ ...rule, groups: rule.groups.filter((id) => groupKey(id) !== key) });
  };
}

function matchesReply({ values, exclude_values }: UrlMatches): object {
  const fill = (items: UrlMatches['values']) => items?.map((item) => ({ exact_match: false, ...item }));
  return { values: fill(values), exclude_values: fill(exclude_values) };
}

function conditionsReply({ url, domain, geolocation }: RuleConditions): object {
  return { url: url && matchesReply(url), domain: domain && matchesReply(domain), geolocation };
}

function nextReply(next: string, { lastRuleNextId }: ConfigurationSettings): string | null | undefined {
  if (next !== '' || lastRuleNextId === 'empty') return next;
  return lastRuleNextId === 'null' ? null : undefined;
}

export function ruleReply(rule: RuleRecord, settings: ConfigurationSettings) {
  const { id, description, groups, conditions: kept, next } = rule;
  const fill = settings.ruleDefaultsOnRead;
  return {
    id,
    description: description ?? (fill ? '' : undefined),
    access: { groups },
    conditions: fill ? conditionsReply(kept) : kept,
    next_id: nextReply(next, settings),
  };
}

/** Links as they must never be; a list that is too short to be broken in this way stays whole. */
function breakChain(rules: readonly ParsedObject[], how: BrokenChain): readonly ParsedObject[] {
  const after = (rule: ParsedObject | undefined) => rules.find(({ id }) => id === rule?.['next_id']);
  const pointing = (which: ParsedObject | undefined, next: unknown) =>
    rules.map((rule) => (rule === which ? { ...rule, next_id: next } : rule));
  const last = rules.find((rule) => after(rule) === undefined);
  switch (how) {
    case 'two_heads': {
      // No rule leads to the second one any more.
      const bypassing = rules.find((rule) => after(rule) !== undefined);
      return pointing(bypassing, after(after(bypassing))?.['id'] ?? '');
    }
    case 'cycle':
      return pointing(last, rules[0]?.['id']);
    case 'unknown_next':
      return pointing(last, 'no-such-rule');
  }
}

const actions = [
  writeAction('add_auto_access', addRequest, {
    scopes: ['access_rules:rw'],
    run: ({ access: { groups }, conditions, description, next_id }, context) => {
      const { license, settings, ids } = context;
      requireGroups(context, groups, 'access.groups');
      requireNext(context, next_id);
      if (isFull(settings.limits.accessRules, ruleTable.of(license).size()))
        refuse('limit_reached', 'the license has no auto access rule left');
      const id = ids.object();
      const described = description === undefined ? {} : { description };
      insertRule(license, { id, groups, conditions, ...described }, next_id ?? '');
      return { id };
    },
  }),
  changeAction('update_auto_access', updateRequest, {
    scopes: ['access_rules:rw'],
    run: ({ id, access: given, next_id, ...content }, context) => {
      const { license } = context;
      const rule = findForWrite(context, (at) => requireRule(license, id, at));
      if (given !== undefined) requireGroups(context, given.groups, 'access.groups');
      requireNext(context, next_id);
      if (next_id === id) refuse('validation', `${quoted('next_id')} must not be the rule itself`);
      ruleTable.of(license).set({ ...rule, ...content, groups: given?.groups ?? rule.groups });
      if (next_id !== undefined) moveRule(license, id, next_id);
    },
  }),
  changeAction('delete_auto_access', object({ id: text }), {
    scopes: ['access_rules:rw'],
    run: ({ id }, { license }) => {
      const { previous, next } = requireRule(license, id);
      ruleTable.of(license).delete(id);
      link(license, previous, next);
    },
  }),
  readAction('list_auto_accesses', object({}), {
    scopes: ['access_rules:ro'],
    breakChain,
    run: (_, { license, settings, at, random }) => {
      const rules = rulesInOrder(license, at);
      const order = settings.ruleListOrder === 'list' ? rules : shuffled(rules, random);
      return order.map((rule) => ruleReply(rule, settings));
    },
  }),
];

export const autoAccessKind = {
  tables: [ruleTable, ruleEndsTable],
  seed,
  plant,
  check,
  release: (license: EmulatedLicense, settings: ConfigurationSettings, table: TableDefinition, key: string) =>
    table === groupTable ? releaseGroup(license, settings, key) : undefined,
  actions,
} satisfies ConfigurationKind;
