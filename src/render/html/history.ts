// The HTML page of `history`: runs, and what they did to each object.

import type { ObjectOfRun, RunEntry, RunHistory } from '../../tasks/history/schema.ts';
import { code, type Html, html, type MarkTone, mark, name } from '../../view/html/markup.ts';
import { page, timePart } from '../../view/html/shell.ts';
import { plain, shortened, value } from '../../view/plain.ts';
import * as words from '../words/history.ts';

/** Runs, objects of one run, and characters of a value on one page. */
const MOST_RUNS = 2000;
const MOST_OBJECTS = 500;
const LONGEST_VALUE = 1200;

/** Runs whose objects are open at first. */
const OPEN = 5;

export interface HistoryReading {
  readonly history: RunHistory;
  /** When the ledger was read, RFC 3339. */
  readonly at: string;
}

export function historyPage({ history, at }: HistoryReading): string {
  const { target, ledger, runs, older } = history;
  const subject = target ?? ledger;
  const shown = runs.slice(0, MOST_RUNS);
  const more = runs.length - shown.length + older;
  const gone = words.compactedText(history);
  const isByObject = runs.some(({ objects }) => objects !== undefined);
  return page(
    `History of ${plain(subject)}`,
    html`
    <header>
      <h1>History of ${name(subject)}</h1>
      <p>What chatform changed, and who started it, newest first.</p>
      <p class="faint">Made ${timePart(at)} of ${code(ledger)}. Nothing was changed.</p>
      ${gone === null ? null : html`<p>${mark('change', '!', 'compacted')} ${gone}</p>`}
    </header>
    <main id="main" tabindex="-1">
    <section aria-labelledby="runs">
      <h2 id="runs">Runs <span class="count">${runs.length}</span></h2>
      ${shown.length === 0 ? html`<p>No run to show.</p>` : isByObject ? shown.map(runPart) : tablePart(shown)}
      ${more === 0 ? null : html`<p class="faint">and ${more} more; <code>--json</code> has all of them</p>`}
    </section>
    </main>`,
  );
}

function tablePart(runs: readonly RunEntry[]): Html {
  return html`
    <div class="scroll" role="region" aria-label="Runs" tabindex="0">
      <table>
        <thead><tr><th scope="col">Run</th><th scope="col">When</th><th scope="col">How</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Undo</th></tr></thead>
        <tbody>${runs.map((entry) => html`<tr><th scope="row">${code(words.shortId(entry.id))}</th><td>${timePart(entry.at)}</td><td>${words.howText(entry)}</td><td>${name(words.whoText(entry.by))}</td><td>${words.whatText(entry)}</td><td>${undoPart(entry)}</td></tr>`)}</tbody>
      </table>
    </div>`;
}

function undoPart({ undo: { possible, reason } }: RunEntry): Html {
  return html`${words.POSSIBLE[possible]}${reason === null ? null : html`<span class="remark">${reason}</span>`}`;
}

function runPart(entry: RunEntry, index: number): Html {
  const { id, at, objects = [], order } = entry;
  const missing = words.valuesText(entry);
  const more = objects.length - MOST_OBJECTS;
  return html`
    <details class="resource"${index < OPEN ? html` open` : null}>
      <summary>${timePart(at)} ${words.howText(entry)} ${name(words.whoText(entry.by))} <span class="faint">${words.whatText(entry)}, ${code(words.shortId(id))}</span></summary>
      <div class="body">
        <p class="faint">${words.whoLines(entry.by).map((line, nth) => html`${nth === 0 ? '' : '; '}${name(line)}`)}</p>
        ${objects.slice(0, MOST_OBJECTS).map(objectPart)}
        ${more <= 0 ? null : html`<p class="faint">and ${more} more objects; <code>--json</code> has all of them</p>`}
        ${order === undefined || order.after === null ? null : html`<p>Order of the rules:</p><ol>${order.after.map((address) => html`<li>${code(address)}</li>`)}</ol>`}
        ${missing === null ? null : html`<p>${mark('change', '!', 'no values')} ${missing}</p>`}
      </div>
    </details>`;
}

const TONES: { readonly [action in ObjectOfRun['action']]: readonly [tone: MarkTone, sign: string] } = {
  added: ['add', '+'],
  changed: ['change', '~'],
  replaced: ['destroy', '±'],
  destroyed: ['destroy', '−'],
  unknown: ['change', '?'],
  failed: ['change', '!'],
  applied: ['calm', '='],
  secret: ['calm', '='],
  token: ['calm', '='],
  token_unanswered: ['change', '?'],
  adopted: ['calm', '='],
  imported: ['calm', '='],
  renamed: ['move', '^'],
  released: ['calm', '/'],
};

function objectPart({ address, action, from, fields }: ObjectOfRun): Html {
  const [tone, sign] = TONES[action];
  const cell = (json: ObjectOfRun['fields'][number]['before'], isUnknown: boolean, looks: string): Html =>
    html`<td class="${looks}">${isUnknown ? 'not known' : json === null ? html`<span class="faint">none</span>` : code(shortened(value(json), LONGEST_VALUE))}</td>`;
  return html`
    <p>${mark(tone, sign, action)} ${code(address)}${from === null ? null : html` <span class="faint">was ${code(from)}</span>`}</p>
    ${fields.length === 0 ? null : html`<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>${fields.map(({ field, before, after, unknown }) => html`<tr class="change"><th scope="row">${field}</th>${cell(before, unknown.includes('before'), 'was')}${cell(after, unknown.includes('after'), 'is')}</tr>`)}</tbody></table>`}`;
}
