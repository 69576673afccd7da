// Texts of a page: spans, marks and links.

import { assertNever } from '../../base/errors.ts';
import { type Mark, type MarkedSpan, type Span, spansOf, type Text, type Tone } from '../blocks.ts';
import type { BudgetPart, Fit } from '../budget.ts';
import { code, type Html, html, type MarkTone, mark as markPart, name } from '../html/markup.ts';
import { timePart } from '../html/shell.ts';
import { LIMITS } from '../limits.ts';
import { shortened } from '../plain.ts';
import { pageFile } from '../report.ts';

const LIMIT = LIMITS.html;

export interface HtmlMedium {
  readonly fit: Fit<Html>;
  /** Of the section around. */
  readonly weight: number;
  readonly share: number;
  /** Of a heading. */
  readonly level: number;
  /** Ids are unique in a page: those of an inner section have its id in front. */
  readonly scope: string;
  /** Whether items are unfolded, because there are few. */
  readonly isOpen: boolean;
  /** Whether a person must have seen it. */
  readonly isUrgent?: boolean;
}

export function partOf(weight: number, line: () => Html, full?: () => Html): BudgetPart<Html> {
  return { weight, levels: full === undefined ? [line] : [line, full] };
}

/** A typographic sign in the place of one that terminals have. */
const SIGNS: { readonly [sign: string]: string } = { '-': '−', '-/+': '±', '^': '↕' };

export function marked({ sign, word, tone }: Mark): Html {
  return markPart(toneOf(tone), SIGNS[sign] ?? sign, word);
}

export function toneOf(tone: Tone): MarkTone {
  switch (tone) {
    case 'add':
    case 'change':
    case 'destroy':
    case 'move':
      return tone;
    case 'error':
      return 'destroy';
    case 'warning':
      return 'change';
    case 'calm':
    case 'strong':
    case 'faint':
      return 'calm';
    default:
      return assertNever(tone);
  }
}

export function inline(text: Text, { scope }: Pick<HtmlMedium, 'scope'> = { scope: '' }): Html {
  return html`${spansOf(text).map((span) => spanPart(span, scope))}`;
}

function spanPart(span: Span, scope: string): Html {
  if (typeof span === 'string') return html`${shortened(span, LIMIT.text)}`;
  if ('mark' in span) return marked(span.mark);
  if ('names' in span)
    return html`${span.names.map((each, index) => html`${index === 0 ? null : ', '}${spanPart(each, scope)}`)}`;
  const { tone } = span;
  const link = linkOf(span, scope);
  const shown = link === null ? shapedPart(span) : html`<a href="${link}">${shapedPart(span)}</a>`;
  if (tone === undefined || tone === 'calm') return shown;
  if (tone === 'faint') return html`<span class="faint">${shown}</span>`;
  return html`<strong>${shown}</strong>`;
}

function linkOf({ to, page }: MarkedSpan, scope: string): string | null {
  if (to !== undefined) return `#${scope}${to}`;
  return page === undefined ? null : pageFile(page);
}

function shapedPart({ text, as }: MarkedSpan): Html {
  switch (as) {
    case undefined:
      return html`${shortened(text, LIMIT.text)}`;
    case 'name':
      return name(shortened(text, LIMIT.name));
    case 'time':
      return timePart(text);
    case 'message':
      return html`<details class="message"><summary>Text to send</summary><span>${text}</span></details>`;
    case 'address':
    case 'field':
    case 'value':
    case 'code':
    case 'command':
    case 'file':
      return code(shortened(text, LIMIT.name));
    default:
      return assertNever(as);
  }
}
