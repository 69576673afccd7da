// Validators of the events of a fleet run, by type. The build replaces this file by compiled ones (scripts/precompile.ts).

import { compileLineReader } from '../../base/compile.ts';
import { KNOWN } from './events.ts';

export const run = compileLineReader(KNOWN.run);
export const started = compileLineReader(KNOWN.started);
export const unbegun = compileLineReader(KNOWN.unbegun);
export const ended = compileLineReader(KNOWN.ended);
export const approved = compileLineReader(KNOWN.approved);
export const gate = compileLineReader(KNOWN.gate);
export const resumed = compileLineReader(KNOWN.resumed);
export const retry = compileLineReader(KNOWN.retry);
export const cancel = compileLineReader(KNOWN.cancel);
export const stopped = compileLineReader(KNOWN.stopped);
export const done = compileLineReader(KNOWN.done);
