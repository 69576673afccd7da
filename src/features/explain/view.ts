// The view of `explain`: the rule that decides and what it looks for, the rules before it, and who gets the chat.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { About } from '../../many/operation.ts';
import type { AskedRule, ConditionCheck, SoughtPlace, SoughtText } from '../../routing/explain.ts';
import { groupTitle } from '../../routing/sources.ts';
import type { Recipient } from '../../routing/staff/recipients.ts';
import {
  type Block,
  type Mark,
  plainText,
  type Section,
  type Span,
  type Table,
  type Text,
  type View,
} from '../../view/blocks.ts';
import { findingsInFiles } from '../../view/diagnostics.ts';
import type { Finding, Findings } from '../../view/findings.ts';
import type { Explained, ExplainedSide } from './schema.ts';

const RULES: { readonly [on in ExplainedSide['on']]: string } = { files: 'the files', live: 'the license' };

export function explainedView(explained: Explained): View {
  const { target, visitor_text: visitor, sides, at } = explained;
  return {
    title: ['Routing of ', { text: visitor, as: 'value' }, ' in ', { text: target, as: 'name' }],
    mark: markOf(explained),
    result: resultText(explained),
    about: [],
    body: sides.flatMap((side): readonly Block[] => {
      const body = sideBlocks(side, at);
      return sides.length === 1
        ? body
        : [{ type: 'section', id: side.on, title: `By the rules of ${RULES[side.on]}`, body }];
    }),
  };
}

function markOf({ differs, sides }: Explained): Mark {
  if (differs?.groups === true) return { sign: '!', word: 'different groups', tone: 'warning' };
  if (differs?.rule === true) return { sign: '!', word: 'different rules', tone: 'warning' };
  return sides.every(({ decided_by: by }) => by === null)
    ? { sign: '!', word: 'no rule matches', tone: 'warning' }
    : { sign: '✓', word: 'a rule decides', tone: 'calm' };
}

/** Where the visitor goes, or whether the two sides agree about that. */
function resultText({ differs, sides, visitor_text: visitor }: Explained): Text {
  const [one] = sides;
  if (one === undefined) return '';
  if (differs === null) return `${visitor}: ${decisionText(one)}, by the rules of ${RULES[one.on]}.`;
  if (!differs.groups && !differs.rule) return `The files and the license agree: ${decisionText(one)}.`;
  const what = differs.groups ? 'to different groups' : 'to the same groups, by different rules';
  const each = sides.map((side) => `${RULES[side.on]}: ${decisionText(side)}`).join('; ');
  return [{ text: `The files and the license send this visitor ${what}.`, tone: 'warning' }, ` By ${each}.`];
}

/** `group/sales by auto_access/pricing`. */
export function decisionText(side: ExplainedSide): string {
  const by = deciderOf(side);
  return by === null ? 'no rule matches' : `${groupsText(side.groups)} by ${by.title}`;
}

function deciderOf({ decided_by: by, asked }: ExplainedSide): AskedRule | null {
  return by === null ? null : (asked.at(-1) ?? null);
}

/** A declared rule is an address; another one has no address that a command takes. */
function ruleText({ rule, title }: AskedRule): Span {
  return { text: title, as: rule === title ? 'address' : 'name' };
}

function groupsText(groups: readonly string[]): string {
  return groups.length === 0 ? 'no group' : groups.map(groupTitle).join(', ');
}

function sideBlocks(side: ExplainedSide, at: string): readonly Block[] {
  const { on, asked, reached, greetings } = side;
  const by = deciderOf(side);
  const before = by === null ? asked : asked.slice(0, -1);
  return [
    ...deciderBlocks(side),
    ...(before.length === 0 ? [] : [passedSection(before, by === null, on)]),
    ...laterBlocks(side),
    ...(greetings.length === 0 ? [] : [greetingsSection(greetings, on)]),
    ...reached.map((group, index) => groupSection(group, `${on}-group-${index + 1}`, minuteText(at))),
  ];
}

/** The rule that decides, and why it matches. */
function deciderBlocks(side: ExplainedSide): readonly Block[] {
  const { groups, source, depends_on: open } = side;
  const by = deciderOf(side);
  const doubt: readonly Text[] =
    open === null
      ? []
      : [{ text: `not certain: the files do not declare all conditions or groups of ${open}`, tone: 'warning' }];
  if (by === null) return ['No rule matches.', ...doubt].map((text) => ({ type: 'text', text }));
  const matching = by.looks.filter((look) => look.holds);
  return [
    {
      type: 'items',
      sides: [],
      items: [
        {
          label: [ruleText(by), ' decides:'],
          happens: groupsText(groups),
          place: source,
          remarks: [...matching.map(conditionText), ...doubt],
        },
      ],
      isOpen: true,
    },
  ];
}

