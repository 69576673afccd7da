// Differences of one resource as a page shows them: each field with what was applied, what the license has and what the manifest declares.

import { grouped } from '../../base/grouped.ts';
import { canonicalJson, isList, isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import type { Difference } from '../../tasks/drift/report.ts';
import { code, type Html, html, mark, sentence } from '../../view/html/markup.ts';
import { plain, shortened, value } from '../../view/plain.ts';
import { memberChanges } from '../../view/values.ts';
import * as words from '../words/drift.ts';

/** Characters of one value, and rows of one resource. */
const LONGEST_VALUE = 1200;
const MOST_ROWS = 120;

/** What each difference says in addition to its values, by default which side changed. */
type RemarksOf<D extends Difference> = (difference: D) => readonly string[];

export function differenceParts<D extends Difference>(
  differences: readonly D[],
  remarksOf: RemarksOf<D> = (each) => [words.movement(each)].filter((text) => text !== ''),
): Html {
  const fields = differences.filter(isOfField);
  const whole = differences.filter((each) => !isOfField(each));
  const rows = fields.flatMap(sideRows);
  const more = rows.length - MOST_ROWS;
  return html`
    ${whole.map((each) => html`${wholePart(each)}${remarksPart([each], remarksOf)}`)}
    ${rows.length === 0 ? null : html`<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Applied</th><th scope="col">On the license</th><th scope="col">In the manifest</th></tr></thead><tbody>${rows.slice(0, MOST_ROWS).map(rowPart)}</tbody></table>`}
    ${more <= 0 ? null : html`<p class="faint">and ${more} more; the document has all of them</p>`}
    ${remarksPart(fields, remarksOf)}`;
}

function isOfField({ kind }: Difference): boolean {
  return kind === 'changed' || kind === 'unreadable';
}

/** Each remark once, with the fields that it is about where not all of them share it. */
function remarksPart<D extends Difference>(differences: readonly D[], remarksOf: RemarksOf<D>): Html | null {
  const fieldsOf = grouped(
    differences.flatMap((each) => {
      const reason = each.reason === null || each.status === 'converged' ? [] : [plain(each.reason)];
      return [...reason, ...remarksOf(each)].map((line) => [line, words.pathText(each)] as const);
    }),
  );
  if (fieldsOf.size === 0) return null;
  const items = [...fieldsOf].map(([line, fields]) => {
    const isFight = line.startsWith('a fight');
    const about = fields.length === differences.length ? null : html`${few(fields)}: `;
    return html`<li class="${isFight ? 'destroy' : 'calm'}">${isFight ? html`${mark('destroy', '!', 'fight')} ` : null}${about}${line}</li>`;
  });
  return html`<ul class="remarks">${items}</ul>`;
}

function sourcePart({ source }: Difference): Html | null {
  return source === null ? null : html`<span class="remark">${`${source.file}:${source.line}`}</span>`;
}

/** A whole object, or an order. */
function wholePart(difference: Difference): Html {
  const { kind, base, live, desired, applied_at: applied } = difference;
  const said = html`<p>${sentence(words.DIFFERS[kind])}${sourcePart(difference)}</p>`;
  if (kind === 'unmanaged' && isObject(live)) return html`${said}${objectPart(live, difference.name)}`;
  if (kind !== 'reordered') return said;
  const lists = [
    ...(applied === null ? [] : [['Applied', base] as const]),
    ['On the license', live] as const,
    ['In the manifest', desired] as const,
  ];
  return html`${said}<div class="pair">${lists.map(([title, order]) => html`<div><p class="caption">${title}</p>${orderPart(order)}</div>`)}</div>`;
}

/** Positions of an order in sight. */
const LONGEST_ORDER = 60;

function orderPart(order: Json): Html {
  if (!isList(order)) return none();
  const more = order.length - LONGEST_ORDER;
  return html`<ol>${order.slice(0, LONGEST_ORDER).map((each) => html`<li>${code(String(each))}</li>`)}</ol>${more <= 0 ? null : html`<p class="faint">and ${more} more</p>`}`;
}

/** Fields that say what an object is: not its name again, and no empty values. */
function objectPart(spec: { readonly [field: string]: Json }, called: string): Html | null {
  const telling = Object.entries(spec).filter(
    ([, json]) => json !== called && json !== false && json !== '' && json !== null,
  );
  const rows = telling.flatMap(([field, json]) => memberChanges(plain(field), undefined, json));
  if (rows.length === 0) return null;
  const more = rows.length - MOST_ROWS;
  return html`<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">On the license</th></tr></thead><tbody>${rows.slice(0, MOST_ROWS).map(({ name, after }) => html`<tr><th scope="row">${name}</th><td>${code(shortened(after ?? '', LONGEST_VALUE))}</td></tr>`)}</tbody></table>${more <= 0 ? null : html`<p class="faint">and ${more} more</p>`}`;
}

interface SideValues {
  readonly base: Json;
  readonly live: Json;
  readonly desired: Json;
}

/** One field, or one member of it, by side. */
interface SideRow extends SideValues {
  readonly path: string;
  readonly of: Difference;
}

function sideRows(of: Difference): readonly SideRow[] {
  const { base, live, desired } = of;
  const path = words.pathText(of);
  const inside = membersOf(path, { base, live, desired }, of.applied_at !== null);
  // When only an order differs, the whole value shows it.
  const rows = inside.length === 0 ? [{ path, base, live, desired }] : inside;
  return rows.map((row) => ({ ...row, of }));
}

/** The members in which the sides of a mapping differ. */
function membersOf(
  path: string,
  sides: SideValues,
  isApplied: boolean,
): readonly (SideValues & { readonly path: string })[] {
  const { base, live, desired } = sides;
  const known = isApplied ? [base, live, desired] : [live, desired];
  const maps = known.filter(isObject);
  const isMap = maps.length > 0 && known.every((side) => side === null || isObject(side));
  if (!isMap) return [{ path, ...sides }];
  const names = [...new Set(maps.flatMap(Object.keys))].sort();
  return names.flatMap((name) => {
    const at = (side: Json): Json => (isObject(side) ? (side[name] ?? null) : null);
    const values = new Set(known.map((side) => canonicalJson(at(side))));
    const inner = { base: at(base), live: at(live), desired: at(desired) };
    return values.size === 1 ? [] : membersOf(path === '' ? plain(name) : `${path}.${plain(name)}`, inner, isApplied);
  });
}

function rowPart({ path, base, live, desired, of }: SideRow): Html {
  const isApplied = of.applied_at !== null;
  const isHidden = words.isHidden(of) || of.kind === 'unreadable';
  const differs = (side: Json): boolean => canonicalJson(side) !== canonicalJson(isApplied ? base : live);
  const cell = (side: Json, looks: string, isKnown = true): Html =>
    html`<td class="${looks}">${side === null ? (isKnown && isHidden ? html`unknown` : none()) : code(shortened(value(side), LONGEST_VALUE))}</td>`;
  return html`<tr class="change"><th scope="row">${path}${sourcePart(of)}</th>${cell(base, isApplied ? 'was' : '', isApplied)}${cell(live, isApplied ? (differs(live) ? 'is' : '') : 'was')}${cell(desired, differs(desired) ? 'is' : '', false)}</tr>`;
}

function none(): Html {
  return html`<span class="faint" aria-label="nothing">–</span>`;
}
