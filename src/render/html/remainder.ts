// A plan in; what is not changed, what is good to know and what it costs out.

import type { Diagnostic } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { SHOWN } from '../plan-text.ts';
import { type Html, html } from './markup.ts';
import type { Told } from './told.ts';
import { code, folded, listed, mark, name, sentence } from './words.ts';

/** In sight, of each list. */
const LISTED = 20;

/** Addresses beside a note. */
const FEW = 3;

/** Of each list, at most. */
const MOST = 2000;

type Section = readonly [id: string, title: string, part: Html | null];

export function remainderSections(told: Told): readonly Section[] {
  const { plan } = told;
  return [
    section('unmanaged', 'Not managed', unmanagedParts(plan)),
    section('notes', 'Good to know', noteParts(told)),
    section('cost', 'What it takes', costParts(plan)),
  ];
}

function section(id: string, title: string, parts: readonly Html[]): Section {
  const part =
    parts.length === 0 ? null : html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${parts}</section>`;
  return [id, title, part];
}

function cut(items: readonly Html[]): Html {
  const more = items.length - MOST;
  return html`${folded(items.slice(0, MOST), LISTED, listed)}${more <= 0 ? null : html`<p class="faint">and ${more} more</p>`}`;
}

function unmanagedParts({ unmanaged }: Plan): readonly Html[] {
  const released = unmanaged.filter((object) => object.released !== null);
  const strangers = unmanaged.filter((object) => object.released === null);
  return [
    ...(released.length === 0
      ? []
      : [
          html`<h3>No longer declared, and kept <span class="count">${released.length}</span></h3>`,
          cut(released.map((object) => html`${code(object.released ?? '')}: ${object.reason ?? ''}`)),
        ]),
    ...(strangers.length === 0
      ? []
      : [
          html`<h3>On the license, and left alone <span class="count">${strangers.length}</span></h3>`,
          cut(
            strangers.map(
              ({ type, id, name: called, reason }) =>
                html`${type.replaceAll('_', ' ')} ${name(called)} (${code(String(id))})${reason === null ? null : `, ${reason}`}`,
            ),
          ),
        ]),
  ];
}

function noteParts({ plan, diagnostics }: Told): readonly Html[] {
  const notes = new Map<string, readonly string[]>();
  for (const { kind, address, message } of plan.notes)
    if (SHOWN[kind] === 'end') notes.set(message, [...(notes.get(message) ?? []), address]);
  const moves = plan.bindings.move.map(({ from, to }) => html`${code(from)} is ${code(to)} now, and the same object`);
  const all = [
    ...moves,
    ...[...notes].map(
      ([message, addresses]) =>
        html`${sentence(message)}: ${addresses.length <= FEW ? addresses.map((address) => html` ${code(address)}`) : html`<details class="more"><summary>${addresses.length} of them</summary>${addresses.slice(0, MOST).map((address) => html`${code(address)} `)}</details>`}`,
    ),
  ];
  return [
    ...(all.length === 0 ? [] : [cut(all)]),
    ...(diagnostics.length === 0
      ? []
      : [
          html`<h3>Of the files <span class="count">${diagnostics.length}</span></h3>`,
          cut(diagnostics.map(diagnosticPart)),
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
