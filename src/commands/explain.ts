// `chatform explain`: which rule decides for a visitor, why none before it does, and who would get the chat. Changes nothing.

import { UsageError } from '../base/errors.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { asAddress } from '../manifest/sections.ts';
import { readingDocument } from '../render/documents.ts';
import { explainText } from '../render/text/routing.ts';
import { explain as explainRules } from '../routing/explain.ts';
import { programOf } from '../routing/rules.ts';
import { desiredRules, type License, liveMembers, liveRules } from '../routing/sources.ts';
import { type Seen, seen, type Visitor } from '../routing/visitor.ts';
import { declaredPlaces, STAFFING } from '../staff/placed.ts';
import { recipients } from '../staff/recipients.ts';
import { staffOf } from '../staff/staff.ts';
import { timeIn, timestamp } from '../staff/week.ts';
import { type ExplainedSide, explained } from '../tasks/show/explained.ts';
import { SIDES, type Side } from '../tasks/show/tested.ts';
import { prepare, type TargetFlags } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { type Declared, licenseOf } from './routes.ts';
import { readRules, type Wished } from './routing-license.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface ExplainFlags extends TargetFlags {
  readonly url: string;
  readonly country?: string;
  readonly countryCode?: string;
  readonly region?: string;
  readonly city?: string;
  readonly on: Side | 'both';
  /** RFC 3339, or without an offset: in the zone of the target. */
  readonly at?: string;
}

export async function explain(flags: ExplainFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const json = flags.json === true;
  if (prepared.settings === null || prepared.desired === null) return refuse(prepared.diagnostics, terminal, json);
  const declared = { ...prepared, desired: prepared.desired };
  const { settings, diagnostics } = declared;
  const { assumptions, timezone } = settings.routing;
  const visitor = visitorOf(flags);
  const how = { visitor: seenBy(visitor, assumptions), at: instantOf(flags.at, timezone, terminal) };
  const sides = SIDES.filter((side) => flags.on === side || flags.on === 'both');
  const { license, requests } = sides.includes('live')
    ? await licenseRead(declared, flags, terminal)
    : { license: null, requests: {} };
  const answer = explained(
    { target: settings.name, visitor, seen: how.visitor, at: timestamp(timezone, how.at) },
    sides.map((side) => sideOf(side, declared, license, how)),
  );
  showDiagnostics(diagnostics, terminal);
  terminal.out(json ? readingDocument(answer, false, requests, diagnostics) : explainText(answer, terminal.paintOut));
  return 0;
}

function visitorOf({ url, country, countryCode, region, city }: ExplainFlags): Visitor {
  return {
    url,
    ...(country === undefined ? {} : { country }),
    ...(countryCode === undefined ? {} : { country_code: countryCode }),
    ...(region === undefined ? {} : { region }),
    ...(city === undefined ? {} : { city }),
  };
}

function seenBy(visitor: Visitor, assumptions: Declared['settings']['routing']['assumptions']): Seen {
  const found = seen(visitor, assumptions);
  if (!('wrong' in found)) return found;
  throw new UsageError(`--${found.member.replace('_', '-')} ${visitor[found.member]}: ${found.wrong}`);
}

function instantOf(at: string | undefined, zone: string, { clock }: Terminal): number {
  if (at === undefined) return clock.now();
  const instant = timeIn(zone, at);
  if (instant === null)
    throw new UsageError(`--at ${at}: write a time such as 2026-11-23T10:00 (in ${zone}), or 2026-11-23T10:00+01:00`);
  return instant;
}

const STAFF_FIELDS: Wished = new Map([...STAFFING].map(([kind, { fields }]) => [kind, fields]));

async function licenseRead(declared: Declared, flags: ExplainFlags, terminal: Terminal) {
  const known = foldLedger(await fileLedger(declared.settings.ledger).read());
  const { live, requests } = await readRules(declared, known, flags, terminal, STAFF_FIELDS);
  return { license: licenseOf(declared, live, known), requests };
}

function sideOf(
  on: Side,
  { desired, settings, markOf }: Declared,
  license: License | null,
  { visitor, at }: { readonly visitor: Seen; readonly at: number },
): ExplainedSide {
  const { assumptions, timezone: zone } = settings.routing;
  const isLive = on === 'live' && license !== null;
  const { rules, open } = isLive ? liveRules(license) : desiredRules(desired, license);
  const placed = isLive ? liveMembers(license) : declaredPlaces(desired);
  const explanation = explainRules(programOf(rules, assumptions), visitor, open);
  const address = asAddress(explanation.decided_by ?? undefined);
  const place = address === null ? null : (markOf(address)?.place ?? null);
  return {
    on,
    ...explanation,
    source: place === null ? null : { file: place.file, line: place.line, column: place.column },
    reached: recipients(
      staffOf(placed, { zone, version: settings.apiVersion, isRead: isLive }),
      explanation.groups,
      at,
    ),
  };
}
