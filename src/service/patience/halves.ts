// The items of a batch and a way to send some of them in; how each of them ended, out: what the service refuses as too large goes in halves. It must
// not know how a batch is sent. Specification: "Batch requests (3.6)" states no limit, and no error for more than it.

import type { ApiFailure } from '../../base/errors.ts';
import type { Outcome } from '../reply.ts';

/** An outcome for each item, and what the request failed with as a whole; null when it did not. */
export interface Answered {
  readonly outcomes: readonly Outcome[];
  readonly whole: ApiFailure | null;
}

/** Sends what is at these places; its outcomes are in their order. */
export type SendItems = (places: readonly number[]) => Promise<Answered>;

/** Where two items are refused each by itself, it was not the size, and the rest is not tried: a hundred items cost eight requests then. */
export async function inHalves(places: readonly number[], send: SendItems): Promise<Answered> {
  const sent = await send(places);
  if (!isTooLarge(sent) || places.length < 2) return sent;
  const middle = Math.ceil(places.length / 2);
  const first = await inHalves(places.slice(0, middle), send);
  if (isTooLarge(first) && middle > 1) return sent;
  const second = await inHalves(places.slice(middle), send);
  if (isTooLarge(first) && isTooLarge(second)) return sent;
  return { outcomes: [...first.outcomes, ...second.outcomes], whole: null };
}

/** Perhaps. An item that is wrong by itself is told so in its slot; a batch that is refused without slots was not looked into, and nothing of it done. */
function isTooLarge({ whole }: Answered): boolean {
  return whole !== null && !whole.ambiguous && (whole.status === 413 || whole.type === 'validation');
}
