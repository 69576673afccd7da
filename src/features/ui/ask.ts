// What becomes of a visitor, in sentences: greeting, rule, groups, who could take the chat, and the rules that would match later. Pure: it also runs in the page.

import { nearest } from '../../base/nearest.ts';
import { capital, counted, few } from '../../base/text.ts';
import { dayAt, timeIn } from '../../base/week.ts';
import { countryCode, countryRemedy, spelled } from '../../routing/countries.ts';
import { programOf } from '../../routing/rules.ts';
import { seen, type Visitor, visitorText, withScheme } from '../../routing/visitor.ts';
import { answerOf, isNamedIn, reachedAt } from '../explain/answer.ts';
import type { ExplainedSide } from '../explain/schema.ts';
import { messageText } from './message.ts';
import { countedNames } from './now-table.ts';
import { type AskedRules, sideAt } from './rules-at.ts';

/** As a person fills it in; empty for nothing. */
export interface FormQuestion {
  readonly url: string;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** `2026-11-30T14:00`, in the zone of the page. */
  readonly time: string;
}

export interface VisitorAnswer {
  readonly lines: readonly (readonly [about: string, says: string])[];
  /** To send to the people who edit the files. */
  readonly message: string | null;
}

/** Without a page: who is there, in each group. `now`: milliseconds since the epoch, where no time is asked about. */
export function ask(
  asked: AskedRules,
  question: FormQuestion,
  now: number,
): VisitorAnswer | { readonly wrong: string } {
  const at = question.time === '' ? now : timeIn(asked.timezone, question.time);
  if (at === null) return { wrong: `${question.time} is no time such as 2026-11-30T14:00` };
  const held = sideAt(asked, at);
  if ('wrong' in held) return held;
  const { side, source } = held;
  const doubts = doubtLines(asked, at);
  if (question.url.trim() === '') {
    const known = source === null ? [] : [['Known', 'groups, people and hours are those of now'] as const];
    return { lines: [...known, ...presentLines(asked, at), ...doubts], message: null };
  }
  const url = question.url.trim();
  const isPath = /^\/(?!\/)/.test(url);
  const page = isPath && side.domain !== null ? `https://${side.domain}${url}` : (withScheme(url) ?? url);
  const described: Visitor = {
    url: page,
    ...given('country', question.country),
    ...given('region', question.region),
    ...given('city', question.city),
  };
  const { country } = described;
  if (country !== undefined && countryCode(country) === undefined && !isNamedIn(side.rules, country))
    return { wrong: `There is no country ${country}: ${countryRemedy(country)}` };
  const alone = described.city ?? described.region;
  if (country === undefined && alone !== undefined)
    return { wrong: `Fill in the country of ${alone}: a rule compares it first` };
  const compared = seen(described, side.assumptions);
  if ('wrong' in compared) {
    if (compared.member !== 'url') return { wrong: compared.wrong };
    return { wrong: `${url} is no page: begin it with ${side.domain === null ? '' : '/ or with '}https://` };
  }
  const answer = answerOf(side, { described, compared, at });
  return {
    lines: [
      ...(source === null ? [] : [['Rules', source] as const]),
      ...(page === url ? [] : [['Page', page] as const]),
      ...nearLines(described, side),
      ['Rule', ruleText(answer, side)],
      ['Group', groupText(answer, side)],
      ...answer.reached.map(
        (reached) => [`Who answers in ${reached.name ?? reached.group}`, staffText(reached, side.staff)] as const,
      ),
      ...greetingText(answer).map((text) => ['Greeting', text] as const),
      ['Next rules that match', laterText(answer, side)],
      ...(answer.depends_on === null ? [] : [['Not certain', openText(answer.depends_on, side)] as const]),
      ...doubts,
    ],
    message: messageOf(answer, side, described),
  };
}

/** Regions and cities of which rules have only another spelling. */
function nearLines(described: Visitor, { rules, assumptions }: AskedRules): VisitorAnswer['lines'] {
  const tests = programOf(rules, assumptions).rules.flatMap((rule) => rule.tests);
  const places = tests.flatMap((one) => (one.on === 'place' ? one.items.map(({ written }) => written) : []));
  return (['region', 'city'] as const).flatMap((member) => {
    const name = described[member];
    const named = places.flatMap((place) => place[member] ?? []);
    if (name === undefined || named.some((each) => spelled(each) === spelled(name))) return [];
    const meant = nearest(name, named);
    return meant === null ? [] : [[capital(member), `no rule names ${name}: did you mean ${meant}?`] as const];
  });
}

