// Rules that can never decide, each with the proof: the rules that take its visitors. A rule is reported only when no visitor can reach it; a
// question that could not be decided is not reported.

import { groupedBy } from '../base/grouped.ts';
import { few } from '../base/text.ts';
import type { LintFinding, PlaceOf } from './finding.ts';
import { decides } from './match.ts';
import type { Need } from './need.ts';
import { domainAt, knownPages, NO_PAGES, type ProjectPages } from './pages.ts';
import {
  type Assumptions,
  type ParsedRule,
  type Program,
  programOf,
  type RoutingRule,
  ruleOf,
  type Word,
} from './rules.ts';
import { type Speller, spellerOf } from './spelling.ts';
import { pageUrl } from './text.ts';
import { seen } from './visitor.ts';
import { type ChosenNeed, type Effort, type VisitorQuestion, witness } from './witness.ts';

/** Visitors that the lints of one list may try. */
const VISITORS = 200_000;

/** Rules that a message names at most. */
const NAMED = 2;

/** @param rules in the order of the list */
export function ruleLints(
  rules: readonly RoutingRule[],
  assumptions: Assumptions,
  placeOf: PlaceOf,
  pages: ProjectPages = NO_PAGES,
): readonly LintFinding[] {
  const program = programOf(rules, assumptions);
  const home = homeOf(program, pages);
  const speller = spellerOf(home === null ? program.rules : [...program.rules, home.site], assumptions);
  const effort: Effort = { left: VISITORS };
  return program.rules.flatMap((rule, place): readonly LintFinding[] => [
    ...deadEnd(rule, program.rules.slice(0, place), { speller, effort, placeOf, home }),
    ...unlikeABrowser(rule, placeOf),
  ]);
}

/** The site that the project is about. */
interface Home {
  readonly domain: string;
  /** Matches its pages. */
  readonly site: ParsedRule;
  /** Rules that a routing test names, or that decide about its page. */
  readonly tested: ReadonlySet<string>;
}

/** Null where neither settings nor tests say what the site is. */
function homeOf({ rules, assumptions }: Program, pages: ProjectPages): Home | null {
  if (pages.domain === null && pages.tests.length === 0) return null;
  const [domain] = knownPages(rules, pages).domains;
  if (domain === undefined) return null;
  const conditions = { domain: { values: [{ value: domain, exact_match: true }] } };
  const site = ruleOf({ name: domain, groups: [], conditions }, assumptions);
  const deciding = pages.tests.flatMap(({ when }) => {
    const visitor = seen(when, assumptions);
    return 'wrong' in visitor ? [] : (decides({ rules, assumptions }, visitor)?.name ?? []);
  });
  return { domain, site, tested: new Set([...deciding, ...pages.tests.map(({ rule }) => rule ?? '')]) };
}

interface LintContext {
  readonly home: Home | null;
  readonly speller: Speller;
  readonly effort: Effort;
  readonly placeOf: PlaceOf;
}

/** Why no visitor is left for a rule to decide; empty when a visitor may be. */
function deadEnd(rule: ParsedRule, earlier: readonly ParsedRule[], context: LintContext): readonly LintFinding[] {
  const place = context.placeOf(rule.name);
  const twin = earlier.find(({ key }) => key === rule.key);
  if (twin !== undefined) {
    return [
      {
        id: 'duplicate-rule',
        about: [rule.name],
        place,
        message: `${rule.name} never decides: it has the same conditions as ${twin.title}, which is asked before it`,
        remedy: 'remove one of them',
        ...behind([twin], null),
      },
    ];
  }
  if (isLeft({ match: [rule], miss: earlier }, context)) return shadowedAtHome(rule, earlier, context);
  if (!isLeft({ match: [rule], miss: [] }, context)) {
    return [
      {
        id: 'never-matches',
        about: [rule.name],
        place,
        message: `${rule.name} matches no visitor: ${whyNever(rule)}`,
        remedy: wayToMatch(rule) ?? 'change its conditions, or remove it',
      },
    ];
  }
  const takers = least(rule, earlier, context);
  return [
    {
      id: 'unreachable-rule',
      about: [rule.name],
      place,
      message: `${rule.name} never decides: ${namesOf(takers)} ${takers.length === 1 ? 'matches' : 'match'} all its visitors first${proof(rule, takers, context)}`,
      remedy: wayOut(takers),
      ...behind(takers, null),
    },
  ];
}

