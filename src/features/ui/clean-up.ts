// What a license can do without: what no visitor reaches, what is there twice, what is over, and groups without members or chats. Lints find most of it.

import type { DiagnosticCode } from '../../base/model.ts';
import { keyOf, sourceOf } from '../../plan/reference.ts';
import type { Block, Section, Text } from '../../view/blocks.ts';
import { groupNames } from '../show/members.ts';
import type { LicensePage } from './page.ts';

interface CleanUp {
  readonly title: string;
  readonly codes: readonly DiagnosticCode[];
}

const LINTS: { readonly [id: string]: CleanUp } = {
  unreached: {
    title: 'No visitor reaches it',
    codes: [
      'unreachable-rule',
      'never-matches',
      'unrouted-group',
      'nobody-there',
      'idle-agent',
      'greeting-never-shows',
      'greeting-switched-off',
      'bot-webhook-without-bot',
    ],
  },
  twice: { title: 'There twice', codes: ['duplicate-rule', 'greetings-together'] },
  over: {
    title: 'Over',
    codes: ['expired', 'past-exception', 'past-greeting', 'unused-calendar', 'unused-exception'],
  },
};

/** So many days without a chat say that a group may go. */
const QUIET_DAYS = 90;

export function cleanUpSection(page: LicensePage): Section {
  const parts = [...lintParts(page), ...emptyPart(page), ...quietPart(page)];
  const body: readonly Block[] = [
    ...(parts.length === 0 && page.isOfFiles ? [{ type: 'text', text: 'Nothing was found.' } as const] : parts),
    ...(page.isOfFiles
      ? []
      : [{ type: 'text', text: 'What the files say of it is not known: they have errors.' } as const]),
    ...(isQuietKnown(page) ? [] : [{ type: 'text', text: NOT_MEASURED } as const]),
  ];
  const count = parts.reduce((sum, part) => sum + (part.count ?? 0), 0);
  return { type: 'section', id: 'clean-up', title: 'To clean up', count, body };
}

const NOT_MEASURED: Text = [
  `Which groups had no chat in ${QUIET_DAYS} days is not known: the page needs `,
  { text: `--demand ${QUIET_DAYS}d`, as: 'code' },
  '.',
];

function lintParts(page: LicensePage): readonly Section[] {
  const { diagnostics, needs, hidden } = page;
  const needed = hidden.flatMap(({ rules }) => rules);
  return Object.entries(LINTS).flatMap(([id, { title, codes }]) => {
    const found = diagnostics.filter(
      ({ code, message }) => codes.includes(code) && !needed.some((rule) => isAbout(message, rule)),
    );
    const ended = id === 'over' ? needs.filter(({ about }) => about === 'ignore') : [];
    return part(id, title, [
      ...found.map(({ message, remedy, place }) =>
        entry(remedy === null ? message : `${message}: ${remedy}`, sourceOf(place)),
      ),
      ...(id === 'unreached' ? idleTexts(page) : []),
      ...ended.map(({ says, place }) => entry(says, place)),
    ]);
  });
}

/** Rules that never decide on the license, where no finding about the files says so. */
function idleTexts({ diagnostics, idle, rules, hidden }: LicensePage): readonly Text[] {
  return Object.entries(idle).flatMap(([rule, reason]) => {
    if (hidden.some((each) => each.rules.includes(rule))) return [];
    if (diagnostics.some(({ message }) => isAbout(message, rule))) return [];
    return [entry(`${rule} ${reason}`, rules.find(({ address }) => address === rule)?.source ?? null)];
  });
}

/** Its message begins with the name of the rule, or of the first of several. */
function isAbout(message: string, rule: string): boolean {
  return message.startsWith(`${rule} `) || message.startsWith(`${rule}, `);
}

function emptyPart({ members, asked }: LicensePage): readonly Section[] {
  const names = groupNames(members);
  const used = new Set(members.people.flatMap(({ groups }) => groups.map(({ group }) => group)));
  const empty = members.groups.filter(({ address, complete }) => complete && !used.has(address));
  const texts = empty.map(({ address }) => {
    const sending = asked.rules.filter(({ groups }) => groups.includes(address));
    const rules = sending.map(({ name }) => keyOf(name as Parameters<typeof keyOf>[0])).join(', ');
    const why =
      sending.length === 0
        ? 'no rule sends chats to it'
        : sending.length === 1
          ? `the rule ${rules} sends chats to it`
          : `the rules ${rules} send chats to it`;
    return `${names.get(address)}: ${why}`;
  });
  return part('empty', 'Groups without members', texts);
}

function isQuietKnown({ cover, figures }: LicensePage): boolean {
  return figures !== null && figures.days >= QUIET_DAYS && cover.demand?.missing.length === 0;
}

function quietPart(page: LicensePage): readonly Section[] {
  const { cover, members, figures } = page;
  if (!isQuietKnown(page)) return [];
  const names = groupNames(members);
  const quiet = (cover.demand?.groups ?? []).filter(({ chats }) => chats === 0);
  const texts = quiet.map(({ address }) => names.get(address) ?? address);
  return part('quiet', `Groups without a chat in ${figures?.days} days`, texts);
}

function part(id: string, title: string, texts: readonly Text[]): readonly Section[] {
  if (texts.length === 0) return [];
  return [{ type: 'section', id: `clean-up-${id}`, title, count: texts.length, body: [{ type: 'list', texts }] }];
}

function entry(says: string, place: { readonly file: string; readonly line: number } | null): Text {
  return place === null ? says : [`${says} `, { text: `${place.file}:${place.line}`, as: 'file' }];
}
