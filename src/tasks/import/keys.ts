// What people call an object in; the key of its entry out: short, in letters and digits, of no other entry of its kind, and the same every time.

/** Latin letters that no decomposition turns into a plain one. */
const LETTERS: { readonly [letter: string]: string } = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

const LONGEST = 50;

/** `Zespół Łódź` -> `zespol-lodz`; letters that are not Latin stay as they are. Empty when the name has no letter and no digit. */
export function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter);
  const words = plain.replace(/['’]/g, '').split(/[^\p{L}\p{N}\p{M}]+/u);
  return shortened(words.filter((word) => word !== ''));
}

/** As many whole words as fit. */
function shortened(words: readonly string[]): string {
  const [first = '', ...others] = words;
  let key = [...first].slice(0, LONGEST).join('');
  for (const word of others) {
    if (key.length + word.length >= LONGEST) break;
    key += `-${word}`;
  }
  return key;
}

/** The base, or the first of `base-2`, `base-3`, ... that is free. */
export function freeKey(base: string, isTaken: (key: string) => boolean): string {
  let key = base;
  for (let number = 2; isTaken(key); number += 1) key = `${base}-${number}`;
  return key;
}
