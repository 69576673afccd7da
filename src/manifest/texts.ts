// Texts of a manifest: all of them in one spelling (NFC), and findings about those that no service can keep.

import { isObject, valueAt } from '../base/json.ts';
import { mapTexts } from '../base/map-texts.ts';
import type { JsonObject } from '../base/model.ts';
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

/** A manifest with the values of its variables, and whether all its texts come from files of plain text, so that none of them has to be looked at. */
export interface Substituted {
  readonly value: JsonObject;
  readonly plain: boolean;
}

/** The manifest with every text and key in NFC. Warns of each that is not; two keys of one mapping that are one then are an error. */
export function spelledInNfc({ value: written, plain }: Substituted, emit: Emit): Spelled {
  if (plain) return { value: written, writtenPath: (path) => path };
  let isRenamed = false;
  const spelled = mapTexts(written, {
    text: (text, path) => {
      const inForm = inNfc(text);
      if (inForm !== text) emit(otherSpelling([...path], 'value', text));
      return inForm;
    },
    key: (name, path, mapping) => {
      const key = inNfc(name);
      if (key === name) return name;
      isRenamed = true;
      const other = Object.keys(mapping).find((each) => each !== name && inNfc(each) === key);
      emit(other === undefined ? otherSpelling([...path, name], 'key', name) : sameKey([...path], other, name));
      return key;
    },
  });
  const value = isObject(spelled) ? spelled : written;
  return { value, writtenPath: (path) => (isRenamed ? writtenPathOf(written, path) : path) };
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

function sameKey(path: Path, other: string, name: string): PathDiagnostic {
  const message = `\`${quoted(name)}\` and \`${quoted(other)}\` are two spellings of one key`;
  return {
    ...at([...path, name], 'key', 'duplicate-key', message, 'keep one of them'),
    related: [{ path: [...path, other], part: 'key', message: 'the other one' }],
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
  { value: { variables: _, ...manifest }, plain }: Substituted,
  entries: readonly DeclaredEntry[],
  emit: Emit,
): void {
  if (!plain)
    mapTexts(manifest, {
      text: (text, path) => {
        if (UNKEPT.test(text)) emit(unkept([...path], 'value', text));
        return text;
      },
      key: (name, path) => {
        if (UNKEPT.test(name)) emit(unkept([...path, name], 'key', name));
        return name;
      },
    });
  for (const { kind, key, value: entry, path } of entries) {
    const isItem = kind.at.includes('#');
    const [keyPath, part] = isItem ? ([[...path, 'key'], 'value'] as const) : ([path, 'key'] as const);
    if (key !== '' && isBlank(key)) emit(blank(keyPath, part, 'key'));
    else if (!UNKEPT.test(key) && /\p{Cc}/u.test(key)) emit(controlInKey(keyPath, part, key));
    const name = isObject(entry) ? entry['name'] : undefined;
    if (typeof name === 'string' && name !== '' && isBlank(name)) emit(blank([...path, 'name'], 'value', 'name'));
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
