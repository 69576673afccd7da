// The routing of a page: which visitors go where, before and after, and the rules as two columns with a line from each old place to the new one.

import type { Reference } from '../../base/model.ts';
import type { Exposed } from '../../plan/order/write-order.ts';
import type { Plan, PlannedRouting } from '../../plan/plan.ts';
import type { Rerouted } from '../../routing/compare.ts';
import type { Decision } from '../../routing/list.ts';
import { folded, type Html, html, mark, name, sentence } from '../../view/html/markup.ts';
import { because, described, MADE_UP, splitByPages, to, UNDECIDED, wayOut, who } from '../words/routing.ts';
import type { ListedRule, PageInput, RuleOrder } from './input.ts';

/** Visitors in sight. */
const SHOWN = 12;

export function visitorsSection(routing: PlannedRouting | null): Html | null {
  if (routing === null) return null;
  return html`
    <section aria-labelledby="visitors">
      <h2 id="visitors">Visitors <span class="count">${routing.rerouted.length}</span></h2>
      ${reroutedPart(routing)}
      ${exposedPart(routing)}
    </section>`;
}

function reroutedPart({ rerouted, exact }: PlannedRouting): Html {
  const doubt = exact ? null : html`<p>There may be others: ${UNDECIDED}.</p>`;
  if (rerouted.length === 0)
    return html`<p>${exact ? 'No visitor is routed differently.' : 'No visitor is known to be routed differently.'}</p>${doubt}`;
  const { likely, madeUp } = splitByPages(rerouted);
  const list = (items: readonly Html[]): Html =>
    html`<ul class="ways">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  const others =
    madeUp.length === 0
      ? null
      : html`<details class="more"><summary>${madeUp.length} ${likely.length === 0 ? '' : 'more, '}only on ${MADE_UP}</summary>${list(madeUp.map(wayPart))}</details>`;
  return html`<p>These visitors are routed differently:</p>${likely.length === 0 ? null : folded(likely.map(wayPart), SHOWN, list)}${others}${doubt}`;
}

function wayPart(each: Rerouted): Html {
  return html`
      <p class="who">${name(sentence(who(each.examples)))}</p>
      <p class="way">${groupsPart(each.before, 'was')} <span aria-hidden="true">→</span><span class="sr"> now go to </span> ${groupsPart(each.after, 'is')}</p>
      <p class="remark">${sentence(because(each.cause, each))}${each.examples.slice(0, 1).map(({ visitor }) => html`. For example ${name(described(visitor))}`)}</p>`;
}

function groupsPart(decision: Decision, when: 'was' | 'is'): Html {
  return html`<span class="${when}">${name(to(decision))}</span>`;
}

function exposedPart({ way, exposed, longer }: PlannedRouting): Html | null {
  if (way === 'safe') return null;
  if (exposed.length === 0)
    return html`<p>${mark('change', '!', 'not known')} There are too many rules to tell whether chats are misrouted while the rules are written.</p>`;
  return html`
    <h3>During the apply</h3>
    <p>While the rules are written, some chats go to a group that is neither the old nor the new one:</p>
    ${folded(exposed.map(exposedItem), SHOWN)}
    <p>${sentence(wayOut(longer))}.</p>`;
}

function exposedItem({ visitor, before, meanwhile, after, writes }: Exposed): Html {
  return html`${mark('change', '!', `after write ${writes}`)} ${name(described(visitor))} reaches ${groupsPart(meanwhile, 'is')} instead of ${name(to(before))} or ${name(to(after))}`;
}

/** Rules without a fold. */
const FEW = 40;

/** A license has at most two hundred rules by default. */
const MOST = 600;

/** Of the picture between the columns; all rows are equally high. */
const WIDTH = 100;
const ROW = 10;

interface RulePlaces {
  readonly before: readonly ListedRule[];
  readonly after: readonly ListedRule[];
  readonly was: ReadonlyMap<Reference, number>;
  readonly is: ReadonlyMap<Reference, number>;
  /** By the plan: a rule that only makes room for another one is not moved. */
  readonly moved: ReadonlySet<Reference>;
  readonly changed: ReadonlySet<Reference>;
}

/** Null when the order stays. */
export function orderSection({ plan, pictures }: PageInput): Html | null {
  const rules = pictures?.rules ?? namedIn(plan);
  const orderOf = (list: readonly ListedRule[]): string => list.map(({ reference }) => reference).join();
  if (orderOf(rules.before) === orderOf(rules.after)) return null;
  const before = rules.before.slice(0, MOST);
  const after = rules.after.slice(0, MOST);
  const places: RulePlaces = {
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
      <div class="column"><h3>Before</h3>${column(before, rows, (rule) => markBefore(rule, places))}</div>
      ${linesPart(places, rows)}
      <div class="column"><h3>After</h3>${column(after, rows, (rule) => markAfter(rule, places))}</div>
    </div>`;
  const left = Math.max(rules.before.length, rules.after.length) - rows;
  return html`
    <section aria-labelledby="order">
      <h2 id="order">Order of the rules</h2>
      <p>The first rule that matches decides. A line leads from the old position of a rule to the new one; a thick line is a rule that is moved.</p>
      ${rows > FEW ? html`<details class="more"><summary>The ${rows} rules</summary>${picture}</details>` : picture}
      ${left > 0 ? html`<p class="faint">and ${left} more</p>` : null}
    </section>`;
}

