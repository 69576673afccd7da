// What an API of the service is: a value that the client, its sender and its patience are given. Each API has one table of its own.

import type { JsonObject } from '../base/model.ts';
import type { Credential } from './credential.ts';

/** One API. `A` names its actions, `V` its versions; both stand in the URL. */
export interface Api<A extends string = string, V extends string = string> {
  /** What stands in the URL between the version and the action: `/v<version>/<path>/<action>`. */
  readonly path: string;
  /** From the oldest to the newest. */
  readonly versions: readonly V[];
  readonly actions: { readonly [name in A]: ApiAction<V> };
  readonly credential: {
    /** The kinds of token that the API takes. */
    readonly kinds: readonly Credential['kind'][];
    /** The versions in which the prefix of a token names its data centre. */
    readonly prefixed: readonly V[];
  };
}

/** One action of an API. */
export interface ApiAction<V extends string = string> {
  readonly versions: readonly V[];
  /** What it does to the license. Only a `read` can be sent while planning; only a `create` may make something twice. */
  readonly effect: 'read' | 'create' | 'update' | 'delete';
  /** A create whose request itself names what it makes, so that sending it twice makes it once. */
  readonly namesItsObject?: true;
  /** The action that runs many of these in one request, and its versions; null when there is none. */
  readonly batch: { readonly name: string; readonly versions: readonly V[] } | null;
  /** All of these are needed to act on any object of the license. */
  readonly scopes: readonly string[];
  /** All of these are enough when the target is the caller's own; equal to `scopes` when that makes no difference. */
  readonly ownScopes: readonly string[];
  /** Scopes that some requests need in addition. */
  readonly extraScopes: readonly { readonly when: (body: JsonObject) => boolean; readonly scopes: readonly string[] }[];
  /** The answer carries a credential, so no part of it may be quoted anywhere. */
  readonly answersSecret: boolean;
}

/** The action with this name, or with a batch of this name; undefined for a name that the API does not have. */
export function actionNamed({ actions }: Api, name: string): ApiAction | undefined {
  return Object.entries(actions).find(([single, { batch }]) => single === name || batch?.name === name)?.[1];
}
