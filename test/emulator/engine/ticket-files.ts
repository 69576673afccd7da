// The files of a license of tickets, in a folder of each test, and processes that open them.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { EngineOptions } from '../../../src/emulator/engine/emulator.ts';
import { openLicenseFile } from '../../../src/emulator/engine/state-file.ts';
import { START, seededRandom } from '../caller.ts';
import { type Ticket, type Tickets, ticketApi, ticketOf, ticketsOf } from './tickets.ts';

/** The folder of the present test and its state file; call it once in a file of tests. */
export function ticketFiles() {
  const at = { folder: '', path: '' };
  beforeEach(async () => {
    at.folder = await mkdtemp(join(tmpdir(), 'state-file-'));
    at.path = join(at.folder, 'license.json');
  });
  afterEach(() => rm(at.folder, { recursive: true }));

  const openedFile = async (options: Partial<EngineOptions> = {}, large = 0): Promise<Tickets> =>
    ticketsOf(await openLicenseFile([ticketApi], at.path, { ...standardOptions(), ...options }, large));

  /** The lines of the file. */
  async function lines(): Promise<readonly SavedLine[]> {
    const text = await readFile(at.path, 'utf8');
    expect(text.at(-1)).toBe('\n');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** A license with tickets whose file has a state and a change. */
  async function begun(): Promise<Tickets> {
    const tickets = await openedFile();
    await tickets.put(ticketOf('a1'), ticketOf('a2'), ticketOf('b1'));
    await tickets.put(ticketOf('b2'));
    return tickets;
  }

  return { at, openedFile, lines, begun };
}

/** A state, or what a save changed of it. */
interface SavedLine {
  readonly gone?: { readonly tickets?: readonly string[] };
  readonly tables: { readonly tickets?: readonly { readonly value?: Ticket }[][] };
}

/** Every process makes the same ids. */
export const standardOptions = () => ({
  now: () => START,
  random: seededRandom(1),
  identify: () => 'one and the same',
});
