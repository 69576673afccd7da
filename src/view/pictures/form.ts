// A form that a script of the page answers, from data in the page. Without a script it is hidden, and says so.

import { shareJson } from '../../base/shared-json.ts';
import type { Picture } from '../blocks.ts';
import { type Html, html, raw } from '../html/markup.ts';

type Form = Extract<Picture, { readonly kind: 'form' }>;

export function formPart({ id, name, fields, button, data }: Form): Html {
  const inputs = fields.map((field) => html`<label>${field.label}${fieldPart(`${id}-${field.name}`, field)}</label>`);
  return html`
    <form id="${id}-form" class="form" aria-label="${name}" hidden>${inputs}<button>${button}</button></form>
    <noscript><p class="faint">The form needs a script, which this browser does not run.</p></noscript>
    <div id="${id}-answer" class="answer" role="status"></div>
    ${data === null ? null : html`<script type="application/json" id="${id}-data">${raw(jsonPart(data))}</script>`}`;
}

function fieldPart(id: string, { name, example, type, options = [] }: Form['fields'][number]): Html {
  return type === 'choice'
    ? html`<select id="${id}" name="${name}"><option value="">${example}</option>${options.map(([value, says]) => html`<option value="${value}">${says}</option>`)}</select>`
    : html`<input id="${id}" name="${name}" type="${type}" placeholder="${example}" autocomplete="off">`;
}

/** JSON that ends no element, with each value once: most people of a large license work the same hours. */
function jsonPart(data: object): string {
  return JSON.stringify(shareJson(data)).replaceAll('<', '\\u003c');
}
