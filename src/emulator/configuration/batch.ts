// An action that acts on one thing comes in, its batch variant goes out. Must not know what the action does.
// Specification: "Batch requests (3.6)".

import { shuffled } from '../engine/random.ts';
import type { ErrorEnvelope } from '../engine/refusal.ts';
import { envelope, isRefusal, refuse } from '../engine/refusal.ts';
import type { JsonReader } from '../engine/shape.ts';
import { isObject, list, object, quoted } from '../engine/shape.ts';
import type { Action, Context, Run } from './action.ts';
import { writes } from './action.ts';
import { isFull } from './settings.ts';
import { ONLY_36 } from './version.ts';

/** Items are read one by one when their turn comes: a bad one fails alone. */
const item: JsonReader<unknown> = (value) => value;
const batchRequest = object({ requests: list(item) });

function runItem(run: Run, body: unknown, context: Context): object | ErrorEnvelope {
  const struck = context.failItem();
  if (struck !== undefined) return struck;
  try {
    const item = body ?? {};
    return isObject(item) ? run(item, context) : refuse('validation', 'an item of `requests` must be an object');
  } catch (error) {
    if (isRefusal(error)) return envelope(error);
    throw error;
  }
}

/** Nothing is rolled back; the replies stand in the order of the requests, whatever the order of their effects. */
function runBatch(run: Run, body: unknown, context: Context): object {
  const { requests } = batchRequest(body, '');
  const { batchItems } = context.settings.limits;
  if (requests.length > 0 && isFull(batchItems, requests.length - 1))
    refuse('validation', `${quoted('requests')} must have at most ${batchItems} items`);
  const turns = Array.from(requests, (request, index) => ({ request, index }));
  const order = context.settings.batchOrder === 'sent' ? turns : shuffled(turns, context.random);
  const responses: object[] = new Array<object>(requests.length);
  for (const { request, index } of order) responses[index] = runItem(run, request, context);
  return { responses };
}

export function batchOf({ name, run, inactiveToo }: Action): Action {
  return writes(`batch_${name}s`, ONLY_36, (body, context) => runBatch(run, body, context), { inactiveToo });
}
