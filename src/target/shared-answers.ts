// Answers that are the same on all licenses of a client: the targets of a run ask the service once. Not those of the target that writes what they tell.

import type { Clock, Json } from '../base/model.ts';

/** Milliseconds for which an answer is used. The service itself shows a change after up to two minutes. */
const USED_FOR = 60_000;

export interface SharedAnswers {
  /** The answer to a question that another target asked a moment ago, or asks now; otherwise, and where that fails, that of `ask`. */
  readonly known: (question: string, ask: () => Promise<Json>) => Promise<Json>;
  /** The answer of `ask`, which others use from now on. */
  readonly fresh: (question: string, ask: () => Promise<Json>) => Promise<Json>;
  /** What they tell has changed. */
  readonly forget: () => void;
}

export function sharedAnswers(clock: Clock): SharedAnswers {
  const answers = new Map<string, { readonly at: number; readonly answer: Promise<Json> }>();

  function fresh(question: string, ask: () => Promise<Json>): Promise<Json> {
    const entry = { at: clock.now(), answer: ask() };
    answers.set(question, entry);
    return entry.answer.catch((error: unknown) => {
      if (answers.get(question) === entry) answers.delete(question);
      throw error;
    });
  }

  async function known(question: string, ask: () => Promise<Json>): Promise<Json> {
    const before = answers.get(question);
    if (before === undefined || clock.now() - before.at >= USED_FOR) return fresh(question, ask);
    // The run of another target may have ended, or its token may have fewer scopes.
    return before.answer.catch(ask);
  }

  return { known, fresh, forget: () => answers.clear() };
}
