// Bytes of a table to its text. A byte-order mark says the encoding; without one, it is the declared one, or UTF-8.

import { isUtf8 } from 'node:buffer';

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1250', 'windows-1252'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Bytes in hexadecimal digits. */
const MARKS = { efbbbf: 'utf-8', fffe: 'utf-16le', feff: 'utf-16be' } as const;

/** Windows-1252 from 0x80 to 0x9f; five bytes are no character. Releases of Node.js 20 to 24 decode these bytes as Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** What is no text in the encoding. */
type WrongText = readonly [offset: number, message: string, remedy: string];

export function decoded(bytes: Uint8Array, declared: Encoding | null) {
  const first = Buffer.from(bytes.subarray(0, 3)).toString('hex');
  const marked = Object.entries(MARKS).find(([mark]) => first.startsWith(mark))?.[1];
  const encoding = marked ?? declared ?? 'utf-8';
  const read = new TextDecoder(encoding).decode(bytes);
  const letterOf = (byte: string): string => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte;
  const text = encoding === 'windows-1252' ? read.replaceAll(/[\u0080-\u009f]/g, letterOf) : read;
  return { text, wrong: wrongIn(bytes, text, encoding, marked) };
}

function wrongIn(bytes: Uint8Array, text: string, encoding: Encoding, marked?: Encoding): WrongText | null {
  const again = 'save the table again, from the program that it is from';
  if (encoding === 'utf-8' && (bytes[0] === 0 || bytes[1] === 0)) {
    const remedy = `write \`encoding: utf-16${bytes[0] === 0 ? 'be' : 'le'}\` next to the name of the table`;
    return [0, 'the file is not text in UTF-8: it looks like UTF-16', remedy];
  }
  if (encoding === 'utf-8' && !isUtf8(bytes)) {
    const remedy =
      'save it as UTF-8, or write its encoding next to the name of the table: `encoding: windows-1252` for most files of Excel';
    return [text.indexOf('\ufffd'), 'the file is not text in UTF-8', remedy];
  }
  const foreign = text.search(/[^\0-\x7f]/);
  // Names would get other letters.
  if (encoding !== 'utf-8' && marked === undefined && foreign >= 0 && isUtf8(bytes) && !bytes.includes(0))
    return [foreign, `the file is text in UTF-8, and \`encoding\` says ${encoding}`, 'remove `encoding`'];
  const lost = text.search(encoding === 'utf-8' ? /\0/ : /[\0\u0080-\u009f\ufffd]/);
  return lost < 0 ? null : [lost, `this is no character of ${encoding}`, again];
}
