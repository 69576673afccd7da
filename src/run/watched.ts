// Watcher of a check's own requests: each as it went over the connection, and the end of the patience. Knows nothing of what they ask.

import type { Credential } from '../service/credential.ts';
import type { Exchange, ExchangeRequest } from '../service/exchange.ts';
import type { LifecycleNotice } from '../service/sender.ts';
import type { Attempt } from '../tasks/doctor/observed.ts';
import type { Watch } from './connect.ts';
import type { Surroundings } from './surroundings.ts';

/** A check waits no longer, and not more often. */
const LONGEST_PAUSE = 5_000;
const PAUSES = 2;

export interface Watching {
  readonly watch: Watch;
  readonly attempts: readonly Attempt[];
  readonly notices: readonly LifecycleNotice[];
}

/** Without a credential the requests leave without one: the refusal shows that a service answers. */
export function watching(credential: Credential | null, { clock, signal }: Surroundings): Watching {
  const attempts: Attempt[] = [];
  const notices: LifecycleNotice[] = [];
  const giveUp = new AbortController();
  let pauses = 0;

  function around(exchange: Exchange): Exchange {
    return async (request) => {
      const sent = clock.now();
      const end = await exchange(credential === null ? anonymous(request) : request);
      const lost = 'failure' in end;
      const date = lost ? Number.NaN : Date.parse(end.headers['date'] ?? '');
      attempts.push({
        region: request.headers['x-region'] ?? null,
        sent,
        received: clock.now(),
        status: lost ? null : end.status,
        date: Number.isNaN(date) ? null : date,
        failure: lost ? end.failure : null,
      });
      return end;
    };
  }

  return {
    attempts,
    notices,
    watch: {
      credential: credential ?? { kind: 'bearer', token: 'none' },
      around,
      onNotice: (notice) => notices.push(notice),
      onWait: ({ milliseconds, failure }) => {
        pauses += 1;
        const isGone = failure.type === 'timeout' || (failure.type === 'connection' && !failure.ambiguous);
        if (isGone || pauses > PAUSES || milliseconds > LONGEST_PAUSE) giveUp.abort();
      },
      signal: AbortSignal.any([giveUp.signal, signal]),
    },
  };
}

function anonymous(request: ExchangeRequest): ExchangeRequest {
  const { authorization: _, ...headers } = request.headers;
  return { ...request, headers };
}
