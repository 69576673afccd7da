// The HTML page of a command for several targets: counts, the table, and what there is to read, once for targets for which it is the same.

import { counted } from '../../base/text.ts';
import type { TargetAnswer, TargetsReport } from '../../tasks/targets/schema.ts';
import { type HtmlPart, html, type MarkTone, mark, name, raw, sentence } from '../../view/html/markup.ts';
import { page, timePart } from '../../view/html/shell.ts';
import * as words from '../words/targets.ts';

/** Sections that are open at first, and characters of one of them. */
const OPEN = 3;
const LONGEST = 100_000;

/** What became of several targets, and what there is to read of each entry of `alike`. */
export interface TargetsOnPage {
  readonly report: TargetsReport;
  readonly texts: readonly string[];
  /** When it was made, RFC 3339. */
  readonly at: string;
}

export function targetsPage({ report, texts, at }: TargetsOnPage): string {
  const of = words.targetsTable(report);
  const left = words.leftText(of);
  const title = `${sentence(report.command)} of ${counted(report.summary.targets, 'target')}`;
  const since = words.sinceText(report);
  return page(
    title,
    html`
    <header>
      <h1>${title}</h1>
      <p>${words.factsText(report)}</p>
      ${since === null ? null : html`<p>${since}</p>`}
      <p class="faint">Made ${timePart(at)}.</p>
    </header>
    <main id="main" tabindex="-1">
    <section aria-labelledby="targets">
      <h2 id="targets">Targets <span class="count">${report.targets.length}</span></h2>
      ${
        of.rows.length === 0
          ? null
          : html`<div class="scroll" role="region" aria-label="Targets" tabindex="0">
        <table>
          <thead><tr>${of.head.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
          <tbody>${of.rows.map(({ answer, cells }) => html`<tr><th scope="row">${name(answer.target)}</th>${cells.slice(1, -1).map((each) => html`<td>${each}</td>`)}<td>${statePart(answer)}</td></tr>`)}</tbody>
        </table>
      </div>`
      }
      ${left === null ? null : html`<p class="faint">${left}</p>`}
    </section>
    ${report.alike.length === 0 ? null : html`<section aria-labelledby="results"><h2 id="results">Results</h2>${report.alike.map(({ targets }, index) => html`${index < OPEN ? html`<details open>${resultPart(targets, texts[index])}</details>` : html`<details>${resultPart(targets, texts[index])}</details>`}`)}</section>`}
    </main>`,
  );
}

function resultPart(targets: readonly string[], text = '') {
  return html`<summary>${words.sameTitle(targets)}</summary><pre>${linesOf(text.slice(0, LONGEST))}</pre>`;
}

const BREAK = raw('\n');

/** Names in a line cannot break it, because each line is escaped by itself. */
function linesOf(text: string): readonly HtmlPart[] {
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => [line, BREAK]);
}

function statePart(answer: TargetAnswer) {
  return html`${mark(...MARKS[answer.state], answer.state)}${answer.message === null ? null : html`<span class="remark">${answer.message}</span>`}`;
}

const GOOD = ['calm', '✓'] as const;
const BAD = ['destroy', '!'] as const;
const ODD = ['change', '!'] as const;

const MARKS: { readonly [state in TargetAnswer['state']]: readonly [MarkTone, string] } = {
  valid: GOOD,
  'in sync': GOOD,
  done: GOOD,
  absent: GOOD,
  applied: ['add', '✓'],
  changes: ['change', '~'],
  drift: ODD,
  differs: ODD,
  'not begun': ODD,
  locked: ODD,
  outdated: ODD,
  withheld: BAD,
  unreachable: BAD,
  'in part': BAD,
  failed: BAD,
  interrupted: BAD,
};
