// Texts of a license in; Markdown that shows exactly them, out, inside a table or outside: no structure, no link, no mention comes from a name.
// All of it stands in code, where neither GitHub nor GitLab looks for mentions, references and quick actions.

import { entities } from './entities.ts';
import { plain } from './plain.ts';

/** In a code span a pipe would end the cell, and a backtick the span. */
const SPAN = /^[^`|\\]+$/;

export function code(text: string): string {
  const shown = plain(text);
  if (SPAN.test(shown) && shown.trim() === shown) return `\`${shown}\``;
  return `<code>${shown.replaceAll(/[!-/:-@[-`{-~]/g, spelt)}</code>`;
}

/** As an entity; before what makes a link of a word, a place to break the line, because some look for links in what entities spell. */
function spelt(sign: string, place: number, text: string): string {
  const entity = `&#${sign.charCodeAt(0)};`;
  return /[@:.]/.test(sign) && /\w/.test(text[place - 1] ?? '') ? `<wbr>${entity}` : entity;
}

/** Folded lines, exactly as they are. */
export function folded(summary: string, lines: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n<pre>\n${lines.map((line) => entities(line)).join('\n')}\n</pre>\n\n</details>\n`;
}

/** A block of code. Its fence is longer than any run of backticks inside, so that nothing inside ends it. */
export function fenced(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(runs.reduce((longest, length) => Math.max(longest, length + 1), 3));
  return `${fence}${language}\n${lines.map((line) => `${line}\n`).join('')}${fence}\n`;
}
