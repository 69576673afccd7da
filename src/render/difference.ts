// Two JSON values in, the lines that tell them apart out: members by name, lists as sets, everything else as old -> new.

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

/** Lines of the differences inside one field, deepest names last: `work_scheduler.timezone: "UTC" -> "Europe/Warsaw"`. */
export function differences(
  name: string,
  before: Json | undefined,
  after: Json | undefined,
  paint: Paint,
): readonly string[] {
  const [old, wanted] = [membersBeside(before, after), membersBeside(after, before)];
  if (old !== null && wanted !== null) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].sort();
    return names.flatMap((member) => differences(`${name}.${plain(member)}`, old[member], wanted[member], paint));
  }
  const [had, wants] = [listBeside(before, after), listBeside(after, before)];
  if (had !== null && wants !== null) return itemDifferences(name, had, wants, paint);
  if (value(before) === value(after)) return [];
  if (before === undefined || before === null) return [`${paint('add', '+')} ${name}: ${value(after)}`];
  if (after === undefined) return [`${paint('destroy', '-')} ${name}: ${value(before)}`];
  return [`${paint('change', '~')} ${name}: ${value(before)} ${paint('faint', '->')} ${value(after)}`];
}

/** A value on one line, members without quotes where they need none. */
function inline(json: Json): string {
  const inner = members(json);
  if (inner === null) return value(json);
  return `{ ${Object.entries(inner)
    .map(([name, member]) => `${/^[a-z_]+$/.test(name) ? name : value(name)}: ${inline(member)}`)
    .join(', ')} }`;
}

function itemDifferences(name: string, had: readonly Json[], wants: readonly Json[], paint: Paint): readonly string[] {
  const old = new Set(had.map(inline));
  const wanted = new Set(wants.map(inline));
  const isPlain = [...had, ...wants].every((item) => typeof item !== 'object');
  if (isPlain && (had.length === 0 || wants.length === 0)) {
    return had.length === 0
      ? [`${paint('add', '+')} ${name}: ${value(wants)}`]
      : [`${paint('destroy', '-')} ${name}: ${value(had)}`];
  }
  return [
    ...[...old].filter((item) => !wanted.has(item)).map((item) => `${paint('destroy', '-')} ${name}: ${item}`),
    ...[...wanted].filter((item) => !old.has(item)).map((item) => `${paint('add', '+')} ${name}: ${item}`),
  ];
}
