// Numbers, lists and places in; how every part of a comment says them, out.

import type { SourcePlace } from '../../plan/plan.ts';
import { code } from '../markdown-text.ts';
import { plain } from '../plain.ts';
import { link } from './heading.ts';
import type { Origin } from './subject.ts';

/** Characters as a person counts them, so that none is cut in two. */
export function cut(text: string, most: number): string {
  const shown = plain(text);
  if (shown.length <= most) return shown;
  const characters = [...shown];
  return characters.length <= most ? shown : `${characters.slice(0, most).join('')}…`;
}

/** Characters of an address that are shown: whoever can name an object can make it long. */
const LONGEST_ADDRESS = 120;

export function addressed(address: string): string {
  return code(cut(address, LONGEST_ADDRESS));
}

/** Where the files say it; a link where the repository can be seen. Empty for what they no longer say. */
export function placed(source: SourcePlace | null, { lineOf }: Origin): string {
  if (source === null) return '';
  const place = code(cut(`${source.file}:${source.line}`, LONGEST_ADDRESS));
  const address = lineOf === null ? null : lineOf(source);
  return address === null ? place : `[${place}](${link(address)})`;
}
