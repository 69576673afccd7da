// Nothing comes in, the process of server.ts goes out, as functions.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Calls } from './server.ts';

type Remote<F> = F extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;

export type Service = { readonly [name in keyof Calls]: Remote<Calls[name]> } & {
  /** Where the license is. */
  readonly url: string;
  /** Where decK's own service is. */
  readonly otherUrl: string;
  readonly stop: () => void;
};

export async function startService(): Promise<Service> {
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    serialization: 'advanced',
  });
  const [{ license, other }] = await once(child, 'message');
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  child.on('message', ({ id, value, error }: { id: number; value: never; error?: string }) => {
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) caller?.resolve(value);
    else caller?.reject(new Error(error));
  });
  let calls = 0;
  const call =
    (name: keyof Calls) =>
    (...args: readonly unknown[]): Promise<never> =>
      new Promise((resolve, reject) => {
        calls += 1;
        waiting.set(calls, { resolve, reject });
        child.send({ id: calls, name, args });
      });
  return {
    url: license,
    otherUrl: other,
    begin: call('begin'),
    keep: call('keep'),
    restore: call('restore'),
    slow: call('slow'),
    served: call('served'),
    stop: () => child.disconnect(),
  };
}
