// What a person has to decide or do on a license, the most urgent first: one sentence each, and who can.

import { groupedBy } from '../../base/grouped.ts';
import type { Diagnostic } from '../../base/model.ts';
import { counted, few } from '../../base/text.ts';
import { dayOf } from '../../base/week.ts';
import { DAY } from '../../base/zone.ts';
import { ORDERED } from '../../kinds/index.ts';
import type { Plan, SourcePlace } from '../../plan/plan.ts';
import { sourceOf } from '../../plan/reference.ts';
import type { DriftSettings } from '../../project/drift-settings.ts';
import { moveIn, sentenceOf } from '../../view/words/sentence.ts';
import type { DriftReport } from '../drift/schema.ts';
import { wasSeenBefore } from '../drift/words.ts';
import type { RunEntry } from '../history/schema.ts';
import { RUN_ENDINGS } from '../history/words.ts';
import type { ShownObject } from '../show/schema.ts';

/** `application`: an administrator, in the application of the service. `files`: the people who edit the files. `either`: both of them. `run`: those who run chatform. `apply`: it ends with the next apply. */
export type Actor = 'application' | 'files' | 'either' | 'run' | 'apply';

export interface OpenNeed {
  readonly about:
    | 'unread'
    | 'files'
    | 'test'
    | 'run'
    | 'unapplied'
    | 'approval'
    | 'suspended'
    | 'withheld'
    | 'drift'
    | 'ignore';
  readonly severity: 'error' | 'warning';
  /** Whom or what it is about, where several share it or the sentence does not name them. */
  readonly names: readonly string[];
  /** Without a full stop. */
  readonly says: string;
  readonly who: Actor;
  readonly place: SourcePlace | null;
  /** Since when it is known to stand, RFC 3339 or a day; null where nothing remembers it. */
  readonly since: string | null;
}

/** How long before its last day an ignore rule is told. */
const SOON = 14;

/** A person to whom no chat is assigned. */
export interface BarredPerson {
  readonly kind: 'pending-approval' | 'suspended';
  readonly address: string;
}

export interface HiddenRules {
  /** Address of the rule that hides them, and what it says. */
  readonly by: string;
  readonly title: string;
  readonly rules: readonly string[];
}

export interface NeedsInput {
  readonly drift: DriftReport | null;
  readonly plan: Plan | null;
  readonly barred: readonly BarredPerson[];
  /** Names of groups whose people all wait for approval, or get no chats. */
  readonly deserted: readonly string[];
  /** Rules that a rule hides which no file has. */
  readonly hidden: readonly HiddenRules[];
  readonly lastRun: RunEntry | null;
  /** Whether an apply of the target has ended, however it did. */
  readonly isApplied: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Of the routing tests on the license as it is. */
  readonly failures: readonly Diagnostic[];
  readonly ignore: DriftSettings['ignore'];
  /** What people call what an address means. */
  readonly named: (address: string) => string;
  /** Where it is declared. */
  readonly placeOf: (address: string) => SourcePlace | null;
  /** YYYY-MM-DD, in UTC. */
  readonly today: string;
}

export function needsOf(input: NeedsInput): readonly OpenNeed[] {
  const unapplied = unappliedNeeds(input);
  const failures = input.failures.map((each) => ({ ...each, message: testText(each.message, input.named) }));
  const needs = [
    ...fileNeeds(input.diagnostics),
    ...runNeeds(input.lastRun),
    ...unapplied,
    ...planNeeds(input),
    ...barredNeeds(input),
    ...hiddenNeeds(input),
    ...changeNeeds({ ...input, failures: unapplied.length === 0 ? failures : [] }),
    ...ignoreNeeds(input),
  ];
  return needs.toSorted((one, other) => rank(one) - rank(other));
}

/** `the test "prices" fails: https://... reaches Night`, with what people call groups and rules. */
function testText(message: string, named: NeedsInput['named']): string {
  const said = message
    .replaceAll(/`?((?:group|auto_access)\/[^`\s,]+)`?/g, (_, address: string) => named(address))
    .replaceAll('`', '');
  return said.replace(/^(.+?): (?=https?:)/, 'the test "$1" fails: ');
}

