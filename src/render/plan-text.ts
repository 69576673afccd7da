// A plan in, the text that a person reads before saying yes, out. Decides nothing: what is not in the plan is not in the text.

import { counted } from '../base/text.ts';
import type { FieldChange, Note, Plan, ResourceChange, ResourceDrift, Unmanaged } from '../plan/plan.ts';
import { differences, type Part, parts } from './difference.ts';
import type { Paint } from './paint.ts';
import { plain, value } from './plain.ts';
import { routingLines } from './routing-text.ts';
import { againstLine } from './snapshot-text.ts';
import { policyLines, withheldLines } from './withheld-text.ts';

/** What happens to a resource, in one word. */
type Shown = 'create' | 'update' | 'replace' | 'delete' | 'move' | 'adopt';

/** Null when nothing does. */
export function shownAs({ change, moved, fields, adopting }: ResourceChange): Shown | null {
  const [first, second] = change.actions;
  if (second === 'create') return 'replace';
  if (first === 'no-op') return adopting ? 'adopt' : null;
  if (first === 'update' && moved !== null && fields.length === 0) return 'move';
  return first;
}

const SIGNS: { readonly [shown in Shown]: (paint: Paint) => string } = {
  create: (paint) => paint('add', '  +'),
  update: (paint) => paint('change', '  ~'),
  replace: (paint) => `${paint('destroy', '-')}/${paint('add', '+')}`,
  delete: (paint) => paint('destroy', '  -'),
  move: (paint) => paint('move', '  ^'),
  adopt: (paint) => paint('faint', '  ='),
};

const WORDS: { readonly [shown in Shown]: string } = {
  create: 'is created',
  update: 'changes',
  replace: 'is replaced',
  delete: 'is destroyed',
  move: 'moves',
  adopt: 'is adopted as it is',
};

function headline(change: ResourceChange, shown: Shown, paint: Paint): string {
  const again = shown === 'create' && change.recreating ? ' again' : '';
  const adopting = change.adopting && shown !== 'adopt' ? ', adopting it' : '';
  return `${SIGNS[shown](paint)} ${paint('strong', plain(change.address))} ${WORDS[shown]}${again}${adopting}${sourceOf(change, paint)}`;
}

function sourceOf({ source }: ResourceChange, paint: Paint): string {
  return source === null ? '' : paint('faint', `  ${plain(source.file)}:${source.line}`);
}

/** A live object whose name does not give itself away by its address. */
function nameLine(change: ResourceChange): readonly string[] {
  const { address, name, id } = change;
  const isNamed = address.endsWith(`/${name}`) || change.change.after?.['name'] === name || name === String(id);
  return isNamed || change.change.actions[0] === 'create' ? [] : [`named ${value(change.name)}`];
}

function fieldLines({ field: name, before, after, reach, reason: why }: FieldChange, paint: Paint): readonly string[] {
  const [field, reason] = [plain(name), plain(why ?? '')];
  switch (reach) {
    case 'write':
    case 'transition':
    case 'replace':
      return differences(field, before ?? undefined, after, paint);
    case 'unverified':
      return [`${paint('change', '~')} ${field}: ${value(after)} ${paint('faint', `(${reason})`)}`];
    case 'unreachable':
      return [`${paint('warning', '!')} ${field}: ${value(before)} stays, ${value(after)} is out of reach: ${reason}`];
    case 'unreadable':
      return [`${paint('warning', '!')} ${field}: cannot verify ${value(after)}: ${reason}`];
  }
}

type Shows = 'danger' | 'ownership' | 'field' | 'end' | 'headline';

/** Where the text has what a note says. */
export const SHOWN: { readonly [kind in Note['kind']]: Shows } = {
  irreversible: 'danger',
  'other-licenses': 'danger',
  'data-loss': 'danger',
  unreachable: 'field',
  unreadable: 'field',
  unverified: 'field',
  recreating: 'headline',
  recovered: 'end',
  'secret-lost': 'end',
  stranger: 'ownership',
  rebinding: 'ownership',
  rename: 'ownership',
  'manual-step': 'end',
  'pending-approval': 'end',
  'left-out': 'end',
  'own-agent': 'end',
  'not-in-snapshot': 'end',
};

