// Validators of what a ledger's folder holds. The build replaces this file by compiled ones (scripts/precompile.ts).

import { compileLineReader } from '../base/compile.ts';
import { anyOf } from '../base/documents.ts';
import * as events from './events.ts';
import { leaseRecord } from './events.ts';

const { KNOWN } = events;

export const applied = compileLineReader(KNOWN.applied);
export const begun = compileLineReader(KNOWN.begun);
export const before = compileLineReader(KNOWN.before);
export const bound = compileLineReader(KNOWN.bound);
export const customer = compileLineReader(KNOWN.customer);
export const done = compileLineReader(KNOWN.done);
export const forgotten = compileLineReader(KNOWN.forgotten);
export const intent = compileLineReader(KNOWN.intent);
export const license = compileLineReader(KNOWN.license);
export const moved = compileLineReader(KNOWN.moved);
export const order = compileLineReader(KNOWN.order);
export const remaking = compileLineReader(KNOWN.remaking);
export const run = compileLineReader(KNOWN.run);
export const secret = compileLineReader(KNOWN.secret);
export const token = compileLineReader(KNOWN.token);
export const warned = compileLineReader(KNOWN.warned);

/** An event of these types, perhaps with words of a newer version. */
export const later = compileLineReader(anyOf('An event.', Object.values(events.ANY)));

/** An event of any type. */
export const stamped = compileLineReader(events.stamped);

export const lease = compileLineReader(leaseRecord);
