// Processes that do jobs until one of them is killed. Knows nothing of the jobs.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Ended, Job } from './child.ts';

/** The command line as it was built. */
const FOLDER = fileURLToPath(new URL('../../dist/cli', import.meta.url));

/** Compiles child.ts to `outfile`. */
export async function buildChild(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    // Looks for files of its own next to itself, and no job asks for JSON logs.
    external: ['pino'],
    logLevel: 'error',
  });
}

function digestOfBuild(): string {
  const [, digest] =
    readdirSync(FOLDER)
      .join('\n')
      .match(/^command-line-(\w+)\.cjs$/m) ?? [];
  if (digest === undefined) throw new Error(`${FOLDER} has no command line`);
  return digest;
}

export interface Worker {
  /** Null when it was killed on the way; the next job starts another process. */
  readonly run: (job: Job) => Promise<Ended | null>;
  /** Resolves once nothing of it runs any more. */
  readonly kill: () => Promise<void>;
}

export function worker(file: string): Worker {
  let child: ChildProcess | null = null;

  function start(): ChildProcess {
    // Without IPC there is nothing to do: it ends with its parent.
    return fork(file, [FOLDER, digestOfBuild()], {
      execArgv: [],
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
  }

  return {
    run: async (job) => {
      child ??= start();
      const running = child;
      const errors: Buffer[] = [];
      const keep = (chunk: Buffer): number => errors.push(chunk);
      running.stderr?.on('data', keep);
      const over = new AbortController();
      try {
        running.send(job);
        const [end] = await Promise.race([
          once(running, 'message', { signal: over.signal }),
          once(running, 'exit', { signal: over.signal }).then(([, signal]) => [signal]),
        ]);
        if (typeof end === 'object' && end !== null) return end as Ended;
        if (end === 'SIGKILL') return null;
        child = null;
        throw new Error(`the process ended by itself: ${Buffer.concat(errors)}`);
      } finally {
        over.abort();
        running.stderr?.off('data', keep);
      }
    },
    kill: async () => {
      if (child === null) return;
      const dying = child;
      child = null;
      const gone = once(dying, 'exit');
      dying.kill('SIGKILL');
      await gone;
    },
  };
}