function passedSection(rules: readonly AskedRule[], isAll: boolean, on: string): Section {
  return {
    type: 'section',
    id: `${on}-before`,
    title: isAll ? 'Rules that do not match' : 'Rules before it that do not match',
    count: rules.length,
    body: [
      {
        type: 'table',
        name: 'Rules that do not match',
        columns: [{ title: 'Place', isNumber: true }, { title: 'Rule' }, { title: 'Why not' }],
        rows: rules.map((rule) => ({ cells: [rule.position, ruleText(rule), whyNot(rule)] })),
      },
    ],
  };
}

/** Later rules that a list names; it counts the rest. */
const MOST_LATER = 5;

/** The rules after the one that decides: which of them would match as well. */
function laterBlocks({ on, not_asked: rest, also_match: also }: ExplainedSide): readonly Block[] {
  if (rest === 0) return [];
  const others = rest - also.length;
  const none = `${counted(others, 'later rule does', 'later rules do')} not match.`;
  if (also.length === 0) return [{ type: 'text', text: none }];
  const texts = also.map(
    ({ position, rule, title, groups }): Text => [
      `${position}. `,
      { text: title, as: rule === title ? 'address' : 'name' },
      `: ${groupsText(groups)}`,
    ],
  );
  const remarks = others === 0 ? [] : [none];
  const list = { type: 'list', texts, most: MOST_LATER, remarks } as const;
  return [
    { type: 'section', id: `${on}-later`, title: 'Later rules that would match', count: also.length, body: [list] },
  ];
}

const SHOWS: { readonly [shows in ExplainedSide['greetings'][number]['shows']]: string } = {
  yes: 'shows at once',
  no: 'does not show',
  if: 'shows',
};

/** The greetings that the visitor gets, and why not the others. */
function greetingsSection(greetings: ExplainedSide['greetings'], on: string): Section {
  return {
    type: 'section',
    id: `${on}-greetings`,
    title: 'Greetings',
    count: greetings.length,
    body: [
      {
        type: 'table',
        name: 'Greetings',
        columns: [{ title: 'Greeting' }, { title: 'Name', dispensable: 1 }, { title: 'Shows' }, { title: 'Why' }],
        rows: greetings.map(({ greeting, name, shows, why }) => ({
          cells: [{ text: greeting, as: 'address' }, name ?? '', SHOWS[shows], why],
        })),
      },
    ],
  };
}

function whyNot({ looks }: AskedRule): string {
  const failed = looks.filter((look) => !look.holds);
  return looks.length === 0 ? 'the files do not declare its conditions' : failed.map(conditionText).join('; ');
}

/** A condition of a rule, and whether the visitor meets it. */
function conditionText(look: ConditionCheck): string {
  switch (look.on) {
    case 'geolocation':
      return placesText(look.sought, look.holds);
    case 'url':
    case 'domain': {
      const said = soughtText(look.on === 'url' ? 'the URL' : 'the domain', look.sought);
      return look.wants === 'none' && !look.holds ? `${said}, which the rule excludes` : said;
    }
    default:
      return assertNever(look);
  }
}

function placesText(sought: readonly SoughtPlace[], isThere: boolean): string {
  const meant = isThere ? sought.filter(({ found }) => found) : sought;
  const places = meant.map(({ place: { city, region, country, country_code: code } }) =>
    [city, region, country, code].filter((name) => name !== undefined).join(', '),
  );
  return `the visitor is ${isThere ? '' : 'not '}in ${places.join(isThere ? ' and ' : ' or ')}`;
}

/** The texts that were found; when none was, all that were looked for. */
function soughtText(noun: string, sought: readonly SoughtText[]): string {
  const found = sought.filter((text) => text.found);
  const isFound = found.length > 0;
  const about = isFound ? found : sought;
  const [contained, exact] = [about.filter((text) => !text.exact), about.filter((text) => text.exact)];
  const parts = [
    ...(contained.length === 0 ? [] : [verbed(contained, isFound, 'contains', 'does not contain', 'contains none of')]),
    ...(exact.length === 0 ? [] : [verbed(exact, isFound, 'is', 'is not', 'is none of')]),
  ];
  return `${noun} ${parts.join(' and ')}`;
}

