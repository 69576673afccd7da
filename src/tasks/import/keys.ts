// Keys of entries, made from the names of objects: short, of letters and digits, and the same every time.

/** Latin letters that Unicode does not decompose into a plain letter. */
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

/** `Zespół Łódź` -> `zespol-lodz`. Letters that are not Latin stay. Empty when the name has no letter and no digit. */
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
