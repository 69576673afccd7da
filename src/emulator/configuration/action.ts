// How an action of the Configuration API is declared, and how its batch variant is made. Knows no single action.
// Specification: "Endpoints", "Batch requests (3.6)".

import { isObject } from '../../base/json.ts';
import type { ActionContext, EmulatedAction } from '../engine/api.ts';
import type { EmulatedKind } from '../engine/license.ts';
import { shuffled } from '../engine/random.ts';
import { type ErrorEnvelope, envelope, isRefusal, refuse } from '../engine/refusal.ts';
import { type JsonReader, list, object, quoted, unread } from '../engine/shape.ts';
import { type Caller, permit } from './caller.ts';
import { inKeptForms } from './kept-forms.ts';
import { type ConfigurationSettings, type ConfigurationVersion, FEATURES, isFull, VERSIONS } from './settings.ts';

export interface ConfigurationContext extends ActionContext {
  readonly version: ConfigurationVersion;
  readonly settings: ConfigurationSettings;
  readonly caller: Caller;
}

export interface ConfigurationAction extends EmulatedAction {
  readonly versions: readonly ConfigurationVersion[];
  /** Name of its batch variant; null where there is none. */
  readonly batchName: string | null;
  /** Whether it is answered without a credential. */
  readonly anonymous: boolean;
  /** Whether suspended agents, and agents that wait for approval, may call it under any settings. */
  readonly inactiveToo: boolean;
  run(body: unknown, context: ConfigurationContext): object;
}

/** What the Configuration API knows of one kind of object. */
export interface ConfigurationKind extends EmulatedKind {
  readonly actions: readonly ConfigurationAction[];
}

/** Reads the body, whose path is empty. */
type RequestReader<R> = (body: unknown, path: string, version: ConfigurationVersion) => R;

/** Everything about an action except its name and its request. */
interface Declaration<R, Reply> {
  /** Default: all. */
  readonly versions?: readonly ConfigurationVersion[];
  /** Scopes that the caller needs, checked before `run`. Left out where none is needed, or where `run` checks them itself. */
  readonly scopes?: readonly string[] | ((given: R, context: ConfigurationContext) => readonly string[]);
  readonly run: (given: R, context: ConfigurationContext) => Reply;
  /** Whether `batch_<name>s` exists. */
  readonly batch?: boolean;
  /** Whether a GET with a query is answered as well. */
  readonly getToo?: boolean;
  readonly anonymous?: boolean;
  readonly inactiveToo?: boolean;
  readonly breakChain?: NonNullable<EmulatedAction['breakChain']>;
}

/** Makes the function that declares actions of one sort. */
function declareAs<Reply extends object | undefined>(effect: EmulatedAction['effect'], reply: EmulatedAction['reply']) {
  return <R>(name: string, request: RequestReader<R>, declaration: Declaration<R, Reply>): ConfigurationAction => {
    const { versions = VERSIONS, scopes = [], run, batch = false, getToo = false, ...traits } = declaration;
    return {
      name,
      versions,
      effect,
      reply,
      methods: getToo ? ['POST', 'GET'] : ['POST'],
      batchName: batch ? `batch_${name}s` : null,
      anonymous: false,
      inactiveToo: false,
      ...traits,
      run: (body, context) => {
        const kept = effect === 'write' ? inKeptForms(name, body, context.settings.keptForms) : body;
        const given = request(kept, '', context.version);
        permit(context.caller, ...(typeof scopes === 'function' ? scopes(given, context) : scopes));
        return run(given, context) ?? {};
      },
    };
  };
}

export const readAction = declareAs<object>('read', 'value');
/** A write that answers something: an id, a secret. */
export const writeAction = declareAs<object>('write', 'value');
/** A write without response payload. */
export const changeAction = declareAs<undefined>('write', 'empty');

/** Reads a request in the shape of its version, so that what differs is stated in one place. */
export function byVersion<R>(make: (version: ConfigurationVersion) => JsonReader<R>): RequestReader<R> {
  const readers = { '3.3': make('3.3'), '3.5': make('3.5'), '3.6': make('3.6'), '3.7': make('3.7') };
  return (body, path, version) => readers[version](body, path);
}

/** The record that a write changes: as it is now, if it also exists at the moment that references are looked up. */
export function findForWrite<V>({ refersAt }: ConfigurationContext, find: (at: number) => V): V {
  const found = find(Infinity);
  find(refersAt);
  return found;
}

/** Refuses a number of chats above the limit of an operation; -1 is no limit. */
export function requireChatsWithin(limit: number, given: number | undefined): void {
  if (given !== undefined && limit !== -1 && given > limit)
    refuse('validation', `${quoted('max_chats_count')} must be at most ${limit}`);
}

function runItem(action: ConfigurationAction, body: unknown, context: ConfigurationContext): object | ErrorEnvelope {
  const struck = context.failItem();
  if (struck !== undefined) return struck;
  try {
    const given = body ?? {};
    return isObject(given)
      ? action.run(given, context)
      : refuse('validation', 'an item of `requests` must be an object');
  } catch (error) {
    if (isRefusal(error)) return envelope(error);
    throw error;
  }
}

/** The batch variant. Nothing is rolled back. Replies have the order of the requests; effects need not have it. */
export function batchOf(action: ConfigurationAction, name: string): ConfigurationAction {
  return writeAction(name, object({ requests: list(unread) }), {
    versions: FEATURES.batches,
    inactiveToo: action.inactiveToo,
    // Items are read one by one when their turn comes: a bad one fails alone.
    run: ({ requests }, context) => {
      const { batchOrder, limits } = context.settings;
      if (requests.length > 0 && isFull(limits.batchItems, requests.length - 1))
        refuse('validation', `${quoted('requests')} must have at most ${limits.batchItems} items`);
      const turns = Array.from(requests, (request, index) => ({ request, index }));
      const order = batchOrder === 'sent' ? turns : shuffled(turns, context.random);
      const responses: object[] = new Array<object>(requests.length);
      for (const { request, index } of order) responses[index] = runItem(action, request, context);
      return { responses };
    },
  });
}
