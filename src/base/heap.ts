// How much garbage the heap of this process may hold. A flag of V8, so it holds from the call on.

import { setFlagsFromString } from 'node:v8';

/**
 * What is read of a license is soon garbage, and the heap grows to four times of what is kept: from now on by so much of it. 100 % takes a tenth more
 * processor time, 50 % a fifth.
 */
export function keepHeapSmall(percent: 50 | 100): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Objects of a license from which on garbage is most of the memory of a command. */
const LARGE = 2_500;

/** The heap of a command about so many objects: from now on it grows by a quarter of what is kept. A small one would only take longer. */
export function fitHeapTo(objects: number): void {
  if (objects > LARGE) setFlagsFromString('--heap-growing-percent=25');
}
