// Jobs of a process, one after the other, for the process that started it. Runs the command line as it was built, with a clock of the test.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { scriptsOf } from '../../scripts/compiled.ts';
import { type TerminalStreams, terminalAt } from '../../src/command/terminal.ts';
import type { ExitCode } from '../../src/many/operation.ts';
import { systemClock } from '../../src/service/patience/clock.ts';
import { createDatabases } from '../../src/target/stores.ts';
import { uncoloured } from '../../src/view/paint.ts';
import { sharedClock } from './clock.ts';

/** A command, where it runs, and when. */
export interface Job {
  readonly command: 'apply' | 'plan' | 'undo';
  readonly folder: string;
  readonly baseUrl: string;
  /** Of the clock that the service goes by as well. */
  readonly clockFile: string;
}

export interface Ended {
  /** Null for a command that threw. */
  readonly code: ExitCode | null;
  readonly stdout: string;
  /** With the error of a command that threw. */
  readonly stderr: string;
}

const FLAGS = {
  apply: ['--yes', '--acknowledge', 'deletes'],
  undo: ['--yes'],
  plan: ['--detailed-exitcode', '--json'],
};

const [folderOfScripts = '', digest = ''] = process.argv.slice(2);
const scripts = scriptsOf(folderOfScripts, digest, createRequire(join(folderOfScripts, '../cli.cjs')));
const { commandLine } = scripts.exportsOf('command-line') as typeof import('../../src/command-line.ts');

async function run({ command, folder, baseUrl, clockFile }: Job): Promise<Ended> {
  process.chdir(folder);
  const said = { stdout: '', stderr: '' };
  const seat: TerminalStreams = {
    ...sharedClock(clockFile),
    out: (text) => {
      said.stdout += text;
    },
    err: (text) => {
      said.stderr += text;
    },
    paintOut: uncoloured,
    paintErr: uncoloured,
    env: { CHATFORM_TOKEN: 'dal:token' },
    random: Math.random,
    databases: createDatabases(systemClock),
    self: { user: 'ann', host: 'build-7', pid: process.pid },
    signal: new AbortController().signal,
    ask: async () => null,
    input: async () => '',
  };
  try {
    const args = [command, '--base-url', baseUrl, ...FLAGS[command]];
    const { out, err } = seat;
    return { code: await commandLine(args, { out, err, terminal: (flags) => terminalAt(seat, flags) }), ...said };
  } catch (error) {
    return { code: null, ...said, stderr: `${said.stderr}${error instanceof Error ? error.stack : String(error)}` };
  }
}

process.on('message', (job: Job) => {
  void run(job).then((ended) => process.send?.(ended));
});
