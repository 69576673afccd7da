// What a rule or a flag names in; whether it speaks of a difference, by the address of that, out.

import type { Address } from '../../base/model.ts';
import { covers } from '../../plan/select.ts';

/** An address, a glob or a bare kind, which is the address of the order of its list as well. */
export function speaksOf(name: string): (address: string) => boolean {
  const isCovered = covers([name]);
  return (address) => address === name || isCovered(address as Address);
}
