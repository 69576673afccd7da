// Weekly coverage: who can get chats, group by group, by the files, on the license, or before and after an apply. Changes nothing.

import { UsageError } from '../base/errors.ts';
import type { Desired, Place } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { isTimezone } from '../kinds/scheduler.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { compare } from '../plan/compare.ts';
import { type Staffing, staffing } from '../plan/staffing.ts';
import { survey } from '../reading/live.ts';
import { type View, viewOf } from '../reading/view.ts';
import { declaredPlaces, STAFFING } from '../staff/placed.ts';
import { type GroupStaff, type Placed, type Staff, staffOf } from '../staff/staff.ts';
import { dayOf, type Week, weekAt, weekOf } from '../staff/week.ts';
import { addressOf } from '../tasks/coverage/address.ts';
import { missingStrips } from '../tasks/coverage/grid.ts';
import { coverageReport, type ViewName } from '../tasks/coverage/report.ts';
import type { Requests } from './apply.ts';
import { connected } from './connect.ts';
import { planOptions } from './planning.ts';
import type { Choice, Declared } from './prepare.ts';
import type { Surroundings } from './surroundings.ts';

export interface CoverageOptions extends Choice {
  /** Default `desired`. */
  readonly on?: ViewName;
  /** Any day of the week, YYYY-MM-DD; default today. */
  readonly week?: string;
  /** IANA name; default the project's. */
  readonly timezone?: string;
}

/** Coverage of the groups with these keys, addresses, ids or names; of all without any. @throws UsageError for an unknown one */
export async function coverageOfTarget(
  names: readonly string[],
  declared: Declared,
  options: CoverageOptions,
  surroundings: Surroundings,
) {
  const { settings, desired } = declared;
  const view = options.on ?? 'desired';
  const week = weekFor(options, settings.routing.timezone, surroundings);
  const read = view === 'desired' ? null : await readStaffing(declared, options, surroundings);
  const about = { zone: week.zone, version: settings.apiVersion, isRead: read !== null };
  const staffed = (placed: readonly Placed[]): Staff => staffOf(placed, about);
  const after = staffed(read === null ? declaredPlaces(desired) : view === 'live' ? read.before : read.after);
  const before = read !== null && view === 'both' ? staffed(read.before) : null;
  const wants = wantedBy(names, [...after.groups, ...(before?.groups ?? [])]);
  const places = new Map<string, Place>(desired.resources.map(({ address, place }) => [address, place]));
  const { report, grids } = coverageReport({
    target: settings.name,
    view,
    week,
    before,
    staff: after,
    wants,
    lint: settings.routing.lint,
    placeOf: (reference) => places.get(reference) ?? null,
  });
  const requests: Requests = read?.requests ?? {};
  return { report, grids, missing: missingStrips(week), requests };
}

/** @throws UsageError for a zone or a day that there is not */
function weekFor({ week, timezone }: CoverageOptions, preset: string, { clock }: Pick<Surroundings, 'clock'>): Week {
  const zone = timezone ?? preset;
  if (!isTimezone(zone))
    throw new UsageError(`--timezone ${zone} is not an IANA time zone: write one such as Europe/Warsaw`);
  if (week === undefined) return weekAt(zone, clock.now());
  const day = dayOf(week);
  if (day === null) throw new UsageError(`--week ${week} is not a day: write any day of the week, such as 2026-10-25`);
  return weekOf(zone, day);
}

/** By key, address, id or name. @throws UsageError for what is none of them */
function wantedBy(
  names: readonly string[],
  groups: readonly GroupStaff[],
): (group: Pick<GroupStaff, 'reference' | 'name'>) => boolean {
  const kind = MEMBERSHIP.right.kind.name;
  const calledOf = ({ reference, name }: Pick<GroupStaff, 'reference' | 'name'>): readonly string[] => {
    const address = addressOf(kind, reference);
    return [address, address.slice(kind.length + 1), name];
  };
  const known = new Set(groups.flatMap(calledOf));
  for (const name of names) {
    if (known.has(name)) continue;
    throw new UsageError(`there is no group ${name}: ${rightNames(name, [...known])}`);
  }
  return (group) => names.length === 0 || calledOf(group).some((called) => names.includes(called));
}

interface ReadStaffing extends Staffing {
  readonly requests: Requests;
}

/** @throws what the first request that failed met, or UsageError when what is declared cannot be told from what exists */
async function readStaffing(
  prepared: Declared,
  options: CoverageOptions,
  surroundings: Surroundings,
): Promise<ReadStaffing> {
  const { settings, moved } = prepared;
  const desired = staffedPart(prepared.desired);
  const ledger = foldLedger(await fileLedger(settings.ledger).read());
  return connected(settings, surroundings, async ({ client, ask }) => {
    const view = staffView(viewOf(desired, ledger, settings.apiVersion));
    const { live, failures } = await survey(ask, view, settings.apiVersion);
    if (failures.length > 0) throw failures[0];
    const compared = compare({ desired, live, ledger, moved, options: planOptions(settings, options) });
    if (compared.problems.length > 0)
      throw new UsageError('what is declared cannot be told from what exists: `chatform plan` shows why');
    return { ...staffing(compared), requests: client.requests() };
  });
}

/** The part that decides who gets chats: nothing else has to be read. */
function staffedPart({ resources, externals, namespaces, complete }: Desired): Desired {
  return {
    resources: resources.filter(({ kind }) => STAFFING.has(kind)),
    externals: externals.filter(({ kind }) => STAFFING.has(kind)),
    ruleOrder: [],
    namespaces,
    complete: complete.filter((kind) => STAFFING.has(kind)),
  };
}

function staffView(usual: View): View {
  return {
    ...usual,
    kinds: new Set(STAFFING.keys()),
    fields: new Map(
      [...STAFFING].map(([kind, { fields }]) => [kind, new Set([...fields, ...(usual.fields.get(kind) ?? [])])]),
    ),
    wanted: new Map([...STAFFING.keys()].map((kind) => [kind, 'all'])),
  };
}
