// `chatform coverage`: who can get chats in a week, group by group, by the files, on the license, or before and after an apply. Changes nothing.

import { explained, writeWhole } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import type { Desired, Place } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { compare } from '../plan/compare.ts';
import { type Staffing, staffing } from '../plan/staffing.ts';
import { survey } from '../reading/live.ts';
import { type View, viewOf } from '../reading/view.ts';
import { readingDocument } from '../render/documents.ts';
import { coverageSvg } from '../render/reports/coverage-svg.ts';
import { coverageText } from '../render/text/coverage.ts';
import { readsOnly } from '../service/client.ts';
import { declaredPlaces, STAFFING } from '../staff/placed.ts';
import { type GroupStaff, type Placed, type Staff, staffOf } from '../staff/staff.ts';
import { dayOf, type Week, weekAt, weekOf } from '../staff/week.ts';
import { isZone } from '../staff/zone.ts';
import { addressOf } from '../tasks/coverage/address.ts';
import { missingStrips } from '../tasks/coverage/grid.ts';
import { coverageReport, type ViewName } from '../tasks/coverage/report.ts';
import { connect } from './connect.ts';
import { planOptions } from './planning.ts';
import { type Prepared, prepare, type TargetFlags } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { filesOf, writablePlace } from './report-files.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface CoverageFlags extends TargetFlags {
  readonly on?: ViewName;
  readonly week?: string;
  readonly timezone?: string;
  readonly svg?: string;
}

export async function coverage(names: readonly string[], flags: CoverageFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const json = flags.json === true;
  if (prepared.settings === null || prepared.desired === null) return refuse(prepared.diagnostics, terminal, json);
  const { settings, desired, named } = prepared;
  const { svg } = flags;
  const picture =
    svg === undefined ? null : await writablePlace(`--svg ${svg}`, svg, [...filesOf(settings, {}), ...named]);
  const view = flags.on ?? 'desired';
  const week = weekFor(flags, settings.routing.timezone, terminal);
  const read = view === 'desired' ? null : await licenseOf({ ...prepared, desired }, flags, terminal);
  const options = { zone: week.zone, version: settings.apiVersion };
  const staffed = (placed: readonly Placed[]): Staff => staffOf(placed, { ...options, isRead: read !== null });
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
  showDiagnostics(prepared.diagnostics, terminal);
  if (picture !== null)
    await explained(String(svg), 'written', () => writeWhole(picture, coverageSvg(report, grids, missingStrips(week))));
  const errored = report.findings.some(({ level }) => level === 'error');
  terminal.out(
    json
      ? readingDocument(report, errored, read?.requests ?? {}, prepared.diagnostics)
      : coverageText(report, terminal.paintOut),
  );
  return errored ? 1 : 0;
}

/** @throws UsageError for a zone or a day that there is not */
function weekFor({ week, timezone }: CoverageFlags, preset: string, { clock }: Terminal): Week {
  const zone = timezone ?? preset;
  if (!isZone(zone))
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

interface License extends Staffing {
  readonly requests: { readonly [action: string]: number };
}

/** @throws what the first question that failed met, or UsageError when what is declared cannot be told from what is there */
async function licenseOf(
  prepared: Prepared & { readonly desired: Desired },
  flags: CoverageFlags,
  terminal: Terminal,
): Promise<License> {
  const { settings, moved } = prepared;
  const desired = staffedPart(prepared.desired);
  const ledger = foldLedger(await fileLedger(settings.ledger).read());
  const { client, signal, close } = await connect(settings, terminal, flags.quiet === true);
  try {
    const reader = readsOnly(client);
    const { live, failures } = await survey(
      (action, body, giveUp = signal) => reader.call(action, body, { signal: AbortSignal.any([giveUp, signal]) }),
      staffView(viewOf(desired, ledger, settings.apiVersion)),
      settings.apiVersion,
    );
    if (failures.length > 0) throw failures[0];
    const compared = compare({ desired, live, ledger, moved, options: planOptions(settings, flags) });
    if (compared.problems.length > 0)
      throw new UsageError('what is declared cannot be told from what is there: `chatform plan` shows why');
    return { ...staffing(compared), requests: client.requests() };
  } finally {
    await close();
  }
}

/** Nothing else says who gets chats, so nothing else has to be read. */
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
