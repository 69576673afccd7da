// The end of a page: what is not managed, notes, findings in the files, and what the plan costs.

import type { Diagnostic } from '../../base/model.ts';
import { counted, findingCounts } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { code, folded, type Html, html, mark, name, sentence } from '../../view/html/markup.ts';
import { closingNotes, releasedTitle } from '../words/plan.ts';
import type { PageInput } from './input.ts';

/** Items of a list in sight. */
const LISTED = 20;

/** Addresses of a note without a fold. */
const FEW = 3;

/** Items of a list. */
const MOST = 2000;

type PageSection = readonly [id: string, title: string, part: Html | null];

export function remainderSections(input: PageInput): readonly PageSection[] {
  const { plan } = input;
  return [
    section('unmanaged', 'Not managed', unmanagedParts(plan)),
    section('notes', 'Good to know', noteParts(input)),
    section('cost', 'Cost', costParts(plan)),
  ];
}

function section(id: string, title: string, parts: readonly Html[]): PageSection {
  const part =
    parts.length === 0 ? null : html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${parts}</section>`;
  return [id, title, part];
}

function cut(items: readonly Html[]): Html {
  const more = items.length - MOST;
  return html`${folded(items.slice(0, MOST), LISTED)}${more <= 0 ? null : html`<p class="faint">and ${more} more</p>`}`;
}

function unmanagedParts(plan: Plan): readonly Html[] {
  const { unmanaged } = plan;
  const released = unmanaged.filter((object) => object.released !== null);
  const others = unmanaged.filter((object) => object.released === null);
  return [
    ...(released.length === 0
      ? []
      : [
          html`<h3>${releasedTitle(plan)} <span class="count">${released.length}</span></h3>`,
          cut(released.map((object) => html`${code(object.released ?? '')}: ${object.reason ?? ''}`)),
        ]),
    ...(others.length === 0
      ? []
      : [
          html`<h3>Unmanaged (not changed) <span class="count">${others.length}</span></h3>`,
          cut(
            others.map(
              ({ type, id, name: called, reason }) =>
                html`${type.replaceAll('_', ' ')} ${name(called)} (${code(String(id))})${reason === null ? null : `, ${reason}`}`,
            ),
          ),
        ]),
  ];
}

function noteParts({ plan, diagnostics }: PageInput): readonly Html[] {
  const moves = plan.bindings.move.map(({ from, to }) => html`${code(from)} is now ${code(to)}: the same object`);
  const all = [
    ...moves,
    ...[...closingNotes(plan)].map(
      ([message, addresses]) =>
        html`${sentence(message)}: ${addresses.length <= FEW ? addresses.map((address) => html` ${code(address)}`) : html`<details class="more"><summary>${addresses.length} of them</summary>${addresses.slice(0, MOST).map((address) => html`${code(address)} `)}</details>`}`,
    ),
  ];
  const { errors, warnings } = findingCounts(diagnostics);
  const known = diagnostics.filter((each) => each.known !== undefined);
  const others = diagnostics.filter((each) => each.known === undefined);
  return [
    ...(all.length === 0 ? [] : [cut(all)]),
    ...(diagnostics.length === 0
      ? []
      : [
          html`<h3>Findings in the files <span class="count">${errors + warnings}</span></h3>`,
          ...(others.length === 0 ? [] : [cut(others.map(diagnosticPart))]),
          ...(known.length === 0
            ? []
            : [
                html`<details class="more"><summary>${known.length} known since the last apply</summary>${cut(known.map(diagnosticPart))}</details>`,
              ]),
        ]),
  ];
}

export function diagnosticPart({ severity, place, message, remedy, code: what }: Diagnostic): Html {
  return html`${mark(severity === 'error' ? 'destroy' : 'change', '!', severity)} ${message} <span class="source">${`${place.file}:${place.line}:${place.column}`}</span> <span class="faint">${what}</span>${remedy === null ? null : html`<span class="remark">${remedy}</span>`}`;
}

function costParts({ requests, scopes }: Plan): readonly Html[] {
  const actions = Object.entries(requests.by_action);
  if (actions.length === 0) return [];
  return [
    html`<p>${counted(requests.total, 'request')} to the service:</p>`,
    html`<table class="small"><thead><tr><th scope="col">Action</th><th scope="col">Requests</th></tr></thead><tbody>${actions.map(([action, count]) => html`<tr><th scope="row">${code(action)}</th><td>${count}</td></tr>`)}</tbody></table>`,
    html`<p>The token needs these scopes: ${scopes.map((scope) => html`${code(scope)} `)}</p>`,
  ];
}
