// Validator of snapshots. The build replaces this file by one that is compiled beforehand (scripts/precompile.ts).

import { compileReader } from '../../base/compile.ts';
import { snapshotSchema } from './snapshot.ts';

export const snapshot = compileReader(snapshotSchema);