function changeLines(change: ResourceChange, notes: readonly Note[], paint: Paint): readonly string[] {
  const shown = shownAs(change);
  if (shown === null && change.fields.length === 0) return [];
  const lines =
    shown === null
      ? [
          `${paint('warning', '  !')} ${paint('strong', plain(change.address))} differs out of reach${sourceOf(change, paint)}`,
        ]
      : [headline(change, shown, paint), ...aboutLines(change, notes, paint)];
  for (const field of change.fields) for (const line of fieldLines(field, paint)) lines.push(`      ${line}`);
  lines.push('');
  return lines;
}

/** What there is to say of an object besides its fields. */
function aboutLines(change: ResourceChange, notes: readonly Note[], paint: Paint): readonly string[] {
  const told = (shows: Shows, tone: 'error' | 'warning'): readonly string[] =>
    notes.filter(({ kind }) => SHOWN[kind] === shows).map(({ message }) => `${paint(tone, '!')} ${plain(message)}`);
  const { moved } = change;
  const move = moved === null ? [] : [`${paint('move', '^')} place ${moved.from} ${paint('faint', '->')} ${moved.to}`];
  const lines = [...nameLine(change), ...told('danger', 'error'), ...told('ownership', 'warning'), ...move];
  return lines.map((line) => `      ${line}`);
}

/** What there is to say of one address. */
function notesOf({ notes }: Plan): (address: string) => readonly Note[] {
  const known = new Map<string, Note[]>();
  for (const note of notes) {
    const own = known.get(note.address);
    if (own === undefined) known.set(note.address, [note]);
    else own.push(note);
  }
  return (address) => known.get(address) ?? [];
}

/** `own` are the notes on it. Nothing is known to differ: some of it just cannot be seen. Nor is there anything to say of whose it is. */
export function isUnseen(change: ResourceChange, own: readonly Note[]): boolean {
  const shown = shownAs(change);
  if (shown !== null && shown !== 'adopt') return false;
  if (own.some(({ kind }) => SHOWN[kind] === 'ownership')) return false;
  return change.fields.every(({ reach }) => reach === 'unreadable');
}

/** A line for each object; why it cannot be seen is said once. */
function unseenLines(unseen: readonly ResourceChange[], paint: Paint): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const change of unseen) {
    for (const reason of new Set(change.fields.map((field) => field.reason ?? ''))) {
      const names = change.fields.flatMap(({ field, reason: why }) => ((why ?? '') === reason ? [field] : []));
      const lines = byReason.get(reason) ?? [];
      byReason.set(reason, lines);
      lines.push(`  ${plain(change.address)}: ${names.join(', ')}`);
    }
  }
  return [...byReason].flatMap(([reason, lines]) => [
    `${paint('strong', 'Cannot be verified:')} ${plain(reason)}`,
    ...lines,
    '',
  ]);
}

/** What somebody changed by hand since the last apply, and this plan takes back or changes again. */
function overwrittenLines({ resource_drift: all }: Plan, paint: Paint): readonly string[] {
  if (all.length === 0) return [];
  const lines = all
    .slice(0, MOST_OVERWRITTEN)
    .map((each) => `  ${plain(each.address)}: ${driftParts(each).map(plainPart).join(', ')}`);
  const more = all.length > lines.length ? [`  and ${all.length - lines.length} more`] : [];
  return [paint('strong', 'Changed on the license since the last apply, and overwritten:'), ...lines, ...more, ''];
}

const MOST_OVERWRITTEN = 20;

function plainPart({ name, before, after }: Part): string {
  return `${name} ${before ?? 'none'} -> ${after ?? 'none'}`;
}

/** From what was applied to what is there. */
export function driftParts({ change: { before, after } }: ResourceDrift): readonly Part[] {
  if (after === null) return [{ name: 'the object', before: 'applied', after: 'gone' }];
  return Object.keys(before)
    .flatMap((name) => parts(plain(name), before[name] ?? undefined, after[name] ?? undefined))
    .map((part) => ({ ...part, after: part.after === 'null' ? null : part.after }));
}

function renamedLines({ bindings }: Plan, paint: Paint): readonly string[] {
  if (bindings.move.length === 0) return [];
  const lines = bindings.move.map(({ from, to }) => `  ${plain(from)} -> ${plain(to)}`);
  return [paint('strong', 'Renamed, and the same object:'), ...lines, ''];
}