/** Files with errors say nothing of the hours of other days than that of the reading. */
function doubtLines({ isOfFiles, timezone, readAt }: AskedRules, at: number): VisitorAnswer['lines'] {
  if (isOfFiles || dayAt(timezone, at) === dayAt(timezone, readAt)) return [];
  return [['Not certain', 'the files have errors, so hours, leave and members of another day are not known']];
}

function presentLines({ staff, timezone }: AskedRules, at: number): VisitorAnswer['lines'] {
  const groups = staff.groups.map(({ reference }) => reference);
  return reachedAt(staff, timezone, groups, at).map((each) => [each.name ?? each.group, staffText(each, staff)]);
}

function given(member: 'country' | 'region' | 'city', text: string): Partial<Visitor> {
  return text.trim() === '' ? {} : { [member]: text.trim() };
}

type Answer = ReturnType<typeof answerOf>;

function calledIn({ called }: AskedRules, name: string): string {
  return called[name] ?? name;
}

function ruleText({ decided_by: by, asked }: Answer, side: AskedRules): string {
  const decider = asked.find(({ matches }) => matches);
  if (by === null || decider === undefined) return `none of the ${counted(side.rules.length, 'rule')} matches`;
  const place = side.places[by];
  return `${decider.position} of ${side.rules.length}, ${calledIn(side, by)}${place === undefined ? '' : ` (${place})`}`;
}

/** `the general group (Everyone)`. */
export function generalText({ general: [reference = ''], called }: AskedRules): string {
  const name = called[reference];
  return `the general group${name === undefined ? '' : ` (${name})`}`;
}

function groupText({ groups, decided_by: by }: Answer, side: AskedRules): string {
  if (by === null) return `${generalText(side)}: no rule says where it goes`;
  return few(groups.map((group) => calledIn(side, group)));
}

function staffText(
  { members, complete, no_agent: none }: ExplainedSide['reached'][number],
  { groups }: AskedRules['staff'],
): string {
  const bots = new Set(
    groups.flatMap((group) => group.members.flatMap((member) => (member.tireless ? [member.reference] : []))),
  );
  const free = members.filter(({ barred, at_work: isThere }) => barred === null && isThere !== false);
  const names = countedNames(
    free.map(({ reference, name, may_be_barred: doubt }) =>
      [
        name,
        ...(bots.has(reference) ? ['(bot)'] : []),
        ...(doubt === null || name === '' ? [] : [`(may be ${doubt})`]),
      ].join(' '),
    ),
  );
  const gap =
    none === null
      ? ''
      : `; no person is at work${none.until === null ? ' in the coming week' : ` until ${none.until.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')}`}`;
  return `${names.length === 0 ? 'nobody' : names.join(', ')}${complete ? '' : ', and members who are not known'}${gap}`;
}

/** Empty for none. */
function greetingText({ greetings }: Answer): readonly string[] {
  const shown = greetings.filter(({ shows }) => shows !== 'no');
  const texts = shown.map(
    ({ name, greeting, shows, why }) => `${name ?? greeting}${shows === 'if' ? ` (${why})` : ''}`,
  );
  return texts.length === 0 ? [] : [texts.join('; ')];
}

function laterText({ also_match: later }: Answer, side: AskedRules): string {
  if (later.length === 0) return 'no other rule';
  return later.map(({ rule, position }) => `${position}. ${calledIn(side, rule)}`).join('; ');
}

function openText(rule: string, side: AskedRules): string {
  return `not all is known of ${calledIn(side, rule)}: it may have decided otherwise`;
}

function messageOf({ decided_by: by, groups }: Answer, side: AskedRules, visitor: Visitor): string {
  const place = by === null ? undefined : side.places[by];
  const rule = by === null ? 'because no rule matches' : `by the rule ${by}${place === undefined ? '' : ` (${place})`}`;
  const reached = by === null ? generalText(side) : few(groups.map((group) => calledIn(side, group)));
  return messageText(
    side.target,
    `a visitor of ${visitorText(visitor)} reaches ${reached} ${rule}`,
    null,
    'send them to [group].',
  );
}
