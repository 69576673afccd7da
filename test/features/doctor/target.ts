// A served emulator, files and an environment in; what the doctor said of them out. Runs the command in this process, with a clock that only moves
// when somebody waits; every document is held against its schema.

import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished } from 'vitest';
import type { Clock } from '../../../src/base/model.ts';
import { createEmulator, type Emulator, type EmulatorOptions, listen } from '../../../src/emulator/index.ts';
import { type Check, type CheckStatus, type DoctorFinding, doctorSchema } from '../../../src/features/doctor/schema.ts';
import { folder, project } from '../../cli/chatform.ts';
import { atTerminal, fakeTerminal } from '../../cli/terminal.ts';

export interface Patient {
  readonly emulator?: Partial<EmulatorOptions>;
  readonly files?: { readonly [name: string]: string };
  readonly env?: { readonly [name: string]: string };
  readonly flags?: readonly string[];
}

export interface Seen {
  readonly code: number;
  /** `status: message`, and the remedy after an arrow. */
  readonly line: (check: Check) => string;
  readonly statuses: { readonly [check in Check]: CheckStatus };
  readonly document: { readonly [member: string]: unknown };
  readonly stderr: string;
  readonly emulator: Emulator;
  /** Milliseconds that passed. */
  readonly waited: number;
}

const HERE = fileURLToPath(new URL('../../..', import.meta.url));

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  doctorSchema,
);

/** Looks at a target on the network of this machine; `flags.baseUrl` looks somewhere else. */
export async function looked({ emulator: options = {}, files, env, flags = [] }: Patient = {}): Promise<Seen> {
  const { terminal } = fakeTerminal(null, env ?? { CHATFORM_TOKEN: 'dal:open-sesame' });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const start = terminal.clock.now();
  const sleep = (milliseconds: number) => terminal.clock.sleep(milliseconds);
  const emulator = createEmulator({ now: terminal.clock.now, random: Math.random, sleep, ...options });
  const server = await listen(emulator, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  process.chdir(await folder(files ?? project()));
  onTestFinished(() => process.chdir(HERE));
  const clock: Clock = {
    now: terminal.clock.now,
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted !== true) await sleep(milliseconds);
    },
  };
  const watched = {
    ...terminal,
    clock,
    out: (text: string) => stdout.push(text),
    err: (text: string) => stderr.push(text),
  };
  const url = flags.includes('--base-url') ? [] : ['--base-url', server.url];
  const code = await atTerminal(['doctor', '--json', ...url, ...flags], watched);
  const document = JSON.parse(stdout.join(''));
  expect([fits(document), fits.errors]).toEqual([true, null]);
  expect(stdout.join('') + stderr.join('')).not.toContain('sesame');
  const checks: readonly DoctorFinding[] = document.checks;
  return {
    code,
    document,
    emulator,
    stderr: stderr.join(''),
    waited: terminal.clock.now() - start,
    statuses: Object.fromEntries(checks.map(({ check, status }) => [check, status])) as Seen['statuses'],
    line: (check) => {
      const found = checks.find((finding) => finding.check === check);
      return found === undefined
        ? ''
        : `${found.status}: ${found.message}${found.remedy === null ? '' : ` -> ${found.remedy}`}`;
    },
  };
}

/** The license of a token with these scopes. */
export function tokenWith(...scopes: readonly string[]): Partial<EmulatorOptions> {
  return { seed: { tokens: [{ token: 'dal:open-sesame', scopes }] } };
}

export const READING = ['agents--all:ro', 'groups--all:ro', 'access_rules:ro'];
