// Blocks as one page that stands alone, light and dark, for wide and narrow screens, within a budget of bytes.

import { assertNever } from '../../base/errors.ts';
import {
  type Block,
  type Code,
  cellText,
  entryOf,
  type FactsBlock,
  isBars,
  type List,
  type Picture,
  plainText,
  type Section,
  type Table,
  type View,
} from '../blocks.ts';
import { type Fit, withinBudget } from '../budget.ts';
import { folded, type Html, html, numbers, raw, sizeOf, textOf } from '../html/markup.ts';
import { page } from '../html/shell.ts';
import { LIMITS, LISTED, MOST_OPEN, USUAL_SHARE } from '../limits.ts';
import { barsPart } from '../pictures/bars.ts';
import { filePart } from '../pictures/file.ts';
import { formPart } from '../pictures/form.ts';
import { heatMapPart } from '../pictures/heat-map.ts';
import { matrixPart } from '../pictures/matrix.ts';
import { orderPart } from '../pictures/order.ts';
import type { ReportWriter } from '../report.ts';
import { thinned } from '../thin.ts';
import { inFolds, itemsPart } from './html-items.ts';
import { type HtmlMedium, inline, marked, partOf, toneOf } from './html-text.ts';

const LIMIT = LIMITS.html;

/** The marks of folds are not counted. */
const WITH_FOLDS = 1.02;

export const report: ReportWriter = {
  write: ({ view }) => htmlPage(view),
  begins:
    /^<!doctype html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/,
  draws: true,
};

export function htmlPage(view: View, budget: number = LIMIT.bytes): string {
  const write = (each: View): Html =>
    withinBudget<Html>(budget, { sizeOf, mostInFull: LIMIT.full }, (fit) => documentPart(each, fit));
  const content = thinned(view, write, (written) => sizeOf(written) <= budget * WITH_FOLDS);
  const title = `${plainText(view.title)}: ${view.mark.word}`;
  const { urgent = [], body, isLive = false } = view;
  return page(title, raw(withoutDeadLinks(textOf(content))), scriptIn([...urgent, ...body]), isLive);
}

/** The script of a form; null for a page without one. */
function scriptIn(blocks: readonly Block[]): string | null {
  for (const block of blocks) {
    if (block.type === 'picture' && block.picture.kind === 'form') return block.picture.script;
    const inside = block.type === 'section' ? scriptIn(block.body) : null;
    if (inside !== null) return inside;
  }
  return null;
}

/** A link to what the budget left out is a text. All other markup is escaped, so that only our own links match. */
function withoutDeadLinks(content: string): string {
  const ids = new Set(Array.from(content.matchAll(/ id="([^"]*)"/g), ([, id]) => id));
  return content.replaceAll(/<a href="#([^"]*)">(.*?)<\/a>/g, (link, id: string, text: string) =>
    ids.has(id) ? link : text,
  );
}

function documentPart({ title, mark, result, about, urgent = [], body }: View, fit: Fit<Html>): Html {
  const all = [...urgent, ...body];
  const medium: HtmlMedium = {
    fit,
    weight: 0,
    share: USUAL_SHARE,
    level: 2,
    scope: '',
    isOpen: itemsIn(all) <= MOST_OPEN,
  };
  const sections = all.filter((block): block is Section => block.type === 'section');
  const contents =
    sections.length < 2
      ? null
      : html`<nav aria-label="Contents"><ul>${sections.map((each) => html`<li><a href="#${each.id}">${each.title}</a></li>`)}</ul></nav>`;
  return html`
    <header>
      <h1>${inline(title)} ${marked(mark)}</h1>
      <p>${inline(result)}</p>
      ${about.map((text) => html`<p class="faint">${inline(text)}</p>`)}
    </header>
    ${contents}
    <main id="main" tabindex="-1">${bodyParts(urgent, { ...medium, isUrgent: true })}${bodyParts(body, medium)}</main>`;
}

/** Items at the top of all blocks, and pictures. */
function itemsIn(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => {
    if (block.type === 'items') return sum + block.items.length;
    if (block.type === 'picture') return sum + 1;
    return block.type === 'section' ? sum + itemsIn(block.body) : sum;
  }, 0);
}

function bodyParts(blocks: readonly Block[], medium: HtmlMedium): readonly Html[] {
  return blocks.map((block) => blockPart(block, medium));
}

function blockPart(block: Block, medium: HtmlMedium): Html {
  const { type } = block;
  switch (type) {
    case 'text':
      return html`<p>${inline(block.text, medium)}</p>`;
    case 'list':
      return listPart(block, medium);
    case 'facts':
      return factsPart(block, medium);
    case 'code':
      return codePart(block, medium);
    case 'counts':
      return numbers(block.counts.map(([label, count, tone]) => [label, count, toneOf(tone)] as const));
    case 'table':
      return tablePart(block, medium);
    case 'items':
      return itemsPart(block, medium);
    case 'section':
      return sectionPart(block, medium);
    case 'picture':
      return picturePart(block.picture);
    default:
      return assertNever(type);
  }
}

