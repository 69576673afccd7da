// What a reply of the service means: its result, or its failure.

import { type ApiFailure, unstatedFailure } from '../base/errors.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { redactJson } from './credential.ts';
import type { ExchangeFailure, ExchangeReply } from './exchange.ts';
import { parseRetryAfter } from './patience/pause.ts';
import { withoutSecretWords } from './secrets.ts';

/** The end of one call: of a request, or of one slot of a batch. */
export type CallResult<Reply = Json> = { readonly ok: Reply } | { readonly error: ApiFailure };

/** The request that a reply answers. */
export interface AskedRequest {
  /** As it stood in the URL. */
  readonly action: string;
  readonly answersSecret: boolean;
  /** What was sent, as a text. */
  readonly said: string;
  readonly redact: (text: string) => string;
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. */
  readonly now: number;
}

/** The result of a reply, or its failure; `{}` and no body at all are an empty result. Specification: "Errors"; service notes: "Wire". */
export function readReply(reply: ExchangeReply, asked: AskedRequest): CallResult {
  const body = parse(reply.body);
  const envelope = errorEnvelope(body, isSuccess(reply.status) ? 'strict' : 'lenient');
  if (envelope !== null) return { error: serviceFailure(envelope, reply, asked) };
  if (!isSuccess(reply.status) || body === undefined) return { error: unreadableReply(reply, asked) };
  return { ok: body };
}

/** The slots of a batch, in the order of its requests; null when their number is wrong. Specification: "Batch requests (3.6)". */
export function readSlots(
  result: Json,
  count: number,
  reply: ExchangeReply,
  asked: AskedRequest,
): readonly CallResult[] | null {
  const { responses } = isObject(result) ? result : {};
  if (!isList(responses) || responses.length !== count) return null;
  return responses.map((slot) => {
    if (!isObject(slot) || !Object.hasOwn(slot, 'error')) return { ok: slot };
    const envelope = errorEnvelope(slot, 'lenient');
    if (envelope !== null) return { error: serviceFailure(envelope, reply, asked) };
    return { error: protocolFailure('a slot of the batch holds an error of unknown form', reply, asked) };
  });
}

/** The failure of a batch whose reply has another number of slots: which calls took effect is unknown. */
export function wrongSlots(count: number, reply: ExchangeReply, asked: AskedRequest): ApiFailure {
  return protocolFailure(`the reply to a batch of ${count} does not hold ${count} responses`, reply, asked);
}

/** The failure of a request that got no whole reply. */
export function lostRequest(
  { phase, kind, detail }: ExchangeFailure,
  asked: Pick<AskedRequest, 'action' | 'redact'>,
): ApiFailure {
  const message = printable(asked.redact(detail), 300);
  return unstatedFailure({ action: asked.action, type: typeOfLoss(kind), message, ambiguous: phase === 'sent' });
}

/** `x-debug-id`, for the service's support; null when it did not come. Service notes: "Wire". */
export function debugIdOf(reply: ExchangeReply, redact: (text: string) => string): string | null {
  const id = reply.headers['x-debug-id'];
  return id === undefined ? null : printable(redact(id), 200);
}

function typeOfLoss(kind: ExchangeFailure['kind']): string {
  switch (kind) {
    case 'timeout':
    case 'aborted':
    case 'tls':
    case 'proxy':
      return kind;
    case 'malformed':
      return 'protocol';
    case 'too-large':
      return 'response_too_large';
    case 'refused':
    case 'unreachable':
    case 'dns':
    case 'reset':
    case 'other':
      return 'connection';
  }
}

/** Types that say that the request took no effect. Service notes: "Wire"; specification of the Customer Chat Web API: "Errors". */
const REFUSALS: ReadonlySet<string> = new Set([
  'authentication',
  'authorization',
  'already_exists',
  'chat_anonymized',
  'chat_inactive',
  'customer_banned',
  'entity_too_large',
  'greeting_not_found',
  'group_not_found',
  'group_offline',
  'group_unavailable',
  'groups_offline',
  'license_expired',
  'license_not_found',
  'limit_reached',
  'misdirected_request',
  'not_found',
  'ownership_transfer',
  'too_many_requests',
  'transfer_ownership',
  'unsupported_version',
  'validation',
  'wrong_product_version',
]);

