// A random past and a wish in; a license with that past, and the manifest of the wish for it, out: the (live, desired) pairs of the laws.

import fc from 'fast-check';
import type { Address, Desired, KindName, ObjectId, Version } from '../../src/base/model.ts';
import type { Emulator, EmulatorOptions, Seed } from '../../src/emulator/index.ts';
import { KIND_NAMES, KINDS } from '../../src/kinds/index.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import type { PlannerOptions } from '../../src/plan/input.ts';
import { type World, world } from '../world.ts';
import { type Edit, editByHand, edits } from './edits.ts';
import { manifestOf, type Setting } from './manifest.ts';
import { recordsOf } from './records.ts';
import { wishFor } from './version.ts';
import { type Wish, wish } from './wish.ts';

/** How a license came to be, and what is wanted of it now. */
export interface Scenario {
  readonly version: Version;
  /** What chatform applied before; null for a license that it never saw. */
  readonly before: Wish | null;
  /** Which of the addresses that were applied before the ledger has lost, by turns. */
  readonly lost: readonly boolean[];
  readonly edits: readonly Edit[];
  readonly wish: Wish;
  /** Kinds of which the license is to have nothing else. */
  readonly complete: readonly KindName[];
  /** What the specification leaves open. */
  readonly settings: NonNullable<EmulatorOptions['settings']>;
}

const versionless = fc.record({
  before: fc.option(wish, { freq: 5 }),
  lost: fc.oneof(fc.constant([false]), fc.constant([true]), fc.array(fc.boolean(), { minLength: 3, maxLength: 7 })),
  edits,
  wish,
  complete: fc.oneof(
    { weight: 2, arbitrary: fc.constant<readonly KindName[]>([]) },
    { weight: 1, arbitrary: fc.subarray(KIND_NAMES.filter((name) => KINDS[name].incomplete === undefined)) },
  ),
  settings: fc.record(
    {
      emptyReply: fc.constantFrom('object', 'zero-bytes'),
      subscriptionsKey: fc.constantFrom('email_subscriptions', 'summaries'),
      unsetOnRead: fc.constantFrom('defaults', 'omitted'),
      emptyTimezoneReadsAs: fc.constantFrom('agent', 'empty'),
      botsInAgentPriorities: fc.boolean(),
      defaultGroupPriority: fc.constantFrom('first', 'normal'),
      ruleListOrder: fc.constantFrom('list', 'shuffled'),
      lastRuleNextId: fc.constantFrom('empty', 'null', 'absent'),
      ruleDefaultsOnRead: fc.boolean(),
      listPropertyDetails: fc.boolean(),
      newerSchedulerIn33: fc.constantFrom('validation', 'converted'),
      repeatedTransition: fc.constantFrom('accept', 'validation'),
    },
    { requiredKeys: [] },
  ),
});

export function scenario(version: Version): fc.Arbitrary<Scenario> {
  return versionless.map((given) => ({
    ...given,
    version,
    before: given.before === null ? null : wishFor(version, given.before),
    wish: wishFor(version, given.wish),
    // Bots that a template leaves behind are strangers like any other once it is gone: the next plan is the first to say so.
    complete: given.complete.filter((kind) => kind !== 'bot' || given.before === null),
  }));
}

export const SEED: Seed = {
  owner: { id: 'boss@example.com', name: 'The Boss' },
  agents: [{ id: 'zoe@example.com', name: 'Zoe', groups: [{ id: 0, priority: 'normal' }] }],
  groups: [{ id: 90, name: 'Walk-ins', agent_priorities: { 'zoe@example.com': 'last' } }],
  bots: [{ id: 'visitor', name: 'Visitor', groups: [{ id: 90, priority: 'first' }] }],
  auto_access: [
    { id: 'old', access: { groups: [90] }, conditions: { domain: { values: [{ value: 'old.example.com' }] } } },
  ],
  installed_clients: ['client-1'],
};

/** Every address may do what can never be taken back, and what locks somebody out. */
export function fearless(wishes: readonly Desired[], others: readonly Address[] = []): Partial<PlannerOptions> {
  const addresses = wishes.flatMap(({ resources }) => resources.map(({ address }) => address));
  return { acknowledged: new Set(['deletes', 'empty-manifest', ...addresses, ...others]) };
}

/** What a plan calls those of whom somebody may be locked out, or miss the chats, when nothing undeclared is to be there. */
function inTheWay(emulator: Emulator): readonly Address[] {
  const { agents, groups, allowedDomains } = recordsOf(emulator);
  return [
    ...agents.map(({ id }): Address => `agent/${id}`),
    ...allowedDomains.map(({ domain }): Address => `allowed_domain/${domain}`),
    ...groups.flatMap(({ id }): readonly Address[] => [`group/${id}`, `group/id/${id}`]),
  ];
}

export interface Stage {
  readonly world: World;
  readonly desired: Desired;
  readonly options: Partial<PlannerOptions>;
}

const DAY = 86_400_000;

export async function stage(
  { version, before, lost, edits: byHand, wish: wanted, complete, settings }: Scenario,
  emulated: Parameters<typeof world>[0] = {},
): Promise<Stage> {
  const made = world({ version, seed: SEED, settings, ...emulated });
  const owned = before === null ? [] : [await past(made, before, lost)];
  await editByHand(made.emulator, byHand);
  await made.clock.sleep(DAY);
  const desired = { ...manifestOf(wanted, await settingOf(made)), complete };
  made.emulator.resetStats();
  return { world: made, desired, options: fearless([desired, ...owned], inTheWay(made.emulator)) };
}

/** Applies the wish, then lets the ledger lose a part of what it learned. */
async function past(made: World, before: Wish, lost: readonly boolean[]): Promise<Desired> {
  const desired = manifestOf(before, await settingOf(made));
  const options = fearless([desired]);
  const report = await made.apply(await made.plan(desired, options), desired, { propagationTimeout: null, options });
  if (report.outcome !== 'done') throw new Error(`the past failed: ${JSON.stringify(report.results)}`);
  await made.clock.sleep(DAY);
  const { bindings } = foldLedger(await made.ledger.read());
  const at = new Date(made.clock.now()).toISOString();
  const addresses = [...bindings.keys()].filter((_, index) => lost[index % lost.length]);
  await made.ledger.append(addresses.map((address) => ({ v: 1, run: 'r', at, type: 'forgotten', address })));
  return desired;
}

export async function settingOf(made: World): Promise<Setting> {
  const { bindings } = foldLedger(await made.ledger.read());
  const ids = [...bindings].map(([address, { id }]): [Address, ObjectId] => [address, id]);
  return { records: recordsOf(made.emulator), bindings: new Map(ids) };
}

/** Requests that reached the emulator, by the name in the URL. */
export function writesOf(emulator: Emulator): { readonly [action: string]: number } {
  return Object.fromEntries(Object.entries(emulator.stats()).filter(([action]) => !/^(list|get)_/.test(action)));
}