function sectionPart(section: Section, medium: HtmlMedium): Html {
  const { id, title, tone, count, body, fold, weight = 0, share = medium.share } = section;
  const own = medium.scope + id;
  const inside: HtmlMedium = {
    ...medium,
    weight: medium.weight + weight,
    share,
    level: Math.min(6, medium.level + 1),
    scope: section.isDocument === true ? `${own}-` : medium.scope,
  };
  const number = count === undefined ? null : html` <span class="count">${count}</span>`;
  const heading = headingPart(medium.level, own, html`${title}${number}`);
  const parts = bodyParts(body, inside);
  const look = tone === 'error' && medium.isUrgent === true ? html` class="dangers"` : null;
  return fold === undefined || medium.isOpen
    ? html`<section aria-labelledby="${own}"${look}>${heading}${parts}</section>`
    : html`<section aria-labelledby="${own}">${heading}<details class="more"><summary>${inline(fold.brief)}</summary>${parts}</details></section>`;
}

function headingPart(level: number, id: string, content: Html): Html {
  switch (level) {
    case 2:
      return html`<h2 id="${id}">${content}</h2>`;
    case 3:
      return html`<h3 id="${id}">${content}</h3>`;
    case 4:
      return html`<h4 id="${id}">${content}</h4>`;
    default:
      return html`<h5 id="${id}">${content}</h5>`;
  }
}

function listPart({ texts, isOrdered, remarks = [], weight = 0 }: List, medium: HtmlMedium): Html {
  const parts = texts.map((each) => {
    const { text, below } = entryOf(each);
    const lines = below.map((line) => html`<span class="remark">${inline(line, medium)}</span>`);
    return partOf(medium.weight + weight, () => html`<li>${inline(text, medium)}${lines}</li>`);
  });
  const items = medium.fit({ parts, share: medium.share }, (left) => html`<li class="faint">and ${left} more</li>`);
  const list = isOrdered === true ? html`<ol>${items}</ol>` : folded(items, LISTED, (those) => html`<ul>${those}</ul>`);
  return html`${list}${remarks.map((text) => html`<p>${inline(text, medium)}</p>`)}`;
}

function codePart({ lines, weight = 0 }: Code, medium: HtmlMedium): Html {
  const parts = lines.map((line) => partOf(medium.weight + weight, () => html`${inline(line)}\n`));
  const shown = medium.fit({ parts, share: medium.share }, (left) => html`and ${left} more lines\n`);
  return html`<pre tabindex="0"><code>${shown}</code></pre>`;
}

function factsPart({ facts }: FactsBlock, medium: HtmlMedium): Html {
  return html`<table class="small"><tbody>${facts.map(([label, text]) => html`<tr>${label === '' ? html`<td></td>` : html`<th scope="row">${label}</th>`}<td>${inline(text, medium)}</td></tr>`)}</tbody></table>`;
}

/** The first cell of a row that is written. */
const ROW_NAMES = new WeakMap<Html, string>();

function tablePart({ name: called = 'Table', columns, rows }: Table, medium: HtmlMedium): Html {
  if (rows.length === 0) return html``;
  const look = (at: number): string => (columns[at]?.isNumber === true ? 'number' : '');
  // On a telephone the cells of a row stand below each other: two have room.
  const isWide = columns.length > 2;
  const label = (at: number): Html | null => (isWide ? html` data-label="${columns[at]?.title ?? ''}"` : null);
  const parts = rows.map(({ cells, remarks = [], weight = 0 }) =>
    partOf(medium.weight + weight, () => {
      const row = html`<tr>${cells.map((cell, at) => {
        const own = isBars(cell) ? barsPart(cell) : inline(cellText(cell), medium);
        const below = at < cells.length - 1 ? [] : remarks.map((each) => html`<div>${inline(each, medium)}</div>`);
        const text = html`${own}${below}`;
        return at === 0 ? html`<th scope="row">${text}</th>` : html`<td class="${look(at)}"${label(at)}>${text}</td>`;
      })}</tr>`;
      ROW_NAMES.set(row, plainText(cellText(cells[0] ?? '')));
      return row;
    }),
  );
  const shown = medium.fit(
    { parts, share: medium.share },
    (left) => html`<tr><th scope="row" class="faint">and ${left} more</th></tr>`,
  );
  const head = columns.map(({ title }, at) => html`<th scope="col" class="${look(at)}">${title}</th>`);
  return html`${inFolds(
    shown,
    (those) =>
      html`<div class="scroll" role="group" aria-label="${called}" tabindex="0"><table${isWide ? html` class="wide"` : null}><thead><tr>${head}</tr></thead><tbody>${those}</tbody></table></div>`,
    (nth) => ROW_NAMES.get(shown[nth] ?? html``) ?? 'the end',
  )}`;
}

function picturePart(picture: Picture): Html {
  const { kind } = picture;
  switch (kind) {
    case 'heat-map':
      return heatMapPart(picture);
    case 'order':
      return orderPart(picture);
    case 'matrix':
      return matrixPart(picture);
    case 'form':
      return formPart(picture);
    case 'file':
      return filePart(picture);
    default:
      return assertNever(kind);
  }
}
