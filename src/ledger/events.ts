// The events of the ledger: one JSON object of the log in, a typed event out, and back. It must not know where a log is kept.

import type { Address, Json, JsonObject, KindName, ObjectId, Origin, Spec } from '../model.ts';

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
interface AppliedSpec extends Stamp {
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

export type LedgerEvent = Bound | AppliedSpec | Forgotten | Run | Unknown;

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
      return readAddressed(type, value, stamp);
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
  type: 'bound' | 'applied' | 'forgotten',
  value: JsonObject,
  stamp: Stamp,
): LedgerEvent | NoEvent {
  const { address, id, origin, spec, digests } = value;
  if (typeof address !== 'string' || !/^[a-z_]+\/./s.test(address)) return 'damaged';
  // A kind of a newer chatform: what it owns is not ours to touch.
  if (!isAddress(address)) return { type: 'unknown', event: value };
  switch (type) {
    case 'bound':
      return isId(id) && isOrigin(origin) ? { ...value, ...stamp, type, address, id, origin } : 'damaged';
    case 'applied':
      return isObject(spec) && isTexts(digests) ? { ...value, ...stamp, type, address, spec, digests } : 'damaged';
    case 'forgotten':
      return { ...value, ...stamp, type, address };
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

function isAddress(text: string): text is Address {
  return Object.hasOwn(KINDS, text.slice(0, text.indexOf('/')));
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

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
