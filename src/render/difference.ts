// Two JSON values in, what tells them apart out: members by name, lists as sets, everything else as old -> new.

import type { Json } from '../model.ts';
import type { Paint } from './paint.ts';
import { plain, value } from './plain.ts';

type Members = { readonly [name: string]: Json };

function members(json: Json | undefined): Members | null {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Members) : null;
}

function list(json: Json | undefined): readonly Json[] | null {
  return Array.isArray(json) ? json : null;
}

/** What is absent beside a mapping is an empty one, so that a new or a lost mapping is shown member by member. */
function membersBeside(json: Json | undefined, other: Json | undefined): Members | null {
  return json === undefined && members(other) !== null ? {} : members(json);
}

function listBeside(json: Json | undefined, other: Json | undefined): readonly Json[] | null {
  return json === undefined && list(other) !== null ? [] : list(json);
}

/** What tells two values apart, in one place: text of what was there and of what comes, null on the side that has nothing. */
export interface Part {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The differences inside one field, deepest names last: `work_scheduler.timezone`. */
export function parts(name: string, before: Json | undefined, after: Json | undefined): readonly Part[] {
  const [old, wanted] = [membersBeside(before, after), membersBeside(after, before)];
  if (old !== null && wanted !== null) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].sort();
    return names.flatMap((member) => parts(`${name}.${plain(member)}`, old[member], wanted[member]));
  }
  const [had, wants] = [listBeside(before, after), listBeside(after, before)];
  if (had !== null && wants !== null) return itemParts(name, had, wants);
  if (value(before) === value(after)) return [];
  if (before === undefined || before === null) return [{ name, before: null, after: value(after) }];
  return [{ name, before: value(before), after: after === undefined ? null : value(after) }];
}

/** Lines of the same: `work_scheduler.timezone: "UTC" -> "Europe/Warsaw"`. */
export function differences(
  field: string,
  was: Json | undefined,
  is: Json | undefined,
  paint: Paint,
): readonly string[] {
  return parts(field, was, is).map(({ name, before, after }) => {
    if (before === null) return `${paint('add', '+')} ${name}: ${after}`;
    if (after === null) return `${paint('destroy', '-')} ${name}: ${before}`;
    return `${paint('change', '~')} ${name}: ${before} ${paint('faint', '->')} ${after}`;
  });
}

/** A value on one line, members without quotes where they need none. */
function inline(json: Json): string {
  const inner = members(json);
  if (inner === null) return value(json);
  return `{ ${Object.entries(inner)
    .map(([name, member]) => `${/^[a-z_]+$/.test(name) ? name : value(name)}: ${inline(member)}`)
    .join(', ')} }`;
}

function itemParts(name: string, had: readonly Json[], wants: readonly Json[]): readonly Part[] {
  const old = new Set(had.map(inline));
  const wanted = new Set(wants.map(inline));
  const isPlain = [...had, ...wants].every((item) => typeof item !== 'object');
  if (isPlain && (had.length === 0 || wants.length === 0)) {
    return had.length === 0
      ? [{ name, before: null, after: value(wants) }]
      : [{ name, before: value(had), after: null }];
  }
  return [
    ...[...old].filter((item) => !wanted.has(item)).map((item) => ({ name, before: item, after: null })),
    ...[...wanted].filter((item) => !old.has(item)).map((item) => ({ name, before: null, after: item })),
  ];
}
