// A license for tests of traffic: two groups that share four agents, a rule for each, and readers of what was played.

import { seededRandom } from '../../../src/emulator/engine/random.ts';
import { createEmulator, type Emulator, type EmulatorOptions, type Seed } from '../../../src/emulator/index.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A Thursday. */
export const START = Date.UTC(2026, 0, 29);

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
export const OFFICE = {
  timezone: 'UTC',
  schedule: WEEKDAYS.map((day) => ({ day, enabled: true, start: '08:00', end: '18:00' })),
};

const agent = (index: number) => ({
  id: `agent${index}@example.com`,
  name: `Agent ${index}`,
  max_chats_count: 6,
  work_scheduler: OFFICE,
  groups: [{ id: 1 + (index % 2), priority: 'normal' as const }],
});
const rule = (path: string, group: number) => ({
  access: { groups: [group] },
  conditions: { url: { values: [{ value: path }] } },
});

export const SHOP: Seed = {
  agents: [0, 1, 2, 3].map(agent),
  groups: [
    { id: 1, name: 'Sales' },
    { id: 2, name: 'Returns' },
  ],
  auto_access: [rule('/pricing', 1), rule('/returns', 2)],
  greetings: [{ id: 7, name: 'Hello', group: 1 }],
};

/** An emulator whose clock stands at START. `random` of the emulator itself must not matter. */
export function shop(options: Partial<EmulatorOptions> = {}): Emulator {
  return createEmulator({ now: () => START, random: seededRandom(1), seed: SHOP, ...options });
}

export const stateOf = (emulator: Emulator) => emulator.snapshot();

/** The records of a table as they are now. */
function present<V>(rows: readonly (readonly { readonly value?: V }[])[]): readonly V[] {
  return rows.flatMap((versions) => versions.at(-1)?.value ?? []);
}

/** Every thread, in the order in which they began. */
export const threadsOf = (emulator: Emulator) =>
  present(stateOf(emulator).tables.threads).toSorted((one, other) => one.created_at - other.created_at);
export type PlayedThread = ReturnType<typeof threadsOf>[number];
export const customersOf = (emulator: Emulator) => present(stateOf(emulator).tables.customers);
export const shownGreetingsOf = (emulator: Emulator) => present(stateOf(emulator).tables.shownGreetings);

/** Whether an agent or a bot ever had it. */
export const isTaken = ({ members }: PlayedThread): boolean => members.some(({ kind }) => kind !== 'customer');

/** By how many standard deviations a count is off where each of `of` counts with this probability. */
export const deviation = (count: number, of: number, share: number): number =>
  (count - of * share) / Math.sqrt(of * share * (1 - share));
