// Connections of a real-time interface: a message is a request, and its answer and the pushes that follow from it are messages. Knows no action, and
// nothing of what carries the messages. today/customer.md; the public reference of the real-time API, "Server pinging", "Methods", "Pushes".

import { isObject, jsonIn } from '../../base/json.ts';
import { answer, contextOf, type ServedLicense, settled } from './answer.ts';
import { apisBy, destinationOf, type RequestDestination } from './api.ts';
import { anything, list, object, optional, recordOf, string } from './shape.ts';
import { pathOf, queryOf, type WireRequest } from './wire.ts';

/** Where the messages of a connection go. */
export interface RealtimePeer {
  readonly send: (text: string) => void;
  /** Closes the connection once everything was sent. */
  readonly close: () => void;
}

/** One connection, for what carries it. */
export interface RealtimeConnection {
  readonly receive: (text: string) => void;
  /** The other end is gone. Resolves once the license knows it. */
  readonly ended: () => Promise<void>;
}

/** Begins a connection. */
export type RealtimeOpening = (peer: RealtimePeer) => RealtimeConnection;

/** Null where no real-time interface is at the path of the request. */
export type RealtimeConnect = (request: WireRequest) => RealtimeOpening | null;

/** What an action of a real-time interface returns. */
export interface RealtimeReply {
  readonly payload: object;
  /** What everyone with a connection of this caller is told, after the reply. */
  readonly pushes?: readonly { readonly action: string; readonly payload: object }[];
  /** Who calls from now on; only a login says it. */
  readonly login?: {
    readonly caller: string;
    /** Names of the pushes that the connection gets; left out for all. */
    readonly only?: readonly string[] | undefined;
  };
}

type Destination = Pick<RequestDestination, 'api' | 'version'>;

interface Session extends Destination {
  readonly push: (action: string, payload: object, requestId?: string) => void;
  caller: string | undefined;
  only: readonly string[] | undefined;
}

/** Milliseconds without a message, or a login, after which a connection ends. */
const SILENCE = 30_000;

/** Most requests of a connection without an answer. */
const PENDING = 10;

const message = object({
  action: string,
  version: optional(string),
  request_id: optional(string),
  payload: optional(recordOf(anything)),
});
type Message = ReturnType<typeof message>;

const reply = object({
  payload: recordOf(anything),
  pushes: optional(list(object({ action: string, payload: recordOf(anything) }))),
  login: optional(object({ caller: string, only: optional(list(string)) })),
});

function messageIn(text: string): Message | null {
  try {
    const found = jsonIn(text);
    return isObject(found) ? message(found, '') : null;
  } catch {
    return null;
  }
}

