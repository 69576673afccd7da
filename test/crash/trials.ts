// A version and a delay in; the change of test/laws/upheaval.ts made by a process that is killed at a request, and ended by another one, out: whether
// anything is left to complain about, and whether an undo takes both back.

import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Address, Desired, ObjectId, Version } from '../../src/base/model.ts';
import type { Emulator, State } from '../../src/emulator/index.ts';
import { fileLedger } from '../../src/ledger/file.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { fileSink } from '../../src/target/secrets/file.ts';
import { callByHand } from '../laws/edits.ts';
import { expectEnded, namesOn } from '../laws/ended.ts';
import { recordsOf, ruleOrderOf } from '../laws/records.ts';
import { acknowledged, after, BY_HAND, before, CLIENT, desiredIn } from '../laws/upheaval.ts';
import type { Job } from './child.ts';
import { type KillPoint, type Lane, NEVER, openLane } from './lane.ts';

const DAY = 86_400_000;
/** After which a lease that nobody renews is anybody's. */
const LEASE = 70_000;
const LEDGER = 'ledger.ndjson';
const SECRETS = 'secrets.json';

export interface Square {
  readonly version: Version;
  readonly propagationDelay: number;
  readonly program: string;
  /** Empty, for all that is written. */
  readonly root: string;
}

/** A license and a project whose next apply is the change. */
export interface Prepared extends Square {
  readonly desired: Desired;
  readonly state: State;
  /** Id of a rule that a person made, between ours. */
  readonly byHand: string;
  readonly found: readonly string[];
  readonly project: string;
  readonly ahead: number;
}

function projectText(version: Version, first: Desired, desired: Desired): string {
  const target = {
    base_url: 'https://api.example.com',
    api_version: version,
    ledger: LEDGER,
    secrets: { file: SECRETS },
    prune: { agent: 'owned' },
    max_deletes: 100,
    max_delete_percent: 100,
    acknowledge: [...new Set([...acknowledged(first), ...acknowledged(desired)])],
  };
  return JSON.stringify({
    version: 1,
    manifest: ['manifest.yaml'],
    clients: { [CLIENT]: {} },
    targets: { here: target },
  });
}

function laneOf({ propagationDelay, program, root }: Square, name: string, ahead: number): Promise<Lane> {
  return openLane({ propagationDelay, program, clockFile: join(root, `${name}.clock`), ahead });
}

interface Done {
  readonly stdout: string;
  readonly requests: readonly string[];
}

async function expectDone(lane: Lane, command: Job['command'], folder: string): Promise<Done> {
  const { ended, requests } = await lane.run(command, folder, NEVER);
  // An undo names a value that it leaves out, because it reads as a default that a killed run has changed.
  const isDone = ended?.code === 0 || (command === 'undo' && ended?.code === 6);
  if (!isDone) throw new Error(`${command} ended with ${ended?.code}: ${ended?.stdout}${ended?.stderr}`);
  return { stdout: ended.stdout, requests };
}

/** Whose secret is to be reset, as a plan in JSON says. */
function resetsIn(document: string): readonly string[] {
  const { notes } = JSON.parse(document) as Pick<Plan, 'notes'>;
  return notes.filter(({ kind }) => kind === 'secret-lost').map(({ address }) => String(address));
}

export async function prepare(square: Square): Promise<Prepared> {
  const { version, root } = square;
  const desired = await desiredIn(after(version), version);
  const project = join(root, 'prepared');
  await mkdir(project);
  const first = await desiredIn(before(version), version);
  await writeFile(join(project, 'chatform.yaml'), projectText(version, first, desired));
  await writeFile(join(project, 'manifest.yaml'), before(version));
  const lane = await laneOf(square, 'prepared', 0);
  try {
    await expectDone(lane, 'apply', project);
    const { emulator } = lane;
    const next = recordsOf(emulator).rules.find(({ conditions }) => JSON.stringify(conditions).includes('"/b"'));
    await callByHand(emulator, 'add_auto_access', { ...BY_HAND, next_id: next?.id ?? '' });
    const byHand = recordsOf(emulator).rules.find(({ description }) => description === BY_HAND.description)?.id ?? '';
    await lane.clock.sleep(DAY);
    await writeFile(join(project, 'manifest.yaml'), after(version));
    const ahead = Math.ceil(lane.ahead());
    return { ...square, desired, state: emulator.snapshot(), byHand, found: holdings(emulator), project, ahead };
  } finally {
    await lane.close();
  }
}

