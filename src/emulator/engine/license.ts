// The license: every table of it, and how its keys are spelt. Must not know requests, replies or who asks.

import type {
  Agent,
  Bot,
  BotToken,
  Ends,
  Group,
  Membership,
  Property,
  PropertyValue,
  Rule,
  Template,
  Token,
} from '../configuration/records.ts';
import type { History, Table } from './table.ts';
import { createHistory, createTable } from './table.ts';

/** What one license has. Agents and bots have a relation each, because an agent may be called like a bot's id. */
export interface Tables {
  readonly agents: Table<Agent>;
  readonly groups: Table<Group>;
  readonly agentMemberships: Table<Membership, 'group' | 'member'>;
  readonly bots: Table<Bot>;
  readonly botMemberships: Table<Membership, 'group' | 'member'>;
  readonly templates: Table<Template, 'owner_client_id'>;
  readonly botTokens: Table<BotToken>;
  readonly rules: Table<Rule>;
  readonly ruleEnds: Table<Ends>;
  readonly properties: Table<Property, 'namespace'>;
  readonly values: Table<PropertyValue, 'holder' | 'property'>;
}

/** What is true of the account around the license and cannot be changed through the interface. */
export interface Account {
  /** Owner clients of the caller's organization; absent when any client id is taken for one. */
  readonly clients?: readonly string[];
  /** Clients whose application is installed on this license: their templates have bots here. */
  readonly installedClients: readonly string[];
  /** The only tokens that are accepted, beside those issued to bots; absent when any credential is. */
  readonly tokens?: readonly Token[];
}

export interface License extends Tables {
  readonly history: History;
  readonly account: Account;
  /** Numbers that are given once and never again. */
  readonly counters: { serial: number; nextGroupId: number };
}

export const groupKey = (id: number): string => String(id);
export const membershipKey = (group: number, member: string): string => `${group} ${member}`;
export const propertyKey = (namespace: string, name: string): string => JSON.stringify([namespace, name]);
export const valueKey = (holder: string, namespace: string, name: string): string =>
  JSON.stringify([holder, namespace, name]);
export const ENDS = 'ends';

const membershipTerms = {
  group: ({ group }: Membership) => groupKey(group),
  member: ({ member }: Membership) => member,
};

/** A license without anything in it. `window` is the longest time in ms by which reads can lag. */
export function createLicense(window: number, account: Account): License {
  const history = createHistory(window);
  const memberships = () =>
    createTable(history, ({ group, member }: Membership) => membershipKey(group, member), membershipTerms);
  return {
    history,
    account,
    counters: { serial: 0, nextGroupId: 1 },
    agents: createTable(history, ({ id }: Agent) => id, {}),
    groups: createTable(history, ({ id }: Group) => groupKey(id), {}),
    agentMemberships: memberships(),
    bots: createTable(history, ({ id }: Bot) => id, {}),
    botMemberships: memberships(),
    templates: createTable(history, ({ id }: Template) => id, { owner_client_id: (found) => found.owner_client_id }),
    botTokens: createTable(history, ({ digest }: BotToken) => digest, {}),
    rules: createTable(history, ({ id }: Rule) => id, {}),
    ruleEnds: createTable(history, (_: Ends) => ENDS, {}),
    properties: createTable(history, ({ namespace, name }: Property) => propertyKey(namespace, name), {
      namespace: ({ namespace }) => namespace,
    }),
    values: createTable(history, ({ holder, namespace, name }: PropertyValue) => valueKey(holder, namespace, name), {
      holder: ({ holder }) => holder,
      property: ({ namespace, name }) => propertyKey(namespace, name),
    }),
  };
}
