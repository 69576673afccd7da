// The terminal text of a plan: what a person reads before saying yes.

import { counted, few } from '../../base/text.ts';
import type { Plan, ResourceChange, Unmanaged } from '../../plan/plan.ts';
import type { Outline } from '../../tasks/review/outline.ts';
import type { ReviewedPlan } from '../../tasks/review/plan-result.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, value } from '../../view/plain.ts';
import { block, capped, INDENT } from '../../view/terminal/layout.ts';
import { fewWithin, within } from '../../view/terminal/narrow.ts';
import * as impacts from '../words/impact.ts';
import * as words from '../words/plan.ts';
import { changeLines, entryLines, type Remarks, shortIdsOf, unseenLines } from './changes.ts';
import { dangerLines } from './dangers.ts';
import { visitorLines } from './visitors.ts';

/** A plan to be shown: as its outline, or in full where there is none. */
export interface ShownPlan {
  readonly of: ReviewedPlan;
  readonly outline: Outline | null;
}

export function planText(shown: ShownPlan, paint: Paint): string {
  return `${planBody(shown, paint)}${planClosing(shown.of, paint, shown.outline === null)}`;
}

/** A plan that stands for those of several targets: without the facts that differ from license to license, and without its counts. */
export function sharedPlanText(shown: ShownPlan, paint: Paint): string {
  const { of, outline } = shown;
  const facts = outline === null ? lastFacts(shown, paint) : sharedFacts(shown, paint);
  return lined([
    ...changesAndNotes(shown, paint),
    ...(facts.length === 0 ? [] : [...facts, '']),
    ...dangerLines(of, paint, outline === null),
    ...withheldLines(of.plan, paint),
  ]);
}

/** Everything but what a person must have seen before saying yes. */
export function planBody(shown: ShownPlan, paint: Paint): string {
  const facts = lastFacts(shown, paint);
  return lined([...changesAndNotes(shown, paint), ...(facts.length === 0 ? [] : [...facts, ''])]);
}

function changesAndNotes({ of: { plan }, outline }: ShownPlan, paint: Paint): readonly string[] {
  const notes = words.notesOf(plan);
  const unseen = unseenIn(plan);
  const against = words.againstLine(plan);
  return [
    ...(against === null ? [] : [paint('warning', against), '']),
    ...changesLines({ plan, outline, notes, unseen: new Set(unseen) }, paint),
    ...block(
      paint('strong', 'Renamed (same object):'),
      capped(plan.bindings.move, MOST_OBJECTS, ({ from, to }) => `${plain(from)} -> ${plain(to)}`),
    ),
    ...block(
      paint('strong', 'Changed on the license since the last apply (will be overwritten):'),
      capped(plan.resource_drift, MOST_OBJECTS, words.overwrittenText),
    ),
    ...visitorLines(plan, outline === null ? MOST_VISITORS : MOST_OUTLINED, paint),
    ...(outline === null ? unverifiedLines(unseen, paint) : []),
    ...releasedLines({ plan, outline }, paint),
    ...(outline === null ? unmanagedLines(plan.unmanaged, paint) : []),
    ...block(paint('strong', 'Good to know:'), closingLines(plan, outline, paint)),
    ...block(
      paint('warning', 'Policy warnings:'),
      words.policyWarnings(plan).map(({ name, message }) => `${paint('strong', plain(name))}: ${plain(message)}`),
    ),
    ...wholeImpactLines(plan, paint),
  ];
}

/** Changes that no line shows. */
function unseenIn(plan: Plan): readonly ResourceChange[] {
  const notes = words.notesOf(plan);
  return plan.resource_changes.filter((change) => words.isUnseen(change, notes(change.address)));
}

/** What a person must have seen: the dangers, what is withheld, the impact if it was asked for, and the counts. */
export function planClosing(of: ReviewedPlan, paint: Paint, details: boolean): string {
  const { plan } = of;
  return lined([
    ...dangerLines(of, paint, details),
    ...withheldLines(plan, paint),
    ...(plan.impact === undefined ? [] : [`Impact: ${impacts.impactText(plan.impact)}`, '']),
    summaryLine(plan, paint),
  ]);
}

