// What a row of the conformance table is: one action, a request that is accepted, its exact reply, and what makes the request wrong.
// Knows no single action, and not how a request is sent.

import type { Version } from '../caller.ts';

export type Body = { readonly [name: string]: unknown };
type PerVersion<T> = T | ((version: Version) => T);

/** One member of a request, as its path from the body; in `only` when the other version has no such member. */
export interface Member {
  readonly path: string;
  readonly required: boolean;
  /** Values that `validation` refuses, naming the path. */
  readonly refuses: readonly unknown[];
  readonly only?: Version;
}

/** A request that is refused for more than the shape of one member. */
export interface Refused {
  readonly type: string;
  readonly body: Body;
  /** What the message has in backticks. */
  readonly names?: string;
  readonly only?: Version;
  /** Requests that are accepted before it. */
  readonly after?: readonly Sent[];
  readonly authorization?: string;
}

export type Sent = readonly [action: string, body: Body];

export interface Row {
  readonly action: string;
  /** Both, unless it says which. */
  readonly versions?: readonly Version[];
  /** Everything that the table lists, in a request that is accepted. */
  readonly request: PerVersion<Body>;
  /** What that request is answered, exactly. */
  readonly reply: PerVersion<Body | readonly unknown[]>;
  /** Requests that are accepted before it. */
  readonly after?: PerVersion<readonly Sent[]>;
  readonly members: readonly Member[];
  /** Members that a version ignores, whatever they are. */
  readonly ignores?: { readonly [version in Version]?: readonly string[] };
  readonly refused?: readonly Refused[];
  /** Other requests that are accepted, to be answered with no error. */
  readonly accepts?: readonly Body[];
}

export const inVersion = <T>(of: PerVersion<T>, version: Version): T =>
  typeof of === 'function' ? (of as (version: Version) => T)(version) : of;

export const required = (path: string, refuses: readonly unknown[], only?: Version): Member => ({
  path,
  required: true,
  refuses,
  ...(only && { only }),
});
export const optional = (path: string, refuses: readonly unknown[], only?: Version): Member => ({
  ...required(path, refuses, only),
  required: false,
});

export const NO_STRING = [7, true, [], {}];
/** A required string must say something. */
export const NO_TEXT = [...NO_STRING, ''];
export const NO_BOOL = [0, 'true', [], {}];
export const NO_INT = ['1', 1.5, true, [], {}, -1];
export const NO_LIST = ['x', 1, true, {}];
export const NO_OBJECT = ['x', 1, true, []];
export const NO_PRIORITY = [...NO_TEXT, 'primary', 'First'];
/** A property's value is a string, a number or a boolean. */
export const NO_VALUE = [[], {}];

const steps = (path: string): readonly string[] => path.split(/[.[\]]+/).filter((step) => step !== '');

/** A copy of a request in which the member at a path is another value; without the member when that is undefined. */
export function changed(value: unknown, path: string, to: unknown): unknown {
  return changedAt(value, steps(path), to);
}

function changedAt(value: unknown, [step, ...deeper]: readonly string[], to: unknown): unknown {
  if (step === undefined) return to;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? changedAt(item, deeper, to) : item));
  const members = Object.entries(Object(value)).filter(([name]) => name !== step);
  const member = changedAt(Object(value)[step], deeper, to);
  return Object.fromEntries(member === undefined ? members : [...members, [step, member]]);
}
