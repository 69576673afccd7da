// Requests of a check with their answers kept: the first goes alone, and none follows a failure that all would meet. Knows no answer's meaning.

import { ApiError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/model.ts';
import type { ActionName, ConfigurationClient } from '../service/configuration.ts';
import { endsEverything } from '../tasks/doctor/blame.ts';
import type { Answer } from '../tasks/doctor/observed.ts';

export interface Inquiry {
  /** @throws ApiError, which is that of an earlier question when that one ended everything */
  readonly ask: (action: ActionName, body: JsonObject, why: 'planning' | 'doctor') => Promise<Json>;
  /** Of the questions that were sent. */
  readonly answers: () => readonly Answer[];
  readonly lag: ConfigurationClient['lag'];
}

/** Aborting `stop` keeps what was not sent from being sent. */
export function createInquiry(client: ConfigurationClient, stop: AbortSignal): Inquiry {
  const answers: Answer[] = [];
  let first: Promise<unknown> | null = null;
  let end: ApiError | null = null;

  async function send(action: ActionName, body: JsonObject, planning: boolean): Promise<Json> {
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

  async function ask(action: ActionName, body: JsonObject, why: 'planning' | 'doctor'): Promise<Json> {
    if (first !== null) await first;
    if (end !== null) throw end;
    const sending = send(action, body, why === 'planning');
    first ??= sending.catch(() => {});
    return sending;
  }

  return { ask, answers: () => answers, lag: client.lag };
}
