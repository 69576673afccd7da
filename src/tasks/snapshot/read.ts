// The text of a file in; the snapshot in it, or why it is none, out. Knows no file.

import { readSealed, type Sealed } from '../saved/sealed.ts';
import { snapshotSchema } from './schema.ts';
import type { Snapshot } from './snapshot.ts';

const SNAPSHOT: Sealed = {
  what: 'snapshot',
  by: 'chatform snapshot --out FILE',
  anew: 'take another snapshot',
  mark: 'rule_order',
  mistaken: () => null,
  schema: snapshotSchema,
};

/** Of any age: a higher minor version only adds members, which mean nothing here. @throws UsageError that says what is wrong with `file` */
export function readSnapshot(text: string, file: string): Snapshot {
  return readSealed(text, file, SNAPSHOT) as unknown as Snapshot;
}
