// After any sequence of writes, restarts, resets and crashes, a license in a file is the one that a map of its tickets is.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
const ticket = fc.record({ id, note: fc.string({ maxLength: 4 }) });
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
  // The write that follows is cut off: of what it adds to the file this share is there.
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('cut'),
      tickets: fc.array(ticket, { minLength: 1, maxLength: 3 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
);

/** Does what adds a line to a file, and leaves so much of the line as a crash would; a file that is written again is not yet in its place. */
async function cutOff(write: () => Promise<unknown>, path: string, share: number): Promise<void> {
  const before = await readFile(path);
  await write();
  const after = await readFile(path);
  const isLonger = after.subarray(0, before.length).equals(before);
  const kept = before.length + Math.floor((after.length - before.length) * share);
  // With its end, the line would be whole.
  await writeFile(path, isLonger ? after.subarray(0, Math.min(kept, after.length - 1)) : before);
}

test.each([
  [0, 0],
  [1000, 0],
  [1000, 1000],
])(
  'It is, with a delay of %i ms and %i bytes of a large state',
  { timeout: 600_000 },
  async (propagationDelay, large) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const folder = await mkdtemp(join(tmpdir(), 'state-file-law-'));
        const path = join(folder, 'license.json');
        const clock = { now: START };
        const options = { now: () => clock.now, random: seededRandom(1), propagationDelay };
        const reopened = async (): Promise<Tickets> =>
          ticketsOf(await openLicenseFile([ticketApi], path, options, large));
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
              await cutOff(() => tickets.put(...one.tickets), path, one.share);
              tickets = await reopened();
            } else if (one.type === 'restart') tickets = await reopened();
            else if (one.type === 'copy') await tickets.emulator.begin({ state: tickets.emulator.snapshot() });
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
            // The file says all that is in the license, in its order.
            const kept = await reopened();
            expect(kept.emulator.snapshot()).toEqual(tickets.emulator.snapshot());
          }
          await compare(await reopened());
        } finally {
          await rm(folder, { recursive: true });
        }

        async function compare({ seen, size, emulator }: Tickets): Promise<void> {
          const moment = history.filter(({ at }) => at <= clock.now - propagationDelay).at(-1)?.tickets ?? new Map();
          const sorted = (found: Iterable<Ticket>) => Array.from(found).toSorted((a, b) => (a.id < b.id ? -1 : 1));
          expect(sorted(await seen())).toEqual(sorted(moment.values()));
          for (const topic of ['a', 'b'])
            expect(sorted(await seen(topic))).toEqual(
              sorted(moment.values()).filter((one) => one.id.startsWith(topic)),
            );
          expect(await size()).toBe(present().size);
          const newest = (emulator.snapshot().tables['tickets'] ?? []).flatMap((row) => row.at(-1)?.value ?? []);
          expect(sorted(newest as Ticket[])).toEqual(sorted(present().values()));
        }
      }),
      { numRuns: tries(200) },
    );
  },
);
