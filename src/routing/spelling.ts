// URLs of pages that have just what a visitor needs: one with nothing else that a rule looks for, and others that are easier to read. The caller
// checks that a URL is right.

import { type Need, needsOf } from './need.ts';
import { domainAt, domainsWith, type KnownPages, knownPages, NO_PAGES, type ProjectPages, pageWith } from './pages.ts';
import type { Assumptions, ParsedRule } from './rules.ts';
import { pageUrl } from './text.ts';

export type Scheme = 'https' | 'http';

/** The needs of some rules, and characters that none of them looks for: only the texts between two of those can be found. */
export interface Speller {
  readonly needs: ReadonlyMap<ParsedRule, readonly Need[]>;
  /** Characters for hosts, one of each direction of writing: a label is written in one direction only. */
  readonly letters: readonly string[];
  /** A character for paths. */
  readonly mark: string;
  /** Every text that some rule looks for in a URL. */
  readonly words: readonly string[];
  readonly schemes: readonly Scheme[];
  readonly known: KnownPages;
  readonly assumptions: Assumptions;
}

/**
 * Letters, then those of other alphabets: one of them is in no text, because texts are few. None that forms a number with its neighbours (`0x` and
 * what may follow), because a host that ends with a number is an address.
 */
function* letters(): Generator<string> {
  yield* 'qzjkwvyghpumlitsnro';
  for (let code = 0x430; code < 0x9fff; code += 1) yield String.fromCharCode(code);
}

function* rightToLeft(): Generator<string> {
  for (let code = 0x5d0; code <= 0x5ea; code += 1) yield String.fromCharCode(code);
  for (let code = 0x620; code <= 0x64a; code += 1) yield String.fromCharCode(code);
}

function* marks(): Generator<string> {
  yield* '~_*!$';
  yield* letters();
}

/** @param rules that were parsed by the same assumptions */
export function spellerOf(
  rules: readonly ParsedRule[],
  assumptions: Assumptions,
  pages: ProjectPages = NO_PAGES,
): Speller {
  const tests = rules.flatMap((rule) => rule.tests);
  const texts = (on: 'url' | 'domain'): readonly string[] => [
    ...new Set(tests.flatMap((test) => (test.on === on ? test.words.map(({ text }) => text) : []))),
  ];
  const words = texts('url');
  const all = [...words, ...texts('domain')].join('\n');
  const isFree = (character: string): boolean =>
    !all.includes(character) && pageUrl(`https://${character}/`)?.domain === character;
  return {
    needs: new Map(rules.map((rule) => [rule, needsOf(rule, assumptions.conditions)])),
    letters: [first(letters(), isFree), first(rightToLeft(), isFree)],
    mark: first(marks(), (character) => !all.includes(character)),
    words,
    // The scheme makes a difference only to a text that can reach into it.
    schemes: words.some((word) => word.includes(':') || 'https'.includes(word)) ? ['https', 'http'] : ['https'],
    known: knownPages(rules, pages),
    assumptions,
  };
}

function first(characters: Generator<string>, isRight: (character: string) => boolean): string {
  for (const character of characters) if (isRight(character)) return character;
  return '\u{10400}';
}

/**
 * Pages with what is needed and with as little else as possible that a rule looks for. A whole domain gives two: one with a port, so that no slash
 * follows the host. Empty when no page can meet the need; null stands for a page that may exist and was not found.
 */
export function leastPages(need: Need, scheme: Scheme, speller: Speller): readonly (string | null)[] {
  if (need.wholeUrl !== null) return [need.wholeUrl.written];
  const { letters, mark } = speller;
  const path = need.url.length === 0 ? '' : [mark, ...need.url.flatMap((part) => [escaped(part), mark])].join('');
  const hosts =
    need.wholeDomain === null
      ? letters.map((letter) => [letter, ...need.domain.flatMap((part) => [part, letter])].join(''))
      : [need.wholeDomain];
  const host = hosts.find((each) => pageUrl(`${scheme}://${each}/`)?.domain === each);
  if (host === undefined) return isImpossible(need) ? [] : [null];
  const page = `${scheme}://${host}/${path}`;
  if (need.wholeDomain === null) return [page];
  const port = quietPort(`${scheme}://${host}:`, speller.words);
  return [page, port === null ? null : `${scheme}://${host}:${port}/${path}`];
}

/** Whether a host is impossible because of the needed texts, and not because of the characters between them. */
function isImpossible({ wholeDomain, domain }: Need): boolean {
  const parts = wholeDomain === null ? domain : [wholeDomain];
  const isPlain = parts.every((part) => /^[\u0021-\u005a\u005c\u005e-\u007e ]*$/.test(part));
  return isPlain && (wholeDomain !== null || !parts.every((part) => IN_ADDRESS.test(part)));
}

/** A text that may be part of an IP address, next to which no letter can stand. */
const IN_ADDRESS = /^[\da-f:.[\]]*$/;

/** The part of a path in which no slash or dot divides it. */
function escaped(part: string): string {
  return encodeURIComponent(part);
}

/** A port in which no rule finds a text that it does not find at the colon; null when no tried port is one. */
function quietPort(start: string, words: readonly string[]): number | null {
  const near = words.filter((word) => !start.includes(word) && /\d/.test(word));
  for (let tried = 0; tried < PORTS; tried += 1) {
    const port = ((8080 + tried * 7919) % 65_535) + 1;
    if (port !== 80 && port !== 443 && !near.some((word) => `${start}${port}/`.includes(word))) return port;
  }
  return null;
}

/** How many ports are tried. They use all digits, so that only rules with nearly every digit are in all of them. */
const PORTS = 1000;

/** Pages with what is needed, and perhaps more; the easiest to read come first. */
export function readablePages(need: Need): readonly string[] {
  if (need.wholeUrl !== null) return [need.wholeUrl.written];
  const made = need.domain.length === 0 ? [] : domainsWith(need.domain);
  const domains =
    need.wholeDomain === null ? [...need.url.flatMap(domainAt), ...made, ...domainsWith([])] : [need.wholeDomain];
  return [...new Set(domains)]
    .flatMap((domain) => {
      const start = `https://${domain}`;
      const rest = need.url.filter((part) => !`${start}/`.includes(part));
      return [pageWith(start, rest), pageWith(start, rest.toReversed())];
    })
    .filter((page) => !DOT_AFTER_HOST.test(page));
}

/** A browser accepts it, and no person writes it. */
const DOT_AFTER_HOST = /^https?:\/\/[^/?#:]*\.(?:[/?#:]|$)/;