function verbed(texts: readonly SoughtText[], isFound: boolean, does: string, doesNot: string, none: string): string {
  const verb = isFound ? does : texts.length === 1 ? doesNot : none;
  return `${verb} ${texts.map((text) => JSON.stringify(text.value)).join(isFound ? ' and ' : ', ')}`;
}

function groupSection(
  { group, name, complete, members, no_agent: none }: ExplainedSide['reached'][number],
  id: string,
  at: string,
): Section {
  const called = name === null || group.includes(name) ? group : `${group} (${name})`;
  const said = (text: string): Block => ({ type: 'text', text });
  // Why each of them is not there is one reason, the hour, so it is said once.
  const listed =
    none === null ? members : members.filter(({ barred, at_work: works }) => barred === null && works !== false);
  return {
    type: 'section',
    id,
    title: `Who gets the chat in ${called}, at ${at}`,
    body: [
      ...(none === null
        ? []
        : [said(`no agent ${none.until === null ? 'in the coming week' : `until ${untilText(none.until, at)}`}`)]),
      ...(members.length === 0
        ? [said(complete ? 'no members' : 'not known: the files do not declare its members')]
        : [recipientsTable(listed)]),
      ...(complete || members.length === 0
        ? []
        : [said('and possibly others: the files do not declare all of its members')]),
    ],
  };
}

function recipientsTable(members: readonly Recipient[]): Table {
  return {
    type: 'table',
    name: 'Who gets the chat',
    columns: [{ title: 'Priority' }, { title: 'Who' }, { title: 'Name', dispensable: 1 }, { title: 'Availability' }],
    rows: members.map((member) => ({
      cells: [member.priority, { text: member.reference, as: 'address' }, member.name, availability(member)],
    })),
  };
}

/** `2026-11-23 10:00 +01:00`. */
function minuteText(at: string): string {
  return at.replace(/T(\d{2}:\d{2})(?::\d{2})?(?:\.\d+)?/, ' $1 ');
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** `08:00` of the same day, `Tue 08:00` of another one. Both are times of one zone. */
function untilText(next: string, at: string): string {
  const [date, time] = [next.slice(0, 10), next.slice(11, 16)];
  return date === at.slice(0, 10) ? time : `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${time}`;
}

function availability({ barred, may_be_barred: doubt, at_work: works, slots }: Recipient): string {
  if (barred !== null) return `gets no chats: ${barred}`;
  if (works === false) return 'not at work';
  const chats = slots === null ? '' : `, ${counted(slots, 'chat')} at a time`;
  const status = doubt === null ? '' : ', if its routing status is set';
  return `${works === null ? 'no hours are known' : 'at work'}${chats}${status}`;
}

/** That the two sides differ, and the findings in the files. */
export function explainedFindings(explained: Explained, { at, diagnostics }: About): Findings {
  const { target, differs, sides, visitor_text: visitor } = explained;
  const inFiles = findingsInFiles({ operation: 'explain', target, at, check: 'the visitor was routed' }, diagnostics);
  const differing = differs !== null && (differs.groups || differs.rule);
  if (!differing) return { ...inFiles, lines: [plainText(resultText(explained))] };
  const finding: Finding = {
    rule: 'route-differs',
    level: 'warning',
    result: 'reported',
    subject: visitor,
    title: 'The files and the license route a visitor differently',
    lines: [plainText(resultText(explained))],
    item: null,
    place: sides.find(({ source }) => source !== null)?.source ?? null,
    fingerprint: JSON.stringify(['route-differs', visitor]),
  };
  return { ...inFiles, findings: [finding, ...inFiles.findings] };
}

/** A row for each side. */
export function decisionsTable({ visitor_text: visitor, sides, at }: Explained): Table {
  const columns = ['visitor', 'side', 'decided_by', 'file', 'line', 'groups', 'depends_on', 'at', 'at_work'];
  return {
    type: 'table',
    columns: columns.map((title) => ({ title })),
    rows: sides.map(({ on, decided_by: by, source, groups, depends_on: open, reached }) => ({
      cells: [
        ...[visitor, on, by ?? '', source?.file ?? '', source?.line ?? '', groups.join(' '), open ?? '', at],
        reached.flatMap(({ members }) => members.filter(isAtWork)).length,
      ],
    })),
  };
}

function isAtWork({ barred, at_work: works }: Recipient): boolean {
  return barred === null && works === true;
}
