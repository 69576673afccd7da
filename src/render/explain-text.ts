// The explanation of one visitor in; which rule decides, why those before it did not, and who would get the chat, as text for a person, out.

import { assertNever } from '../base/errors.ts';
import type { AskedRule, Look, SoughtPlace, SoughtText } from '../routing/explain.ts';
import type { Reached, Recipient } from '../staff/recipients.ts';
import type { Explained, ExplainedSide } from '../tasks/show/explained.ts';
import type { Paint } from './paint.ts';
import { plain, value } from './plain.ts';
import { groupsText } from './routes-text.ts';
import { table } from './table.ts';

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

const RULES = { desired: 'the files', live: 'the license' } as const satisfies {
  readonly [on in ExplainedSide['on']]: string;
};

function outcome({ groups, decided_by: by }: ExplainedSide): string {
  return by === null ? 'no rule matches' : `${groupsText(groups)} by ${plain(by)}`;
}

/** What a person who asks two sides wants to know first. */
function differenceLines({ differs, sides }: Explained, paint: Paint): readonly string[] {
  if (differs === null) return [];
  const [one] = sides;
  if (!differs.groups && !differs.rule)
    return [`The files and the license agree: ${one === undefined ? '' : outcome(one)}.`, ''];
  const what = differs.groups
    ? 'The files and the license send this visitor to different groups:'
    : 'The files and the license send this visitor to the same groups, by different rules:';
  const rows = sides.map((side) => [RULES[side.on], outcome(side)]);
  return [paint('warning', what), ...table(rows, '  '), ''];
}

function sideLines(side: ExplainedSide, who: string, paint: Paint): readonly string[] {
  const { on, decided_by: by, groups, asked, not_asked: rest, source, depends_on: open } = side;
  const decider = asked.at(-1);
  const before = by === null ? asked : asked.slice(0, -1);
  return [
    `${who}, by the rules of ${RULES[on]}:`,
    '',
    by === null
      ? paint('strong', 'No rule matches.')
      : `${paint('strong', `${plain(by)} decides: ${groupsText(groups)}`)}${source === null ? '' : paint('faint', `  ${source.file}:${source.line}`)}`,
    ...(by === null || decider === undefined
      ? []
      : decider.looks.filter((look) => look.holds).map((look) => `  ${words(look)}`)),
    ...(open === null
      ? []
      : [
          paint(
            'warning',
            `  not certain: the files leave the conditions or the groups of ${plain(open)} to the license`,
          ),
        ]),
    ...(before.length === 0
      ? []
      : ['', by === null ? 'Asked, and not matching:' : 'Asked before it, and not matching:']),
    ...table(
      before.map((rule) => [String(rule.position), plain(rule.rule), why(rule)]),
      '  ',
    ),
    ...(rest === 0 ? [] : ['', `${rest} ${rest === 1 ? 'rule was' : 'rules were'} not asked any more.`]),
  ];
}

function why({ looks }: AskedRule): string {
  const failed = looks.filter((look) => !look.holds);
  return looks.length === 0 ? 'the files leave its conditions to the license' : failed.map(words).join('; ');
}

/** What a look came to. */
function words(look: Look): string {
  switch (look.on) {
    case 'geolocation':
      return placeWords(look.sought, look.holds);
    case 'url':
    case 'domain': {
      const said = textWords(look.on === 'url' ? 'the URL' : 'the domain', look.sought);
      return look.wants === 'none' && !look.holds ? `${said}, which the rule excludes` : said;
    }
    default:
      return assertNever(look);
  }
}

function placeWords(sought: readonly SoughtPlace[], isThere: boolean): string {
  const meant = isThere ? sought.filter(({ found }) => found) : sought;
  const places = meant.map(({ place: { city, region, country, country_code: code } }) =>
    [city, region, country, code].flatMap((name) => (name === undefined ? [] : [plain(name)])).join(', '),
  );
  return `the visitor is ${isThere ? '' : 'not '}in ${places.join(isThere ? ' and ' : ' or ')}`;
}

/** What is found counts; where nothing is, all that was looked for. */
function textWords(noun: string, sought: readonly SoughtText[]): string {
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

function groupLines({ group, name, complete, members }: Reached, at: string, paint: Paint): readonly string[] {
  const called = name === null || group.includes(name) ? plain(group) : `${plain(group)} (${plain(name)})`;
  const head = `Who gets the chat in ${called}, at ${at}:`;
  const more = complete ? [] : ['  and perhaps others: the files do not say all of its members'];
  if (members.length === 0)
    return ['', paint('strong', head), complete ? '  nobody' : '  nobody knows: the files do not say'];
  const rows = members.map((member) => [member.priority, plain(member.reference), plain(member.name), there(member)]);
  return ['', paint('strong', head), ...table(rows, '  '), ...more];
}

function there({ barred, at_work: works, slots }: Recipient): string {
  if (barred !== null) return `gets no chats: ${barred}`;
  const chats = slots === null ? '' : `, ${slots} ${slots === 1 ? 'chat' : 'chats'} at a time`;
  if (works === null) return `no hours are known${chats}`;
  return works ? `at work${chats}` : 'not at work';
}
