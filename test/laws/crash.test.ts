// Law 7 of the design: kill a run at any of its effects, and the next one ends at desired, with no duplicate, no orphan, and a reset offered for
// exactly the secrets that were in flight.

import { describe, expect, it } from 'vitest';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { VERSIONS, type Version } from '../../src/model.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { type World, world } from '../world.ts';
import { doomed, type Moment } from './crash.ts';
import { leftOver } from './left-over.ts';
import { recordsOf, ruleOrderOf } from './records.ts';

const CLIENT = 'client-1';
const access = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };
const rule = (key: string, group: string, description?: string): Declared =>
  declare('auto_access', key, {
    access: { groups: [`group/${group}`] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
    ...(description === undefined ? {} : { description }),
  });
const agent = (key: string, spec = {}): Declared => declare('agent', `${key}@example.com`, { name: key, ...spec });
const group = (key: string, members: readonly string[]): Declared =>
  declare('group', key, {
    name: `The ${key}`,
    agent_priorities: Object.fromEntries(members.map((member) => [`agent/${member}@example.com`, 'normal'])),
  });
const bot = (key: string, spec = {}): Declared => declare('bot', key, { name: key, ...spec });
const template = (key: string, spec = {}): Declared =>
  declare('bot_template', key, { name: key, owner_client_id: CLIENT, ...spec });
const only36 = (version: Version, ...declared: readonly Declared[]): readonly Declared[] =>
  version === '3.6' ? declared : [];
const property = (name: string, spec = {}): Declared =>
  declare('property', `${CLIENT}/${name}`, { type: 'string', access, ...spec });

const before = (version: Version) =>
  desiredOf([
    agent('ann', { max_chats_count: 4 }),
    agent('bob', { max_chats_count: 4 }),
    group('sales', ['ann', 'bob']),
    group('old', ['ann']),
    bot('triage', { max_chats_count: 4 }),
    bot('leaving'),
    ...only36(version, template('chef', { max_chats_count: 4 }), template('gone')),
    rule('a', 'sales'),
    rule('b', 'sales'),
    rule('c', 'old'),
    property('tier'),
    property('stale'),
    declare('license_property', `${CLIENT}/tier`, { value: 'gold' }),
    declare('group_property', `sales/${CLIENT}/tier`, { value: 'gold' }),
  ]);

const after = (version: Version) =>
  desiredOf([
    agent('ann', { max_chats_count: 5 }),
    agent('bob', { max_chats_count: 4, suspended: true }),
    agent('cid', { suspended: true }),
    agent('dot'),
    group('sales', ['bob', 'dot']),
    group('support', ['ann', 'cid']),
    group('extra', ['dot']),
    bot('triage', { max_chats_count: 5, groups: { 'group/support': 'first' } }),
    bot('new', { groups: { 'group/sales': 'first' } }),
    bot('newer'),
    ...only36(version, template('chef', { max_chats_count: 5 }), template('baker')),
    rule('d', 'support', 'a described one'),
    rule('b', 'support'),
    rule('e', 'extra'),
    rule('a', 'sales'),
    property('tier', { default_value: 'none' }),
    property('fresh'),
    declare('license_property', `${CLIENT}/tier`, { value: 'silver' }),
    declare('license_property', `${CLIENT}/fresh`, { value: 'yes' }),
    declare('group_property', `support/${CLIENT}/tier`, { value: 'gold' }),
  ]);

async function prepared(version: Version, delay: number): Promise<World> {
  const made = world({ version, propagationDelay: delay, seed: { installed_clients: [CLIENT] } });
  const desired = before(version);
  const report = await made.apply(await made.plan(desired), desired);
  if (report.outcome !== 'done') throw new Error(JSON.stringify(report.results));
  await made.clock.sleep(86_400_000);
  return made;
}

const options = (version: Version) => ({
  acknowledged: new Set(['deletes', ...after(version).resources.map(({ address }) => address)]),
});

/** Runs the change, killed at an effect; what the effects were. */
async function killed(made: World, at: number, moment: Moment): Promise<readonly string[]> {
  const desired = after(made.version);
  const plan = await made.plan(desired, options(made.version));
  const { effects, ...how } = doomed(made, at, moment);
  await made.apply(plan, desired, { ...how, options: options(made.version) }).catch(() => {});
  return effects();
}

function names(made: World): readonly string[] {
  const { groups, bots, templates, rules, agents, properties } = recordsOf(made.emulator);
  return [
    ...groups.map(({ name }) => `group ${name}`),
    ...bots.map(({ name }) => `bot ${name}`),
    ...templates.map(({ name }) => `template ${name}`),
    ...rules.map(({ conditions }) => `rule ${JSON.stringify(conditions)}`),
    ...agents.map(({ id }) => `agent ${id}`),
    ...properties.map(({ namespace, name }) => `property ${namespace}/${name}`),
  ].sort();
}

async function provesItself(made: World, reference: readonly string[]): Promise<void> {
  const desired = after(made.version);
  await made.clock.sleep(70_000);
  const report = await made.apply(await made.plan(desired, options(made.version)), desired, {
    options: options(made.version),
  });
  expect(report.results.filter(({ outcome }) => outcome.status !== 'done')).toEqual([]);
  expect(report).toMatchObject({ outcome: 'done', failure: null });
  expect(names(made)).toEqual(reference);
  await made.clock.sleep(86_400_000);
  const next = await made.plan(desired, options(made.version));
  expect(leftOver(next)).toEqual([]);
  const { bindings, secrets, intents } = foldLedger(await made.ledger.read());
  expect(intents.size).toBe(0);
  const records = recordsOf(made.emulator);
  const owned = new Set([...bindings.values()].map(({ id }) => String(id)));
  const nobodys = [...records.groups, ...records.bots, ...records.templates, ...records.rules].filter(
    ({ id }) => id !== 0 && !owned.has(String(id)),
  );
  expect(nobodys).toEqual([]);
  expect(ruleOrderOf(records)).toEqual(desired.ruleOrder.map((address) => bindings.get(address)?.id));
  // Whoever has a secret that no sink holds is offered a reset, and nobody else.
  const secretive = made.version === '3.6' ? ['bot', 'bot_template'] : [];
  const unknown = desired.resources
    .filter(({ kind, address }) => secretive.includes(kind) && !made.kept.has(address))
    .map(({ address }) => address);
  const offered = [...secrets].filter(([, state]) => state === 'lost').map(([address]) => address);
  expect(offered.sort()).toEqual(unknown.sort());
}

const DELAYS = [0, 120_000];
/** Every so many effects, so that each run of the tests costs seconds. */
const STRIDE = Number(process.env['STRIDE'] ?? 5);

describe.each(VERSIONS)('a run that is killed, in version %s,', (version) => {
  it.each(DELAYS)('leaves nothing that the next run does not end, with readings that lag by %i ms', async (delay) => {
    const whole = await prepared(version, delay);
    const effects = await killed(whole, Number.POSITIVE_INFINITY, 'after');
    await provesItself(whole, names(whole));
    const reference = names(whole);
    expect(effects.filter((effect) => !effect.startsWith('ledger')).length).toBeGreaterThan(20);
    for (let at = 0; at < effects.length; at += 1) {
      for (const [turn, moment] of (['before', 'after'] as const).entries()) {
        if ((2 * at + turn) % STRIDE !== 0) continue;
        const made = await prepared(version, delay);
        await killed(made, at, moment);
        await provesItself(made, reference).catch((error: unknown) => {
          throw new Error(`killed ${moment} effect ${at}, ${effects[at]}: ${String(error)}`);
        });
      }
    }
  });
});