function rank({ severity }: OpenNeed): number {
  return severity === 'error' ? 0 : 1;
}

/** The errors of the files. */
export function fileNeeds(diagnostics: readonly Diagnostic[]): readonly OpenNeed[] {
  return diagnostics.filter(({ severity }) => severity === 'error').map((each) => found('files', each));
}

function found(about: 'files' | 'test', { message, place }: Diagnostic): OpenNeed {
  return { about, severity: 'error', names: [], says: message, who: 'files', place: sourceOf(place), since: null };
}

function runNeeds(run: RunEntry | null): readonly OpenNeed[] {
  if (run === null || run.outcome === 'done' || run.outcome === 'failed' || run.finished_by !== null) return [];
  const says = `The last ${run.command ?? 'run'} ended ${RUN_ENDINGS[run.outcome]}: the next one goes on with it`;
  return [{ about: 'run', severity: 'error', names: [], says, who: 'run', place: null, since: run.at }];
}

/** A license that has nothing of the files yet: each test fails there, which says nothing more. */
function unappliedNeeds({ plan, isApplied }: NeedsInput): readonly OpenNeed[] {
  if (plan === null || isApplied) return [];
  const { add, change, destroy, adopt } = plan.summary;
  const count = add + change + destroy + adopt;
  if (count === 0) return [];
  const says = `Never applied: ${counted(count, 'change')} of the files ${count === 1 ? 'waits' : 'wait'}`;
  return [{ about: 'unapplied', severity: 'warning', names: [], says, who: 'run', place: null, since: null }];
}

function planNeeds({ plan }: NeedsInput): readonly OpenNeed[] {
  return (plan?.withheld ?? []).map(({ message, remedy }): OpenNeed => {
    const says = `What the files want is withheld: ${message}; ${remedy}`;
    return { about: 'withheld', severity: 'warning', names: [], says, who: 'run', place: null, since: null };
  });
}

/** By the plan, which leaves out whom the files suspend; without a plan, as the license has it. */
export function barredPeople(plan: Plan | null, people: readonly ShownObject[]): readonly BarredPerson[] {
  if (plan !== null)
    return plan.notes.flatMap(({ kind, address }) =>
      kind === 'pending-approval' || kind === 'suspended' ? [{ kind, address }] : [],
    );
  return people.flatMap(({ address, spec }): readonly BarredPerson[] => {
    if (spec['awaiting_approval'] === true) return [{ kind: 'pending-approval', address }];
    return spec['suspended'] === true ? [{ kind: 'suspended', address }] : [];
  });
}

/** Those who wait for the same are one need. */
function barredNeeds({ barred, deserted, plan, drift, named, placeOf }: NeedsInput): readonly OpenNeed[] {
  return Array.from(groupedBy(barred, ({ kind }) => kind).values(), (notes): OpenNeed => {
    const [{ kind, address }, ...others] = notes;
    const about = kind === 'suspended' ? 'suspended' : 'approval';
    const alone = kind === 'suspended' || deserted.length === 0 ? '' : `; no other person is in ${few(deserted)}`;
    return {
      about,
      severity: alone === '' ? 'warning' : 'error',
      names: notes.map((note) => named(note.address)),
      says:
        kind === 'suspended'
          ? `suspended${plan === null ? ', so no chat is assigned; whether the files say so is not known' : ' in the application, so no chat is assigned'}`
          : `${others.length === 0 ? 'waits' : 'wait'} for approval and ${others.length === 0 ? 'gets' : 'get'} no chats until then${alone}`,
      who: 'application',
      place: others.length === 0 ? placeOf(address) : null,
      since: waitingSince(
        drift,
        notes.map((note) => note.address),
      ),
    };
  });
}

function hiddenNeeds({ hidden, named, placeOf }: NeedsInput): readonly OpenNeed[] {
  return hidden.map(({ title, rules }): OpenNeed => {
    const never = rules.length === 1 ? 'never decides' : 'never decide';
    const says = `${few(rules.map(named))} ${never}: no file has the rule ${title}, which is asked before and takes all their visitors`;
    const place = placeOf(rules[0] ?? '');
    return { about: 'drift', severity: 'error', names: [], says, who: 'either', place, since: null };
  });
}