/** What there is, by what a person knows it by, and the rules in their order. */
function holdings(emulator: Emulator): readonly string[] {
  const rules = new Map(recordsOf(emulator).rules.map(({ id, conditions }) => [id, JSON.stringify(conditions)]));
  return [...namesOn(emulator), ...ruleOrderOf(recordsOf(emulator)).map((id) => rules.get(id) ?? id)];
}

/** What a run that nobody kills asks for, and what there is when it has ended. */
export interface Undisturbed {
  readonly requests: readonly string[];
  readonly reference: readonly string[];
}

export interface Trials {
  readonly undisturbed: () => Promise<Undisturbed>;
  /**
   * Rejects when something is left that the run after the killed one did not end.
   * @returns whose secrets were lost on the way, or null when there was no such request
   */
  readonly kill: (point: KillPoint, reference: readonly string[]) => Promise<readonly Address[] | null>;
  readonly close: () => Promise<void>;
}

/** `name` is unlike that of any other trials in the same root. */
export async function openTrials(prepared: Prepared, name: string): Promise<Trials> {
  const { version, desired, state, byHand, found, project, root, ahead } = prepared;
  const lane = await laneOf(prepared, name, ahead);
  const { emulator, clock } = lane;
  let count = 0;

  /** Each trial has a folder of its own, gone when it ends well. */
  async function anew<T>(trial: (folder: string) => Promise<T>): Promise<T> {
    count += 1;
    const folder = join(root, `${name}-${count}`);
    await cp(project, folder, { recursive: true });
    await emulator.begin({ state });
    const result = await trial(folder);
    await rm(folder, { recursive: true });
    return result;
  }

  async function expectProven(folder: string, reference: readonly string[]): Promise<readonly Address[]> {
    const events = await fileLedger(join(folder, LEDGER)).read();
    const sink = fileSink(join(folder, SECRETS));
    const holds = async (address: Address, id: ObjectId) => (await sink.holds?.(address, id)) === true;
    const lost = await expectEnded({ version, emulator, desired, events, holds, reference, byHand });
    await clock.sleep(DAY);
    const { stdout } = await expectDone(lane, 'plan', folder);
    expect(resetsIn(stdout).toSorted()).toEqual(lost.toSorted());
    return lost;
  }

  /** The killed run and the one that finished it, taken back together. */
  async function expectUndone(folder: string): Promise<void> {
    await expectDone(lane, 'undo', folder);
    expect(holdings(emulator)).toEqual(found);
  }

  return {
    undisturbed: () =>
      anew(async (folder) => {
        const { requests } = await expectDone(lane, 'apply', folder);
        const reference = namesOn(emulator);
        await expectProven(folder, reference);
        await expectUndone(folder);
        return { requests, reference };
      }),
    kill: (point, reference) =>
      anew(async (folder) => {
        const { ended, requests } = await lane.run('apply', folder, point);
        if (ended !== null) {
          expect(ended).toMatchObject({ code: 0 });
          return null;
        }
        try {
          await clock.sleep(LEASE);
          await expectDone(lane, 'apply', folder);
          const lost = await expectProven(folder, reference);
          await expectUndone(folder);
          return lost;
        } catch (error) {
          const name = `${requests.at(-1)} (${folder})`;
          throw new Error(`killed ${point.moment} request ${point.at}, ${name}: ${messageOf(error)}`, { cause: error });
        }
      }),
    close: lane.close,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
