// Explanation of one visitor: which rule decides, why none before it does, and who would get the chat. Changes nothing.

import { UsageError } from '../../base/errors.ts';
import type { Reference } from '../../base/model.ts';
import { timeIn, timestamp } from '../../base/week.ts';
import { greeting } from '../../kinds/greeting.ts';
import type { Requests } from '../../license/connect.ts';
import { asAddress } from '../../manifest/sections.ts';
import { sourceOf } from '../../plan/reference.ts';
import { readRouting, type WantedFields } from '../../planning/read-part.ts';
import type { RuleSide } from '../../planning/routes-schema.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { countryCode, countryCodeRemedy, countryRemedy, isCountryCode } from '../../routing/countries.ts';
import { knownPages } from '../../routing/pages.ts';
import { programOf, type RoutingRule } from '../../routing/rules.ts';
import {
  type BoundLicense,
  desiredGreetings,
  desiredRules,
  generalGroups,
  groupName,
  liveGreetings,
  liveMembers,
  liveRules,
} from '../../routing/sources.ts';
import { withComing } from '../../routing/staff/coming.ts';
import { declaredPlaces, STAFFING, withDates } from '../../routing/staff/placed.ts';
import { type Placed, type Staff, staffOf } from '../../routing/staff/staff.ts';
import { type ComparedVisitor, seen, type Visitor, visitorText } from '../../routing/visitor.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared } from '../../target/prepare.ts';
import { type AskedVisitor, answerOf, isNamedIn, type RoutingSide } from './answer.ts';
import type { Explained, ExplainedSide } from './schema.ts';

export interface ExplainOptions {
  readonly url: string;
  readonly country?: string;
  readonly countryCode?: string;
  readonly region?: string;
  readonly city?: string;
  /** Custom variables, which greetings look at. */
  readonly variables?: { readonly [name: string]: string };
  readonly on: RuleSide | 'both';
  /** RFC 3339, or without an offset: in the zone of the target. Default now. */
  readonly at?: string;
}

/** @throws UsageError for a visitor or a time that cannot exist */
export async function explainVisitor(
  declared: Declared,
  options: ExplainOptions,
  context: RunContext,
): Promise<{ readonly explained: Explained; readonly requests: Requests }> {
  const { settings } = declared;
  const { assumptions, timezone } = settings.routing;
  const visitor = visitorOf({ ...options, url: pageOf(options.url, declared) });
  const how = {
    described: visitor,
    compared: seenBy(visitor, assumptions),
    at: instantOf(options.at, timezone, context),
  };
  const sides = SIDES.filter((side) => options.on === side || options.on === 'both');
  const read = sides.includes('live') ? await readRouting(declared, context, fieldsFor(declared)) : null;
  requirePlace(options, [
    ...desiredRules(declared.desired, null).rules,
    ...(read === null ? [] : liveRules(read.license).rules),
  ]);
  const answer = explained(
    { target: settings.name, visitor, seen: how.compared, at: timestamp(timezone, how.at) },
    sides.map((side) => sideOf(side, declared, read?.license ?? null, { ...how, now: context.clock.now() })),
  );
  return { explained: answer, requests: read?.requests ?? {} };
}

/** The page of a whole URL, or of a path on the domain that the project names most. @throws UsageError for a path where it names none */
function pageOf(url: string, { desired, settings: { routing }, routes }: Declared): string {
  if (!/^\/(?!\/)/.test(url)) return url;
  const { rules } = programOf(desiredRules(desired, null).rules, routing.assumptions);
  const [domain] = knownPages(rules, { domain: routing.domain, tests: routes }).domains;
  if (domain !== undefined) return `https://${domain}${url}`;
  throw new UsageError(
    `--url ${url}: no setting, routing test or rule names a domain for the path; give a whole URL, or set \`routing: { domain: shop.example.com }\` in chatform.yaml`,
  );
}

function visitorOf({ url, country, countryCode, region, city, variables }: ExplainOptions): Visitor {
  return {
    url,
    ...(country === undefined ? {} : { country }),
    ...(countryCode === undefined ? {} : { country_code: countryCode }),
    ...(region === undefined ? {} : { region }),
    ...(city === undefined ? {} : { city }),
    ...(variables === undefined ? {} : { variables }),
  };
}

function seenBy(visitor: Visitor, assumptions: Declared['settings']['routing']['assumptions']): ComparedVisitor {
  const found = seen(visitor, assumptions);
  if (!('wrong' in found)) return found;
  throw new UsageError(`--${found.member.replace('_', '-')} ${visitor[found.member]}: ${found.wrong}`);
}

