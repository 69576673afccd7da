// Keys that are probably mistakes: those that differ only in case, and those that an overlay adds next to a very similar one.

import { grouped } from '../base/grouped.ts';
import type { Address, LintId } from '../base/model.ts';
import { plainName, slip } from '../base/nearest.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { accountOf, type DeclaredEntry } from './sections.ts';

/** How a lint about files alone is set for a target. */
export interface FileLint {
  readonly level: 'error' | 'warning' | 'off';
  readonly isExcepted: (address: Address) => boolean;
}

export type FileLintId = Extract<
  LintId,
  | 'overlay-near-key'
  | 'past-exception'
  | 'expired'
  | 'absence-without-hours'
  | 'unused-calendar'
  | 'like-a-pattern'
  | 'stray-blank'
  | 'unused-column'
>;

export const FILE_LINT: FileLint = { level: 'warning', isExcepted: () => false };

/**
 * Warns of entries of one kind whose keys differ only in case: services and people may take them for one. Where the license has one spelling of a
 * name, that is an error. Two of one person are an error elsewhere.
 */
export function checkCases(entries: readonly DeclaredEntry[], emit: Emit): void {
  const firsts = new Map<string, DeclaredEntry>();
  for (const entry of entries) {
    const { kind, key, path } = entry;
    const folded = `${kind.name}/${key.toLowerCase()}`;
    const first = firsts.get(folded);
    if (first === undefined) firsts.set(folded, entry);
    else if (first.key !== key && (accountOf(entry) === null || accountOf(entry) !== accountOf(first))) {
      const message = `\`${key}\` differs only in case from \`${first.key}\``;
      const found =
        kind.soleSpelling === undefined
          ? ({ ...at(path, 'key', 'duplicate-key', message, 'keep one of them'), severity: 'warning' } as const)
          : at(
              path,
              'key',
              'duplicate-name',
              `${message}, and the license has one ${kind.noun.one} of that name`,
              'keep one of them',
            );
      emit({
        ...found,
        related: [{ path: first.path, part: 'key', message: 'the first one' }],
      });
    }
  }
}

/** Reports entries that overlays add and that have nearly the key of an entry below them. */
export function checkNearKeys(
  base: readonly DeclaredEntry[],
  entries: readonly DeclaredEntry[],
  { level, isExcepted }: FileLint,
  emit: Emit,
): void {
  if (level === 'off') return;
  const below = new Set(base.map(({ address }) => address));
  const added = entries.filter(({ address }) => !below.has(address) && !isExcepted(address));
  if (added.length === 0) return;
  const similar = grouped(base.flatMap((entry) => traitsOf(entry).map((trait) => [trait, entry] as const)));
  for (const entry of added) {
    const { kind, key, path } = entry;
    const candidates = traitsOf(entry).flatMap((trait) => similar.get(trait) ?? []);
    const meant = candidates.find((other) => isNear(key, other.key));
    if (meant === undefined) continue;
    const keyPath: Path = kind.at.includes('#') ? [...path, 'key'] : path;
    const part = keyPath === path ? 'key' : 'value';
    const message = `the overlay adds \`${entry.address}\`, and the manifest has \`${meant.address}\``;
    const remedy = `correct the key to change \`${meant.key}\`; if both are meant, except \`${entry.address}\` from \`overlay-near-key\` in chatform.yaml, with a reason`;
    emit({ ...at(keyPath, part, 'overlay-near-key', message, remedy), severity: level });
  }
}

function wordsOf(key: string): readonly string[] {
  return key.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

/** What near keys have in common: the key without separators, or all of its words but one. */
function traitsOf({ kind, key }: DeclaredEntry): readonly string[] {
  const words = wordsOf(key);
  const others = words.map((_, index) => words.with(index, '*').join(' '));
  return [plainName(key), ...others].map((trait) => `${kind.name} ${trait}`);
}

/** One slip in a word of the key, or another spelling of it. A number, and a word of one or two letters, tells entries apart. */
function isNear(key: string, other: string): boolean {
  // Keys that differ only in case have a warning of their own.
  if (key.toLowerCase() === other.toLowerCase()) return false;
  if (plainName(key) === plainName(other)) return true;
  const [words, others] = [wordsOf(key), wordsOf(other)];
  const place = words.findIndex((word, index) => word !== others[index]);
  const [one, two] = [words[place] ?? '', others[place] ?? ''];
  return Math.min(one.length, two.length) > 2 && lettersOf(one) !== lettersOf(two) && slip(one, two);
}

function lettersOf(word: string): string {
  return word.replaceAll(/\p{N}/gu, '');
}
