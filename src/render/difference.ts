// Two JSON values in, what tells them apart out: members by name, lists as sets, everything else as old -> new.

import type { Json } from '../base/model.ts';
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
  if (before === undefined && after !== undefined) {
    const all: Part[] = [];
    eachAdded(name, after, (part, text) => all.push({ name: part, before: null, after: text }));
    return all;
  }
  const [old, wanted] = [membersBeside(before, after), membersBeside(after, before)];
  if (old !== null && wanted !== null) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].sort();
    return names.flatMap((member) => parts(`${name}.${plain(member)}`, old[member], wanted[member]));
  }
  const [had, wants] = [listBeside(before, after), listBeside(after, before)];
  if (had !== null && wants !== null) return itemParts(name, had, wants);
  const [was, is] = [value(before), value(after)];
  if (was === is) return [];
  if (before === undefined || before === null) return [{ name, before: null, after: is }];
  return [{ name, before: was, after: after === undefined ? null : is }];
}

/** Nothing was there: most of what is ever shown, and the same as beside what is empty. */
function eachAdded(name: string, after: Json, tell: (name: string, text: string) => void): void {
  const wanted = members(after);
  if (wanted !== null) {
    for (const member of Object.keys(wanted).sort())
      eachAdded(`${name}.${plain(member)}`, wanted[member] ?? null, tell);
  } else if (Array.isArray(after) && !after.every(isPlain)) {
    for (const item of new Set(after.map(inline))) tell(name, item);
  } else if (after !== null) {
    tell(name, value(after));
  }
}

/** Lines of the same: `work_scheduler.timezone: "UTC" -> "Europe/Warsaw"`. */
export function differences(
  field: string,
  was: Json | undefined,
  is: Json | undefined,
  paint: Paint,
): readonly string[] {
  const plus = paint('add', '+');
  if (was === undefined && is !== undefined) {
    const lines: string[] = [];
    eachAdded(field, is, (name, text) => lines.push(`${plus} ${name}: ${text}`));
    return lines;
  }
  return parts(field, was, is).map(({ name, before, after }) => {
    if (before === null) return `${plus} ${name}: ${after}`;
    if (after === null) return `${paint('destroy', '-')} ${name}: ${before}`;
    return `${paint('change', '~')} ${name}: ${before} ${paint('faint', '->')} ${after}`;
  });
}

/** A value on one line, members without quotes where they need none. */
function inline(json: Json): string {
  const inner = members(json);
  if (inner === null) return value(json);
  let text = '';
  for (const [name, member] of Object.entries(inner))
    text += `${text === '' ? '' : ', '}${/^[a-z_]+$/.test(name) ? name : value(name)}: ${inline(member)}`;
  return `{ ${text} }`;
}

function isPlain(json: Json): boolean {
  return typeof json !== 'object';
}

function itemParts(name: string, had: readonly Json[], wants: readonly Json[]): readonly Part[] {
  if (had.length === 0 && wants.every(isPlain)) return [{ name, before: null, after: value(wants) }];
  if (wants.length === 0 && had.every(isPlain)) return [{ name, before: value(had), after: null }];
  const old = new Set(had.map(inline));
  const wanted = new Set(wants.map(inline));
  return [
    ...[...old].filter((item) => !wanted.has(item)).map((item) => ({ name, before: item, after: null })),
    ...[...wanted].filter((item) => !old.has(item)).map((item) => ({ name, before: null, after: item })),
  ];
}
