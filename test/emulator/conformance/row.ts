// What a row of the conformance table is: one action, a request that is accepted, its exact reply, and what makes the request wrong.
// Knows no single action, and not how a request is sent.

import type { Version } from '../caller.ts';

export type Body = { readonly [name: string]: unknown };
type PerVersion<T, V extends string = Version> = T | ((version: V) => T);

/** One member of a request, as its path from the body; in `only` when other versions have no such member. */
export interface Member<V extends string = Version> {
  readonly path: string;
  readonly required: boolean;
  /** Values that `validation` refuses, naming the path. */
  readonly refuses: readonly unknown[];
  readonly only?: V | readonly V[];
}

/** A request that is refused for more than the shape of one member. */
export interface Refused<V extends string = Version> {
  readonly type: string;
  readonly body: Body;
  /** What the message has in backticks. */
  readonly names?: string;
  readonly only?: V | readonly V[];
  /** Requests that are accepted before it. */
  readonly after?: readonly Sent[];
  readonly authorization?: string;
}

export type Sent = readonly [action: string, body: Body];

export interface Row<V extends string = Version> {
  readonly action: string;
  /** All, unless it says which. */
  readonly versions?: readonly V[];
  /** Everything that the table lists, in a request that is accepted. */
  readonly request: PerVersion<Body, V>;
  /** What that request is answered, exactly. */
  readonly reply: PerVersion<Body | readonly unknown[], V>;
  /** Requests that are accepted before it. */
  readonly after?: PerVersion<readonly Sent[], V>;
  readonly members: readonly Member<V>[];
  /** Members that a version ignores, whatever they are. */
  readonly ignores?: { readonly [version in V]?: readonly string[] };
  readonly refused?: readonly Refused<V>[];
  /** Other requests that are accepted, to be answered with no error. */
  readonly accepts?: readonly Body[];
}

export const inVersion = <T, V extends string = Version>(of: PerVersion<T, V>, version: V): T =>
  typeof of === 'function' ? (of as (version: V) => T)(version) : of;

export const required = <V extends string = Version>(
  path: string,
  refuses: readonly unknown[],
  only?: V | readonly V[],
): Member<V> => ({
  path,
  required: true,
  refuses,
  ...(only && { only }),
});
export const optional = <V extends string = Version>(
  path: string,
  refuses: readonly unknown[],
  only?: V | readonly V[],
): Member<V> => ({
  ...required(path, refuses, only),
  required: false,
});

/** Whether a version has what is said `only` of some. */
export const isOf = <V extends string>(version: V, only: V | readonly V[] | undefined): boolean =>
  only === undefined || [only].flat().includes(version);

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
