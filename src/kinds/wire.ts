// Typed members of the service's replies. A member that is not as specified is a protocol error that names it, never a guess.

import { ApiError, unstatedFailure } from '../base/errors.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject, Spec } from '../base/model.ts';
import { personOf } from '../base/person.ts';
import { lookOf } from '../base/unseen.ts';
import type { LicenseAction } from './actions.ts';
import type { KindReader, WantedObject } from './kind.ts';

function refuse(action: string, member: string, expected: string): never {
  const message = `the reply has no ${expected} where \`${member}\` is specified`;
  throw new ApiError(unstatedFailure({ action, type: 'protocol', message, status: 200, ambiguous: true }));
}

/** Whether the token may not do this. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.failure.type === 'authorization';
}

/** Whether the object of a request does not exist, or no longer does. Service notes, "Wire". */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.failure.type === 'not_found' || error.failure.type === 'group_not_found');
}

/** Members of one JSON object of a reply. `null` is absent (service notes, "Wire"). */
export interface ReplyRow {
  readonly has: (name: string) => boolean;
  readonly text: (name: string) => string;
  readonly integer: (name: string) => number;
  /** The member as it came; undefined when it is absent. */
  readonly raw: (name: string) => Json | undefined;
}

export function rowOf(action: string, value: Json | undefined, where = 'reply'): ReplyRow {
  if (!isObject(value)) return refuse(action, where, 'object');
  const raw = (name: string): Json | undefined => value[name] ?? undefined;
  return {
    has: (name) => raw(name) !== undefined,
    raw,
    text: (name) => {
      const member = raw(name);
      return typeof member === 'string' ? member : refuse(action, name, 'string');
    },
    integer: (name) => {
      const member = raw(name);
      return typeof member === 'number' && Number.isInteger(member) ? member : refuse(action, name, 'integer');
    },
  };
}

/** Whether the object of a row is to be read in full. */
export function isWanted(wanted: WantedObject, row: ReplyRow): boolean {
  if (wanted === 'all') return true;
  const id = row.text('id');
  return wanted.ids.has(id) || wanted.ids.has(personOf(id)) || wanted.looks.has(lookOf(row.text('name')));
}

/** The secret in a reply; null when it has none: a create that took effect is no failure because its secret is missing. */
export function secretOf(action: string, reply: Json, member: 'secret' | 'token' = 'secret'): string | null {
  const secret = rowOf(action, reply).raw(member);
  return typeof secret === 'string' ? secret : null;
}

/** What a reading shows of an object: its spec, and the names of the fields that it does not show. */
export function readFields(
  names: readonly string[],
  read: (name: string) => Json | undefined,
): { readonly spec: Spec; readonly unread: readonly string[] } {
  const spec: Record<string, Json> = {};
  const unread: string[] = [];
  for (const name of names) {
    const value = read(name);
    if (value === undefined) unread.push(name);
    else spec[name] = value;
  }
  return { spec, unread };
}

/** The rows of a list action. Specification: lists answer a bare array. */
export function rowsOf(action: string, reply: Json): readonly ReplyRow[] {
  if (!isList(reply)) return refuse(action, 'reply', 'array');
  return reply.map((item, index) => rowOf(action, item, `reply[${index}]`));
}

/** The rows of every page of a list whose reply names the next page. A page that was asked for ends it: a service may never name the last one. */
export async function pagedRows(
  { ask }: Pick<KindReader, 'ask'>,
  action: LicenseAction,
  member: string,
  first: JsonObject,
): Promise<readonly ReplyRow[]> {
  const rows: ReplyRow[] = [];
  const asked = new Set<string>();
  for (let body: JsonObject | null = first; body !== null; ) {
    const page = rowOf(action, await ask(action, body));
    rows.push(...rowsOf(action, page.raw(member) ?? []));
    const next: string = page.has('next_page_id') ? page.text('next_page_id') : '';
    body = next === '' || asked.has(next) ? null : { page_id: next };
    asked.add(next);
  }
  return rows;
}

/** The members of an object whose names are data: namespaces, property names, agent ids. */
export function entriesOf(
  action: string,
  value: Json | undefined,
  where = 'reply',
): readonly (readonly [string, Json])[] {
  return isObject(value) ? Object.entries(value) : refuse(action, where, 'object');
}

/** `groups` of an agent or bot as a map from group id to priority. Specification: "Agent", `groups`. */
export function groupPriorities(action: string, row: ReplyRow): JsonObject {
  const groups = row.raw('groups');
  if (groups === undefined) return {};
  if (!isList(groups)) return refuse(action, 'groups', 'array');
  return Object.fromEntries(
    groups.map((item) => {
      const member = rowOf(action, item, 'groups[]');
      return [String(member.integer('id')), member.text('priority')];
    }),
  );
}

/** The fields of a spec as a seed takes them: without null and without empty texts. */
export function seedFields(spec: Spec): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null && value !== ''));
}
