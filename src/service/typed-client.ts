// A client whose requests and replies have the types of its API and version. The types are what the specification says; no reply is checked.

import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import type { ApiAction } from './api.ts';
import type { CallOptions, Client } from './client.ts';
import type { ActionIn, BatchIn, EmptyRequest, PagedIn, ReplyOf, RequestOf, TypedApi } from './messages.ts';
import type { CallResult } from './reply.ts';
import { type FileContent, uploadOf } from './upload.ts';

/** How a single request is sent. */
export type TypedCallOptions = Pick<CallOptions, 'signal' | 'stop' | 'headers'>;

/** The request can be left out where all of its members can. */
type RequestAndOptions<Request> = [Request] extends [EmptyRequest]
  ? [request?: Request, options?: TypedCallOptions]
  : Record<never, never> extends Request
    ? [request?: Request, options?: TypedCallOptions]
    : [request: Request, options?: TypedCallOptions];

export interface TypedClient<Messages, V extends string> {
  readonly version: V;
  /**
   * The reply to one request.
   * @throws ApiError for every other end; UsageError for a request that cannot be sent, such as a file that is too large
   */
  readonly call: <A extends ActionIn<Messages, V>>(
    action: A,
    ...given: RequestAndOptions<RequestOf<Messages, A, V>>
  ) => Promise<ReplyOf<Messages, A, V>>;
  /** One request for all of these, with a reply or a failure for each, in their order. @throws ApiError when it failed as a whole */
  readonly batch: <A extends BatchIn<Messages, V>>(
    action: A,
    requests: readonly RequestOf<Messages, A, V>[],
    options?: TypedCallOptions,
  ) => Promise<readonly CallResult<ReplyOf<Messages, A, V>>[]>;
  /**
   * Every page of a list, from the first: a request for each, sent when the page is asked for.
   * @throws ApiError for a page that does not come
   */
  readonly pages: <A extends PagedIn<Messages, V>>(
    action: A,
    ...given: RequestAndOptions<RequestOf<Messages, A, V>>
  ) => AsyncGenerator<ReplyOf<Messages, A, V>, void>;
  /** How many requests were sent so far, by the name in the URL: each one is billed. */
  readonly requests: () => Readonly<Record<string, number>>;
}

/** The client with the types of its API. */
export function typedClient<Messages, V extends string, W extends V>(
  api: TypedApi<Messages, V>,
  client: Omit<Client<keyof Messages & string, V>, 'version'> & { readonly version: W },
): TypedClient<Messages, W> {
  /** A file is no JSON, so it travels next to the request. */
  async function parted(
    { upload }: ApiAction,
    request: { readonly [member: string]: unknown },
  ): Promise<Pick<CallOptions, 'upload'>> {
    const file = upload === undefined ? undefined : request[upload.member];
    if (upload === undefined || file === undefined) return {};
    return { upload: await uploadOf(file as FileContent, upload.mostBytes) };
  }

  return {
    version: client.version,
    call: async (action, ...[request, options = {}]) => {
      const body = (request ?? {}) as JsonObject;
      const file = await parted(api.actions[action], body);
      const reply: unknown = await client.call(action, body, { ...options, ...file });
      return reply as ReplyOf<Messages, typeof action, W>;
    },
    batch: async (action, requests, options = {}) => {
      const slots: unknown = await client.batch(action, requests as readonly JsonObject[], options);
      return slots as readonly CallResult<ReplyOf<Messages, typeof action, W>>[];
    },
    pages: async function* (action, ...[request, options = {}]) {
      const first = (request ?? {}) as JsonObject;
      const kept = Object.entries(first).filter(([name]) => api.actions[action].pages?.keeps.includes(name));
      for (let body: JsonObject | null = first; body !== null; ) {
        const reply: Json = await client.call(action, body, options);
        yield reply as ReplyOf<Messages, typeof action, W>;
        const { next_page_id: next } = isObject(reply) ? reply : {};
        body = typeof next === 'string' && next !== '' ? { ...Object.fromEntries(kept), page_id: next } : null;
      }
    },
    requests: client.requests,
  };
}
