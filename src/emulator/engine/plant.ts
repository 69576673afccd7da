// A seed comes in and becomes a fresh license whose records are old enough to be read at once. Must not know requests.

import { installTemplate } from '../configuration/bot-templates.ts';
import { plantProperties } from '../configuration/plant-properties.ts';
import type { Membership, Token } from '../configuration/records.ts';
import {
  agentMembershipTable,
  agentTable,
  botMembershipTable,
  botTable,
  groupKey,
  groupTable,
  installedClients,
  membershipKey,
  nextGroupId,
  ownClients,
  recordsKind,
  ruleTable,
  templateTable,
  tokens,
} from '../configuration/records.ts';
import { insertRule } from '../configuration/rule-list.ts';
import { keepWeekly } from '../configuration/scheduler.ts';
import type { ConfigurationSettings } from '../configuration/settings.ts';
import type { EmulatedLicense } from './license.ts';
import { createLicense } from './license.ts';
import { dashed, digest, seededId } from './random.ts';
import type { Seed } from './seed.ts';
import { badSeed } from './seed.ts';
import type { HistoryTable } from './table.ts';

type Item<N extends keyof Seed> = NonNullable<Seed[N]> extends readonly (infer T)[] ? T : never;
type SeededGroup = Item<'groups'> & { readonly id: number };

const OWNER = { id: 'owner@example.com', name: 'Owner' };

/** A fresh license: the owner, group 0 and what the seed describes. Throws an Error that names what is wrong. */
export function plant(seed: Seed, settings: ConfigurationSettings, window: number): EmulatedLicense {
  const license = createLicense([recordsKind], window);
  plantAccount(license, seed);
  const groups = numbered(seed.groups ?? []);
  plantAgents(license, seed);
  plantGroups(license, groups);
  plantMemberships(license, seed, groups);
  plantBots(license, seed.bots ?? [], settings);
  plantTemplates(license, seed.bot_templates ?? []);
  plantRules(license, seed.auto_access ?? []);
  plantProperties(license, seed, settings);
  return license;
}

function plantAccount(license: EmulatedLicense, { clients, installed_clients = [], tokens: listed }: Seed): void {
  ownClients.of(license).value = clients;
  installedClients.of(license).value = installed_clients;
  tokens.of(license).value = listed?.map(keepToken);
}

function keepToken({ token, kind = 'bearer', ...rest }: Item<'tokens'>): Token {
  return { ...rest, kind, digest: digest(token) };
}

function plantAgents(license: EmulatedLicense, seed: Seed): void {
  agentTable.of(license).set({ ...newAgent((seed.owner ?? OWNER).id), ...(seed.owner ?? OWNER), role: 'owner' });
  for (const { work_scheduler, groups: _, avatar_path, ...agent } of seed.agents ?? []) {
    if (agentTable.of(license).get(agent.id) !== undefined) badSeed(`two agents have the id ${agent.id}`);
    agentTable.of(license).set({
      ...newAgent(agent.id),
      ...agent,
      ...(avatar_path === undefined ? {} : { avatar: avatar_path }),
      ...(work_scheduler === undefined ? {} : { work_scheduler: keepWeekly(work_scheduler) }),
    });
  }
}

const newAgent = (id: string) =>
  ({
    account_id: dashed(seededId('account', id)),
    role: 'normal',
    login_status: 'not accepting chats',
    max_chats_count: 6,
    awaiting_approval: false,
    suspended: false,
  }) as const;

/** Groups that choose no id get the lowest free ones, in the order of the list. */
function numbered(groups: readonly Item<'groups'>[]): readonly SeededGroup[] {
  const chosen = groups.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const taken = new Set(chosen);
  if (taken.size < chosen.length) badSeed('two groups have the same id');
  let next = 0;
  const free = (): number => {
    do next += 1;
    while (taken.has(next));
    return next;
  };
  return groups.map((group) => ({ ...group, id: group.id ?? free() }));
}

