// Explanation of one visitor: which rule decides, why none before it does, and who would get the chat. Changes nothing.

import { UsageError } from '../../base/errors.ts';
import type { Reference } from '../../base/model.ts';
import { timeIn, timestamp } from '../../base/week.ts';
import { greeting } from '../../kinds/greeting.ts';
import type { Requests } from '../../license/connect.ts';
import { asAddress } from '../../manifest/sections.ts';
import { readRouting, type WantedFields } from '../../planning/read-part.ts';
import type { RuleSide } from '../../planning/routes-schema.ts';
import { countryCode, countryCodeRemedy, countryRemedy, isCountryCode } from '../../routing/countries.ts';
import { explain as explainRules } from '../../routing/explain.ts';
import { greetedBy, greetedElsewhere } from '../../routing/greetings.ts';
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
import { declaredPlaces, STAFFING } from '../../routing/staff/placed.ts';
import { isOffline, noAgentIn, recipients } from '../../routing/staff/recipients.ts';
import { staffOf } from '../../routing/staff/staff.ts';
import { type ComparedVisitor, seen, type Visitor, visitorText } from '../../routing/visitor.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared } from '../../target/prepare.ts';
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
    visitor: seenBy(visitor, assumptions),
    at: instantOf(options.at, timezone, context),
  };
  const sides = SIDES.filter((side) => options.on === side || options.on === 'both');
  const read = sides.includes('live') ? await readRouting(declared, context, fieldsFor(declared)) : null;
  requirePlace(options, [
    ...desiredRules(declared.desired, null).rules,
    ...(read === null ? [] : liveRules(read.license).rules),
  ]);
  const answer = explained(
    { target: settings.name, visitor, seen: how.visitor, at: timestamp(timezone, how.at) },
    sides.map((side) => sideOf(side, declared, read?.license ?? null, how)),
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
  const named = JSON.stringify(rules.map(({ conditions }) => conditions)).toLowerCase();
  const isNamed = (place: string): boolean => named.includes(JSON.stringify(place.trim()).toLowerCase());
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
  { desired, settings, markOf }: Declared,
  license: BoundLicense | null,
  { visitor, described, at }: { readonly visitor: ComparedVisitor; readonly described: Visitor; readonly at: number },
): ExplainedSide {
  const { assumptions, timezone: zone } = settings.routing;
  const isLive = on === 'live' && license !== null;
  const { rules, open } = isLive ? liveRules(license) : desiredRules(desired, license);
  const placed = isLive ? liveMembers(license) : declaredPlaces(desired);
  const explanation = explainRules(programOf(rules, assumptions), visitor, open);
  const address = asAddress(explanation.decided_by ?? undefined);
  const place = address === null ? null : (markOf(address)?.place ?? null);
  const staff = staffOf(placed, { zone, version: settings.apiVersion, isRead: isLive });
  const { decided_by: by, groups } = explanation;
  const general = isLive ? [groupName('0', license)] : generalGroups(desired);
  const greetings = isLive ? liveGreetings(license) : desiredGreetings(desired);
  const [reached, greeted] = [by === null ? general : groups, { described, compared: visitor, assumptions }];
  return {
    on,
    ...explanation,
    greetings: [
      ...greetedBy(greetings, reached, greeted, at, (group) => isOffline(staff, group, at)),
      ...greetedElsewhere(greetings, reached, greeted, at),
    ],
    source: place === null ? null : { file: place.file, line: place.line, column: place.column },
    reached: recipients(staff, explanation.groups, at).map((reached) => {
      const none = noAgentIn(staff, reached.group, at);
      const until = none === null || none.until === null ? null : timestamp(zone, none.until);
      return { ...reached, no_agent: none === null ? null : { until } };
    }),
  };
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
