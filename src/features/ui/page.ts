// What the page of a license shows, as plain JSON: what was read at one time, and what follows from it.

import { groupedBy, sumOf } from '../../base/grouped.ts';
import type { Diagnostic, KindName, LintId } from '../../base/model.ts';
import { dayAt, daysFrom, type Week } from '../../base/week.ts';
import { DAY } from '../../base/zone.ts';
import { KINDS, ORDERED, ROUTED } from '../../kinds/index.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { lastApply } from '../../ledger/runs.ts';
import type { Requests } from '../../license/connect.ts';
import type { Comparison } from '../../plan/compare.ts';
import type { SourcePlace } from '../../plan/plan.ts';
import { addressOf } from '../../plan/reference.ts';
import type { Planning } from '../../planning/planning.ts';
import { licenseOf, routedByLicense } from '../../planning/routes.ts';
import { ruleLints } from '../../routing/lint.ts';
import { knownPages } from '../../routing/pages.ts';
import { programOf, type RoutingRule } from '../../routing/rules.ts';
import type { BoundLicense } from '../../routing/sources.ts';
import { coverageOf } from '../../routing/staff/coverage.ts';
import type { Staff } from '../../routing/staff/staff.ts';
import type { Declared } from '../../target/prepare.ts';
import { datedWeeks } from '../coverage/dated.ts';
import { demandReport, type ReadChats } from '../coverage/demand.ts';
import { type CoverageReport, coverageReport, coverageSubject } from '../coverage/report.ts';
import type { Recalled } from '../drift/read-drift.ts';
import { driftIn, isComparable } from '../drift/read-drift.ts';
import type { DriftReport } from '../drift/schema.ts';
import { laterSide, licenseSide } from '../explain/read-explain.ts';
import { runHistory } from '../history/history.ts';
import type { RunEntry } from '../history/schema.ts';
import { type ShownHistory, shownHistory } from '../history/view.ts';
import type { PlannedTarget } from '../plan/operation.ts';
import { catalogue } from '../show/catalogue.ts';
import { ruleSentence } from '../show/lists.ts';
import { membersOf } from '../show/member-lists.ts';
import { groupNames } from '../show/members.ts';
import type { ShownMembers, ShownObject } from '../show/schema.ts';
import { type Arrivals, arrivalsIn } from './arrivals.ts';
import { figuresOf, type PageFigures, usualByHour } from './figures.ts';
import { placeText } from './message.ts';
import { type BarredPerson, barredPeople, type HiddenRules, needsOf, type OpenNeed } from './needs.ts';
import type { NextHours } from './next-hours.ts';
import { nextHours } from './next-hours.ts';
import { pastRules } from './past-rules.ts';
import { type WorkingPeople, workingPeople } from './people.ts';
import type { AskedRules } from './rules-at.ts';

export interface LicensePage {
  readonly target: string;
  /** Address of the service. */
  readonly address: string;
  /** The embedded emulator, and no license that a customer sees. */
  readonly isEmulator: boolean;
  /** When the license was read, RFC 3339. */
  readonly at: string;
  /** IANA name of the zone in which times are told. */
  readonly timezone: string;
  /** What could not be read, and why: one sentence each. */
  readonly unread: readonly string[];
  readonly needs: readonly OpenNeed[];
  readonly next: NextHours;
  /** The license as it is. */
  readonly cover: CoverageReport;
  /** Null where no reports were read. */
  readonly figures: PageFigures | null;
  /** Null where files and license could not be compared. */
  readonly drift: DriftReport | null;
  readonly plan: PlannedTarget | null;
  /** When an apply last did all that it had to do, RFC 3339; null where none has. */
  readonly lastApply: string | null;
  /** Of the last seven days. */
  readonly history: ShownHistory;
  /** The rules in their order. */
  readonly rules: readonly ShownObject[];
  /** By address: why a rule never decides. */
  readonly idle: { readonly [rule: string]: string };
  /** What answers for a visitor. */
  readonly asked: AskedRules;
  /** Agents and bots. */
  readonly people: readonly ShownObject[];
  readonly members: ShownMembers;
  readonly working: WorkingPeople;
  /** Names of people whose hours by date the license does not have yet, as a plan has it: later days count with them. */
  readonly unapplied: readonly string[];
  /** Findings about the files and the plan. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the files could be read; otherwise the license says nothing of what is declared. */
  readonly isOfFiles: boolean;
  /** What no file has and came lately. */
  readonly arrivals: Arrivals;
  /** Since when changes by hand are shown, RFC 3339: seven days, or since the last apply where that is longer ago. */
  readonly since: string;
  /** Who gets no chats. */
  readonly barred: readonly BarredPerson[];
  /** Rules that a rule hides which no file has. */
  readonly hidden: readonly HiddenRules[];
}

