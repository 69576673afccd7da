// The page of a license as a view, in the order in which people at the desk ask: now, what needs a person, the week, what changed, the rules, what waits.

import { counted } from '../../base/text.ts';
import type { Block, Mark, Section, Text, View } from '../../view/blocks.ts';
import { diagnosticsSection } from '../../view/diagnostics.ts';
import { reviewedIn } from '../plan/operation.ts';
import { planView } from '../plan/view.ts';
import { groupNames } from '../show/members.ts';
import { changesSection } from './changes-section.ts';
import { cleanUpSection } from './clean-up.ts';
import { needsSection } from './needs-section.ts';
import { clockText } from './next-hours.ts';
import { nowSection } from './now-section.ts';
import { thereText } from './now-table.ts';
import type { LicensePage } from './page.ts';
import { peopleSection } from './people-view.ts';
import { rulesSection } from './rules-section.ts';
import { weekSection } from './week-view.ts';
import { mapped, needsWithoutNames, withoutPeople, withoutStaffNames } from './without-people.ts';

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
  return {
    ...withoutPeople(
      wholeView({ ...page, asked: withoutStaffNames(page.asked), needs: needsWithoutNames(page) }, script, true),
      page,
    ),
    isLive,
  };
}

function wholeView(page: LicensePage, script: string, isNameless: boolean): View {
  const { target, at, address, isEmulator, timezone, unread } = page;
  return {
    title: ['License ', { text: target, as: 'name' }],
    mark: markOf(page),
    result: resultText(page),
    about: [
      [
        isEmulator ? 'Emulator, ' : 'Service ',
        { text: address, as: 'code' },
        '. Read at ',
        { text: at, as: 'time' },
        `; times are those of ${timezone}.${isNameless ? ' Names of people are left out.' : ''}`,
      ],
    ],
    urgent: unread.length === 0 ? [] : [unreadSection(unread)],
    body: [
      nowSection(page),
      needsSection(isNameless ? { ...page, people: [] } : page),
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
  return { sign: '✓', word: 'no open needs', tone: 'add' };
}

function resultText({ needs, next, timezone }: LicensePage): Text {
  const said =
    needs.length === 0
      ? 'Nothing needs a person'
      : counted(needs.length, 'thing needs a person', 'things need a person');
  const there = thereText(next, `at ${clockText(timezone, Date.parse(next.from))}`);
  return `${said}${there === null ? '' : `; ${there}`}.`;
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

/** Sections of a plan about chatform, and not about the desk. */
const OF_RUNS: ReadonlySet<string> = new Set(
  'summary policies released released-fields notes adopted unverified unmanaged cost'.split(' '),
);

/** Dangers with the names of groups, rules and people, on a page that lists what a terminal leaves out. */
function inWords(block: Block, { plan, people, rules, members }: LicensePage): Block {
  if (block.type !== 'section' || (block.id !== 'dangers' && block.id !== 'withheld')) return block;
  const names = new Map<string, string>([
    ...(plan?.plan.resource_changes ?? []).map(({ address, name }) => [address, name] as const),
    ...[...people, ...rules].map(({ address, name }) => [address, name] as const),
    ...groupNames(members),
  ]);
  const said = (text: string): string => text.replace(LISTED_BELOW, ' they are listed below').replaceAll('`', '');
  if (block.id === 'withheld') return mapped(block, said) as Section;
  return mapped(block, (text) =>
    said(text).replaceAll(ADDRESSES, (address) => names.get(address) ?? address),
  ) as Section;
}

const LISTED_BELOW = ' `chatform plan --details` shows each';

const ADDRESSES = /\b(?:group|auto_access|agent|bot)\/[^\s,;:()"`]+/g;

function waitingSection(page: LicensePage): Section {
  const { plan, diagnostics } = page;
  const view = plan === null ? null : planView(reviewedIn(plan, diagnostics));
  const blocks = [...(view?.urgent ?? []), ...(view?.body ?? [])];
  const ofRuns = blocks.filter((block) => block.type === 'section' && OF_RUNS.has(block.id));
  return {
    type: 'section',
    id: 'waiting',
    title: 'Waiting to be applied',
    isDocument: true,
    body:
      view === null
        ? [{ type: 'text', text: 'Not known: there is no plan.' }, ...diagnosticsSection(diagnostics)]
        : [
            { type: 'text', text: view.result },
            ...blocks.filter((block) => !ofRuns.includes(block)).map((block) => inWords(block, page)),
            {
              type: 'section',
              id: 'of-runs',
              title: 'For the people who run chatform',
              fold: { brief: 'numbers of the plan, notes, and what an apply costs' },
              body: ofRuns,
            },
          ],
  };
}
