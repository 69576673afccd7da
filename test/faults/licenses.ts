// The process of licenses-process.ts, as functions.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Calls, LicensesJob } from './licenses-process.ts';

/** A license whose name has this refuses everything. */
export const BROKEN = 'broken';

export type Licenses = {
  readonly [name in keyof Calls]: () => Promise<ReturnType<Calls[name]>>;
} & {
  /** Where the license of a name is. */
  readonly url: (name: string) => string;
  readonly stop: () => void;
};

export async function startLicenses(job: LicensesJob): Promise<Licenses> {
  const child = fork(fileURLToPath(new URL('licenses-process.ts', import.meta.url)), [JSON.stringify(job)], {
    execArgv: ['--import', 'tsx'],
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    serialization: 'advanced',
  });
  const [{ url }] = await once(child, 'message');
  const waiting = new Map<number, (value: never) => void>();
  child.on('message', ({ id, value }: { readonly id: number; readonly value: never }) => {
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  let calls = 0;
  const call = (name: keyof Calls) => (): Promise<never> =>
    new Promise((resolve) => {
      calls += 1;
      waiting.set(calls, resolve);
      child.send({ id: calls, name });
    });
  return {
    url: (name) => `${url}/${name}`,
    stop: () => child.disconnect(),
    clear: call('clear'),
    asked: call('asked'),
    objects: call('objects'),
  };
}
