// One change of a resource in, the table of its fields before and after out.

import type { Json } from '../../base/model.ts';
import type { FieldChange, ResourceChange } from '../../plan/plan.ts';
import { parts } from '../difference.ts';
import { value } from '../plain.ts';
import { type Html, html } from './markup.ts';
import { code, mark, type Tone } from './words.ts';

/** Characters of one value, and rows of one resource, that anybody would read here. */
const LONGEST = 1200;
const MOST_ROWS = 120;

interface Row {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly tone: Tone;
  /** What is to be said of it besides; null for nothing. */
  readonly remark: string | null;
}

/** Empty where no field is told of. */
export function fieldTable(change: ResourceChange): Html | null {
  const rows = rowsOf(change);
  if (rows.length === 0) return null;
  const more = rows.length - MOST_ROWS;
  return html`
    <table class="fields">
      <thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>${rows.slice(0, MOST_ROWS).map(rowPart)}</tbody>
    </table>
    ${more <= 0 ? null : html`<p class="faint">and ${more} more, which the document of the plan has</p>`}`;
}

function rowsOf({ change, fields }: ResourceChange): readonly Row[] {
  if (change.after === null && change.before !== null)
    return Object.entries(change.before).flatMap(([field, json]) => differing(field, json, undefined));
  return fields.flatMap(fieldRows);
}

function fieldRows({ field, before, after, reach, reason }: FieldChange): readonly Row[] {
  switch (reach) {
    case 'write':
    case 'transition':
    case 'replace':
      return differing(field, before ?? undefined, after);
    case 'unverified':
      return [{ field, before: null, after: value(after), tone: 'change', remark: reason }];
    case 'unreachable':
      return [
        {
          field,
          before: value(before),
          after: value(before),
          tone: 'calm',
          remark: `stays: ${value(after)} is out of reach: ${reason}`,
        },
      ];
    case 'unreadable':
      return [{ field, before: null, after: value(after), tone: 'calm', remark: `cannot be verified: ${reason}` }];
  }
}

function differing(field: string, before: Json | undefined, after: Json | undefined): readonly Row[] {
  return parts(field, before, after).map((each) => ({
    field: each.name,
    before: each.before,
    after: each.after,
    tone: each.before === null ? 'add' : each.after === null ? 'destroy' : 'change',
    remark: null,
  }));
}

function rowPart({ field, before, after, tone, remark }: Row): Html {
  const note = remark === null ? null : html`<p class="remark">${remark}</p>`;
  return html`<tr class="${tone}"><th scope="row">${field}</th><td class="was">${before === null ? none() : code(shortened(before))}</td><td class="is">${after === null ? gone() : code(shortened(after))}${note}</td></tr>`;
}

function none(): Html {
  return html`<span class="faint" aria-label="nothing">–</span>`;
}

function gone(): Html {
  return mark('destroy', '−', 'removed');
}

function shortened(text: string): string {
  const characters = text.length - LONGEST;
  return characters <= 0 ? text : `${text.slice(0, LONGEST)} … and ${characters} more characters`;
}