/** Whether the request may or may not have taken effect. A type that is not known is judged by its status; a slot of a batch has none of its own. */
function isUnsure(type: string, { status }: ExchangeReply): boolean {
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return UNSURE_TYPES.has(type) || !(REFUSALS.has(type) || isRefused);
}

const UNSURE_TYPES: ReadonlySet<string> = new Set(['internal', 'request_timeout', 'service_unavailable']);

interface Envelope {
  readonly type: string;
  readonly message: string;
  readonly data: Json;
}

function serviceFailure({ type, message, data }: Envelope, reply: ExchangeReply, asked: AskedRequest): ApiFailure {
  return {
    ...failureOf(reply, asked),
    type: printable(quotable(type, asked), 100),
    message: printable(quotable(message, asked), 1000),
    ambiguous: isUnsure(type, reply),
    data: redactJson(data, (text) => quotable(text, asked)),
  };
}

/** The text without what could be a secret, where the answer may carry one. */
function quotable(text: string, { answersSecret, said, redact }: AskedRequest): string {
  const clean = redact(text);
  return answersSecret ? withoutSecretWords(clean, said) : clean;
}

/** Statuses that mean the same with and without the envelope. 403 and 404 do not: a wrong address must never read as "gone". */
const TYPE_BY_STATUS: ReadonlyMap<number, string> = new Map([
  [401, 'authentication'],
  [429, 'too_many_requests'],
  [500, 'internal'],
  [503, 'service_unavailable'],
  [504, 'request_timeout'],
]);

/** Refused before it was read, also without the envelope. */
const TOO_LARGE = 413;

/**
 * The failure of a reply that is not of this API: a proxy's page, a redirect, a body that was cut off. It does not say what the service did: a gateway
 * may have sent the request on before it answered.
 */
function unreadableReply(reply: ExchangeReply, asked: AskedRequest): ApiFailure {
  const excerpt = asked.answersSecret ? '' : printable(asked.redact(reply.body), 200);
  const failure = protocolFailure(
    `HTTP ${reply.status} whose body is not an answer of this API${excerpt === '' ? '' : `: ${excerpt}`}`,
    reply,
    asked,
  );
  return { ...failure, type: TYPE_BY_STATUS.get(reply.status) ?? failure.type };
}

function protocolFailure(message: string, reply: ExchangeReply, asked: AskedRequest): ApiFailure {
  return { ...failureOf(reply, asked), type: 'protocol', message, ambiguous: reply.status !== TOO_LARGE, data: null };
}

function failureOf(reply: ExchangeReply, asked: AskedRequest) {
  const { action, redact, now } = asked;
  const retryAfter = parseRetryAfter(reply.headers['retry-after'], now);
  return { action, status: reply.status, debugId: debugIdOf(reply, redact), retryAfter };
}

/**
 * In a success only the bare envelope counts: an object keyed by names of properties may well have a member `error` of its own.
 */
function errorEnvelope(body: Json | undefined, mode: 'strict' | 'lenient'): Envelope | null {
  if (body === undefined || !isObject(body)) return null;
  const { error } = body;
  if (!isObject(error)) return null;
  const { type, message, data = null } = error;
  if (typeof type !== 'string') return null;
  if (mode === 'lenient') return { type, message: typeof message === 'string' ? message : '', data };
  const known = Object.keys(error).every((name) => ['type', 'message', 'data'].includes(name));
  if (!known || typeof message !== 'string' || Object.keys(body).length !== 1) return null;
  return { type, message, data };
}

function parse(text: string): Json | undefined {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One line without control characters: no reply may control a terminal. */
function printable(text: string, limit: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit)}...`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
