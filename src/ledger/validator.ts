// Validators of what a ledger's folder holds.

import { compileReader } from '../base/compile.ts';
import { anyOf } from '../base/documents.ts';
import * as events from './events.ts';
import { leaseRecord } from './events.ts';

const { KNOWN } = events;

export const applied = compileReader(KNOWN.applied);
export const begun = compileReader(KNOWN.begun);
export const before = compileReader(KNOWN.before);
export const bound = compileReader(KNOWN.bound);
export const customer = compileReader(KNOWN.customer);
export const done = compileReader(KNOWN.done);
export const forgotten = compileReader(KNOWN.forgotten);
export const intent = compileReader(KNOWN.intent);
export const license = compileReader(KNOWN.license);
export const moved = compileReader(KNOWN.moved);
export const order = compileReader(KNOWN.order);
export const remaking = compileReader(KNOWN.remaking);
export const run = compileReader(KNOWN.run);
export const secret = compileReader(KNOWN.secret);
export const token = compileReader(KNOWN.token);
export const warned = compileReader(KNOWN.warned);

/** An event of these types, perhaps with words of a newer version. */
export const later = compileReader(anyOf('An event.', Object.values(events.ANY)));

/** An event of any type. */
export const stamped = compileReader(events.stamped);

export const lease = compileReader(leaseRecord);
