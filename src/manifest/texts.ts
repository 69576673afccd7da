// Texts of a manifest: all of them in one spelling (NFC), and findings about those that no service can keep.

import { isList, isObject, valueAt } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { inNfc } from '../base/text.ts';
import { isBlank } from '../base/unseen.ts';
import { at, type Emit, type PathDiagnostic } from '../yaml/diagnostics.ts';
import type { Part, Path } from '../yaml/places.ts';
import type { DeclaredEntry } from './sections.ts';

/** A manifest in one spelling. */
export interface Spelled {
  readonly value: JsonObject;
  /** The path that leads to a member in the files, whose keys may have another spelling. */
  readonly writtenPath: (path: Path) => Path;
}

/** The manifest with every text and key in NFC. Warns of each that is not; two keys of one mapping that are one then are an error. */
export function spelledInNfc(written: JsonObject, emit: Emit): Spelled {
  const here: (string | number)[] = [];
  let isRenamed = false;
  const spelled = inValue(written);
  const value = isObject(spelled) ? spelled : written;
  return { value, writtenPath: (path) => (isRenamed ? writtenPathOf(written, path) : path) };

  function inValue(value: Json): Json {
    if (typeof value === 'string') return inText(value, 'value');
    if (isList(value)) return inList(value);
    return isObject(value) ? inMapping(value) : value;
  }

  function inMember(value: Json, step: string | number): Json {
    here.push(step);
    const inner = inValue(value);
    here.pop();
    return inner;
  }

  function inText(text: string, part: Part): string {
    const spelled = inNfc(text);
    if (spelled !== text) emit(otherSpelling([...here], part, text));
    return spelled;
  }

  function inList(value: readonly Json[]): Json {
    const items = value.map(inMember);
    return items.every((item, index) => item === value[index]) ? value : items;
  }

  function inMapping(value: JsonObject): Json {
    let isChanged = false;
    const members = new Map<string, Json>();
    const keys = new Map<string, string>();
    for (const name of Object.keys(value)) {
      const member = value[name] ?? null;
      const inner = inMember(member, name);
      const key = inNfc(name);
      const first = keys.get(key);
      if (first !== undefined) emit(sameKey([...here], first, name));
      else if (key !== name) emit(otherSpelling([...here, name], 'key', name));
      if (key !== name) isRenamed = true;
      if (key !== name || inner !== member) isChanged = true;
      if (first === undefined) members.set(key, inner);
      keys.set(key, first ?? name);
    }
    return isChanged ? Object.fromEntries(members) : value;
  }
}

function writtenPathOf(written: JsonObject, path: Path): Path {
  const found: (string | number)[] = [];
  for (const step of path) {
    const holder = valueAt(written, found);
    const other =
      typeof step === 'string' && isObject(holder) && !Object.hasOwn(holder, step)
        ? Object.keys(holder).find((name) => inNfc(name) === step)
        : undefined;
    found.push(other ?? step);
  }
  return found;
}

function otherSpelling(path: Path, part: Part, text: string): PathDiagnostic {
  const message = `this ${part === 'key' ? 'key' : 'text'} is not in NFC: some accents are characters of their own`;
  const remedy = `write \`${quoted(inNfc(text))}\`, as chatform compares and sends it; \`uconv -x nfc\` converts a whole file`;
  return { ...at(path, part, 'bad-format', message, remedy), severity: 'warning' };
}

function sameKey(path: Path, first: string, second: string): PathDiagnostic {
  const message = `\`${quoted(second)}\` and \`${quoted(first)}\` are two spellings of one key`;
  return {
    ...at([...path, second], 'key', 'duplicate-key', message, 'keep one of them'),
    related: [{ path: [...path, first], part: 'key', message: 'the first one' }],
  };
}

const LONGEST_QUOTE = 60;

function quoted(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE - 3).join('')}...` : text;
}

/** A zero byte, and half of a character of two units. */
const UNKEPT = /\0|\p{Surrogate}/u;

/** Reports texts and keys that no service can keep. `variables:` is not sent: what is used of it stands where it is used. */
export function checkTexts(
  { variables: _, ...manifest }: JsonObject,
  entries: readonly DeclaredEntry[],
  emit: Emit,
): void {
  const here: (string | number)[] = [];
  inValue(manifest);
  for (const { kind, key, value: entry, path } of entries) {
    const isItem = kind.at.includes('#');
    const [keyPath, part] = isItem ? ([[...path, 'key'], 'value'] as const) : ([path, 'key'] as const);
    if (key !== '' && isBlank(key)) emit(blank(keyPath, part, 'key'));
    else if (!UNKEPT.test(key) && /\p{Cc}/u.test(key)) emit(controlInKey(keyPath, part, key));
    const name = isObject(entry) ? entry['name'] : undefined;
    if (typeof name === 'string' && name !== '' && isBlank(name)) emit(blank([...path, 'name'], 'value', 'name'));
  }

  function inValue(value: Json): void {
    if (typeof value === 'string') inText(value, 'value');
    else if (isList(value)) for (const [index, item] of value.entries()) inMember(item, index);
    else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        inMember(value[name] ?? null, name);
        if (UNKEPT.test(name)) emit(unkept([...here, name], 'key', name));
      }
    }
  }

  function inMember(value: Json, step: string | number): void {
    here.push(step);
    inValue(value);
    here.pop();
  }

  function inText(text: string, part: Part): void {
    if (UNKEPT.test(text)) emit(unkept([...here], part, text));
  }
}

function blank(path: Path, part: Part, what: 'key' | 'name'): PathDiagnostic {
  const message = `the ${what} has nothing that a person sees`;
  return at(path, part, what === 'key' ? 'bad-format' : 'too-short', message, `write a ${what} with letters or digits`);
}

function controlInKey(path: Path, part: Part, key: string): PathDiagnostic {
  const message = `the key ${JSON.stringify(key)} has a control character`;
  return at(path, part, 'bad-format', message, `write \`${key.replaceAll(/\p{Cc}/gu, '')}\``);
}

function unkept(path: Path, part: Part, text: string): PathDiagnostic {
  const what = text.includes('\0') ? 'a zero byte (`\\0`)' : 'half of a character (a surrogate without its pair)';
  const right = text.replaceAll(/\0|\p{Surrogate}/gu, '');
  const remedy = right === '' ? 'remove it' : `write \`${quoted(right)}\``;
  return at(
    path,
    part,
    'bad-format',
    `this ${part === 'key' ? 'key' : 'text'} has ${what}, which no service can keep`,
    remedy,
  );
}
