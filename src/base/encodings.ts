// What a text says behind the encodings of web pages, URLs and JSON. Pure; knows no secret.

/** A text, or what it says once its codes are read. */
interface DecodedText {
  readonly text: string;
  /** For positions in ascending order: where each one is in the text that this reading was made of. */
  readonly originOf: () => (position: number) => number;
}

/** HTML's names of characters that a token or a URL can have. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '!': 'excl',
    '"': 'quot',
    '#': 'num',
    $: 'dollar',
    '%': 'percnt',
    '&': 'amp',
    "'": 'apos',
    '(': 'lpar',
    ')': 'rpar',
    '*': 'ast midast',
    '+': 'plus',
    ',': 'comma',
    '.': 'period',
    '/': 'sol',
    ':': 'colon',
    ';': 'semi',
    '<': 'lt',
    '=': 'equals',
    '>': 'gt',
    '?': 'quest',
    '@': 'commat',
    '[': 'lsqb lbrack',
    '\\': 'bsol',
    ']': 'rsqb rbrack',
    '^': 'hat',
    _: 'lowbar underbar',
    '`': 'grave diacriticalgrave',
    '{': 'lcub lbrace',
    '|': 'verbar vert verticalline',
    '}': 'rcub rbrace',
    ' ': 'nbsp tab newline',
  }).flatMap(([character, names]) => names.split(' ').map((name) => [name, character] as const)),
);

/** A character of HTML, of a URL, or of a string in JSON or JavaScript. */
const CODE =
  /&(?:#x(?<html>[\da-f]{1,12})|#(?<decimal>\d{1,12})|(?<name>[a-z]{2,20}));?|%(?<url>[\da-f]{2})|\\(?:u(?<json>[\da-f]{4})|u\{(?<point>[\da-f]{1,12})\}|x(?<byte>[\da-f]{2})|(?<blank>[bfnrt])|(?<mark>[^\w\s]))/giu;

const LAST_POINT = 0x10ffff;

/** The character that a code stands for; null for one that stands for none. */
function characterOf(groups: Readonly<Record<string, string | undefined>>): string | null {
  const { name, blank, mark, decimal } = groups;
  if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? null;
  if (mark !== undefined) return mark;
  if (blank !== undefined) return ' ';
  const digits = groups['html'] ?? groups['url'] ?? groups['json'] ?? groups['point'] ?? groups['byte'];
  const point = decimal === undefined ? Number.parseInt(digits ?? '', 16) : Number(decimal);
  return point <= LAST_POINT ? String.fromCodePoint(point) : null;
}

/** The text with each code read once; null when it has none. */
function readOnce(text: string): DecodedText | null {
  const parts: string[] = [];
  /** For each code: where its character ends in the reading, and by how much all codes up to it were longer. */
  const codes: { readonly end: number; readonly longer: number }[] = [];
  let from = 0;
  let length = 0;
  for (const { 0: code, index, groups = {} } of text.matchAll(CODE)) {
    const character = characterOf(groups);
    if (character === null) continue;
    parts.push(text.slice(from, index), character);
    length += index - from + character.length;
    from = index + code.length;
    codes.push({ end: length, longer: from - length });
  }
  if (codes.length === 0) return null;
  const originOf = () => {
    let next = 0;
    return (position: number): number => {
      for (let code = codes[next]; code !== undefined && code.end <= position; code = codes[next]) next += 1;
      return position + (codes[next - 1]?.longer ?? 0);
    };
  };
  return { text: parts.join('') + text.slice(from), originOf };
}

/** A page in a string in a page has three; a text of codes of codes could have as many as characters. */
const MOST_LAYERS = 6;

/** The text, then what it says with one layer of codes read, with two, and so on. */
function readingsOf(text: string): readonly DecodedText[] {
  const readings: DecodedText[] = [{ text, originOf: () => (position) => position }];
  for (let last = text; readings.length <= MOST_LAYERS; ) {
    // Most texts have no code.
    const reading = /[&%\\]/.test(last) ? readOnce(last) : null;
    if (reading === null) break;
    readings.push(reading);
    last = reading.text;
  }
  return readings;
}

/** The text and everything that it says behind its codes. */
export function saidBy(text: string): readonly string[] {
  return readingsOf(text).map((reading) => reading.text);
}

/** Where a match stands in the text. */
interface FoundRange {
  readonly start: number;
  readonly end: number;
}

/** The text with `mark` in the place of every match that `isMeant` of `pattern`, which is global, in it or behind its codes. */
export function replacedInside(
  text: string,
  pattern: RegExp,
  mark: string,
  isMeant: (match: string) => boolean = () => true,
): string {
  const readings = readingsOf(text);
  const found = readings.flatMap(({ text: said }, layer): readonly FoundRange[] => {
    const ranges = [...said.matchAll(pattern)]
      .filter(([match]) => isMeant(match))
      .map(({ 0: match, index }) => ({
        start: index,
        end: index + match.length,
      }));
    return readings.slice(1, layer + 1).reduceRight((inner, { originOf }) => {
      const origin = originOf();
      return inner.map(({ start, end }) => ({ start: origin(start), end: origin(end) }));
    }, ranges);
  });
  if (found.length === 0) return text;
  let from = 0;
  const parts: string[] = [];
  for (const { start, end } of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (end <= from) continue;
    if (start >= from) parts.push(text.slice(from, start), mark);
    from = end;
  }
  return parts.join('') + text.slice(from);
}
