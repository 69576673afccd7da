// What an API of the service is: a value that the client, its sender and its patience are given. Each API has one table of its own.

import type { JsonObject } from '../base/model.ts';
import type { Credential } from './credential.ts';

/** One API. `A` names its actions, `V` its versions; both stand in the URL. */
export interface Api<A extends string = string, V extends string = string> {
  /** As people call it: `Configuration API`. */
  readonly name: string;
  /** What stands in the URL between the version and the action: `/v<version>/<path>/<action>`. */
  readonly path: string;
  /** From the oldest to the newest. */
  readonly versions: readonly V[];
  /** The stable version when this was written: later ones are previews. */
  readonly stable: V;
  readonly actions: { readonly [name in A]: ApiAction<V> };
  readonly credential: {
    /** The kinds of token that the API takes. */
    readonly kinds: readonly Credential['kind'][];
    /** The versions in which the prefix of a token names its data centre. */
    readonly prefixed: readonly V[];
  };
  /** The parameter that names the account in the query of every request, by version; left out where the token alone names it. */
  readonly account?: { readonly [version in V]: AccountParameter };
}

export interface AccountParameter {
  readonly name: string;
  readonly pattern: RegExp;
  /** What the pattern means, for a person. */
  readonly form: string;
}

/** One action of an API. */
export interface ApiAction<V extends string = string> {
  readonly versions: readonly V[];
  /** The API that it belongs to, where a client has actions of several. */
  readonly of?: { readonly name: string; readonly path: string };
  /** What it does to the license. Only a `read` can be sent while planning; only a `create` may make something twice. */
  readonly effect: 'read' | 'create' | 'update' | 'delete';
  /** A create whose request itself names what it makes, so that sending it twice makes it once. */
  readonly namesItsObject?: true;
  /** `GET` sends the request in the query; when left out, it is the JSON body of a POST. */
  readonly method?: 'GET';
  /** It can be sent without a token. A token that the service refuses is left out. */
  readonly token?: 'optional';
  /** It sends a file, as a multipart form. */
  readonly upload?: {
    /** The member of the form that is the file. */
    readonly member: string;
    readonly mostBytes: number;
  };
  /** Its reply names the next page in `next_page_id`, which a request asks for by `page_id` with these of its members. */
  readonly pages?: { readonly keeps: readonly string[] };
  /** The read that shows what it makes, for a person whose request got no answer. */
  readonly shownBy?: string;
  /** The action that runs many of these in one request, and its versions; null when there is none. */
  readonly batch: { readonly name: string; readonly versions: readonly V[] } | null;
  /** All of these are needed to act on any object of the license. */
  readonly scopes: readonly string[];
  /** All of these are enough when the target is the caller's own; equal to `scopes` when that makes no difference. */
  readonly ownScopes: readonly string[];
  /** A token with `ownScopes` alone is answered a part, and the answer does not say so. */
  readonly partial?: true;
  /** Scopes that some requests need in addition. */
  readonly extraScopes: readonly { readonly when: (body: JsonObject) => boolean; readonly scopes: readonly string[] }[];
  /** The answer carries a credential, so no part of it may be quoted anywhere. */
  readonly answersSecret: boolean;
}

/** An action by one of its names. */
export interface NamedAction {
  /** Its own name. */
  readonly name: string;
  readonly action: ApiAction;
  /** It was named by its batch. */
  readonly isBatch: boolean;
  /** The versions that have it under this name. */
  readonly versions: readonly string[];
}

/** Every action under each of its names: its own, and that of its batch. */
export function namedActions({ actions }: Api): ReadonlyMap<string, NamedAction> {
  return new Map(
    Object.entries(actions).flatMap(([name, action]): readonly (readonly [string, NamedAction])[] => {
      const single = [name, { name, action, isBatch: false, versions: action.versions }] as const;
      if (action.batch === null) return [single];
      return [single, [action.batch.name, { name, action, isBatch: true, versions: action.batch.versions }]];
    }),
  );
}