/** A country that a rule names is one, whatever it is called. @throws UsageError for a country that there is not */
function requirePlace({ country, countryCode: code }: ExplainOptions, rules: readonly RoutingRule[]): void {
  const isNamed = (place: string): boolean => isNamedIn(rules, place);
  if (country !== undefined && countryCode(country) === undefined && !isNamed(country))
    throw new UsageError(
      `--country ${country}: there is no country of that name; ${countryRemedy(country, '--country-code')}`,
    );
  if (code !== undefined && !isCountryCode(code) && !isNamed(code))
    throw new UsageError(`--country-code ${code}: no country has that code; ${countryCodeRemedy(code)}`);
}

function instantOf(at: string | undefined, zone: string, { clock }: Pick<RunContext, 'clock'>): number {
  if (at === undefined) return clock.now();
  const instant = timeIn(zone, at);
  if (instant === null)
    throw new UsageError(`--at ${at}: write a time such as 2026-11-23T10:00 (in ${zone}), or 2026-11-23T10:00+01:00`);
  return instant;
}

const STAFF_FIELDS: WantedFields = new Map([...STAFFING].map(([kind, { fields }]) => [kind, fields]));

/** Greetings of the license are read where the files declare one: a token may not have their scope. */
function fieldsFor({ desired }: Declared): WantedFields {
  const isGreeting = desired.resources.some(({ kind }) => kind === greeting.name);
  return isGreeting ? new Map([...STAFF_FIELDS, [greeting.name, new Set(Object.keys(greeting.fields))]]) : STAFF_FIELDS;
}

function sideOf(
  on: RuleSide,
  declared: Declared,
  license: BoundLicense | null,
  asked: AskedVisitor & { readonly now: number },
): ExplainedSide {
  const side =
    on === 'live' && license !== null
      ? laterSide(licenseSide(declared, license, asked.now), declared)
      : filesSide(declared, license);
  const answer = answerOf(side, asked);
  const address = asAddress(answer.decided_by ?? undefined);
  const place = address === null ? null : (declared.markOf(address)?.place ?? null);
  return { on, ...answer, source: place === null ? null : sourceOf(place) };
}

/** What the files say; what they leave out is as the license has it, where one was read. */
function filesSide({ desired, settings }: Declared, license: BoundLicense | null): RoutingSide {
  const { rules, open } = desiredRules(desired, license);
  return {
    rules,
    open: [...open],
    ...about(settings),
    staff: staffIn(declaredPlaces(desired), settings, false),
    general: generalGroups(desired),
    greetings: desiredGreetings(desired),
  };
}

/** The side of a license with the members and people that the files have for later days. */
export function laterSide<Side extends RoutingSide>(
  side: Side,
  { settings, desired }: Pick<Declared, 'settings' | 'desired'>,
): Side {
  return {
    ...side,
    staff: withComing(side.staff, staffIn(declaredPlaces(desired), settings, false), desired.coming),
  };
}

/** What the license does, and the hours that the applies to come will give it. `now`: when it was read. */
export function licenseSide(
  { settings, desired }: Pick<Declared, 'settings' | 'desired'>,
  license: BoundLicense,
  now: number,
): RoutingSide {
  const { rules, open } = liveRules(license);
  return {
    rules,
    open: [...open],
    ...about(settings),
    staff: staffIn(withDates(liveMembers(license), desired, now), settings, true),
    general: [groupName('0', license)],
    greetings: liveGreetings(license),
  };
}

function about({ routing: { assumptions, timezone } }: TargetSettings): Pick<RoutingSide, 'assumptions' | 'timezone'> {
  return { assumptions, timezone };
}

function staffIn(placed: readonly Placed[], { routing, apiVersion: version }: TargetSettings, isRead: boolean): Staff {
  return staffOf(placed, { zone: routing.timezone, version, isRead });
}

export const SIDES = ['files', 'live'] as const satisfies readonly RuleSide[];

export function explained(
  about: { readonly target: string; readonly visitor: Visitor; readonly seen: ComparedVisitor; readonly at: string },
  sides: readonly ExplainedSide[],
): Explained {
  const { target, visitor, seen, at } = about;
  const [one, other] = sides;
  return {
    target,
    visitor,
    visitor_text: visitorText(visitor),
    compared: { url: seen.url, domain: seen.domain, country_code: seen.place.code ?? null },
    at,
    differs:
      one === undefined || other === undefined
        ? null
        : { groups: !sameGroups(one.groups, other.groups), rule: one.decided_by !== other.decided_by },
    sides,
  };
}

/** Both sorted. */
function sameGroups(a: readonly Reference[], b: readonly Reference[]): boolean {
  return a.length === b.length && a.every((group, index) => group === b[index]);
}
