// The terminal text of `explain` and `test`: which rule decides for a visitor and why, who gets the chat, and the results of routing tests.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { AskedRule, ConditionCheck, SoughtPlace, SoughtText } from '../../routing/explain.ts';
import type { Recipient } from '../../staff/recipients.ts';
import type { Explained, ExplainedSide, Tested, TestedRoute } from '../../tasks/show/routing-schema.ts';
import type { Paint, Tone } from '../../view/paint.ts';
import { plain, value } from '../../view/plain.ts';
import { fits, INDENT, narrowed, table } from '../../view/terminal/layout.ts';
import { within } from '../../view/terminal/narrow.ts';

const RULES: { readonly [on in ExplainedSide['on']]: string } = { desired: 'the files', live: 'the license' };

export function explainText(explanation: Explained, paint: Paint): string {
  const { visitor_text: who, sides, at } = explanation;
  const lines = [
    ...differenceLines(explanation, paint),
    ...sides.flatMap((side) => [
      ...sideLines(side, plain(who), paint),
      ...side.reached.flatMap((group) => groupLines(group, at, paint)),
      '',
    ]),
  ];
  return lines.join('\n');
}

/** Groups as people list them. */
export function groupsText(groups: readonly string[]): string {
  return groups.length === 0 ? 'no rule' : groups.map(plain).join(', ');
}

function decisionText({ groups, decided_by: by }: ExplainedSide): string {
  return by === null ? 'no rule matches' : `${groupsText(groups)} by ${plain(by)}`;
}

/** Whether the two sides agree, which is what a person who asks both wants to know first. */
function differenceLines({ differs, sides }: Explained, paint: Paint): readonly string[] {
  if (differs === null) return [];
  const [one] = sides;
  if (!differs.groups && !differs.rule)
    return [`The files and the license agree: ${one === undefined ? '' : decisionText(one)}.`, ''];
  const what = differs.groups
    ? 'The files and the license send this visitor to different groups:'
    : 'The files and the license send this visitor to the same groups, by different rules:';
  const rows = sides.map((side) => [RULES[side.on], decisionText(side)]);
  return [paint('warning', what), ...table(rows, paint.width, INDENT), ''];
}

function sideLines(side: ExplainedSide, who: string, paint: Paint): readonly string[] {
  const { on, decided_by: by, asked, not_asked: rest, depends_on: open } = side;
  const before = by === null ? asked : asked.slice(0, -1);
  return [
    `${who}, by the rules of ${RULES[on]}:`,
    '',
    ...(by === null ? [paint('strong', 'No rule matches.')] : deciderLines(side, by, paint)),
    ...(open === null
      ? []
      : [paint('warning', `  not certain: the files do not declare all conditions or groups of ${plain(open)}`)]),
    ...(before.length === 0
      ? []
      : ['', by === null ? 'Rules that do not match:' : 'Rules before it that do not match:']),
    ...passedLines(before, paint.width),
    ...(rest === 0 ? [] : ['', `${counted(rest, 'later rule was', 'later rules were')} not checked.`]),
  ];
}

/** Rules that do not match, and why: next to the rule, or below it where its name leaves no room. */
function passedLines(rules: readonly AskedRule[], width: number | undefined): readonly string[] {
  const named = rules.map((rule) => [String(rule.position), plain(rule.rule)]);
  const reasons = rules.map(whyNot);
  if (fits(named, width === undefined ? undefined : width / 2))
    return table(
      named.map((row, index) => [...row, reasons[index] ?? '']),
      width,
      INDENT,
    );
  const below = INDENT.repeat(3);
  return table(named, width, INDENT).flatMap((line, index) => [line, `${below}${reasons[index] ?? ''}`]);
}

/** The rule that decides, and why it matches. */
function deciderLines({ groups, asked, source }: ExplainedSide, by: string, paint: Paint): readonly string[] {
  const place = source === null ? '' : paint('faint', `  ${source.file}:${source.line}`);
  const matching = (asked.at(-1)?.looks ?? []).filter((look) => look.holds);
  return [
    `${paint('strong', `${plain(by)} decides: ${groupsText(groups)}`)}${place}`,
    ...matching.map((look) => `  ${conditionText(look)}`),
  ];
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
    [city, region, country, code].flatMap((name) => (name === undefined ? [] : [plain(name)])).join(', '),
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
  return `${verb} ${texts.map((text) => value(text.value)).join(isFound ? ' and ' : ', ')}`;
}

function groupLines(
  { group, name, complete, members, no_agent: none }: ExplainedSide['reached'][number],
  at: string,
  paint: Paint,
): readonly string[] {
  const called = name === null || group.includes(name) ? plain(group) : `${plain(group)} (${plain(name)})`;
  const head = ['', paint('strong', `Who gets the chat in ${called}, at ${at}:`)];
  if (members.length === 0)
    return [...head, complete ? '  no members' : '  not known: the files do not declare its members'];
  // Why each of them is not there is one reason, the hour, so it is said once.
  const listed =
    none === null ? members : members.filter(({ barred, at_work: works }) => barred === null && works !== false);
  const rows = listed.map((member) => [
    member.priority,
    plain(member.reference),
    plain(member.name),
    availability(member),
  ]);
  return [
    ...head,
    ...(none === null
      ? []
      : [`  no agent ${none.until === null ? 'in the coming week' : `until ${untilText(none.until, at)}`}`]),
    ...table(narrowed(rows, within(paint.width, INDENT), leastOf), paint.width, INDENT),
    ...(complete ? [] : ['  and possibly others: the files do not declare all of its members']),
  ];
}

/** Of the columns of members, only the address is cut. */
function leastOf(column: number): number {
  return column === 1 ? 28 : Number.POSITIVE_INFINITY;
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

const TONES: { readonly [outcome in TestedRoute['outcome']]: Tone } = {
  passed: 'add',
  failed: 'error',
  open: 'warning',
};

/** The result of each routing test, and the counts. */
export function testedText({ tests, summary, on, target }: Tested, paint: Paint): string {
  if (tests.length === 0) return 'The manifest has no routing tests: add some under `routes:`.\n';
  const rows = tests.map((test) => [
    paint(TONES[test.outcome], test.outcome),
    `${test.source.file}:${test.source.line}`,
    plain(test.name ?? test.visitor),
    resultText(test),
  ]);
  const open = summary.open > 0 ? `, ${summary.open} open` : '';
  const counts = `${summary.passed} passed, ${summary.failed} failed${open}`;
  return [
    ...table(rows, paint.width),
    '',
    `${counts}, on the rules of ${RULES[on]}, target ${plain(target)}.`,
    '',
  ].join('\n');
}

function resultText({
  outcome,
  got,
  expected,
  expected_rule: rule,
  decided_by: by,
  depends_on: on,
}: TestedRoute): string {
  const reached = `${groupsText(got)}${by === null ? '' : ` by ${plain(by)}`}`;
  switch (outcome) {
    case 'passed':
      return reached;
    case 'failed':
      return `${reached}; expected ${groupsText(expected)}${rule === null ? '' : ` by ${plain(rule)}`}`;
    case 'open':
      return `depends on ${plain(on ?? '')}, which the files do not fully declare`;
  }
}
