// Validators of the events of a fleet run, by type.

import { compileReader } from '../../base/compile.ts';
import { KNOWN } from './events.ts';

export const run = compileReader(KNOWN.run);
export const started = compileReader(KNOWN.started);
export const unbegun = compileReader(KNOWN.unbegun);
export const ended = compileReader(KNOWN.ended);
export const approved = compileReader(KNOWN.approved);
export const gate = compileReader(KNOWN.gate);
export const resumed = compileReader(KNOWN.resumed);
export const retry = compileReader(KNOWN.retry);
export const cancel = compileReader(KNOWN.cancel);
export const stopped = compileReader(KNOWN.stopped);
export const done = compileReader(KNOWN.done);