function lined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Objects listed under one title; the document has all of them. */
const MOST_OBJECTS = 20;

interface ShownChanges {
  readonly plan: Plan;
  readonly outline: Outline | null;
  readonly notes: words.NotesOf;
  readonly unseen: ReadonlySet<ResourceChange>;
}

function changesLines({ plan, outline, notes, unseen }: ShownChanges, paint: Paint): readonly string[] {
  const carried = impacts.impactNotesOf(plan.impact);
  const remarksOn = (change: ResourceChange): Remarks => ({
    notes: notes(change.address),
    carried: impactLines(change, carried, plan, paint),
  });
  if (outline === null)
    return plan.resource_changes
      .filter((change) => !unseen.has(change))
      .flatMap((change) => changeLines(change, remarksOn(change), paint));
  const entries = outline.entries.filter(({ changes: [change] }) => !unseen.has(change));
  const short = shortIdsOf(entries, paint);
  const lines = entries.flatMap((entry) => entryLines(entry, remarksOn(entry.changes[0]), short, paint));
  return lines.length === 0 ? [] : [...lines, ''];
}

/** What the change carries, by the reports; nothing without an impact. */
function impactLines(
  { address }: ResourceChange,
  notesOf: ReturnType<typeof impacts.impactNotesOf>,
  { impact }: Plan,
  paint: Paint,
): readonly string[] {
  if (impact === undefined) return [];
  const { carried, shares, waits } = notesOf(address);
  const said = carried === null ? [] : impacts.carriedTexts(carried, impact);
  const alarming = carried?.what === 'destroyed-group' && (carried.chats ?? 0) > 0;
  return [
    ...said.map((text) => (alarming ? `${paint('warning', '!')} ${text}` : text)),
    ...shares.map((share) => impacts.shareText(share, address)),
    ...waits.flatMap((group) => impacts.worstHours(group).map((text) => `${paint('warning', '!')} ${text}`)),
  ];
}

/** What is said of the whole plan: waiting that several changes cause, what was not looked at, assumptions. */
function wholeImpactLines({ impact }: Plan, paint: Paint): readonly string[] {
  if (impact === undefined) return [];
  return [
    ...block(
      paint('warning', 'Chats would wait longer:'),
      impacts.sharedWaits(impact).flatMap((group) => impacts.worstHours(group)),
    ),
    ...block(paint('warning', 'Impact that was not looked at:'), impact.missing.map(plain)),
    ...block(paint('strong', 'Assumptions of the impact:'), impact.assumptions.map(plain)),
  ];
}

/** Each reason once, with the fields. */
function unverifiedLines(unseen: readonly ResourceChange[], paint: Paint): readonly string[] {
  const title = paint('strong', 'Cannot be verified:');
  return [...unseenLines(unseen)].flatMap(([reason, lines]) => block(`${title} ${plain(reason)}`, lines));
}

/** Each message once. Who waits for an approval since an earlier apply is only counted, among the last facts. */
function closingLines(plan: Plan, outline: Outline | null, paint: Paint): readonly string[] {
  const said = outline === null ? plan.notes : plan.notes.filter((note) => !outline.told.has(note));
  return [...words.closingNotes({ notes: said })].map(([message, addresses]) => {
    const names = addresses.map(plain);
    const room = within(paint.width, INDENT);
    return `${outline === null ? names.join(', ') : fewWithin(names, MOST_NAMED, room)}: ${plain(message)}`;
  });
}

/** Owned objects that stay. A destroy keeps many for the same reason, which is told once. */
function releasedLines(
  { plan, outline }: Pick<ShownPlan, 'outline'> & { readonly plan: Plan },
  paint: Paint,
): readonly string[] {
  const { unmanaged, destroys } = plan;
  const released = unmanaged.flatMap(({ released: address, reason }) =>
    address === null ? [] : [{ address, message: reason ?? '' }],
  );
  const most = outline === null ? released.length : undefined;
  const lines =
    destroys === undefined
      ? released.map(({ address, message }) => `${plain(address)}: ${plain(message)}`)
      : [...words.byMessage(released)].map(([message, those]) => `${few(those.map(plain), most)}: ${plain(message)}`);
  const hint = 'still owned; `chatform ledger forget ADDRESS` removes one from this list';
  return block(
    paint('strong', `${words.releasedTitle(plan)}:`),
    released.length === 0 ? [] : [...lines, paint('faint', hint)],
  );
}