/** A rule that could decide about other sites only, because a rule for all pages of the project's site stands before it, and that no test is about. */
function shadowedAtHome(
  rule: ParsedRule,
  earlier: readonly ParsedRule[],
  context: LintContext,
): readonly LintFinding[] {
  const { home } = context;
  if (home === null || home.tested.has(rule.name) || rule.tests.some(({ on }) => on === 'domain')) return [];
  const match = [rule, home.site];
  const taker = earlier.find(
    (each) => each.tests.every(({ on }) => on === 'domain') && !isLeft({ match, miss: [each] }, context),
  );
  if (taker === undefined || !isLeft({ match, miss: [] }, context)) return [];
  return [
    {
      id: 'unreachable-rule',
      about: [rule.name],
      place: context.placeOf(rule.name),
      message: `${rule.name} never decides on ${home.domain}: ${taker.title} matches all pages of it, and stands before it`,
      remedy: `${wayOut([taker])}; if it is about other sites, add a routing test that it decides`,
      ...behind([taker], home.domain),
    },
  ];
}

function behind([taker, ...others]: readonly ParsedRule[], site: string | null): Pick<LintFinding, 'behind'> {
  const isByHand = taker !== undefined && others.length === 0 && taker.name !== taker.title;
  return isByHand ? { behind: { name: taker.name, title: taker.title, site } } : {};
}

/** Rules that a message names at most; it counts the rest. */
const MOST_NAMES = 5;

/** One finding for all rules that one rule hides which no file has: there is one thing to do about it. */
export function behindJoined(found: readonly LintFinding[]): readonly LintFinding[] {
  const hidden = groupedBy(found, (each) => each.behind?.title ?? each);
  return found.flatMap((each): readonly LintFinding[] => {
    const all = each.behind === undefined ? [each] : (hidden.get(each.behind.title) ?? [each]);
    if (all.length === 1) return [each];
    if (all[0] !== each) return [];
    const about = all.flatMap((one) => one.about);
    const site = all.find((one) => one.behind?.site != null)?.behind?.site ?? null;
    const message = `${few(about, MOST_NAMES)} never decide${site === null ? '' : ` on ${site}`}: no file has the rule ${each.behind?.title}, which stands before them and matches all their visitors`;
    const remedy = 'move or delete that rule in the application of the service, or remove these';
    return [{ ...each, about, message, remedy }];
  });
}

/** An order of the files has no place for rules that no file declares. */
function wayOut(takers: readonly ParsedRule[]): string {
  const others = takers.length === 1 ? 'that rule' : 'those rules';
  return takers.some(({ name, title }) => name !== title)
    ? `move or delete ${others} in the application of the service, or remove this one`
    : `move it before ${others}, or remove it`;
}

/** Whether a visitor may be left; when in doubt, yes. */
function isLeft(
  question: VisitorQuestion,
  { speller, effort }: LintContext,
  chosen: ChosenNeed | null = null,
): boolean {
  return witness(question, speller, effort, { chosen }).found !== 'none';
}

/** A single rule that takes all visitors, or the few that remain when rules are left out one after the other. */
function least(rule: ParsedRule, earlier: readonly ParsedRule[], context: LintContext): readonly ParsedRule[] {
  const alone = earlier.find((taker) => !isLeft({ match: [rule], miss: [taker] }, context));
  if (alone !== undefined) return [alone];
  return earlier.reduceRight<readonly ParsedRule[]>((takers, candidate) => {
    const others = takers.filter((taker) => taker !== candidate);
    return isLeft({ match: [rule], miss: others }, context) ? takers : others;
  }, earlier);
}

