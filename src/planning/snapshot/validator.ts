// Validator of snapshots.

import { compileReader } from '../../base/compile.ts';
import { snapshotSchema } from './snapshot.ts';

export const snapshot = compileReader(snapshotSchema);
