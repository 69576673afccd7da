// How much garbage the heap of this process may hold. A flag of V8, so it holds from the call on.

import { setFlagsFromString } from 'node:v8';

/** What is read of a license is soon garbage, and the heap grows to four times of what is kept: from now on to twice, for a tenth more processor time. */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
