// The page of a license as a view, in the order in which people at the desk ask: now, what needs a person, the week, what changed, the rules, what waits.

import { counted } from '../../base/text.ts';
import type { Block, Mark, MarkedSpan, Row, Section, Span, Table, Text, View } from '../../view/blocks.ts';
import { diagnosticsSection } from '../../view/diagnostics.ts';
import { isUnmanaged } from '../../view/words/difference.ts';
import { chatsText } from '../../view/words/impact.ts';
import { sentenceOf } from '../../view/words/sentence.ts';
import { historyView } from '../history/view.ts';
import { changesText } from '../history/words.ts';
import { reviewedIn } from '../plan/operation.ts';
import { planView } from '../plan/view.ts';
import { groupNames } from '../show/members.ts';
import { cleanUpSection } from './clean-up.ts';
import { messageText } from './message.ts';
import { MOST_NAMES, needsSection } from './needs-section.ts';
import type { Gap, GroupNow } from './next-hours.ts';
import type { LicensePage } from './page.ts';
import { peopleSection } from './people-view.ts';
import { rulesSection } from './rules-section.ts';
import { sinceSection, weekSection } from './week-view.ts';
import { withoutPeople, withoutStaffNames } from './without-people.ts';

export interface PageOptions {
  /** What answers the form. */
  readonly script: string;
  /** Names of people are left out. */
  readonly isNameless: boolean;
  /** A server has the page, and its script follows what changes. */
  readonly isLive?: boolean;
}

export function pageView(page: LicensePage, { script, isNameless, isLive = false }: PageOptions): View {
  if (!isNameless) return { ...wholeView(page, script, false), isLive };
  return { ...withoutPeople(wholeView({ ...page, asked: withoutStaffNames(page.asked) }, script, true), page), isLive };
}

function wholeView(page: LicensePage, script: string, isNameless: boolean): View {
  const { target, at, address, isEmulator, timezone, needs, unread } = page;
  return {
    title: ['License ', { text: target, as: 'name' }],
    mark: markOf(page),
    result: resultText(page),
    about: [
      [
        `${isEmulator ? 'Emulator' : 'Production'}, `,
        { text: address, as: 'code' },
        '. Read at ',
        { text: at, as: 'time' },
        `; times are those of ${timezone}.`,
      ],
    ],
    urgent: unread.length === 0 ? [] : [unreadSection(unread)],
    body: [
      nowSection(page),
      needsSection(needs, unread),
      ...weekSection(page, isNameless),
      changesSection(page),
      rulesSection(page, script),
      waitingSection(page),
      ...(isNameless ? [] : [peopleSection(page, script)]),
      cleanUpSection(page),
    ],
  };
}

export function markOf({ unread, needs }: LicensePage): Mark {
  if (unread.length > 0) return { sign: '!', word: 'read in part', tone: 'warning' };
  if (needs.some(({ severity }) => severity === 'error')) return { sign: '!', word: 'needs a person', tone: 'error' };
  if (needs.length > 0) return { sign: '~', word: 'to look at', tone: 'warning' };
  return { sign: '✓', word: 'nothing to do', tone: 'add' };
}

function resultText({ needs, next }: LicensePage): Text {
  const empty = next.groups.filter(({ gap }) => gap?.isNow === true && !gap.hasBots);
  const parts = [
    needs.length === 0
      ? 'Nothing needs a person'
      : counted(needs.length, 'thing needs a person', 'things need a person'),
    empty.length === 0 ? null : `${counted(empty.length, 'group has', 'groups have')} nobody who can take a chat now`,
  ];
  return `${parts.filter((part) => part !== null).join('; ')}.`;
}

function unreadSection(unread: readonly string[]): Section {
  return {
    type: 'section',
    id: 'unread',
    title: 'Not read',
    tone: 'error',
    count: unread.length,
    body: [
      { type: 'text', text: 'What is missing below may be there: it could not be read.' },
      { type: 'list', texts: unread },
    ],
  };
}

function nowSection({ next, plan, timezone, asked, members }: LicensePage): Section {
  const change = plan?.plan.hours?.next_change ?? null;
  return {
    type: 'section',
    id: 'now',
    title: 'Now and the next 24 hours',
    body: [
      next.groups.length === 0
        ? { type: 'text', text: 'The license has no groups.' }
        : nowTable(next.groups, asked.places, groupNames(members)),
      ...(change === null
        ? []
        : [
            {
              type: 'text',
              text: `Other hours than usual from ${change.date} on (${timezone}), once the daily apply has run.`,
            } as const,
          ]),
    ],
  };
}