/** For each rule that takes visitors, in the order of their names, one way to match and what takes it: ` ("/pricing/eu" by "/pricing")`. */
function proof(rule: ParsedRule, takers: readonly ParsedRule[], context: LintContext): string {
  const ways = context.speller.needs.get(rule) ?? [];
  const parts = takers.slice(0, NAMED).flatMap((taker): readonly string[] => {
    const need = ways.find((each) => !isLeft({ match: [rule], miss: [taker] }, context, { rule, need: each }));
    if (need === undefined) return [];
    const how = context.speller.needs.get(taker)?.find((other) => covers(need, other));
    if (how === undefined) return words(need) === '' ? [] : [words(need)];
    return [`${words(seenBy(how, need)) || words(need) || 'anything'} by ${words(how) || 'anything'}`];
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The part of a need that another need looks at. */
function seenBy(other: Need, need: Need): Need {
  return {
    ...need,
    ...(other.url.length === 0 && other.wholeUrl === null ? { url: [], wholeUrl: null } : {}),
    ...(other.domain.length === 0 && other.wholeDomain === null ? { domain: [], wholeDomain: null } : {}),
    ...(Object.keys(other.place).length === 0 ? { where: {} } : {}),
  };
}

/** Whether every visitor who meets one need meets the other. */
function covers(need: Need, other: Need): boolean {
  const url = need.wholeUrl?.text;
  const isIn = (text: string, parts: readonly string[], whole: string | undefined | null): boolean =>
    whole?.includes(text) === true || parts.some((part) => part.includes(text));
  return (
    other.url.every((text) => isIn(text, need.url, url)) &&
    other.domain.every((text) => isIn(text, need.domain, need.wholeDomain)) &&
    (other.wholeUrl === null || other.wholeUrl.text === url) &&
    (other.wholeDomain === null || other.wholeDomain === need.wholeDomain) &&
    Object.entries(other.place).every(([member, value]) => need.place[member as keyof Need['place']] === value)
  );
}

function words({ wholeUrl, url, wholeDomain, domain, where }: Need): string {
  const texts = [
    ...(wholeUrl === null ? url : [wholeUrl.written]),
    ...(wholeDomain === null ? domain : [wholeDomain]),
    ...Object.values(where),
  ];
  return texts.map((text) => JSON.stringify(text)).join(' with ');
}

function namesOf(rules: readonly ParsedRule[]): string {
  const names = rules.map(({ title }) => title);
  return names.length <= NAMED
    ? names.join(' and ')
    : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;
}

function whyNever({ tests }: ParsedRule): string {
  if (tests.length === 0) return 'it has no condition';
  const apart = tests.flatMap((test): readonly string[] => {
    if (test.on === 'place')
      return test.items.some(({ place }) => place !== null)
        ? []
        : ['its country and its country code contradict each other'];
    const impossible = test.wants === 'one' && test.words.every((word) => !canBe(test.on, word));
    return impossible
      ? [
          `no ${test.on === 'url' ? 'URL' : 'domain'} is ${test.words.map(({ written }) => JSON.stringify(written)).join(' or ')}`,
        ]
      : [];
  });
  return apart[0] ?? 'no visitor can meet all of its conditions';
}

/** How to write a text that nothing can be; null where another thing is in the way. */
function wayToMatch({ tests }: ParsedRule): string | null {
  for (const test of tests) {
    if (test.on === 'place' || test.wants === 'none') continue;
    const [word] = test.words;
    if (word === undefined || test.words.some((each) => canBe(test.on, each))) continue;
    if (test.on === 'url')
      return 'write the whole URL, or leave out `exact_match` to match each URL that contains the text';
    const [host] = domainAt(word.written);
    if (host === undefined) continue;
    const path = /^(?:https?:)?(?:\/\/)?[^/?#]+(.*)$/u.exec(word.written)?.[1] ?? '';
    return path === '' || path === '/'
      ? `write \`${host}\``
      : `write \`${host}\`, and \`${path}\` as a text of \`url\``;
  }
  return null;
}

function canBe(on: 'url' | 'domain', { text, exact, written }: Word): boolean {
  if (on === 'url') return !exact || pageUrl(written) !== null;
  return !/[\s/?#@:]/.test(text);
}

/**
 * Exact URLs in a spelling that no browser reports, and parts of URLs with a default port, which no browser reports: a service that compares letter by
 * letter never finds them.
 */
function unlikeABrowser({ name, tests }: ParsedRule, placeOf: PlaceOf): readonly LintFinding[] {
  return tests.flatMap((test) =>
    test.on !== 'url'
      ? []
      : test.words.flatMap(({ written, exact }): readonly LintFinding[] => {
          const reported = exact ? browserSpelling(written) : withoutDefaultPort(written);
          if (reported === null || reported === written) return [];
          const how = exact ? 'exactly ' : '';
          return [
            {
              id: 'unlike-a-browser',
              about: [name],
              place: placeOf(name),
              message: `${name} looks for ${how}${JSON.stringify(written)}, which a browser reports as ${JSON.stringify(reported)}`,
              remedy: `write ${reported}`,
            },
          ];
        }),
  );
}

/** A part of a URL that begins with its host, without the port that no browser shows: 443 of https pages, 80 of http pages, either one without a scheme. */
function withoutDefaultPort(written: string): string {
  return written
    .replace(/^(https:\/\/[^/?#]*[^/?#:]):443(?![\d])/i, '$1')
    .replace(/^(http:\/\/[^/?#]*[^/?#:]):80(?![\d])/i, '$1')
    .replace(/^([^/?#:\s]+\.[^/?#:\s]+):(?:443|80)(?![\d])/, '$1');
}

/** Null for a text that is no URL of a page. */
function browserSpelling(written: string): string | null {
  if (pageUrl(written) === null) return null;
  const url = new URL(written);
  url.username = '';
  url.password = '';
  return url.href;
}
