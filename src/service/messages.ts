// Requests and replies of an API's actions as types: one interface for each API, held against its table by the compiler.

import type { Json } from '../base/model.ts';
import type { Api, ApiAction } from './api.ts';

/** One action in one version. `Batch` names the action that runs many of these in one request. */
export interface Message<Request, Reply, Batch extends string | null = null> {
  readonly request: Request;
  readonly reply: Reply;
  readonly batch: Batch;
}

/** Versions that have what 3.5 brought. */
export type Since35 = '3.5' | '3.6' | '3.7';

/** Versions that have what 3.6 brought. */
export type Since36 = '3.6' | '3.7';

/** Some of these members, at least one. */
export type AtLeastOne<Members> = {
  [Name in keyof Members]-?: Members & Required<Pick<Members, Name>>;
}[keyof Members];

/** An action that is the same in all of these versions. */
export type SameIn<V extends string, Request, Reply> = { readonly [version in V]: Message<Request, Reply> };

/** What an action answers that has no response payload. */
export type EmptyReply = { readonly [member: string]: never };

/** A request without members. */
export type EmptyRequest = { readonly [member: string]: never };

/** Values of properties: namespace -> name -> value. */
export interface NamespacedValues {
  readonly [namespace: string]: { readonly [name: string]: string | number | boolean };
}

/** Names of properties: namespace -> names. */
export interface NamespacedNames {
  readonly [namespace: string]: readonly string[];
}

/** A request or a reply that names an object. */
export interface WithId<Id = string> {
  readonly id: Id;
}

/** Any object whose members the specification does not state. */
export interface Unstated {
  readonly [member: string]: Json;
}

/** The versions of a list that `K` has, in their order. */
type Among<Versions extends readonly string[], K> = Versions extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? First extends K
    ? readonly [First, ...Among<Rest, K>]
    : Among<Rest, K>
  : readonly [];

type BatchNames<ByVersion> = {
  [V in keyof ByVersion]: ByVersion[V] extends { readonly batch: infer Name extends string } ? Name : never;
}[keyof ByVersion];

type BatchVersions<ByVersion> = {
  [V in keyof ByVersion]: ByVersion[V] extends { readonly batch: string } ? V : never;
}[keyof ByVersion];

type BatchEntry<ByVersion, Versions extends readonly string[]> = [BatchNames<ByVersion>] extends [never]
  ? null
  : { readonly name: BatchNames<ByVersion>; readonly versions: Among<Versions, BatchVersions<ByVersion>> };

/**
 * The table of an API whose messages these are: every action, each with exactly its versions and its batch. `Versions` is the list of the API's
 * versions.
 */
export type ActionTable<Messages, Versions extends readonly string[]> = {
  readonly [A in keyof Messages]: Omit<ApiAction<Versions[number]>, 'versions' | 'batch'> & {
    readonly versions: Among<Versions, keyof Messages[A]>;
    readonly batch: BatchEntry<Messages[A], Versions>;
  };
};

/** The first page of a list, by its filters, or another by `page_id`. */
export type Paged<Filters> =
  | (Filters & { readonly page_id?: never })
  | ({ readonly page_id: string } & { readonly [filter in keyof Filters]?: never });

declare const MESSAGES: unique symbol;

/** An API whose messages the compiler knows. */
export interface TypedApi<Messages, V extends string> extends Api<keyof Messages & string, V> {
  /** For the compiler alone: no value has it. */
  readonly [MESSAGES]?: Messages;
}

/** The actions that version `V` has; of a union of versions, those that all of them have. */
export type ActionIn<Messages, V extends string> = {
  [A in keyof Messages & string]: [V] extends [keyof Messages[A]] ? A : never;
}[keyof Messages & string];

/** The actions that have a batch in version `V`. */
export type BatchIn<Messages, V extends string> = {
  [A in keyof Messages & string]: [V] extends [BatchVersions<Messages[A]>] ? A : never;
}[keyof Messages & string];

type MessageOf<Messages, A, V> = A extends keyof Messages
  ? V extends keyof Messages[A]
    ? Messages[A][V]
    : never
  : never;

/** The actions that answer page by page in version `V`. */
export type PagedIn<Messages, V extends string> = {
  [A in ActionIn<Messages, V>]: string extends keyof ReplyOf<Messages, A, V>
    ? never
    : 'next_page_id' extends keyof ReplyOf<Messages, A, V>
      ? A
      : never;
}[ActionIn<Messages, V>];

export type RequestOf<Messages, A, V> =
  MessageOf<Messages, A, V> extends { readonly request: infer Request } ? Request : never;

export type ReplyOf<Messages, A, V> = MessageOf<Messages, A, V> extends { readonly reply: infer Reply } ? Reply : never;
