// Outcomes in the log of a run over several targets.

import { InternalError } from '../base/errors.ts';
import { sumOf } from '../base/grouped.ts';
import { isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import type { TargetEnd } from './drive.ts';
import type { Outcome } from './operation.ts';
import { type Asked, rowOf } from './outputs.ts';

/** A check that finds differences has done its work; an apply that leaves some has not. */
export function endOf<Options, Value>(asked: Asked<Options, Value>, outcome: Outcome<Value>): TargetEnd {
  const { code, state, message, requests, isDone: isMeant = false } = rowOf(asked, outcome);
  const isDone = isMeant || code === 0 || (code === 2 && asked.operation.changes !== 'license');
  const sent = outcome.requests === null ? 0 : sumOf(outcome.requests);
  return {
    state: isDone ? 'done' : state === 'unreachable' ? 'unreachable' : 'failed',
    code,
    message: isDone ? null : (message ?? state),
    requests: requests ?? sent,
    ...(isDone && state === 'in sync' ? { unchanged: true } : {}),
    summary: JSON.parse(JSON.stringify(outcome)) as Json,
  };
}

/** The outcome that a log has of a target. @throws InternalError for another value */
export function outcomeIn<Value>(summary: Json): Outcome<Value> {
  if (!isObject(summary) || typeof summary['state'] !== 'string')
    throw new InternalError('a target ended without an outcome');
  return summary as unknown as Outcome<Value>;
}
