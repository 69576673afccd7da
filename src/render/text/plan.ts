// The terminal text of a plan: what a person reads before saying yes.

import { counted } from '../../base/text.ts';
import type { FieldChange, Note, Plan, ResourceChange, Unmanaged } from '../../plan/plan.ts';
import { differenceLines } from '../difference.ts';
import type { Paint } from '../paint.ts';
import { plain, value } from '../plain.ts';
import * as impacts from '../words/impact.ts';
import * as words from '../words/plan.ts';
import { block, capped } from './layout.ts';
import { visitorLines } from './visitors.ts';

export function planText(plan: Plan, paint: Paint): string {
  const notes = words.notesOf(plan);
  const unseen = plan.resource_changes.filter((change) => words.isUnseen(change, notes(change.address)));
  const adopted = unseen.filter((change) => words.actionOf(change) === 'adopt').map(({ address }) => address);
  const hidden = new Set(unseen);
  const against = words.againstLine(plan);
  const dated = words.hoursLine(plan);
  const carried = impacts.impactNotesOf(plan.impact);
  return [
    ...(against === null ? [] : [paint('warning', against), '']),
    ...plan.resource_changes
      .filter((change) => !hidden.has(change))
      .flatMap((change) =>
        changeLines(change, notes(change.address), impactLines(change, carried, plan, paint), paint),
      ),
    ...(adopted.length === 0 ? [] : [`${paint('strong', 'Adopted as they are:')} ${namesOf(adopted)}`, '']),
    ...block(
      paint('strong', 'Renamed (same object):'),
      plan.bindings.move.map((each) => `${plain(each.from)} -> ${plain(each.to)}`),
    ),
    ...block(
      paint('strong', 'Changed on the license since the last apply (will be overwritten):'),
      capped(plan.resource_drift, MOST_OBJECTS, words.overwrittenText),
    ),
    ...visitorLines(plan, paint),
    ...unseenLines(unseen, paint),
    ...unmanagedLines(plan.unmanaged, paint),
    ...block(
      paint('strong', 'Good to know:'),
      [...words.closingNotes(plan)].map(([message, those]) => `${words.countedNames(those)}: ${plain(message)}`),
    ),
    ...block(
      paint('warning', 'Policy warnings:'),
      words.policyWarnings(plan).map(({ name, message }) => `${paint('strong', plain(name))}: ${plain(message)}`),
    ),
    ...wholeImpactLines(plan, paint),
    ...withheldLines(plan, paint),
    ...(dated === null ? [] : [dated, '']),
    summaryLine(plan, paint),
    ...costLines(plan, paint),
    ...(plan.impact === undefined ? [] : [paint('faint', `impact: ${impacts.impactText(plan.impact)}`)]),
    '',
  ].join('\n');
}

/** Objects listed under one title; the document has all of them. */
const MOST_OBJECTS = 20;

const SIGNS: { readonly [action in words.ResourceAction]: (paint: Paint) => string } = {
  create: (paint) => paint('add', '  +'),
  update: (paint) => paint('change', '  ~'),
  replace: (paint) => `${paint('destroy', '-')}/${paint('add', '+')}`,
  delete: (paint) => paint('destroy', '  -'),
  move: (paint) => paint('move', '  ^'),
  adopt: (paint) => paint('faint', '  ='),
};

const WORDS: { readonly [action in words.ResourceAction]: string } = {
  create: 'is created',
  update: 'changes',
  replace: 'is replaced',
  delete: 'is destroyed',
  move: 'moves',
  adopt: 'is adopted as it is',
};

