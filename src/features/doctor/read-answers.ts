// Requests of a check, kept with their answers and attempts. The first goes alone, and none follows a failure that all would meet.

import { ApiError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import type { LicenseAction } from '../../kinds/actions.ts';
import type { LicenseClient, Watch } from '../../license/connect.ts';
import type { Credential } from '../../service/credential.ts';
import type { Exchange, ExchangeRequest } from '../../service/exchange.ts';
import type { RunContext } from '../../target/context.ts';
import { endsEverything } from './blame.ts';
import type { ActionAnswer, Attempt } from './observed.ts';

export interface AnswerRecorder {
  /** @throws ApiError, which is that of an earlier question when that one ended everything */
  readonly ask: (action: LicenseAction, body: JsonObject, why: 'planning' | 'doctor') => Promise<Json>;
  /** Of the questions that were sent. */
  readonly answers: () => readonly ActionAnswer[];
  readonly lag: LicenseClient['lag'];
  readonly identity: LicenseClient['identity'];
}

/** Aborting `stop` keeps what was not sent from being sent. */
export function createRecorder(client: LicenseClient, stop: AbortSignal): AnswerRecorder {
  const answers: ActionAnswer[] = [];
  let first: Promise<unknown> | null = null;
  let end: ApiError | null = null;

  async function send(action: LicenseAction, body: JsonObject, planning: boolean): Promise<Json> {
    try {
      const reply = await client.call(action, body, { stop });
      answers.push({ action, planning, failure: null });
      return reply;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      answers.push({ action, planning, failure: error.failure });
      if (endsEverything(error.failure)) end ??= error;
      throw error;
    }
  }

  async function ask(action: LicenseAction, body: JsonObject, why: 'planning' | 'doctor'): Promise<Json> {
    if (first !== null) await first;
    if (end !== null) throw end;
    const sending = send(action, body, why === 'planning');
    first ??= sending.catch(() => {});
    return sending;
  }

  return { ask, answers: () => answers, lag: client.lag, identity: client.identity };
}

/** Longest pause of a check in milliseconds, and how many. */
const LONGEST_PAUSE = 5_000;
const PAUSES = 2;

export interface WatchedRequests {
  readonly watch: Watch;
  readonly attempts: readonly Attempt[];
}

/** Without a credential the requests leave without one: the refusal shows that a service answers. */
export function watching(credential: Credential | null, { clock, signal }: RunContext): WatchedRequests {
  const attempts: Attempt[] = [];
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
    watch: {
      credential: credential ?? { kind: 'bearer', token: 'none' },
      around,
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
