// The events of the ledger: one JSON object of the log in, a typed event out, and back. It must not know where a log is kept.

import type { Address, Json, JsonObject, KindName, ObjectId, Origin, Spec, StepOperation } from '../model.ts';

/** The version of the log's format that is written here. */
const FORMAT = 1;

interface Stamp {
  readonly v: typeof FORMAT;
  /** RFC 3339. */
  readonly at: string;
}

/** From now on `address` is the object `id`; written before its `applied`, for it ends what was known of another object. */
export interface Bound extends Stamp {
  readonly type: 'bound';
  readonly address: Address;
  readonly id: ObjectId;
  readonly origin: Origin;
}

/** What was written to the object of `address`: the spec as far as it reads back, SHA-256 digests of the fields that do not. */
export interface AppliedSpec extends Stamp {
  readonly type: 'applied';
  readonly address: Address;
  readonly spec: Spec;
  readonly digests: { readonly [field: string]: string };
}

/** `address` owns nothing any more: its object is deleted, or was let go. */
interface Forgotten extends Stamp {
  readonly type: 'forgotten';
  readonly address: Address;
}

/** What `from` owned is owned by `to`, with all that is known of it; `from` owns nothing any more. */
export interface Moved extends Stamp {
  readonly type: 'moved';
  readonly from: Address;
  readonly to: Address;
}

/** A request that must not be sent twice is about to leave; until its `done`, nobody knows whether it arrived. */
export interface Intent extends Stamp {
  readonly type: 'intent';
  readonly id: string;
  readonly address: Address;
  /** That of the address. */
  readonly kind: KindName;
  readonly operation: StepOperation;
  /** What the object would be known by, as JSON text. */
  readonly identity: string;
  /** Ids of the kind's objects that were there before, so that none of them is taken for the new one. */
  readonly seen: readonly ObjectId[];
}

interface DoneStamp extends Stamp {
  readonly type: 'done';
  /** Id of the intent. */
  readonly intent: string;
}

/**
 * It is decided what became of an intent; written after the `bound` of what was created, or else a crash between the two would lose it. `unknown`:
 * nobody will find out any more, and a person has said so.
 */
type Done =
  | (DoneStamp & { readonly outcome: 'created'; readonly created: ObjectId })
  | (DoneStamp & { readonly outcome: 'refused' | 'unknown' });

/** A command that wrote, or tried to, has ended. */
interface Run extends Stamp {
  readonly type: 'run';
  readonly id: string;
  readonly command: string;
  readonly outcome: RunOutcome;
}

/** `failed`: nothing was changed; `partial`: some resources failed or were skipped; `unsettled`: all was sent, but did not become readable in time. */
export type RunOutcome = 'done' | 'failed' | 'partial' | 'unsettled' | 'interrupted';

/** An event that only a newer chatform knows: kept as it stands, and without meaning here. */
interface Unknown {
  readonly type: 'unknown';
  readonly event: JsonObject;
}

export type LedgerEvent = Bound | AppliedSpec | Forgotten | Moved | Intent | Done | Run | Unknown;

/** Why an object of the log is not an event: it is damaged, or its format is newer than this program. */
export type NoEvent = 'damaged' | 'newer';

/** Members that are not known are kept, so that a log can be copied without loss. */
export function readEvent(value: Json): LedgerEvent | NoEvent {
  if (!isObject(value) || !Number.isInteger(value['v'])) return 'damaged';
  if (value['v'] !== FORMAT) return Number(value['v']) > FORMAT ? 'newer' : 'damaged';
  const { type, at } = value;
  if (typeof type !== 'string' || typeof at !== 'string' || !isTime(at)) return 'damaged';
  const stamp = { v: FORMAT, at } as const;
  switch (type) {
    case 'bound':
    case 'applied':
    case 'forgotten':
    case 'intent':
      return readAddressed(type, value, stamp);
    case 'moved':
      return readMoved(value, stamp);
    case 'done':
      return readDone(value, stamp);
    case 'run':
      return readRun(value, stamp);
    default:
      return { type: 'unknown', event: value };
  }
}

