// Words for what a plan does, shared by text, comments, pages and reports.

import { grouped, groupedBy } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { Against, Note, Plan, ResourceChange, Step } from '../../plan/plan.ts';
import type { PlanRisk } from '../../plan/review/plan-result.ts';
import type { SavedPlan } from '../../plan/saved/saved-plan.ts';
import { plain } from '../plain.ts';

/** What happens to a resource, in one word. */
export type ResourceAction = 'create' | 'update' | 'replace' | 'delete' | 'move' | 'adopt';

/** Null when nothing happens to it. */
export function actionOf({ change, moved, fields, adopting }: ResourceChange): ResourceAction | null {
  const [first, second] = change.actions;
  if (second === 'create') return 'replace';
  if (first === 'no-op') return adopting ? 'adopt' : null;
  if (first === 'update' && moved !== null && fields.length === 0) return 'move';
  return first;
}

/** Where an output shows a note: next to its change (danger, ownership, field, headline), or in the lists at the end. */
export const NOTE_PLACES: {
  readonly [kind in Note['kind']]: 'danger' | 'ownership' | 'field' | 'headline' | 'released' | 'end';
} = {
  irreversible: 'danger',
  'other-licenses': 'danger',
  'data-loss': 'danger',
  restriction: 'danger',
  leaver: 'danger',
  unreachable: 'field',
  unreadable: 'field',
  unverified: 'field',
  recreating: 'headline',
  recovered: 'end',
  'secret-lost': 'end',
  administrator: 'danger',
  'never-owned': 'ownership',
  released: 'released',
  rebinding: 'ownership',
  rename: 'ownership',
  account: 'ownership',
  'manual-step': 'end',
  alike: 'end',
  second: 'ownership',
  'pending-approval': 'end',
  suspended: 'end',
  'left-out': 'end',
  shared: 'end',
  gap: 'end',
  'own-agent': 'end',
  'not-in-snapshot': 'end',
};

export type NotesOf = (address: string) => readonly Note[];

/** Looks up the notes of an address. */
export function notesOf({ notes }: Plan): NotesOf {
  const known = groupedBy(notes, ({ address }): string => address);
  return (address) => known.get(address) ?? [];
}

/** Message -> the addresses that it is about. */
export function byMessage(notes: readonly Pick<Note, 'address' | 'message'>[]): ReadonlyMap<string, readonly string[]> {
  return grouped(notes.map(({ address, message }) => [message, address]));
}

/** Title of the list of owned objects that stay. */
export function releasedTitle({ destroys }: Pick<Plan, 'destroys'>): string {
  return destroys === undefined ? 'No longer declared (kept)' : 'Kept';
}

/** `Plan: X to add, Y to change, Z to destroy on TARGET.`, the title apart. */
export function summaryText(plan: Plan): readonly [title: string, counts: string] {
  const { add, change, destroy, adopt } = plan.summary;
  const adopted = adopt === 0 ? '' : ` ${adopt} to adopt.`;
  if (add + change + destroy === 0) return ['No changes.', `${standing(plan)}${adopted}`];
  return ['Plan:', `${add} to add, ${change} to change, ${destroy} to destroy on ${plan.target}.${adopted}`];
}

/** How the license stands when nothing is left to do. */
export function standing(plan: Plan): string {
  if (plan.destroys !== undefined) return `Nothing on the license of ${plan.target} is left to destroy.`;
  const fields = plan.resource_changes.flatMap((change) => change.fields);
  const differing = fields.filter(({ reach }) => reach === 'unreachable').length;
  const unknown = fields.filter(({ reach }) => reach === 'unreadable').length;
  const { scope } = plan;
  if (scope?.compared === 0 && scope.left_out === 0)
    return `Nothing was compared: the files declare nothing, and chatform owns nothing on the license of ${plan.target}.`;
  const matches =
    scope === undefined
      ? `The license of ${plan.target} matches the manifest`
      : `What was selected of ${plan.target} matches the manifest (${scope.compared} of ${scope.compared + scope.left_out})`;
  if (differing + unknown === 0) return `${matches}.`;
  const parts = [
    ...(differing === 0 ? [] : [`${differing} that cannot be changed through the API`]),
    ...(unknown === 0 ? [] : [`${unknown} that cannot be verified`]),
  ];
  return `${matches}, except for ${parts.join(' and ')}.`;
}

/** Policies that warn and did not pass; policies that deny are among what is withheld. */
export function policyWarnings({ policies }: Plan): readonly { readonly name: string; readonly message: string }[] {
  return policies
    .filter(({ level, passed }) => level === 'warn' && !passed)
    .map(({ name, message, failure }) => ({ name, message: failure === null ? message : `${message} (${failure})` }));
}

/** Each danger as a sentence about an address, and as a mark. */
export const DANGERS: {
  readonly [what in Caution['what']]: { readonly says: string; readonly mark: string };
} = {
  'data-loss': {
    says: 'may lose data',
    mark: 'data may be lost',
  },
  irreversible: {
    says: 'cannot be undone',
    mark: 'cannot be undone',
  },
  'other-licenses': {
    says: 'changes other licenses',
    mark: 'other licenses',
  },
  restriction: {
    says: 'reaches everything that is not listed',
    mark: 'reaches what is not listed',
  },
  lookalike: {
    says: 'may pass for another name',
    mark: 'may pass for another',
  },
  destroy: { says: 'is destroyed', mark: 'destroyed' },
  leaver: {
    says: 'is suspended, because the row is missing',
    mark: 'row is missing',
  },
  emptied: { says: 'loses its last member', mark: 'no member left' },
  credential: {
    says: 'has a credential change',
    mark: 'credential',
  },
  access: { says: 'gets more access', mark: 'more access' },
};

