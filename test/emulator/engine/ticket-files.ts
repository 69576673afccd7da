// The files of a license of tickets, in a folder of each test, and processes that open them.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { EngineOptions } from '../../../src/emulator/engine/emulator.ts';
import { openLicenseFile } from '../../../src/emulator/engine/state-file.ts';
import { START, seededRandom } from '../caller.ts';
import { ended, opened, type Ticket, type Tickets, ticketApi, ticketsOf } from './tickets.ts';

/** The folder of the present test and its state file; call it once in a file of tests. */
export function ticketFiles() {
  const at = { folder: '', path: '' };
  beforeEach(async () => {
    at.folder = await mkdtemp(join(tmpdir(), 'archive-'));
    at.path = join(at.folder, 'license.json');
  });
  afterEach(() => rm(at.folder, { recursive: true }));

  const openedFile = async (options: Partial<EngineOptions> = {}, file = at.path): Promise<Tickets> =>
    ticketsOf(await openLicenseFile([ticketApi], file, { ...standardOptions(), ...options }));

  /** The state, and the lines of the archive that it names. */
  async function files(): Promise<SavedTickets> {
    const state = JSON.parse(await readFile(at.path, 'utf8'));
    const archive = `${at.path}.archive-${state.archive?.id}.ndjson`;
    const text = state.archive === undefined ? '' : await readFile(archive, 'utf8');
    expect(Buffer.byteLength(text)).toBe(state.archive?.bytes ?? 0);
    const lines = text.split('\n').slice(1, -1);
    return { state, archive, lines: lines.map((one) => JSON.parse(one)) };
  }

  /** A license with two open and two ended tickets, whose archive has begun. */
  async function begun(): Promise<Tickets> {
    const tickets = await openedFile();
    await tickets.put(opened('a1'), ended('a2'), ended('b1'));
    await tickets.put(opened('b2'));
    return tickets;
  }

  return { at, openedFile, files, begun };
}

interface SavedTickets {
  readonly state: ReturnType<typeof JSON.parse>;
  /** Path of the archive. */
  readonly archive: string;
  readonly lines: readonly unknown[];
}

/** Every process makes the same ids. */
export const standardOptions = () => ({
  now: () => START,
  random: seededRandom(1),
  identify: () => 'one and the same',
});

export const line = (value: Ticket) => ({ table: 'tickets', value });
