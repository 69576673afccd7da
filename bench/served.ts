// What a service answered in, how many requests of which sort that were out.

import type { Served } from './service/server.ts';

export interface Requests {
  /** Before the last write, or all of them when nothing was written. */
  readonly reads: number;
  readonly writes: number;
  /** Reads after the last write. */
  readonly verification: number;
  /** The most writes under way at one time. */
  readonly together: number;
}

const isRead = ({ action }: Served): boolean => /^(list_|get_|GET )/.test(action);

export function writesOf(served: readonly Served[]): readonly Served[] {
  return served.filter((one) => !isRead(one));
}

export function requestsOf(served: readonly Served[]): Requests {
  const writes = writesOf(served);
  const last = Math.max(...writes.map(({ ended }) => ended));
  const verification = writes.length === 0 ? 0 : served.filter((one) => isRead(one) && one.begun >= last).length;
  return {
    reads: served.length - writes.length - verification,
    writes: writes.length,
    verification,
    together: mostTogether(writes),
  };
}

function mostTogether(writes: readonly Served[]): number {
  return Math.max(
    0,
    ...writes.map((one) => writes.filter(({ begun, ended }) => begun <= one.begun && one.begun < ended).length),
  );
}
