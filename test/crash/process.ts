// The file that a process runs in; processes that do jobs until one of them is killed, out. Must not know what the jobs are about.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Ended, Job } from './child.ts';

/** Compiles child.ts to `outfile`; what it imports of ours is what people run, which starts faster than its source. */
export async function buildChild(outfile: string): Promise<void> {
  const dist = new URL('../../dist/', import.meta.url);
  await build({
    entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
    plugins: [
      {
        name: 'dist',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\.\/\.\.\/src\// }, ({ path }) => {
            const built = path.replace('../../src/', '').replace(/\.ts$/, '.js');
            return { path: new URL(built, dist).href, external: true };
          }),
      },
    ],
  });
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
    return fork(file, [], {
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
