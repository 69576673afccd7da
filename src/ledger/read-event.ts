// One JSON object of a log in; the event that it is, or why it is none, out. It must not know where a log is kept.

import { isObject } from '../base/json.ts';
import type { Address, Json, JsonObject, ObjectId, Origin, SecretState, StepOperation } from '../base/model.ts';
import { isAddress, isKind, kindOf } from '../kinds/index.ts';
import { FORMAT, type LedgerEvent, type RunOutcome } from './events.ts';

/** Why an object of the log is not an event: it is damaged, or its format is newer than this program. */
export type NoEvent = 'damaged' | 'newer';

/** An object of the log that was found to be an event: not a copy of it, for a log has tens of thousands. */
type Found<T extends LedgerEvent['type']> = JsonObject & Extract<LedgerEvent, { readonly type: T }>;

/** Members that are not known are kept, so that a log can be copied without loss. */
export function readEvent(value: Json): LedgerEvent | NoEvent {
  if (!isObject(value) || !Number.isInteger(value['v'])) return 'damaged';
  if (value['v'] !== FORMAT) return Number(value['v']) > FORMAT ? 'newer' : 'damaged';
  const { type, at } = value;
  if (typeof type !== 'string' || typeof at !== 'string' || !isTime(at)) return 'damaged';
  switch (type) {
    case 'bound':
    case 'applied':
    case 'forgotten':
    case 'intent':
    case 'before':
    case 'remaking':
    case 'secret':
      return readAddressed(type, value);
    case 'order':
      return readOrder(value);
    case 'moved':
      return readMoved(value);
    case 'done':
      return readDone(value);
    case 'run':
      return readRun(value);
    default:
      return { type: 'unknown', event: value };
  }
}

function readAddressed(
  type: 'bound' | 'applied' | 'forgotten' | 'intent' | 'before' | 'remaking' | 'secret',
  value: JsonObject,
): LedgerEvent | NoEvent {
  const { address, id, origin, spec, digests, because, run, state } = value;
  if (!looksLikeAddress(address)) return 'damaged';
  // A kind of a newer chatform: what it owns is not ours to touch.
  if (!isAddress(address)) return { type: 'unknown', event: value };
  switch (type) {
    case 'bound':
      return isId(id) && isOrigin(origin) ? (value as Found<'bound'>) : 'damaged';
    case 'applied':
      return isObject(spec) && isTexts(digests) ? (value as Found<'applied'>) : 'damaged';
    case 'forgotten':
      if (because !== undefined && typeof because !== 'string') return 'damaged';
      return value as Found<'forgotten'>;
    case 'intent':
      return readIntent(value, address);
    case 'before': {
      const isWhole = isName(run) && (id === null || isId(id)) && (spec === null || isObject(spec));
      return isWhole ? (value as Found<'before'>) : 'damaged';
    }
    case 'remaking':
      return isObject(spec) ? (value as Found<'remaking'>) : 'damaged';
    case 'secret':
      if (!isId(id) || typeof state !== 'string') return 'damaged';
      return isSecretState(state) ? (value as Found<'secret'>) : { type: 'unknown', event: value };
  }
}

function readIntent(value: JsonObject, address: Address): LedgerEvent | NoEvent {
  const { id, kind, operation, identity, seen } = value;
  if (!isName(id) || kind !== kindOf(address) || typeof operation !== 'string') return 'damaged';
  if (typeof identity !== 'string' || !Array.isArray(seen) || !seen.every(isId)) return 'damaged';
  // Sent by a newer chatform, which will find out what became of it.
  if (!isOperation(operation)) return { type: 'unknown', event: value };
  return value as Found<'intent'>;
}

function readOrder(value: JsonObject): LedgerEvent | NoEvent {
  const { moment, run, kind, order } = value;
  if (typeof moment !== 'string' || typeof kind !== 'string' || !isName(run)) return 'damaged';
  if (!Array.isArray(order) || !order.every(looksLikeAddress)) return 'damaged';
  if (!isKind(kind) || (moment !== 'before' && moment !== 'applied')) return { type: 'unknown', event: value };
  const own = order.filter(isAddress);
  if (own.length < order.length || own.some((address) => kindOf(address) !== kind)) return 'damaged';
  return value as Found<'order'>;
}

function readMoved(value: JsonObject): LedgerEvent | NoEvent {
  const { from, to } = value;
  if (!looksLikeAddress(from) || !looksLikeAddress(to)) return 'damaged';
  if (!isAddress(from) || !isAddress(to)) return { type: 'unknown', event: value };
  if (kindOf(from) !== kindOf(to)) return 'damaged';
  return value as Found<'moved'>;
}

function readDone(value: JsonObject): LedgerEvent | NoEvent {
  const { intent, outcome, created } = value;
  if (!isName(intent) || typeof outcome !== 'string') return 'damaged';
  switch (outcome) {
    case 'created':
      return isId(created) ? (value as Found<'done'>) : 'damaged';
    case 'refused':
    case 'unknown':
      return value as Found<'done'>;
    default:
      return { type: 'unknown', event: value };
  }
}

function readRun(value: JsonObject): LedgerEvent | NoEvent {
  const { id, command, outcome, unsure = [] } = value;
  if (typeof id !== 'string' || typeof command !== 'string' || typeof outcome !== 'string') return 'damaged';
  if (!Array.isArray(unsure) || !unsure.every(looksLikeAddress)) return 'damaged';
  if (!isOutcome(outcome)) return { type: 'unknown', event: value };
  const run = value as Found<'run'>;
  return unsure.every(isAddress) ? run : { ...run, unsure: unsure.filter(isAddress) };
}

const ORIGINS: { readonly [origin in Origin]: true } = { created: true, adopted: true, imported: true };
const OUTCOMES: { readonly [outcome in RunOutcome]: true } = {
  done: true,
  failed: true,
  partial: true,
  unsettled: true,
  interrupted: true,
};

const SECRET_STATES: { readonly [state in SecretState]: true } = { kept: true, rescued: true, lost: true };

const OPERATIONS: { readonly [operation in StepOperation]: true } = {
  create: true,
  update: true,
  delete: true,
  transition: true,
};

/** Perhaps of a kind that only a newer chatform knows. */
function looksLikeAddress(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[a-z_]+\/./s.test(value);
}

function isOperation(text: string): text is StepOperation {
  return Object.hasOwn(OPERATIONS, text);
}

function isSecretState(text: string): text is SecretState {
  return Object.hasOwn(SECRET_STATES, text);
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isOrigin(value: Json | undefined): value is Origin {
  return typeof value === 'string' && Object.hasOwn(ORIGINS, value);
}

function isOutcome(text: string): text is RunOutcome {
  return Object.hasOwn(OUTCOMES, text);
}

function isId(value: Json | undefined): value is ObjectId {
  return typeof value === 'string' || typeof value === 'number';
}

/** What is written together bears the same time, so that most of them need no second look. */
let lastTime = '';

function isTime(text: string): boolean {
  if (text === lastTime) return true;
  const isWellFormed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (!isWellFormed || Number.isNaN(Date.parse(text))) return false;
  lastTime = text;
  return true;
}

function isTexts(value: Json | undefined): value is { readonly [name: string]: string } {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}