/** How far back changes are shown. */
const DAYS_BACK = 7;

/** A license as it was read. */
export interface SeenLicense {
  readonly declared: Declared;
  readonly compared: Comparison;
  /** Null where not all could be read, or nothing is declared. */
  readonly planning: Planning | null;
  readonly events: readonly LedgerEvent[];
  readonly unread: readonly string[];
  readonly requests: Requests;
  /** Chats of the groups; null where nothing asked for them. */
  readonly chats: ReadChats | null;
  /** What earlier drift checks saw. */
  readonly recalled: Recalled;
  /** When it was read, and when the page is made, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly now: number;
}

export function pageOf(seen: SeenLicense): LicensePage {
  const { declared, compared, planning, events, unread, requests, recalled, chats, readAt, now } = seen;
  const { settings } = declared;
  const at = new Date(readAt).toISOString();
  const zone = settings.routing.timezone;
  const { live } = compared;
  const entries = catalogue(live, compared);
  const sources = new Map<string, SourcePlace | null>(entries.map(({ address, source }) => [address, source]));
  const names = new Map<string, string>(entries.map(({ address, name }) => [address, name]));
  const drift =
    planning === null || !isComparable(planning)
      ? null
      : driftIn(planning, declared, recalled, { at, failOn: settings.drift.failOn, requests: sumOf(requests) }).report;
  const last = lastApply(events);
  const since = [new Date(now - DAYS_BACK * DAY).toISOString(), ...(last === null ? [] : [last])].toSorted()[0] ?? at;
  const history = historyOf(events, settings.ledger, settings.name, now);
  const diagnostics = planning?.diagnostics ?? declared.diagnostics;
  const license = licenseOf(declared, live, compared.ledger);
  const { failures } = routedByLicense(declared, license);
  const plan = planning?.plan ?? null;
  const people = entries.filter(({ type }) => KINDS[type].serving !== undefined);
  const barred = barredPeople(plan, people);
  const isOfFiles = !declared.diagnostics.some(({ severity }) => severity === 'error');
  const rules = entries.filter(({ type }) => type === ORDERED.name);
  const byAddress = addressed(license);
  const side = licenseSide(declared, byAddress, now);
  const { staff } = side;
  const { idle, hidden } = idleIn(declared, side.rules, rules);
  const later = laterSide(side, declared);
  const usual = Object.fromEntries(chats?.groups.map((group) => [group.address, usualByHour(group, zone)]) ?? []);
  const week = daysFrom(zone, dayAt(zone, now));
  const dated = datedWeeks(later.staff, week);
  const ownerships = new Map(entries.map(({ address, ownership }) => [address, ownership]));
  const members = membersOf({
    view: 'live',
    before: null,
    staff,
    ownershipOf: (address) => ownerships.get(address) ?? 'unmanaged',
  });
  const said = sayings(entries, rules, members);
  return {
    target: settings.name,
    address: settings.baseUrl,
    isEmulator: settings.baseUrl.startsWith('emulator:'),
    at,
    timezone: zone,
    unread,
    needs: needsOf({
      drift,
      plan,
      barred,
      deserted: desertedIn(staff),
      hidden,
      isApplied: events.some((event) => event.type === 'run' && event.command === 'apply'),
      lastRun: lastRunIn(events, settings.ledger, settings.name),
      diagnostics,
      failures,
      ignore: settings.drift.ignore,
      named: (address) => names.get(address) ?? address,
      placeOf: (address) => sources.get(address) ?? null,
      today: new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length),
    }),
    next: nextHours(later.staff, zone, now, usual),
    cover: {
      ...coverageReport({
        ...coverageSubject(declared),
        view: 'live',
        week,
        before: null,
        staff: later.staff,
        names: true,
      }),
      ...(dated.length === 0 ? {} : { dated }),
      ...(chats === null ? {} : { demand: demandReport(coversIn(later.staff, week), chats, week) }),
    },
    figures: chats === null ? null : figuresOf(chats, history.runs, members),
    drift,
    plan: plan === null ? null : { plan, saved: null, pictures: null, testsOnCustomer: false },
    lastApply: last,
    history,
    rules,
    idle,
    hidden,
    arrivals: arrivalsIn(drift ?? { items: [] }, events, recalled.sightings, since),
    since,
    barred,
    isOfFiles,
    asked: {
      target: settings.name,
      ...later,
      usual,
      ...said,
      isOfFiles,
      domain: domainIn(declared, side.rules),
      readAt,
      past: pastRules(events, byAddress, settings.routing.assumptions, now, said.called),
    },
    people,
    members,
    unapplied: (plan?.resource_changes ?? []).flatMap(({ address, type, fields }) => {
      const isOther = fields.some(({ field }) => field === KINDS[type].serving?.hours);
      return isOther && declared.desired.dated?.has(address) === true ? (names.get(address) ?? []) : [];
    }),
    working: workingPeople(staff, declared.desired, zone, dayAt(zone, now)),
    diagnostics,
  };
}

/** Names of groups with people who wait for approval, and no other person who can get chats. */
function desertedIn({ groups }: Staff): readonly string[] {
  const those = groups.filter(
    ({ members }) =>
      members.some(({ barred }) => barred === 'waiting for approval') &&
      members.every(({ barred, tireless }) => tireless || barred !== null),
  );
  return those.map(({ name }) => name);
}

function coversIn(staff: Staff, week: Week): Parameters<typeof demandReport>[0] {
  return coverageOf(staff, week).groups.map((cover) => ({
    cover,
    address: addressOf(ROUTED.name, cover.group.reference),
  }));
}

/** With an address for each object, also of one that no file declares. */
function addressed(license: BoundLicense): BoundLicense {
  const referenceTo: BoundLicense['referenceTo'] = (kind, id) =>
    addressOf(kind as KindName, license.referenceTo(kind, id));
  return { ...license, referenceTo };
}

/** Names of groups, and what rules say and where. */
function sayings(
  entries: readonly ShownObject[],
  rules: readonly ShownObject[],
  members: ShownMembers,
): Pick<LicensePage['asked'], 'called' | 'places'> {
  const groups = entries.filter(({ type }) => type === ROUTED.name);
  const names = Object.fromEntries(groupNames(members));
  const said = rules.map(({ address, spec }) => [address, ruleSentence(spec, names)] as const);
  const places = [...groups, ...rules].flatMap(({ address, source }) =>
    source === null ? [] : [[address, placeText(source)] as const],
  );
  return { called: { ...names, ...Object.fromEntries(said) }, places: Object.fromEntries(places) };
}

const NEVER_DECIDES: ReadonlySet<string> = new Set<LintId>(['unreachable-rule', 'never-matches', 'duplicate-rule']);

/** Which texts of rules make it so: more than a page tells. */
const PROOF = / \(".*\)$/;

/** What follows the name of the rule in the finding; and rules of the files that one hides which no file has. */
function idleIn(
  { settings: { routing }, routes }: Declared,
  rules: readonly RoutingRule[],
  listed: readonly ShownObject[],
): Pick<LicensePage, 'idle' | 'hidden'> {
  const byHand = new Map(
    listed.flatMap(({ address, name, ownership }) =>
      ownership === 'unmanaged' ? [[`${address}`, name] as const] : [],
    ),
  );
  const titled = rules.map((rule) => {
    const name = byHand.get(rule.name);
    return name === undefined ? rule : { ...rule, title: `"${name}"` };
  });
  const lints = ruleLints(titled, routing.assumptions, () => null, { domain: routing.domain, tests: routes });
  const found = lints.filter(({ id }) => NEVER_DECIDES.has(id));
  const hidden = found.flatMap(({ about: [rule = ''], behind }) =>
    behind === undefined || behind.site !== null || byHand.has(rule) ? [] : [{ rule, ...behind }],
  );
  return {
    idle: Object.fromEntries(
      found.map(({ about: [rule = ''], message }) => [rule, message.slice(rule.length + 1).replace(PROOF, '')]),
    ),
    hidden: Array.from(groupedBy(hidden, ({ name }) => name).values(), (those) => {
      const [{ name, title }] = those;
      return { by: name, title, rules: those.map(({ rule }) => rule) };
    }),
  };
}

function domainIn({ settings: { routing }, routes }: Declared, rules: readonly RoutingRule[]): string | null {
  return (
    knownPages(programOf(rules, routing.assumptions).rules, { domain: routing.domain, tests: routes }).domains[0] ??
    null
  );
}

/** However long ago it was. */
function lastRunIn(events: readonly LedgerEvent[], ledger: string, target: string): RunEntry | null {
  const question = { run: null, only: [], find: null, since: null, last: 1 };
  return runHistory(events, { ledger, target }, question).runs[0] ?? null;
}

function historyOf(events: readonly LedgerEvent[], ledger: string, target: string, now: number): ShownHistory {
  const question = { run: null, only: [], find: null, since: now - DAYS_BACK * DAY, last: null, inFull: true };
  return shownHistory(events, { ledger, target }, question);
}