function plantGroups(license: EmulatedLicense, groups: readonly SeededGroup[]): void {
  groupTable.of(license).set({ id: 0, name: 'General', language_code: 'en' });
  for (const { id, name, language_code = 'en' } of groups) groupTable.of(license).set({ id, name, language_code });
  nextGroupId.of(license).value = Math.max(0, ...groups.map(({ id }) => id)) + 1;
}

function join(
  license: EmulatedLicense,
  relation: HistoryTable<Membership, 'group' | 'member'>,
  edge: Membership,
): void {
  const { group, member, priority } = edge;
  const known = relation.get(membershipKey(group, member))?.priority ?? priority;
  if (known !== priority) badSeed(`${member} is ${known} and ${priority} in group ${group}`);
  if (groupTable.of(license).get(groupKey(group)) === undefined)
    badSeed(`${member} is in group ${group}, which does not exist`);
  relation.set(edge);
}

/** The owner is in group 0, unless the seed says who is. */
function plantMemberships(license: EmulatedLicense, seed: Seed, groups: readonly SeededGroup[]): void {
  const agentMemberships = agentMembershipTable.of(license);
  const agents = agentTable.of(license);
  for (const { id: member, groups: items = [] } of seed.agents ?? [])
    for (const { id: group, priority } of items) join(license, agentMemberships, { group, member, priority });
  for (const { id: group, agent_priorities = {} } of groups)
    for (const [member, priority] of Object.entries(agent_priorities)) {
      if (agents.get(member) === undefined) badSeed(`group ${group} has the agent ${member}, which does not exist`);
      join(license, agentMemberships, { group, member, priority });
    }
  if (groups.some(({ id, agent_priorities }) => id === 0 && agent_priorities !== undefined)) return;
  join(license, agentMemberships, { group: 0, member: (seed.owner ?? OWNER).id, priority: 'normal' });
}

/** A seeded bot was made by the application of its owner client; nobody knows its secret. */
function plantBots(license: EmulatedLicense, bots: readonly Item<'bots'>[], settings: ConfigurationSettings): void {
  for (const [index, { groups = [], work_scheduler, ...bot }] of bots.entries()) {
    const id = bot.id ?? seededId('bot', index);
    if (botTable.of(license).get(id) !== undefined) badSeed(`two bots have the id ${id}`);
    const scheduler = work_scheduler === undefined ? {} : { work_scheduler: keepWeekly(work_scheduler) };
    const owner = { owner_client_id: settings.clientId, created_with: 'application' } as const;
    botTable.of(license).set({ max_chats_count: 6, ...owner, ...bot, ...scheduler, id });
    for (const item of groups)
      join(license, botMembershipTable.of(license), { group: item.id, member: id, priority: item.priority });
  }
}

function plantTemplates(license: EmulatedLicense, templates: readonly Item<'bot_templates'>[]): void {
  for (const [index, given] of templates.entries()) {
    const template = { max_chats_count: 6, ...given, id: given.id ?? seededId('template', index) };
    if (templateTable.of(license).get(template.id) !== undefined)
      badSeed(`two bot templates have the id ${template.id}`);
    templateTable.of(license).set(template);
    if (botTable.of(license).get(template.id) === undefined) installTemplate(license, template);
  }
}

function plantRules(license: EmulatedLicense, rules: readonly Item<'auto_access'>[]): void {
  for (const [index, { access, ...rule }] of rules.entries()) {
    const id = rule.id ?? seededId('rule', index);
    const missing = access.groups.find((group) => groupTable.of(license).get(groupKey(group)) === undefined);
    if (missing !== undefined) badSeed(`auto_access[${index}] names group ${missing}, which does not exist`);
    if (ruleTable.of(license).get(id) !== undefined) badSeed(`two rules have the id ${id}`);
    insertRule(license, { ...rule, id, groups: access.groups }, '');
  }
}