function unmanagedLines(unmanaged: readonly Unmanaged[], paint: Paint): readonly string[] {
  const others = unmanaged.filter((object) => object.released === null);
  return block(paint('strong', 'Unmanaged (not changed):'), capped(others, MOST_OBJECTS, unmanagedLine));
}

function unmanagedLine({ type, id, name, reason }: Unmanaged): string {
  return `${type} ${value(name)} (${plain(String(id))})${reason === null ? '' : `, ${plain(reason)}`}`;
}

function withheldLines({ withheld }: Plan, paint: Paint): readonly string[] {
  return block(
    paint('error', 'Withheld: nothing is applied until this is resolved.'),
    withheld.flatMap(({ guard, message, remedy }) => [
      `${paint('strong', guard)}: ${plain(message)}`,
      `  to continue: ${plain(remedy)}`,
    ]),
  );
}

/** What is withheld, for a run that does not show the plan. Ends with a line break; empty when nothing is withheld. */
export function withheldText(plan: Plan, paint: Paint): string {
  return withheldLines(plan, paint).join('\n');
}

/** `Plan: X to add, Y to change, Z to destroy on TARGET.` */
export function summaryLine(plan: Plan, paint: Paint): string {
  const { add, change, destroy, adopt } = plan.summary;
  const adopted = adopt === 0 ? '' : ` ${adopt} to adopt.`;
  if (add + change + destroy === 0) return `${paint('strong', 'No changes.')} ${plain(words.standing(plan))}${adopted}`;
  const counts = `${add} to add, ${change} to change, ${destroy} to destroy`;
  return `${paint('strong', 'Plan:')} ${counts} on ${plain(plan.target)}.${adopted}`;
}

/** Facts of a line each, what an apply costs among them. */
function lastFacts(shown: ShownPlan, paint: Paint): readonly string[] {
  const { of, outline } = shown;
  const { plan } = of;
  const dated = words.hoursLine(plan);
  return [
    ...(dated === null ? [] : [dated]),
    ...sharedFacts(shown, paint),
    ...factLine('Waiting for approval', outline?.waiting ?? [], paint),
    ...factLine('Unmanaged (not changed)', outline?.unmanaged ?? [], paint),
    ...costTexts(plan, outline).map((text) => paint('faint', text)),
  ];
}

/** Those that equal plans have in common. */
function sharedFacts({ of: { plan }, outline }: ShownPlan, paint: Paint): readonly string[] {
  const unseen = unseenIn(plan);
  const adopted = unseen.filter((change) => words.actionOf(change) === 'adopt');
  const unread = outline === null ? [] : unseen.filter(({ fields }) => fields.length > 0);
  return [
    ...factLine(
      'Adopted as they are',
      adopted.map(({ address }) => address),
      paint,
    ),
    ...factLine(
      'Cannot be verified',
      unread.map(({ address }) => address),
      paint,
    ),
  ];
}

function factLine(title: string, names: readonly string[], paint: Paint): readonly string[] {
  if (names.length === 0) return [];
  const room = within(paint.width, `${title}: `);
  return [`${paint('strong', `${title}:`)} ${fewWithin(names.map(plain), MOST_NAMES, room)}`];
}

function costTexts({ requests, scopes }: Plan, outline: Outline | null): readonly string[] {
  if (requests.total === 0) return [];
  const cost = `${counted(requests.total, 'request')} to apply`;
  if (outline !== null) return [`${cost}, ${counted(scopes.length, 'scope')} needed; --details lists all of the plan`];
  const actions = Object.entries(requests.by_action).map(([action, count]) => `${count} ${action}`);
  return [`${cost}: ${actions.join(', ')}`, `scopes needed: ${scopes.join(', ')}`];
}

/** Objects named in front of a note. */
const MOST_NAMED = 3;

/** Names in a line about several objects. */
const MOST_NAMES = 8;

/** Visitors listed under one title, and in an outline. */
const MOST_VISITORS = 10;
const MOST_OUTLINED = 5;
