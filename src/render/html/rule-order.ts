// Two lists of rules in; both as columns with a line from each rule's old place to its new one, out.

import type { Reference } from '../../base/model.ts';
import type { Plan } from '../../plan/plan.ts';
import { type Html, html } from './markup.ts';
import type { ListedRule, RuleOrder, Told } from './told.ts';
import { keyOf, mark, name } from './words.ts';

/** Rules that stand here without a fold. */
const FEW = 40;

/** A license has two hundred rules at most, unless it is told otherwise. */
const MOST = 600;

/** Of the picture between the columns; rows are all as high. */
const WIDTH = 100;
const ROW = 10;

interface Lists {
  readonly before: readonly ListedRule[];
  readonly after: readonly ListedRule[];
  readonly was: ReadonlyMap<Reference, number>;
  readonly is: ReadonlyMap<Reference, number>;
  /** By the plan: what only makes room for another rule has not moved. */
  readonly moved: ReadonlySet<Reference>;
  readonly changed: ReadonlySet<Reference>;
}

export function orderSection(told: Told): Html | null {
  const { plan } = told;
  const rules = told.scene?.rules ?? namedIn(plan);

  const isSame =
    rules.before.map(({ reference }) => reference).join() === rules.after.map(({ reference }) => reference).join();
  if (isSame) return null;
  const before = rules.before.slice(0, MOST);
  const after = rules.after.slice(0, MOST);
  const lists: Lists = {
    before,
    after,
    was: placesOf(rules.before),
    is: placesOf(rules.after),
    moved: new Set(plan.reorder?.moved ?? []),
    changed: new Set(plan.resource_changes.filter(({ fields }) => fields.length > 0).map(({ address }) => address)),
  };
  const rows = Math.max(before.length, after.length);
  const picture = html`
    <div class="order">
      <div class="column"><h3>Before</h3>${column(before, rows, (rule) => markBefore(rule, lists))}</div>
      ${linesPart(lists, rows)}
      <div class="column"><h3>After</h3>${column(after, rows, (rule) => markAfter(rule, lists))}</div>
    </div>`;
  const left = Math.max(rules.before.length, rules.after.length) - rows;
  return html`
    <section aria-labelledby="order">
      <h2 id="order">Order of the rules</h2>
      <p>The first rule that matches decides. A line leads from where a rule stands to where it will stand; a thick one is a rule that is moved.</p>
      ${rows > FEW ? html`<details class="more"><summary>The ${rows} rules</summary>${picture}</details>` : picture}
      ${left > 0 ? html`<p class="faint">and ${left} more</p>` : null}
    </section>`;
}

/** A plan alone knows the declared rules, and only when some of them move. */
function namedIn({ reorder, resource_changes: changes }: Plan): RuleOrder {
  const names = new Map<string, string>(changes.map(({ address, name: called }) => [address, called]));
  const named = (references: readonly Reference[] = []): readonly ListedRule[] =>
    references.map((reference) => ({ reference, name: names.get(reference) ?? reference, groups: [] }));
  return { before: named(reorder?.before), after: named(reorder?.after) };
}

function placesOf(rules: readonly ListedRule[]): ReadonlyMap<Reference, number> {
  return new Map(rules.map(({ reference }, index) => [reference, index]));
}

/** Both columns have as many rows, so that each row of one is as high as its neighbour. */
function column(rules: readonly ListedRule[], rows: number, markOf: (rule: ListedRule) => Html | null): Html {
  const fill = Array.from({ length: rows - rules.length }, () => html`<li class="fill" aria-hidden="true"></li>`);
  return html`<ol>${rules.map((rule) => html`<li><div class="rule"><span class="called">${name(rule.name)}</span><span class="to"><span class="sr">sends to </span><span aria-hidden="true">→ </span>${name(rule.groups.map((group) => keyOf(group, 'group')).join(' + '))}</span>${markOf(rule)}</div></li>`)}${fill}</ol>`;
}

function markBefore({ reference }: ListedRule, { was, is, moved }: Lists): Html | null {
  const to = is.get(reference);
  if (to === undefined) return mark('destroy', '−', 'goes');
  return moved.has(reference) ? moveMark('to', to, was.get(reference)) : null;
}

function markAfter({ reference }: ListedRule, { was, is, moved, changed }: Lists): Html | null {
  const from = was.get(reference);
  if (from === undefined) return mark('add', '+', 'new');
  return html`${moved.has(reference) ? moveMark('from', from, is.get(reference)) : null}${changed.has(reference) ? mark('change', '~', 'changed') : null}`;
}

/** A rule may be moved among others and have the same number afterwards, because one of them is gone or new. */
function moveMark(way: 'to' | 'from', place: number, other: number | undefined): Html {
  return mark('move', '↕', place === other ? 'moved past others' : `${way} place ${place + 1}`);
}

/** What is said by the marks in words; the picture is for the eye alone. */
function linesPart({ before, after, was, is, moved }: Lists, rows: number): Html {
  const middle = (place: number): number => place * ROW + ROW / 2;
  const line = (from: number, to: number, look: string): Html =>
    html`<path class="${look}" d="M0 ${middle(from)} C ${WIDTH / 2} ${middle(from)} ${WIDTH / 2} ${middle(to)} ${WIDTH} ${middle(to)}"/>`;
  const kept = before.filter(({ reference }) => is.has(reference) && !moved.has(reference));
  const moving = before.filter(({ reference }) => is.has(reference) && moved.has(reference));
  const stub = (x: number, place: number, look: string): Html =>
    html`<path class="${look}" d="M${x} ${middle(place)} h 14"/>`;
  const lines = (rules: readonly ListedRule[], look: string): readonly Html[] =>
    rules.map(({ reference }) => line(was.get(reference) ?? 0, is.get(reference) ?? 0, look));
  return html`
    <svg class="lines" viewBox="0 0 ${WIDTH} ${rows * ROW}" preserveAspectRatio="none" aria-hidden="true">
      ${lines(kept, 'keeps')}
      ${lines(moving, 'moves')}
      ${before.flatMap(({ reference }, place) => (is.has(reference) ? [] : [stub(0, place, 'goes')]))}
      ${after.flatMap(({ reference }, place) => (was.has(reference) ? [] : [stub(WIDTH - 14, place, 'comes')]))}
    </svg>`;
}