/** One line of the log, without its end. */
export function writeEvent(event: LedgerEvent): string {
  return JSON.stringify(event.type === 'unknown' ? event.event : event);
}

function readAddressed(
  type: 'bound' | 'applied' | 'forgotten' | 'intent',
  value: JsonObject,
  stamp: Stamp,
): LedgerEvent | NoEvent {
  const { address, id, origin, spec, digests } = value;
  if (!looksLikeAddress(address)) return 'damaged';
  // A kind of a newer chatform: what it owns is not ours to touch.
  if (!isAddress(address)) return { type: 'unknown', event: value };
  switch (type) {
    case 'bound':
      return isId(id) && isOrigin(origin) ? { ...value, ...stamp, type, address, id, origin } : 'damaged';
    case 'applied':
      return isObject(spec) && isTexts(digests) ? { ...value, ...stamp, type, address, spec, digests } : 'damaged';
    case 'forgotten':
      return { ...value, ...stamp, type, address };
    case 'intent':
      return readIntent(value, address, stamp);
  }
}

function readIntent(value: JsonObject, address: Address, stamp: Stamp): LedgerEvent | NoEvent {
  const { id, kind, operation, identity, seen } = value;
  if (!isName(id) || kind !== kindOf(address) || typeof operation !== 'string') return 'damaged';
  if (typeof identity !== 'string' || !Array.isArray(seen) || !seen.every(isId)) return 'damaged';
  // Sent by a newer chatform, which will find out what became of it.
  if (!isOperation(operation)) return { type: 'unknown', event: value };
  return { ...value, ...stamp, type: 'intent', id, address, kind, operation, identity, seen };
}

function readMoved(value: JsonObject, stamp: Stamp): LedgerEvent | NoEvent {
  const { from, to } = value;
  if (!looksLikeAddress(from) || !looksLikeAddress(to)) return 'damaged';
  if (!isAddress(from) || !isAddress(to)) return { type: 'unknown', event: value };
  if (kindOf(from) !== kindOf(to)) return 'damaged';
  return { ...value, ...stamp, type: 'moved', from, to };
}

function readDone(value: JsonObject, stamp: Stamp): LedgerEvent | NoEvent {
  const { intent, outcome, created } = value;
  if (!isName(intent) || typeof outcome !== 'string') return 'damaged';
  const done = { ...value, ...stamp, type: 'done', intent } as const;
  switch (outcome) {
    case 'created':
      return isId(created) ? { ...done, outcome, created } : 'damaged';
    case 'refused':
    case 'unknown':
      return { ...done, outcome };
    default:
      return { type: 'unknown', event: value };
  }
}

function readRun(value: JsonObject, stamp: Stamp): LedgerEvent | NoEvent {
  const { id, command, outcome } = value;
  if (typeof id !== 'string' || typeof command !== 'string' || typeof outcome !== 'string') return 'damaged';
  if (!isOutcome(outcome)) return { type: 'unknown', event: value };
  return { ...value, ...stamp, type: 'run', id, command, outcome };
}

const KINDS: { readonly [kind in KindName]: true } = {
  agent: true,
  group: true,
  bot: true,
  bot_template: true,
  auto_access: true,
  property: true,
  license_property: true,
  group_property: true,
};
const ORIGINS: { readonly [origin in Origin]: true } = { created: true, adopted: true, imported: true };
const OUTCOMES: { readonly [outcome in RunOutcome]: true } = {
  done: true,
  failed: true,
  partial: true,
  unsettled: true,
  interrupted: true,
};

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

function kindOf(address: Address): KindName {
  return address.slice(0, address.indexOf('/')) as KindName;
}

function isAddress(text: string): text is Address {
  return isKind(text.slice(0, text.indexOf('/')));
}

function isKind(text: string): text is KindName {
  return Object.hasOwn(KINDS, text);
}

function isOperation(text: string): text is StepOperation {
  return Object.hasOwn(OPERATIONS, text);
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

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

function isTexts(value: Json | undefined): value is { readonly [name: string]: string } {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