/** The connections of one license. */
export function createConnections(served: ServedLicense): RealtimeConnect {
  const sessions = new Set<Session>();

  /** Only the end of the last connection of a caller is a logout. */
  async function leave({ api, caller }: Session): Promise<void> {
    if (caller === undefined || [...sessions].some((other) => other.caller === caller)) return;
    await settled(served, () => api.realtime?.leave(caller, contextOf(served)));
  }

  function begin(request: WireRequest, { api, version }: Destination, peer: RealtimePeer): RealtimeConnection {
    const ended = new AbortController();
    let pending = 0;
    let heard = 0;
    let heardAt = served.now();
    let authorization: string | null = null;

    const send = (content: object): void => {
      if (!ended.signal.aborted) peer.send(JSON.stringify(content));
    };
    const session: Session = {
      api,
      version,
      caller: undefined,
      only: undefined,
      push: (action, payload, request_id) => send({ version, request_id, action, type: 'push', payload }),
    };
    const end = async (): Promise<void> => {
      if (ended.signal.aborted) return;
      ended.abort();
      sessions.delete(session);
      await leave(session);
    };
    const disconnect = async (reason: string, data?: unknown): Promise<void> => {
      session.push('customer_disconnected', data === undefined ? { reason } : { reason, data });
      peer.close();
      await end();
    };

    async function watch(): Promise<void> {
      for (let wait = SILENCE; wait > 0; wait = heardAt + SILENCE - served.now()) {
        const before = heard;
        await served.sleep(wait, ended.signal);
        if (ended.signal.aborted) return;
        if (heard === before) break;
      }
      await disconnect('connection_timeout');
    }

    /** The message as a request, so that faults, credentials and the journal are those of all others. */
    function requestOf({ action, version: named = version, payload = {} }: Message): WireRequest {
      const credential = action === api.realtime?.login ? bearer(payload['token']) : authorization;
      const body = new TextEncoder().encode(JSON.stringify(payload));
      const query = queryOf(request).toString();
      return {
        method: 'POST',
        origin: request.origin,
        target: `/v${named}/${api.path}/${encodeURIComponent(action)}?${query}`,
        header: (name) => {
          if (name === 'authorization') return credential;
          if (name === 'content-type') return 'application/json';
          return name === 'content-length' ? null : request.header(name);
        },
        bytes: async (limit) => (limit !== -1 && body.byteLength > limit ? null : body),
      };
    }

    async function respond(asked: Message): Promise<void> {
      const { action, request_id } = asked;
      const said = (success: boolean, payload: unknown): void =>
        send({ request_id, action, type: 'response', success, payload });
      if (pending >= PENDING) {
        said(false, { error: { type: 'pending_requests_limit_reached', message: 'Requests limit reached' } });
        return;
      }
      if (asked.version !== undefined && isLower(asked.version, session)) {
        const error = { type: 'unsupported_version', message: 'versions below that of the connection are not allowed' };
        said(false, { error });
        return;
      }
      const hears = (): void => {
        [heard, heardAt] = [heard + 1, served.now()];
      };
      // Before a login, a ping is answered and keeps nothing alive.
      if (session.caller !== undefined) hears();
      pending += 1;
      const sent = requestOf(asked);
      const { status, body } = await answer(served, sent, 'realtime').finally(() => {
        pending -= 1;
      });
      const content = jsonIn(typeof body === 'string' ? body : '{}');
      if (status !== 200) {
        const error = isObject(content) && isObject(content['error']) ? content['error'] : {};
        const reason = api.realtime?.disconnects[String(error['type'])];
        if (reason !== undefined) return disconnect(reason, error['data']);
        return said(false, content);
      }
      const { payload, pushes = [], login } = reply(content, '');
      if (login !== undefined) {
        authorization = sent.header('authorization');
        session.caller = login.caller;
        session.only = login.only;
        hears();
        if (ended.signal.aborted) await leave(session);
      }
      said(true, payload);
      for (const other of sessions)
        if (other.caller !== undefined && other.caller === session.caller)
          for (const { action: name, payload: pushed } of pushes)
            if (other.only?.includes(name) !== false)
              other.push(name, pushed, other === session ? request_id : undefined);
    }

    /** A request without an answer is one whose connection the faults reset; what cannot be kept on the disk, the next write says. */
    const broken = (work: Promise<void>): void => {
      work.catch(() => {
        peer.close();
        end().catch(() => {});
      });
    };

    sessions.add(session);
    if (!api.versions.includes(version)) {
      broken(disconnect('unsupported_version'));
      return { receive: () => {}, ended: end };
    }
    broken(watch());
    return {
      receive: (text) => {
        const asked = messageIn(text);
        if (asked === null) {
          const error = { type: 'validation', message: 'Wrong format of request' };
          send({ type: 'response', success: false, payload: { error } });
          return;
        }
        broken(respond(asked));
      },
      ended: end,
    };
  }

  return (request) => {
    const destination = destinationOf(apisBy.realtime(served.apis), pathOf(request));
    return destination?.name === '' ? (peer) => begin(request, destination, peer) : null;
  };
}

/** The value of the header `Authorization` for the token of a login, which may have its `Bearer` already. */
function bearer(token: unknown): string | null {
  if (typeof token !== 'string' || token === '') return null;
  return /^Bearer /i.test(token) ? token : `Bearer ${token}`;
}

function isLower(version: string, { api, version: own }: Session): boolean {
  const place = api.versions.indexOf(version);
  return place !== -1 && place < api.versions.indexOf(own);
}
