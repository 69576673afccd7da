// After any sequence of writes, restarts, resets and crashes, a license with an archive is the one that a map of its tickets is.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLicenseFile } from '../../../src/emulator/engine/state-file.ts';
import { tries } from '../../tries.ts';
import { START, seededRandom } from '../caller.ts';
import { type Ticket, type Tickets, ticketApi, ticketsOf } from './tickets.ts';

type Model = ReadonlyMap<string, Ticket>;

const id = fc.constantFrom('a1', 'a2', 'a3', 'b1', 'b2');
const ticket = fc.record({ id, note: fc.string({ maxLength: 4 }), open: fc.boolean() });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('put'), tickets: fc.array(ticket, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('drop'), id }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('pause'), time: fc.integer({ min: 1, max: 1500 }) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('restart') }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('seed'), tickets: fc.uniqueArray(ticket, { selector: (one) => one.id }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('copy') }) },
  // The write that follows is cut off: of what it adds to the archive this share is there, and no state.
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('cut'),
      tickets: fc.array(ticket, { minLength: 1, maxLength: 3 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
);

/** The bytes of each file of a folder. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}

/** The folder as a crash leaves it that comes before the new state: all of the old files, and a part of what was added to others. */
async function cutOff(folder: string, before: ReadonlyMap<string, Buffer>, share: number): Promise<void> {
  const after = await filesIn(folder);
  for (const [name, bytes] of after) {
    const old = before.get(name);
    if (name === 'license.json') continue;
    const kept = old?.byteLength ?? 0;
    await writeFile(join(folder, name), bytes.subarray(0, kept + Math.floor((bytes.byteLength - kept) * share)));
  }
  for (const [name, bytes] of before)
    if (name === 'license.json' || !after.has(name)) await writeFile(join(folder, name), bytes);
}

test.each([0, 1000])('It is, with a delay of %i ms', { timeout: 600_000 }, async (propagationDelay) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const folder = await mkdtemp(join(tmpdir(), 'archive-law-'));
      const path = join(folder, 'license.json');
      const clock = { now: START };
      const options = { now: () => clock.now, random: seededRandom(1), propagationDelay };
      const reopened = async (): Promise<Tickets> => ticketsOf(await openLicenseFile([ticketApi], path, options));
      let tickets = await reopened();
      // Saved once, so that a crash finds a state file.
      await tickets.put();
      await tickets.emulator.begin();
      /** The license from each moment on. */
      let history: { readonly at: number; readonly tickets: Model }[] = [{ at: -Infinity, tickets: new Map() }];
      const present = (): Model => history.at(-1)?.tickets ?? new Map();
      const wrote = (change: (known: Map<string, Ticket>) => void): void => {
        const next = new Map(present());
        change(next);
        history.push({ at: clock.now, tickets: next });
      };
      const written = (given: readonly Ticket[]): void =>
        wrote((known) => {
          for (const one of given) known.set(one.id, one);
        });
      try {
        for (const one of steps) {
          if ('time' in one) clock.now += one.time;
          else if ('share' in one) {
            const before = await filesIn(folder);
            await tickets.put(...one.tickets);
            await cutOff(folder, before, one.share);
            tickets = await reopened();
          } else if (one.type === 'restart') tickets = await reopened();
          else if (one.type === 'copy')
            await tickets.emulator.begin({ state: tickets.emulator.snapshot({ archived: true }) });
          else if (one.type === 'seed' && 'tickets' in one) {
            await tickets.emulator.begin({ seed: { tickets: one.tickets } });
            history = [{ at: -Infinity, tickets: new Map(one.tickets.map((given) => [given.id, given])) }];
          } else if ('tickets' in one) {
            await tickets.put(...one.tickets);
            written(one.tickets);
          } else if ('id' in one) {
            await tickets.drop(one.id);
            wrote((known) => known.delete(one.id));
          }
          await compare(tickets);
        }
        await compare(await reopened());
      } finally {
        await rm(folder, { recursive: true });
      }

      async function compare({ seen, sizes, rows, emulator }: Tickets): Promise<void> {
        const moment = history.filter(({ at }) => at <= clock.now - propagationDelay).at(-1)?.tickets ?? new Map();
        const sorted = (found: Iterable<Ticket>) => Array.from(found).toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(sorted(await seen())).toEqual(sorted(moment.values()));
        for (const topic of ['a', 'b'])
          expect(sorted(await seen(topic))).toEqual(sorted(moment.values()).filter((one) => one.id.startsWith(topic)));
        const [size, archived] = await sizes();
        expect(size).toBe(present().size);
        expect(rows()).toHaveLength(rows(true).length - archived);
        expect(new Set(rows(true)).size).toBe(rows(true).length);
        const whole = emulator.snapshot({ archived: true }).tables['tickets'] ?? [];
        const newest = whole.flatMap((row) => row.at(-1)?.value ?? []) as Ticket[];
        expect(sorted(newest)).toEqual(sorted(present().values()));
        const left = emulator.snapshot().tables['tickets'] ?? [];
        if (propagationDelay === 0)
          expect(left.flatMap((row) => row.at(-1)?.value ?? [])).not.toContainEqual(
            expect.objectContaining({ open: false }),
          );
      }
    }),
    { numRuns: tries(300) },
  );
});
