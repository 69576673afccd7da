// Calls to the actions of one API. Sends each request once, and logs nothing.

import { ApiError, InternalError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/model.ts';
import type { Api } from './api.ts';
import { type CallResult, readSlots, wrongSlots } from './reply.ts';
import { type ClientSettings, createSender, type VersionStage } from './sender.ts';
import type { Upload } from './upload.ts';

export interface CallOptions {
  /** Aborting it gives the request up; its failure has the type `aborted`. */
  readonly signal?: AbortSignal;
  /** Aborting it keeps a waiting request from being sent: the failure is `aborted`, not ambiguous. A request that was sent is waited for. */
  readonly stop?: AbortSignal;
  /** Aborting it ends the attempts: a request that failed is not sent again. */
  readonly enough?: AbortSignal;
  /** Headers of the request in addition to those that the client sets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The file of an action that sends one. */
  readonly upload?: Upload;
  /** Number of the attempt, for observers; 1 when left out. */
  readonly attempt?: number;
  /**
   * Awaited before each attempt is sent, with the places of the bodies in it. An error keeps the attempt from being sent; an ApiError becomes the
   * failure of the request.
   */
  readonly leaving?: (bodies: readonly number[]) => Promise<void>;
}

export interface Client<A extends string, V extends string> {
  readonly api: Api<A, V>;
  readonly version: V;
  /**
   * The result of one request; `{}` for a method that answers nothing.
   * @throws ApiError; UsageError for a request that cannot be sent; InternalError for an action that this version does not have
   */
  readonly call: (action: A, body: JsonObject, options?: CallOptions) => Promise<Json>;
  /**
   * One request for all `bodies`, its slots in their order; none at all for no bodies. Specification: "Batch requests (3.6)".
   * @throws ApiError when the request failed as a whole, InternalError when the action has no batch in this version
   */
  readonly batch: (action: A, bodies: readonly JsonObject[], options?: CallOptions) => Promise<readonly CallResult[]>;
  /** How many requests were sent so far, by the name in the URL: each one is billed. */
  readonly requests: () => Readonly<Record<string, number>>;
  /** How long readings may lag, in milliseconds, as an emulator states it; null for a service, which does not. */
  readonly lag: () => number | null;
  /** What tells the license from every other, as an emulator with a state file states it; null for a service, which does not. */
  readonly identity: () => string | null;
  /** By how many milliseconds the service's clock is ahead of this machine's, as the last answer that told the time said; null when none did. */
  readonly ahead: () => number | null;
  /** The stage of the version, as the last reply said it; null before the first one. */
  readonly stage: () => VersionStage | null;
}

/** @throws UsageError for a credential or an address that cannot be right */
export function createClient<A extends string, V extends string>(
  api: Api<A, V>,
  settings: ClientSettings<V>,
): Client<A, V> {
  const { version } = settings;
  const { send, requests, lag, identity, ahead, stage } = createSender(api, settings);

  const how = ({ headers, upload, signal, attempt }: CallOptions) => ({ headers, upload, signal, attempt });

  async function call(name: A, body: JsonObject, options: CallOptions = {}): Promise<Json> {
    const action = api.actions[name];
    if (!action.versions.includes(version)) throw new InternalError(`${name} does not exist in version ${version}`);
    const { result } = await send({ name, action, body, ...how(options) });
    return result;
  }

  async function batch(action: A, bodies: readonly JsonObject[], options: CallOptions = {}) {
    const single = api.actions[action];
    const { batch: many } = single;
    if (!many?.versions.includes(version)) throw new InternalError(`${action} has no batch in version ${version}`);
    if (bodies.length === 0) return [];
    const { result, reply, asked } = await send({
      name: many.name,
      action: single,
      body: { requests: bodies },
      ...how(options),
    });
    const slots = readSlots(result, bodies.length, reply, { ...asked, action });
    if (slots === null) throw new ApiError(wrongSlots(bodies.length, reply, asked));
    return slots;
  }

  return { api, version, call, batch, requests, lag, identity, ahead, stage };
}

/** The same client for planning: it refuses an action that is not a read with an InternalError, before anything is sent. */
export function readsOnly<A extends string, V extends string>(client: Client<A, V>): Client<A, V> {
  function refuseWrite(action: A): void {
    if (client.api.actions[action].effect !== 'read')
      throw new InternalError(`${action} is not a read: planning must not send it`);
  }

  async function call(action: A, body: JsonObject, options?: CallOptions): Promise<Json> {
    refuseWrite(action);
    return client.call(action, body, options);
  }

  async function batch(action: A, bodies: readonly JsonObject[], options?: CallOptions) {
    refuseWrite(action);
    return client.batch(action, bodies, options);
  }

  return { ...client, call, batch };
}
