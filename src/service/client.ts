// The Configuration API as calls. In: an action of the table and its body; out: its result, or an ApiError. It must not know kinds or plans, and
// must not retry or log.

import { ApiError, InternalError } from '../base/errors.ts';
import type { Json, JsonObject, Version } from '../base/model.ts';
import { ACTIONS, type ActionName } from './actions.ts';
import { type Outcome, readSlots, wrongSlots } from './reply.ts';
import { createSender, type SenderSettings } from './sender.ts';

export type ClientSettings = SenderSettings;

export interface CallOptions {
  /** Gives the request up; its failure has the type `aborted`. */
  readonly signal?: AbortSignal;
  /** Keeps a request that still waits for its turn from being sent; its failure has the type `aborted` and is not ambiguous. One that left is waited for. */
  readonly stop?: AbortSignal;
  /** Which attempt it is, for observers; 1 when left out. */
  readonly attempt?: number;
  /**
   * Awaited before each attempt leaves, with the places of the bodies that are in it. What it throws keeps the attempt from leaving; an ApiError is
   * then the failure of the request.
   */
  readonly leaving?: (bodies: readonly number[]) => Promise<void>;
}

export interface Client {
  readonly version: Version;
  /**
   * The result of one request; `{}` for a method that answers nothing.
   * @throws ApiError, or InternalError for an action that this version does not have
   */
  readonly call: (action: ActionName, body: JsonObject, options?: CallOptions) => Promise<Json>;
  /**
   * One request for all `bodies`, its slots in their order; none at all for no bodies. Specification: "Batch requests (3.6)".
   * @throws ApiError when the request failed as a whole, InternalError when the action has no batch in this version
   */
  readonly batch: (
    action: ActionName,
    bodies: readonly JsonObject[],
    options?: CallOptions,
  ) => Promise<readonly Outcome[]>;
  /** How many requests left so far, by the name in the URL: each one is billed. */
  readonly requests: () => Readonly<Record<string, number>>;
  /** How long its readings may lag, in milliseconds, as an emulator says; null where nobody says it. */
  readonly lag: () => number | null;
}

/** @throws UsageError for a credential or an address that cannot be right */
export function createClient(settings: ClientSettings): Client {
  const { version } = settings;
  const { send, requests, lag } = createSender(settings);

  async function call(action: ActionName, body: JsonObject, { signal, attempt }: CallOptions = {}): Promise<Json> {
    const { versions, answersSecret } = ACTIONS[action];
    if (!versions.includes(version)) throw new InternalError(`${action} does not exist in version ${version}`);
    const { result } = await send({ action, answersSecret, body, signal, attempt });
    return result;
  }

  async function batch(action: ActionName, bodies: readonly JsonObject[], { signal, attempt }: CallOptions = {}) {
    const { batch: many, answersSecret } = ACTIONS[action];
    if (!many?.versions.includes(version)) throw new InternalError(`${action} has no batch in version ${version}`);
    if (bodies.length === 0) return [];
    const { result, reply, asked } = await send({
      action: many.name,
      answersSecret,
      body: { requests: bodies },
      signal,
      attempt,
    });
    const slots = readSlots(result, bodies.length, reply, { ...asked, action });
    if (slots === null) throw new ApiError(wrongSlots(bodies.length, reply, asked));
    return slots;
  }

  return { version, call, batch, requests, lag };
}

/** The same client for planning: an action that is not a read is refused with an InternalError before it is sent. */
export function readsOnly(client: Client): Client {
  async function call(action: ActionName, body: JsonObject, options?: CallOptions): Promise<Json> {
    refuseWrite(action);
    return client.call(action, body, options);
  }

  async function batch(action: ActionName, bodies: readonly JsonObject[], options?: CallOptions) {
    refuseWrite(action);
    return client.batch(action, bodies, options);
  }

  return { ...client, call, batch };
}

function refuseWrite(action: ActionName): void {
  if (ACTIONS[action].effect !== 'read') throw new InternalError(`${action} is not a read: planning must not send it`);
}
