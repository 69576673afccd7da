// Lints of texts that are compared letter by letter, and that a person probably meant otherwise: patterns, blanks at an end, characters that look like a blank.

import { isList, isObject } from '../base/json.ts';
import { mapTexts } from '../base/map-texts.ts';
import type { Json } from '../base/model.ts';
import { UNSEEN } from '../base/unseen.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { Part, Path } from '../yaml/places.ts';
import type { FileLint, FileLintId } from './near-keys.ts';
import { accountOf, type DeclaredEntry } from './sections.ts';

/** Members of entries whose texts are compared. Other texts are only shown. */
const COMPARED = ['name', 'external', 'conditions', 'rules'] as const;

/** A blank that a person types, at an end of a text of one line. */
const AT_AN_END = /^[ \t]+|[ \t]+$/g;

/** What other checks refuse, and texts of several lines. */
const REFUSED = /[\p{Cc}\p{Cs}]/u;

export function checkMeantTexts(
  entries: readonly DeclaredEntry[],
  lintOf: (lint: FileLintId) => FileLint,
  emit: Emit,
): void {
  const [blank, pattern] = [lintOf('stray-blank'), lintOf('like-a-pattern')];
  for (const entry of entries) {
    const { kind, address, key, value, path } = entry;
    const isItem = kind.at.includes('#');
    // A person's address in another form is refused.
    if (isLinted(blank) && accountOf(entry) === null)
      checkBlanks(key, isItem ? [...path, 'key'] : path, isItem ? 'value' : 'key');
    for (const member of COMPARED) {
      const written = isObject(value) ? value[member] : undefined;
      if (written === undefined) continue;
      mapTexts(written, {
        text: (text, inner) => {
          const place = [...path, member, ...inner];
          if (isLinted(blank)) checkBlanks(text, place, 'value');
          if (isLinted(pattern) && isPartOfUrl(value, place.slice(path.length))) checkPattern(text, place);
          return text;
        },
        key: (name) => name,
      });
    }

    function isLinted({ level, isExcepted }: FileLint): boolean {
      return level !== 'off' && !isExcepted(address);
    }
  }

  function checkBlanks(text: string, path: Path, part: Part): void {
    const plain = text.replaceAll(UNSEEN, (character) => (isLikeABlank(character) ? ' ' : ''));
    const right = plain.replaceAll(AT_AN_END, '');
    if (right === text || right === '' || REFUSED.test(text)) return;
    const what = part === 'key' ? 'key' : 'text';
    const message =
      plain === text
        ? `this ${what} has a blank at ${text.startsWith(' ') ? 'its beginning' : 'its end'}, and is compared with it`
        : `this ${what} has ${unseenIn(text)}, and is compared with it`;
    emitAt(path, part, 'stray-blank', message, `write \`${right}\``, blank);
  }

  function checkPattern(text: string, path: Path): void {
    const pieces = text
      .replace(/^\^/, '')
      .replace(/\$$/, '')
      .replaceAll(/\\(.)/g, '$1')
      .split(/\.?\*+/);
    if (pieces.length === 1 && !/^\^/.test(text) && !/\$$/.test(text)) return;
    const isDomain = path.includes('domain');
    const longest = pieces.toSorted((a, b) => b.length - a.length)[0] ?? '';
    const right = isDomain ? longest.replaceAll(/^\.|\.$/g, '') : longest;
    const message = `\`${text}\` is looked for as it is written: a text is no pattern`;
    const remedy =
      right === ''
        ? 'write a text that the URL contains'
        : `write \`${right}\`, which every ${isDomain ? 'domain' : 'URL'} that contains it matches`;
    emitAt(path, 'value', 'like-a-pattern', message, remedy, pattern);
  }

  function emitAt(path: Path, part: Part, id: FileLintId, message: string, remedy: string, { level }: FileLint): void {
    if (level !== 'off') emit({ ...at(path, part, id, message, remedy), severity: level });
  }
}

/** Whether a text is looked for in a URL or a domain; `path` is that of a member of the entry. */
function isPartOfUrl(entry: Json, [member, subject]: Path): boolean {
  if (member === 'conditions') return subject === 'url' || subject === 'domain';
  const rules = isObject(entry) ? entry['rules'] : undefined;
  const rule = member === 'rules' && isList(rules) ? rules[Number(subject)] : undefined;
  return isObject(rule) && String(rule['type']).startsWith('url_');
}

function isLikeABlank(character: string): boolean {
  return /[\p{Zs}\u2800]/u.test(character);
}

function unseenIn(text: string): string {
  const character = text.match(UNSEEN)?.[0] ?? '';
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (character === '\u00a0' || character === '\u202f') return `a no-break space (${code})`;
  return isLikeABlank(character)
    ? `a blank that is no usual one (${code})`
    : `a character that shows nothing (${code})`;
}
