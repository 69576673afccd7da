// Jobs in, one after the other, from the process that started this one; how each ended out. It is that process's to kill.

import { apply } from '../../src/commands/apply.ts';
import { silent } from '../../src/commands/log.ts';
import { plan } from '../../src/commands/plan.ts';
import type { ExitCode, Terminal } from '../../src/commands/terminal.ts';
import { uncoloured } from '../../src/render/paint.ts';
import { sharedClock } from './clock.ts';

/** What is to be done, where, and when. */
export interface Job {
  readonly command: 'apply' | 'plan';
  readonly folder: string;
  readonly baseUrl: string;
  /** Of the clock that the service goes by, too. */
  readonly clockFile: string;
}

export interface Ended {
  /** Null for a command that threw. */
  readonly code: ExitCode | null;
  readonly stdout: string;
  /** With the error of a command that threw. */
  readonly stderr: string;
}

async function run({ command, folder, baseUrl, clockFile }: Job): Promise<Ended> {
  process.chdir(folder);
  const said = { stdout: '', stderr: '' };
  const terminal: Terminal = {
    ...sharedClock(clockFile),
    out: (text) => {
      said.stdout += text;
    },
    err: (text) => {
      said.stderr += text;
    },
    log: silent,
    paintOut: uncoloured,
    paintErr: uncoloured,
    env: { CHATFORM_TOKEN: 'dal:token' },
    random: Math.random,
    self: { user: 'ann', host: 'build-7', pid: process.pid },
    signal: new AbortController().signal,
    ask: async () => null,
  };
  try {
    const code = await (command === 'apply'
      ? apply({ baseUrl, yes: true }, terminal)
      : plan({ baseUrl, detailedExitcode: true, json: true }, terminal));
    return { code, ...said };
  } catch (error) {
    return { code: null, ...said, stderr: `${said.stderr}${error instanceof Error ? error.stack : String(error)}` };
  }
}

process.on('message', (job: Job) => {
  void run(job).then((ended) => process.send?.(ended));
});
