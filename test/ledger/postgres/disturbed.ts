// Applies of about 40 objects that something disturbs, with their ledger in PostgreSQL, and the proof that nothing is missing or there twice.

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Emulator } from '../../../src/emulator/index.ts';
import { fileLedger } from '../../../src/ledger/file.ts';
import type { Backend } from '../../../src/ledger/ledger.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { createDatabases, ledgerAt } from '../../../src/target/stores.ts';
import { folder, type Ran, type Running, spawned, start } from '../../cli/chatform.ts';
import { served, writesOf } from '../../cli/served.ts';
import { namesOn } from '../../laws/ended.ts';
import { foldedNames } from './left.ts';
import { holesIn } from './migrated.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Three agents, and so many groups and rules. */
export function manifestOf(groups: number, rules: number): string {
  const lines = [
    'version: 1\nagents:',
    ...['ann', 'bob', 'eve'].map((name) => `  ${name}@example.com: { name: ${name} }`),
    'groups:',
    ...range(groups).map(
      (index) => `  g${index}: { name: Group ${index}, agent_priorities: { ann@example.com: normal } }`,
    ),
    'auto_access:',
    ...range(rules).map(
      (index) =>
        `  - { key: r${index}, access: { groups: [g${index}] }, conditions: { url: { values: [{ value: /page-${index} }] } } }`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export const FEW: SiteOptions = { groups: 28, rules: 9, latency: () => 20 + 30 * Math.random(), settings: '' };

/** Writes of an apply of few. */
export const WRITES = 1 + FEW.groups + FEW.rules;

const LEDGER = 'postgres:DATABASE_URL/chatform/here';

export interface SiteOptions {
  readonly groups: number;
  readonly rules: number;
  /** Milliseconds until the next request is answered. */
  readonly latency: () => number;
  /** Of the target, each after a comma. */
  readonly settings: string;
}

export interface Site {
  readonly emulator: Emulator;
  readonly cwd: string;
  /** Starts `chatform apply --yes`. */
  readonly apply: () => Running;
  /** Starts the same in another checkout. */
  readonly applyElsewhere: () => Promise<Running>;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  /** Resolves once the service has carried out so many writes. */
  readonly written: (count: number) => Promise<void>;
}

/** A checkout of the project, and its license behind a port. `url`: address of the database; null for a ledger in a file. */
export async function site(url: string | null, { groups, rules, latency, settings }: SiteOptions = FEW): Promise<Site> {
  const waiting: { readonly count: number; readonly go: () => void }[] = [];
  let writes = 0;
  const { emulator, url: baseUrl } = await served({}, (handle) => async (asked) => {
    await pause(latency());
    const reply = await handle(asked);
    writes = Object.values(writesOf(emulator)).reduce((sum, count) => sum + count, 0);
    for (const { count, go } of waiting) if (count <= writes) go();
    return reply;
  });
  const store = url === null ? '' : 'ledger_store: { postgres_env: DATABASE_URL }\n';
  const checkout = (): Promise<string> =>
    folder({
      'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets: { here: { base_url: "${baseUrl}"${settings} } }\n${store}`,
      'manifest.yaml': manifestOf(groups, rules),
    });
  const cwd = await checkout();
  const env = { CHATFORM_TOKEN: 'dal:token', ...(url === null ? {} : { DATABASE_URL: url }) };
  const apply = (checkedOut: string): Running => start(['apply', '--yes'], { cwd: checkedOut, env });
  return {
    emulator,
    cwd,
    apply: () => apply(cwd),
    applyElsewhere: async () => apply(await checkout()),
    run: (...args) => spawned(args, { cwd, env }),
    written: (count) =>
      new Promise((go) => {
        if (count <= writes) go();
        else waiting.push({ count, go });
      }),
  };
}

/** What a run leaves, without ids, which are not the same on two licenses. */
interface Left {
  readonly objects: readonly string[];
  readonly ledger: unknown;
}

/** What an apply leaves that nothing disturbs, with a ledger in a file. */
export async function undisturbed(): Promise<Left> {
  const { emulator, cwd, apply } = await site(null);
  const { code, stderr } = await apply().ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return leftBy(emulator, fileLedger(join(cwd, '.chatform/here.ledger.ndjson')));
}

async function leftBy(emulator: Emulator, ledger: Backend): Promise<Left> {
  return { objects: namesOn(emulator), ledger: foldedNames(await ledger.read()) };
}

/** Each object is there once, the ledger says so, no event is missing, and the next plan has nothing to do. */
export async function expectWhole({ emulator, run }: Site, url: string, reference: Left): Promise<void> {
  const databases = createDatabases(systemClock);
  try {
    const ledger = ledgerAt(LEDGER, { databases, env: { DATABASE_URL: url }, notice: () => {} });
    expect(await leftBy(emulator, ledger)).toEqual(reference);
  } finally {
    await databases.close();
  }
  expect(await holesIn(url)).toEqual([]);
  const { code, stdout, stderr } = await run('plan', '--detailed-exitcode');
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
}
