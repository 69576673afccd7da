// Text of snapshots.

import { readSealed, type Sealed, sealedText } from '../../base/sealed.ts';
import type { Snapshot } from './snapshot.ts';
import { snapshot } from './validator.ts';

const SNAPSHOT: Sealed<Snapshot> = {
  what: 'snapshot',
  by: 'chatform ci snapshot --out FILE',
  remedy: 'take another snapshot',
  mark: 'rule_order',
  mistaken: () => null,
  validator: snapshot,
};

/** The same license gives the same bytes, except for when and by which version it was written. */
export function snapshotText(content: Omit<Snapshot, 'digest'>): { readonly text: string; readonly digest: string } {
  return sealedText(content);
}

/** Accepts members that a newer minor version adds. @throws UsageError that says what is wrong with `file` */
export function readSnapshot(text: string, file: string): Snapshot {
  return readSealed(text, file, SNAPSHOT);
}