function changeLines(
  change: ResourceChange,
  notes: readonly Note[],
  carried: readonly string[],
  paint: Paint,
): readonly string[] {
  const action = words.actionOf(change);
  if (action === null && change.fields.length === 0) return [];
  const lines =
    action === null
      ? [
          `${paint('warning', '  !')} ${paint('strong', plain(change.address))} differs, and cannot be changed through the API${sourceOf(change, paint)}`,
        ]
      : [headline(change, action, paint), ...aboutLines(change, notes, paint)];
  for (const field of change.fields) for (const line of fieldLines(field, paint)) lines.push(`      ${line}`);
  return [...lines, ...carried.map((line) => `      ${line}`), ''];
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

function headline(change: ResourceChange, action: words.ResourceAction, paint: Paint): string {
  const again = action === 'create' && change.recreating ? ' again' : '';
  const adopting = change.adopting && action !== 'adopt' ? ', and is adopted' : '';
  return `${SIGNS[action](paint)} ${paint('strong', plain(change.address))} ${WORDS[action]}${again}${adopting}${sourceOf(change, paint)}`;
}

function sourceOf({ source }: ResourceChange, paint: Paint): string {
  return source === null ? '' : paint('faint', `  ${plain(source.file)}:${source.line}`);
}

/** Lines about an object other than its fields: its name, dangers, ownership, its place in a list. */
function aboutLines(change: ResourceChange, notes: readonly Note[], paint: Paint): readonly string[] {
  const at = (place: 'danger' | 'ownership', tone: 'error' | 'warning'): readonly string[] =>
    notes
      .filter(({ kind }) => words.NOTE_PLACES[kind] === place)
      .map(({ message }) => `${paint(tone, '!')} ${plain(message)}`);
  const { moved } = change;
  const move =
    moved === null ? [] : [`${paint('move', '^')} position ${moved.from} ${paint('faint', '->')} ${moved.to}`];
  const lines = [...nameLine(change), ...at('danger', 'error'), ...at('ownership', 'warning'), ...move];
  return lines.map((line) => `      ${line}`);
}

/** The name of a live object whose address does not have it. */
function nameLine(change: ResourceChange): readonly string[] {
  const { address, name, id } = change;
  const isNamed = address.endsWith(`/${name}`) || change.change.after?.['name'] === name || name === String(id);
  return isNamed || change.change.actions[0] === 'create' ? [] : [`named ${value(change.name)}`];
}

function fieldLines(change: FieldChange, paint: Paint): readonly string[] {
  const { before, after, reach, reason } = change;
  const field = plain(change.field);
  if (reach === 'unverified')
    return [`${paint('change', '~')} ${field}: ${value(after)} ${paint('faint', `(${plain(reason ?? '')})`)}`];
  const unwritten = words.unwrittenText(change);
  return unwritten === null
    ? differenceLines(field, before ?? undefined, after, paint)
    : [`${paint('warning', '!')} ${field}: ${unwritten}`];
}

/** A line for each object that cannot be read; each reason once. */
function unseenLines(unseen: readonly ResourceChange[], paint: Paint): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const change of unseen) {
    for (const reason of new Set(change.fields.map((field) => field.reason ?? ''))) {
      const names = change.fields.flatMap(({ field, reason: why }) => ((why ?? '') === reason ? [field] : []));
      const lines = byReason.get(reason) ?? [];
      byReason.set(reason, lines);
      lines.push(`${plain(change.address)}: ${names.join(', ')}`);
    }
  }
  return [...byReason].flatMap(([reason, lines]) =>
    block(`${paint('strong', 'Cannot be verified:')} ${plain(reason)}`, lines),
  );
}

function unmanagedLines(unmanaged: readonly Unmanaged[], paint: Paint): readonly string[] {
  const released = unmanaged.flatMap((object) =>
    object.released === null ? [] : [`${plain(object.released)}: ${plain(object.reason ?? '')}`],
  );
  const others = unmanaged.filter((object) => object.released === null);
  const hint = 'still owned; `chatform ledger forget ADDRESS` removes one from this list';
  return [
    ...block(
      paint('strong', 'No longer declared (kept):'),
      released.length === 0 ? [] : [...released, paint('faint', hint)],
    ),
    ...block(paint('strong', 'Unmanaged (not changed):'), capped(others, MOST_OBJECTS, unmanagedLine)),
  ];
}

function unmanagedLine({ type, id, name, reason }: Unmanaged): string {
  return `${type} ${value(name)} (${plain(String(id))})${reason === null ? '' : `, ${plain(reason)}`}`;
}

/** A few by name, and how many more. */
function namesOf(addresses: readonly string[]): string {
  const named = addresses.slice(0, 8).map(plain);
  const more = addresses.length - named.length;
  return `${named.join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
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

/** `Plan: X to add, Y to change, Z to destroy.` */
export function summaryLine(plan: Plan, paint: Paint): string {
  const { add, change, destroy, adopt } = plan.summary;
  const adopted = adopt === 0 ? '' : ` ${adopt} to adopt.`;
  if (add + change + destroy === 0) return `${paint('strong', 'No changes.')} ${words.standing(plan)}${adopted}`;
  return `${paint('strong', 'Plan:')} ${add} to add, ${change} to change, ${destroy} to destroy.${adopted}`;
}

function costLines({ requests, scopes }: Plan, paint: Paint): readonly string[] {
  const actions = Object.entries(requests.by_action).map(([action, count]) => `${count} ${action}`);
  if (actions.length === 0) return [];
  return [
    paint('faint', `${counted(requests.total, 'request')} to apply: ${actions.join(', ')}`),
    paint('faint', `scopes needed: ${scopes.join(', ')}`),
  ];
}
