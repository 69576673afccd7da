// A list of rules in; rules that can never decide out, each with the proof: which rule takes whom it would have matched. Levels are for others to
// say. What could not be decided is not told: no rule is called unreachable that somebody can reach.

import type { Place, Reference } from '../base/model.ts';
import type { Found } from './finding.ts';
import type { Need } from './need.ts';
import { type Assumptions, programOf, type RoutingRule, type Rule, type Word } from './rules.ts';
import { type Speller, spellerOf } from './spelling.ts';
import { pageUrl } from './text.ts';
import { type Choice, type Effort, type Question, witness } from './witness.ts';

/** Visitors that one look at a list may try. */
const VISITORS = 200_000;

/** How many parts of a proof a message has. */
const PARTS = 3;

/** Where something is declared; null for what no file declares. */
type PlaceOf = (reference: Reference) => Place | null;

/** @param rules in the order of the list */
export function ruleLints(rules: readonly RoutingRule[], assumptions: Assumptions, placeOf: PlaceOf): readonly Found[] {
  const program = programOf(rules, assumptions);
  const speller = spellerOf(program.rules, assumptions);
  const effort: Effort = { left: VISITORS };
  return program.rules.flatMap((rule, place): readonly Found[] => [
    ...deadEnd(rule, program.rules.slice(0, place), { speller, effort, placeOf }),
    ...unlikeABrowser(rule, placeOf),
  ]);
}

interface Look {
  readonly speller: Speller;
  readonly effort: Effort;
  readonly placeOf: PlaceOf;
}

/** Whether nobody is left for whom a rule decides, and why. */
function deadEnd(rule: Rule, earlier: readonly Rule[], look: Look): readonly Found[] {
  const place = look.placeOf(rule.name);
  const twin = earlier.find(({ key }) => key === rule.key);
  if (twin !== undefined) {
    return [
      {
        id: 'duplicate-rule',
        place,
        message: `${rule.name} never decides: it has the same conditions as ${twin.name}, which is asked before it`,
        remedy: 'remove one of them',
      },
    ];
  }
  if (isLeft({ match: [rule], miss: earlier }, look)) return [];
  if (!isLeft({ match: [rule], miss: [] }, look)) {
    return [
      {
        id: 'never-matches',
        place,
        message: `${rule.name} matches nobody: ${whyNever(rule)}`,
        remedy: 'change its conditions, or remove it',
      },
    ];
  }
  const takers = least(rule, earlier, look);
  return [
    {
      id: 'unreachable-rule',
      place,
      message: `${rule.name} never decides: whoever it matches, ${namesOf(takers)} ${takers.length === 1 ? 'decides' : 'decide'} before it (${proof(rule, takers, look)})`,
      remedy: `move it before ${takers.length === 1 ? 'that rule' : 'those rules'}, or remove it`,
    },
  ];
}

/** Whoever may be there is left: in doubt somebody is. */
function isLeft(question: Question, { speller, effort }: Look, chosen: Choice | null = null): boolean {
  return witness(question, speller, effort, chosen).found !== 'nobody';
}

/** A rule that does it alone, or as few as are found by leaving out one after the other. */
function least(rule: Rule, earlier: readonly Rule[], look: Look): readonly Rule[] {
  const alone = earlier.find((taker) => !isLeft({ match: [rule], miss: [taker] }, look));
  if (alone !== undefined) return [alone];
  return earlier.reduceRight<readonly Rule[]>((takers, candidate) => {
    const others = takers.filter((taker) => taker !== candidate);
    return isLeft({ match: [rule], miss: others }, look) ? takers : others;
  }, earlier);
}

/** For each way to match a rule, which of the takers is there. */
function proof(rule: Rule, takers: readonly Rule[], look: Look): string {
  const ways = look.speller.needs.get(rule) ?? [];
  const parts = ways.flatMap((need): readonly string[] => {
    const chosen: Choice = { rule, need };
    const taker = takers.find((each) => !isLeft({ match: [rule], miss: [each] }, look, chosen));
    const has = words(need);
    if (taker === undefined || has === '') return [];
    const how = look.speller.needs.get(taker)?.find((other) => covers(need, other));
    return [
      how === undefined ? `${has}: ${taker.name}` : `${has}: ${taker.name} looks for ${words(how) || 'anything'}`,
    ];
  });
  if (parts.length === 0) return 'no visitor is left';
  const more = parts.length - PARTS;
  return parts.slice(0, PARTS).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** Whether whoever has one has the other. */
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

function namesOf(rules: readonly Rule[]): string {
  const names = rules.map(({ name }) => name);
  return names.length <= 2 ? names.join(' and ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

function whyNever({ tests }: Rule): string {
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

function canBe(on: 'url' | 'domain', { text, exact, written }: Word): boolean {
  if (on === 'url') return !exact || pageUrl(written) !== null;
  return !/[\s/?#@:]/.test(text);
}

/** An exact URL means one spelling: a service that compares letter by letter would never find another. */
function unlikeABrowser({ name, tests }: Rule, placeOf: PlaceOf): readonly Found[] {
  return tests.flatMap((test) =>
    test.on !== 'url'
      ? []
      : test.words.flatMap(({ written, exact }): readonly Found[] => {
          const reported = exact ? browserSpelling(written) : null;
          if (reported === null || reported === written) return [];
          return [
            {
              id: 'unlike-a-browser',
              place: placeOf(name),
              message: `${name} looks for exactly ${JSON.stringify(written)}, which a browser reports as ${JSON.stringify(reported)}`,
              remedy: `write ${reported}`,
            },
          ];
        }),
  );
}

/** Null for what is no URL of a page. */
function browserSpelling(written: string): string | null {
  if (pageUrl(written) === null) return null;
  const url = new URL(written);
  url.username = '';
  url.password = '';
  return url.href;
}