/** Since when checks see the first of those who wait for approval. */
function waitingSince(drift: DriftReport | null, addresses: readonly string[]): string | null {
  if (drift === null) return null;
  const waiting = drift.items.filter(({ kind, address }) => kind === 'pending-approval' && addresses.includes(address));
  const seen = waiting.filter((item) => wasSeenBefore(item, drift.at)).map(({ first_seen }) => first_seen);
  return seen.toSorted()[0] ?? null;
}

/** A test that fails until the rules are put back is part of what was done to them. */
function changeNeeds(input: NeedsInput): readonly OpenNeed[] {
  const { failures } = input;
  const drifted = driftNeeds(input);
  const mended = failures.filter((each) => isMended(each, input));
  const others = failures.filter((each) => !mended.includes(each)).map((each) => found('test', each));
  const [first] = mended;
  const cause = drifted.find(({ isOfRules, who }) => isOfRules && who === 'apply');
  if (first === undefined) return [...drifted, ...others];
  if (cause === undefined) {
    const waiting = mended.map((each): OpenNeed => {
      return { ...found('test', each), says: `${each.message}; by the files the test passes`, who: 'apply' };
    });
    return [...drifted, ...waiting, ...others];
  }
  const more =
    mended.length === 1 ? '' : `; ${counted(mended.length - 1, 'more routing test fails', 'more routing tests fail')}`;
  const says = `${cause.says}. Until then ${first.message}${more}`;
  const whole: OpenNeed = { ...cause, severity: 'error', says };
  return [...drifted.map((each) => (each === cause ? whole : each)), ...others];
}

/** Whether the test passes after an apply of the plan, which has a finding at the place of each test that fails. */
function isMended({ place }: Diagnostic, { plan, diagnostics }: NeedsInput): boolean {
  if (plan === null || diagnostics.some(({ more }) => more !== undefined)) return false;
  return !diagnostics.some(
    ({ code, place: { file, line, column } }) =>
      code === 'route-failed' && file === place.file && line === place.line && column === place.column,
  );
}

interface DriftNeed extends OpenNeed {
  readonly isOfRules: boolean;
}

/** What was changed behind the files; what only waits for an apply is in the plan. */
function driftNeeds({ drift, named, placeOf, hidden }: NeedsInput): readonly DriftNeed[] {
  if (drift === null) return [];
  return drift.items.flatMap((item): readonly DriftNeed[] => {
    const { severity, kind, status, source, type, ways_out: waysOut } = item;
    if (severity === 'info' || kind === 'pending-approval' || status === 'pending') return [];
    if (hidden.some(({ by }) => by === item.address)) return [];
    const since = wasSeenBefore(item, drift.at) ? item.first_seen : null;
    const who = waysOut.includes('apply') ? 'apply' : kind === 'unmanaged' ? 'either' : 'files';
    const isOfRules = type === ORDERED.name;
    const place = source ?? placeOf(moveIn(item)?.moved ?? '');
    return [{ about: 'drift', severity, names: [], says: sentenceOf(item, named), who, place, since, isOfRules }];
  });
}

/** Ignore rules that end soon: what they cover is reported again. */
function ignoreNeeds({ ignore, today }: NeedsInput): readonly OpenNeed[] {
  const now = dayOf(today) ?? 0;
  return ignore.flatMap(({ address, until, place }): readonly OpenNeed[] => {
    const last = until === null ? null : dayOf(until);
    if (last === null || last > now + SOON * DAY) return [];
    const isOver = last < now;
    const says = isOver
      ? `${address} was allowed to differ from the files until ${until}, and is reported again`
      : `${address} may differ from the files until ${until}: from then on it is reported again`;
    const since = isOver ? until : null;
    return [{ about: 'ignore', severity: 'warning', names: [], says, who: 'files', place: sourceOf(place), since }];
  });
}
