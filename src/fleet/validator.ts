// Validators of the events of a fleet run. The build replaces this file by compiled ones (scripts/precompile.ts).

import { compileLineReader } from '../base/compile.ts';
import { anyOf } from '../base/documents.ts';
import { KNOWN } from './events.ts';

export const event = compileLineReader(anyOf('An event.', Object.values(KNOWN)));

export const cancel = compileLineReader(KNOWN.cancel);
