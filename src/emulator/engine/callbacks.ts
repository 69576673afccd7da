// Requests that the emulator itself sends, to addresses that its clients named. No answer waits for one, and none is repeated.

import { isThisMachine } from '../../base/url.ts';
import type { RequestJournal } from './journal.ts';

/** A request to an address that a client named. */
export interface Callback {
  /** http or https. */
  readonly url: string;
  readonly body: object;
  /** Version and name under which the journal keeps it. */
  readonly version: string;
  readonly action: string;
  /** Whether it may leave this machine. */
  readonly anywhere: boolean;
}

/** Sends one request of the emulator. */
export type CallbackSender = (request: Request) => Promise<Response>;

/** After so many milliseconds without a reply, the emulator gives up. */
const LONGEST_WAIT = 15_000;

async function deliver(send: CallbackSender, { url, body }: Callback): Promise<number> {
  const response = await send(
    new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // A redirect could lead away from this machine.
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST_WAIT),
    }),
  );
  await response.body?.cancel();
  return response.status;
}

/** Returns what sends callbacks, and keeps in the journal how each one ended. `now` is in ms. */
export function createCallbacks(
  send: CallbackSender,
  journal: RequestJournal,
  now: () => number,
): (callback: Callback) => void {
  return (callback) => {
    const { url: to, version, action, anywhere } = callback;
    const at = Math.floor(now());
    const ended = (status: number | null, error: string | null): void =>
      journal.ended({ at, version, action, status, error, faults: [], to });
    if (!anywhere && !isThisMachine(new URL(to))) return ended(null, 'withheld');
    deliver(send, callback).then(
      (status) => ended(status, null),
      () => ended(null, 'unreachable'),
    );
  };
}
