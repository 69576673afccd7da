// The block of a comment that says what the changes carry: the whole in one line, then each change. It has no figure of a person.

import type { Impact } from '../../plan/impact.ts';
import { addressCode, bytes, code, cut, folded, listed } from '../../view/markdown.ts';
import { carriedTexts, impactText, worseText } from '../words/impact.ts';

const LONGEST = 400;
const MOST_HOURS = 40;

/** Empty without an impact, or without room for it. */
export function impactBlock(impact: Impact | undefined, room: number): string {
  if (impact === undefined) return '';
  const opening = `\n**Impact:** ${impactText(impact)}.\n`;
  if (bytes(opening) > room) return '';
  const missing = impact.missing.map((each) => `- not looked at: ${code(cut(each, LONGEST))}\n`);
  const lines = impact.changes.flatMap((carried) =>
    carriedTexts(carried, impact, addressCode).map((text) => `- ${addressCode(carried.address)} ${text}\n`),
  );
  const list = listed(
    '\n',
    [...missing, ...lines],
    room - bytes(opening),
    (left) => `- and ${left} more, listed in the plan\n`,
  );
  const fold = waitFold(impact);
  const all = `${opening}${list}${fold}`;
  return bytes(all) <= room ? all : `${opening}${list}`;
}

/** The hours in which chats would wait longer, and what the numbers assume. */
function waitFold({ groups, assumptions }: Impact): string {
  const hours = groups.flatMap((touched) =>
    touched.worse.map((hour) => `${touched.group} ${worseText(hour, touched)}`),
  );
  if (hours.length === 0) return '';
  const more = hours.length - MOST_HOURS;
  const lines = [...hours.slice(0, MOST_HOURS), ...(more > 0 ? [`and ${more} more`] : [])];
  const assumed = assumptions.map((each) => `assumed: ${each}`);
  return `\n${folded(`Chats would wait longer in ${hours.length} ${hours.length === 1 ? 'hour' : 'hours'} of the week`, [...lines, ...assumed])}`;
}