function nowTable(
  groups: readonly GroupNow[],
  places: LicensePage['asked']['places'],
  called: ReadonlyMap<string, string>,
): Table {
  const rows = groups.map((group): Row => {
    const { address, name, there, slots, gap } = group;
    const names = there.map((person) => (person.bot ? `${person.name} (bot)` : person.name));
    return {
      cells: [
        { text: called.get(address) ?? name, as: 'name' },
        there.length === 0 ? nobodyText(group) : { names, most: MOST_NAMES },
        slots,
        gap === null ? 'none' : [gapText(gap), gapMessage(group, gap, places[address] ?? null)],
      ],
      weight: gap === null ? 0 : 1,
    };
  });
  const columns = [
    { title: 'Group' },
    { title: 'Can take chats now' },
    { title: 'Chats', isNumber: true },
    { title: 'Next gap' },
  ];
  return { type: 'table', name: 'Groups now', columns, rows };
}

function nobodyText({ anytime }: GroupNow): Text {
  return anytime > 0
    ? { text: `not known: ${counted(anytime, 'person has', 'people have')} no hours`, tone: 'warning' }
    : { text: 'nobody', tone: 'error' };
}

function gapMessage({ name, address }: GroupNow, { text, hours, hasBots, chats }: Gap, place: string | null): Span {
  const says = `${hasBots ? 'only bots' : 'nobody'} can take a chat in ${name} (${address}) ${text}, ${hours} h${usualText(chats)}`;
  return { text: messageText(says, place, 'somebody works then: '), as: 'message' };
}

function gapText({ text, hours, isNow, hasBots, chats }: Gap): MarkedSpan {
  const what = hasBots ? 'only bots' : 'nobody';
  return {
    text: `${isNow ? 'now: ' : ''}${what} ${text} (${hours} h${usualText(chats)})`,
    tone: hasBots ? 'warning' : 'error',
  };
}

function usualText(chats: Gap['chats']): string {
  return chats === null ? '' : `, usually ${chats === 0 ? 'no chat' : chatsText(chats)}`;
}

function changesSection(page: LicensePage): Section {
  const { history, drift } = page;
  const since = sinceSection(page);
  const items = (drift?.items ?? []).filter(
    (item) => (item.status === 'drift' || item.status === 'conflict') && !isUnmanaged(item),
  );
  return {
    type: 'section',
    id: 'changes',
    title: 'What changed in seven days',
    body: [
      {
        type: 'section',
        id: 'by-hand',
        title: 'In the application, by whom is not known',
        count: items.length,
        body: [items.length === 0 ? noneByHand(drift) : { type: 'list', texts: items.map(sentenceOf) }],
      },
      {
        type: 'section',
        id: 'by-files',
        title: 'By the files',
        count: history.runs.length,
        isDocument: true,
        body:
          history.runs.length === 0
            ? [{ type: 'text', text: 'No run in seven days.' }]
            : historyView(history, { run: null, only: [], find: null, inFull: true }).body.map(folded(history)),
      },
      ...(since === null ? [] : [since]),
    ],
  };
}

/** What a run did is folded: the first one of a license made all of it. */
function folded({ runs }: LicensePage['history']): (block: Block, index: number) => Block {
  return (block, index) => {
    const run = runs[index];
    return block.type === 'section' && run !== undefined ? { ...block, fold: { brief: changesText(run) } } : block;
  };
}

function noneByHand(drift: LicensePage['drift']): Block {
  return { type: 'text', text: drift === null ? 'Not known: the license could not be compared.' : 'Nothing.' };
}

function waitingSection({ plan, diagnostics }: LicensePage): Section {
  const view = plan === null ? null : planView(reviewedIn(plan, diagnostics));
  return {
    type: 'section',
    id: 'waiting',
    title: 'Waiting to be applied',
    isDocument: true,
    body:
      view === null
        ? [{ type: 'text', text: 'Not known: there is no plan.' }, ...diagnosticsSection(diagnostics)]
        : [{ type: 'text', text: view.result }, ...(view.urgent ?? []), ...view.body],
  };
}