function unmanagedLines(unmanaged: readonly Unmanaged[], paint: Paint): readonly string[] {
  const released = unmanaged.filter((object) => object.released !== null);
  const strangers = unmanaged.filter((object) => object.released === null);
  const listed = strangers
    .slice(0, 20)
    .map(
      (object) =>
        `  ${object.type} ${value(object.name)} (${plain(String(object.id))})${object.reason === null ? '' : `, ${plain(object.reason)}`}`,
    );
  const more = strangers.length > listed.length ? [`  and ${strangers.length - listed.length} more`] : [];
  return [
    ...(released.length === 0
      ? []
      : [
          paint('strong', 'No longer declared, and kept:'),
          ...released.map((object) => `  ${plain(object.released ?? '')}: ${plain(object.reason ?? '')}`),
          paint('faint', '  they are ours still; `chatform ledger forget ADDRESS` takes one off this list'),
          '',
        ]),
    ...(strangers.length === 0 ? [] : [paint('strong', 'Unmanaged, and left alone:'), ...listed, ...more, '']),
  ];
}

function noteLines(plan: Plan, paint: Paint): readonly string[] {
  const addresses = new Map<string, string[]>();
  for (const { kind, address, message } of plan.notes) {
    if (SHOWN[kind] !== 'end') continue;
    const those = addresses.get(message) ?? [];
    addresses.set(message, those);
    those.push(address);
  }
  if (addresses.size === 0) return [];
  const lines = [...addresses].map(([message, those]) => `  ${namesOf(those)}: ${plain(message)}`);
  return [paint('strong', 'Good to know:'), ...lines, ''];
}

function costLine(plan: Plan, paint: Paint): readonly string[] {
  const actions = Object.entries(plan.requests.by_action).map(([action, count]) => `${count} ${action}`);
  if (actions.length === 0) return [];
  return [
    paint('faint', `${counted(plan.requests.total, 'request')} to apply: ${actions.join(', ')}`),
    paint('faint', `scopes needed: ${plan.scopes.join(', ')}`),
  ];
}

/** A few by name, and how many more. */
function namesOf(addresses: readonly string[]): string {
  const named = addresses.slice(0, 8).map(plain);
  const more = addresses.length - named.length;
  return `${named.join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
}

/** How the license stands when nothing is left to do. */
export function standing(plan: Plan): string {
  const fields = plan.resource_changes.flatMap((change) => change.fields);
  const differing = fields.filter(({ reach }) => reach === 'unreachable').length;
  const unknown = fields.filter(({ reach }) => reach === 'unreadable').length;
  if (differing + unknown === 0) return 'The license is as the manifest says.';
  const parts = [
    ...(differing === 0 ? [] : [`${differing} out of reach`]),
    ...(unknown === 0 ? [] : [`${unknown} that cannot be verified`]),
  ];
  return `The license is as the manifest says, but for ${parts.join(' and ')}.`;
}

/** `Plan: X to add, Y to change, Z to destroy.` */
export function summaryLine(plan: Plan, paint: Paint): string {
  const { add, change, destroy, adopt } = plan.summary;
  const adopted = adopt === 0 ? '' : ` ${adopt} to adopt.`;
  if (add + change + destroy === 0) return `${paint('strong', 'No changes.')} ${standing(plan)}${adopted}`;
  return `${paint('strong', 'Plan:')} ${add} to add, ${change} to change, ${destroy} to destroy.${adopted}`;
}

export function planText(plan: Plan, paint: Paint): string {
  const notes = notesOf(plan);
  const unseen = plan.resource_changes.filter((change) => isUnseen(change, notes(change.address)));
  const adopted = unseen.filter((change) => shownAs(change) === 'adopt');
  const hidden = new Set(unseen);
  const changes = plan.resource_changes
    .filter((change) => !hidden.has(change))
    .flatMap((change) => changeLines(change, notes(change.address), paint));
  const names = namesOf(adopted.map(({ address }) => address));
  const adoption = adopted.length === 0 ? [] : [`${paint('strong', 'Adopted as they are:')} ${names}`, ''];
  const against = againstLine(plan);
  return [
    ...(against === null ? [] : [paint('warning', against), '']),
    ...changes,
    ...adoption,
    ...renamedLines(plan, paint),
    ...overwrittenLines(plan, paint),
    ...routingLines(plan.routing, paint, plan.unmanaged),
    ...unseenLines(unseen, paint),
    ...unmanagedLines(plan.unmanaged, paint),
    ...noteLines(plan, paint),
    ...policyLines(plan, paint),
    ...withheldLines(plan, paint),
    summaryLine(plan, paint),
    ...costLine(plan, paint),
    '',
  ].join('\n');
}