/** The worst of a plan, in a few words. */
export const RISKS: { readonly [risk in PlanRisk]: string } = {
  withheld: 'withheld',
  lasting: 'cannot be fully undone',
  destroys: 'destroys objects',
  exposes: 'chats may be misrouted',
  changes: 'changes',
  nothing: 'no changes',
};

/** The days whose hours a plan makes, and when an apply is needed next; null where no hours depend on the date. */
export function hoursLine({ hours }: Pick<Plan, 'hours'>): string | null {
  if (hours === undefined) return null;
  const what = hours.days.every(({ from, to }) => from === to) ? 'Rules and people' : 'Hours';
  const { next_change: next } = hours;
  const then =
    next === null
      ? 'no later date is declared'
      : `they change next on ${dayText(next.date)} (${next.timezone}): run \`chatform apply\` again then`;
  return plain(`${what} are those of ${daysText(hours)}; ${then}.`);
}

export function daysText({ days }: NonNullable<Plan['hours']>): string {
  const each = days.map(({ timezones, from, to }) => {
    const zones = days.length === 1 ? '' : ` (${timezones.join(', ')})`;
    return `${from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`}${zones}`;
  });
  return each.join(' and ');
}

/** Whose hours a plan makes, and of which days: `12 agents`, `those of Sat 28 November 2026 to ...`. Null where it makes none that depend on the date. */
export function datedHours({
  hours,
  resource_changes: changes,
}: Pick<Plan, 'hours' | 'resource_changes'>): { readonly whose: string; readonly days: string } | null {
  if (hours === undefined) return null;
  const own = changes.filter(({ fields }) => fields.some(({ field }) => field === 'work_scheduler'));
  if (own.length === 0) return null;
  const whose = [...groupedBy(own, ({ type }) => type)]
    .map(([type, { length }]) => counted(length, KINDS[type].noun.one, KINDS[type].noun.many))
    .join(' and ');
  return { whose, days: plain(`those of ${daysText(hours)}`) };
}

const COMING: { readonly [change in NonNullable<Plan['coming']>[number]['change']]: string } = {
  begins: 'begins',
  ends: 'is over',
  away: 'is away',
  back: 'is back',
};

/** `Mon 1 December 2026: auto_access/campaign begins`. */
export function comingTexts(
  { coming = [] }: Pick<Plan, 'coming'>,
  nameOf: (address: string) => string = String,
): readonly string[] {
  return coming.map(({ address, member, change, date }) => {
    const what = member === null ? nameOf(address) : `${member} in ${nameOf(address)}`;
    return plain(`${dayText(date)}: ${what} ${COMING[change]}`);
  });
}

const IN_DAY_TEXT = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
let dayFormat: Intl.DateTimeFormat | undefined;

/** `Thu 24 December 2026`. */
export function dayText(date: string): string {
  dayFormat ??= new Intl.DateTimeFormat('en-GB', IN_DAY_TEXT);
  return dayFormat.format(new Date(`${date}T00:00:00Z`)).replace(',', '');
}

/** What a reader of a plan against a snapshot must know; null for a plan of the license itself. */
export function againstLine({ against, target }: Pick<Plan, 'against' | 'target'>): string | null {
  if (against === undefined) return null;
  const { taken_at, digest } = against;
  return `This plan is made from a snapshot of ${plain(target)}, not from the license, and cannot be applied. The snapshot was taken ${taken_at}, ${ageOf(against)} (digest ${digest.slice(0, 8)}).`;
}

/** Seconds. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function ageOf({ age_seconds: age }: Against): string {
  if (age === null) return 'after the time of the plan: one of the two clocks is wrong';
  return `${spanOf(age)} before the plan was made`;
}

/** In the largest unit of which there are at least two. */
function spanOf(age: number): string {
  if (age >= 2 * DAY) return counted(Math.floor(age / DAY), 'day');
  if (age >= 2 * HOUR) return counted(Math.floor(age / HOUR), 'hour');
  if (age >= 2 * MINUTE) return counted(Math.floor(age / MINUTE), 'minute');
  return 'a moment';
}

/** What a person must know of a saved plan before approving it: where it was made, what it was narrowed to, what was acknowledged. Not yet plain. */
export function approvalLines({
  origin,
  selection: { only, except },
  acknowledged: { given, vetoes },
}: Pick<SavedPlan, 'origin' | 'selection' | 'acknowledged'>): readonly string[] {
  const narrowed = [...only.map((glob) => `--only ${glob}`), ...except.map((glob) => `--except ${glob}`)];
  const ended = vetoes.map(({ guard, addresses }) => `${guard} (${addresses.join(', ')})`);
  return [
    ...(origin === undefined ? [] : [originText(origin)]),
    ...(narrowed.length === 0 ? [] : [`Narrowed to: ${narrowed.join(' ')}`]),
    ...(given.length === 0
      ? []
      : [
          `Acknowledged when it was made: ${given.join(', ')}. In CI, only the files and flags of the apply acknowledge.`,
        ]),
    ...(ended.length === 0 ? [] : [`Guards that this ended: ${ended.join('; ')}.`]),
  ];
}

function originText({
  ci,
  repository,
  commit,
  base,
  workflow,
  request,
  run,
}: NonNullable<SavedPlan['origin']>): string {
  const parts = [
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(request === undefined ? [] : [`request ${request}`]),
    ...(base === undefined ? [] : [`base ${base}`]),
    ...(workflow === undefined ? [] : [`workflow ${workflow}`]),
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(repository === undefined ? [] : [`repository ${repository}`]),
  ];
  return `Made by ${ci}: ${parts.join(', ')}.`;
}

/** What a step writes, by its address where it has one. */
export function stepName({ address, type, object }: Step): string {
  return plain(address ?? `${type} ${object}`);
}
