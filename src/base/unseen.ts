// Characters that a person does not see as what they are: what shows nothing or looks like a space, and letters that look like Latin ones.

/**
 * Control characters, direction marks, what shows nothing, every space but the usual one, and halves of characters. A variation selector after a
 * pictograph only chooses its colours.
 */
export const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\ufff9-\ufffb\ufffe\uffff](?<!\p{Extended_Pictographic}\ufe0f)/gu;

/** Whether a text has nothing that a person sees. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** Equal for texts that people take for one: in other capitals, widths or blanks, or with characters that show nothing. For comparisons only. */
export function lookOf(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
}

/** Commands that runners of jobs read anywhere in a line: `##[error]`, `##vso[...]`, `##teamcity[...]`. */
export const RUNNER_COMMAND = /##(?=\w*\[)/g;

/** The command that runners read at the beginning of a line: `::error::`. */
export const LEADING_COMMAND = /^([ \t]*):(?=:)/gm;

/** Letters of other scripts that look like Latin ones. */
const LOOKALIKE =
  /[\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7αγικνορτυχϲϳАВЕЅЗІЇЈКМНОРСТУХҮԌԚԜаеѕіїјкорсутхүһԁԛԝց]/gu;

/** Greek and Cyrillic letters. Most texts have none. */
const FOREIGN = /[\p{Script=Greek}\p{Script=Cyrillic}]/gu;

const LATIN = /\p{Script=Latin}/u;

/** What a space, a slash or a quote ends. */
const TOKEN = /[^\s/"'`]+/gu;

/** Runs of letters. */
const WORD = /[\p{L}\p{M}]+/gu;

/** A name of several words: what double quotes hold, or words that each begin with a capital letter. */
const NAME = /"[^"\n]*"|\p{Lu}[\p{L}\p{M}]*(?:[ '’-]\p{Lu}[\p{L}\p{M}]*)+/gu;

/**
 * The text with each Greek or Cyrillic letter that passes for a Latin one given to `mark`: where a word has letters of both scripts, and where a
 * name or address has Latin letters and of the others only such that look like them.
 */
export function markLookalikes(text: string, mark: (letter: string) => string): string {
  if (text.search(FOREIGN) < 0) return text;
  const isMarked = new Uint8Array(text.length);
  const note = (part: string, at: number): void => void isMarked.fill(1, at, at + part.length);
  for (const { 0: name, index } of text.matchAll(NAME)) if (isDisguise(name)) note(name, index);
  for (const { 0: token, index } of text.matchAll(TOKEN)) if (isDisguise(token)) note(token, index);
  for (const { 0: word, index } of text.matchAll(WORD)) if (LATIN.test(word)) note(word, index);
  return text.replace(LOOKALIKE, (letter, at: number) => (isMarked[at] === 1 ? mark(letter) : letter));
}

/** Whether a text with Latin letters has of the others only such that look like them. */
function isDisguise(text: string): boolean {
  return LATIN.test(text) && (text.match(FOREIGN)?.length ?? 0) === (text.match(LOOKALIKE)?.length ?? 0);
}

/** Whether some letter of a name or an address passes for a Latin one, its words taken together. */
export function hasLookalikes(name: string): boolean {
  const text = name.replaceAll(/\s/g, '');
  return markLookalikes(text, () => '') !== text;
}
