// The emulator's state in; what the license holds right now out, write-only fields included: the second opinion of the laws.

import type { Emulator, State } from '../../src/emulator/index.ts';

type Tables = State['tables'];
type Rows<Name extends keyof Tables> = Tables[Name];
type Value<Name extends keyof Tables> = Exclude<Rows<Name>[number][number]['value'], undefined>;

/** Tables that only requests for a license write: those that a manifest speaks of. */
type Configured =
  | 'agents'
  | 'groups'
  | 'agentMemberships'
  | 'bots'
  | 'botMemberships'
  | 'presences'
  | 'templates'
  | 'botTokens'
  | 'rules'
  | 'ruleEnds'
  | 'greetings'
  | 'tags'
  | 'cannedResponses'
  | 'properties'
  | 'values'
  | 'webhooks'
  | 'webhook_states'
  | 'allowedDomains';

export type Records = { readonly [Name in Configured]: readonly Value<Name>[] };

/** The newest version of every row; a row that ends in a deletion has none. */
function newest<V>(rows: readonly (readonly { readonly value?: V }[])[]): readonly V[] {
  return rows.flatMap((row) => {
    const value = row.at(-1)?.value;
    return value === undefined ? [] : [value];
  });
}

export function recordsOf(emulator: Emulator): Records {
  const { tables } = emulator.snapshot();
  return {
    agents: newest(tables.agents),
    groups: newest(tables.groups),
    agentMemberships: newest(tables.agentMemberships),
    bots: newest(tables.bots),
    botMemberships: newest(tables.botMemberships),
    presences: newest(tables.presences),
    templates: newest(tables.templates),
    botTokens: newest(tables.botTokens),
    rules: newest(tables.rules),
    ruleEnds: newest(tables.ruleEnds),
    greetings: newest(tables.greetings),
    tags: newest(tables.tags),
    cannedResponses: newest(tables.cannedResponses),
    properties: newest(tables.properties),
    values: newest(tables.values),
    webhooks: newest(tables.webhooks),
    webhook_states: newest(tables.webhook_states),
    allowedDomains: newest(tables.allowedDomains),
  };
}

/** Ids of the rules, first match first. */
export function ruleOrderOf({ rules }: Records): readonly string[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const order: string[] = [];
  for (let rule = rules.find(({ previous }) => previous === ''); rule !== undefined; rule = byId.get(rule.next)) {
    order.push(rule.id);
  }
  return order;
}
