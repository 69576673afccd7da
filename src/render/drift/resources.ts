// Differences in; the resources that have them, and how each is headed, out.

import type { DriftItem } from '../../tasks/drift/report.ts';
import { plain, value } from '../plain.ts';

/** The same resource's, in one piece, where the first of them stands. */
export function byResource(items: readonly DriftItem[]): ReadonlyMap<string, readonly DriftItem[]> {
  const found = new Map<string, DriftItem[]>();
  for (const item of items) {
    const others = found.get(item.address);
    if (others === undefined) found.set(item.address, [item]);
    else others.push(item);
  }
  return found;
}

/** An object whose name does not give itself away by its address. */
export function headline({ address, name, path, id }: DriftItem): string {
  const isOrder = id === null && path.length === 0 && !address.includes('/');
  return isOrder || address.endsWith(`/${name}`) || name === String(id)
    ? plain(address)
    : `${plain(address)}, named ${value(name)}`;
}