/** A plan without the license knows the declared rules, and only when some of them move. */
function namedIn({ reorder, resource_changes: changes }: Plan): RuleOrder {
  const names = new Map<string, string>(changes.map(({ address, name: called }) => [address, called]));
  const named = (references: readonly Reference[] = []): readonly ListedRule[] =>
    references.map((reference) => ({ reference, name: names.get(reference) ?? reference, groups: [] }));
  return { before: named(reorder?.before), after: named(reorder?.after) };
}

function placesOf(rules: readonly ListedRule[]): ReadonlyMap<Reference, number> {
  return new Map(rules.map(({ reference }, index) => [reference, index]));
}

/** Both columns have as many rows, so that neighbours are equally high. */
function column(rules: readonly ListedRule[], rows: number, markOf: (rule: ListedRule) => Html | null): Html {
  const fill = Array.from({ length: rows - rules.length }, () => html`<li class="fill" aria-hidden="true"></li>`);
  return html`<ol>${rules.map((rule) => html`<li><div class="rule"><span class="called">${name(rule.name)}</span><span class="to"><span class="sr">sends to </span><span aria-hidden="true">→ </span>${name(rule.groups.map(groupKey).join(' + '))}</span>${markOf(rule)}</div></li>`)}${fill}</ol>`;
}

/** `sales` for `group/sales`, and `group 7` for a group that nothing declares. */
function groupKey(reference: Reference): string {
  return reference.startsWith('group/') ? reference.slice('group/'.length) : `group ${reference}`;
}

function markBefore({ reference }: ListedRule, { was, is, moved }: RulePlaces): Html | null {
  const to = is.get(reference);
  if (to === undefined) return mark('destroy', '−', 'removed');
  return moved.has(reference) ? moveMark('to', to, was.get(reference)) : null;
}

function markAfter({ reference }: ListedRule, { was, is, moved, changed }: RulePlaces): Html | null {
  const from = was.get(reference);
  if (from === undefined) return mark('add', '+', 'new');
  return html`${moved.has(reference) ? moveMark('from', from, is.get(reference)) : null}${changed.has(reference) ? mark('change', '~', 'changed') : null}`;
}

/** A moved rule can have the same number afterwards, because another one is gone or new. */
function moveMark(way: 'to' | 'from', place: number, other: number | undefined): Html {
  return mark('move', '↕', place === other ? 'moved past others' : `${way} position ${place + 1}`);
}

/** Lines for the eye alone: the marks say the same in words. */
function linesPart({ before, after, was, is, moved }: RulePlaces, rows: number): Html {
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
