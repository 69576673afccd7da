// A license comes in and its whole state goes out as JSON, and back. Must not know files.

import * as records from '../configuration/records.ts';
import type { License, Tables } from './license.ts';
import { createLicense, ENDS, groupKey } from './license.ts';
import { isRefusal } from './refusal.ts';
import type { JsonReader } from './shape.ts';
import { int, isObject, list, object, oneOf, optional, text } from './shape.ts';
import type { Row, Table } from './table.ts';

const FORMAT = 'chatform-emulator/1';

const moment = int(Number.MIN_SAFE_INTEGER);
const dated = object({ at: optional(moment) });

function version<V>(record: JsonReader<V>): JsonReader<Row<V>[number]> {
  return (given, path) => {
    const time = dated(given, path);
    const value = isObject(given) ? given['value'] : undefined;
    return value === undefined ? time : { ...time, value: record(value, `${path}.value`) };
  };
}

const rows = <V>(record: JsonReader<V>): JsonReader<readonly Row<V>[]> => list(list(version(record), 1));

const stateReader = object({
  format: oneOf([FORMAT]),
  now: moment,
  serial: int(0),
  next_group_id: int(1),
  clients: optional(list(text)),
  installed_clients: list(text),
  tokens: optional(list(records.tokenRecord)),
  tables: object({
    agents: rows(records.agentRecord),
    groups: rows(records.groupRecord),
    agentMemberships: rows(records.membershipRecord),
    bots: rows(records.botRecord),
    botMemberships: rows(records.membershipRecord),
    templates: rows(records.templateRecord),
    botTokens: rows(records.botTokenRecord),
    rules: rows(records.ruleRecord),
    ruleEnds: rows(records.endsRecord),
    properties: rows(records.propertyRecord),
    values: rows(records.valueRecord),
  }),
});

/**
 * A whole license as JSON. `now` is the time of its last request in ms since the epoch; a row of a table is one record with the
 * versions that reads can still see, oldest first, so that what is still propagating keeps propagating.
 */
export type State = ReturnType<typeof stateReader>;

/** Whether parsed JSON claims to be a state, and not a seed. */
export function looksLikeState(json: unknown): boolean {
  return isObject(json) && Object.hasOwn(json, 'format');
}

/** Checks parsed JSON; throws an Error that names the member which is wrong. */
export function parseState(json: unknown): State {
  try {
    return stateReader(json, '');
  } catch (error) {
    throw isRefusal(error) ? new Error(`not a valid state: ${error.message}`) : error;
  }
}

export function takeSnapshot(license: License): State {
  const { history, counters, account } = license;
  return {
    format: FORMAT,
    now: history.now,
    serial: counters.serial,
    next_group_id: counters.nextGroupId,
    ...(account.clients === undefined ? {} : { clients: account.clients }),
    installed_clients: account.installedClients,
    ...(account.tokens === undefined ? {} : { tokens: account.tokens }),
    tables: {
      agents: license.agents.rows(),
      groups: license.groups.rows(),
      agentMemberships: license.agentMemberships.rows(),
      bots: license.bots.rows(),
      botMemberships: license.botMemberships.rows(),
      templates: license.templates.rows(),
      botTokens: license.botTokens.rows(),
      rules: license.rules.rows(),
      ruleEnds: license.ruleEnds.rows(),
      properties: license.properties.rows(),
      values: license.values.rows(),
    },
  };
}

/** The license of a state; throws an Error when its parts contradict each other. `window`: see createLicense. */
export function restore(state: State, window: number): License {
  const license = createLicense(window, {
    installedClients: state.installed_clients,
    ...(state.clients === undefined ? {} : { clients: state.clients }),
    ...(state.tokens === undefined ? {} : { tokens: state.tokens }),
  });
  license.counters.serial = state.serial;
  license.counters.nextGroupId = state.next_group_id;
  license.history.now = state.now;
  loadTables(license, state.tables);
  license.history.stale.sort((one, other) => one.at - other.at);
  requireConsistency(license);
  return license;
}

function loadTables(into: Tables, from: State['tables']): void {
  load(into.agents, from.agents);
  load(into.groups, from.groups);
  load(into.agentMemberships, from.agentMemberships);
  load(into.bots, from.bots);
  load(into.botMemberships, from.botMemberships);
  load(into.templates, from.templates);
  load(into.botTokens, from.botTokens);
  load(into.rules, from.rules);
  load(into.ruleEnds, from.ruleEnds);
  load(into.properties, from.properties);
  load(into.values, from.values);
}

function load<V, I extends string>(table: Table<V, I>, from: readonly Row<V>[]): void {
  for (const row of from) table.load(row);
}

function requireConsistency(license: License): void {
  const { agents, bots, groups, agentMemberships, botMemberships } = license;
  for (const { group, member } of agentMemberships.all())
    if (agents.get(member) === undefined || groups.get(groupKey(group)) === undefined)
      throw new Error(`not a valid state: membership of ${member} in group ${group} has only one end`);
  for (const { group, member } of botMemberships.all())
    if (bots.get(member) === undefined || groups.get(groupKey(group)) === undefined)
      throw new Error(`not a valid state: membership of bot ${member} in group ${group} has only one end`);
  if (!isChain(license)) throw new Error('not a valid state: the auto access rules are not one list');
}

/** Whether the pointers of the rules lead through all of them, and back. */
function isChain({ rules, ruleEnds }: License): boolean {
  let previous = '';
  let rule = rules.get(ruleEnds.get(ENDS)?.first ?? '');
  let seen = 0;
  for (; rule !== undefined && seen < rules.size(); seen += 1) {
    if (rule.previous !== previous) return false;
    previous = rule.id;
    rule = rules.get(rule.next);
  }
  return seen === rules.size() && previous === (ruleEnds.get(ENDS)?.last ?? '');
}
