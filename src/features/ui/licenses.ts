// The page of many licenses: an index, the worst first, with what each one needs. Each license has its page next to it.

import { groupedBy } from '../../base/grouped.ts';
import { byText } from '../../base/json.ts';
import { capital, counted } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Mark, Picture, Row, Section, Table, Text, View } from '../../view/blocks.ts';
import { type FilteredLicense, NEEDED, type Needed } from './filter.ts';
import type { OpenNeed } from './needs.ts';
import { MOST_NAMES, needsTable, withoutEmpty } from './needs-section.ts';
import { isEmpty } from './now-table.ts';
import type { LicensePage } from './page.ts';
import { markOf, type PageOptions } from './view.ts';
import { needsWithoutNames, withoutAddresses } from './without-people.ts';

/** A license of the index. */
export interface ListedLicense {
  readonly target: string;
  /** When its reading began, RFC 3339. */
  readonly at: string;
  /** Null where it could not be read at all. */
  readonly page: LicensePage | null;
  /** Why not. */
  readonly problem: string | null;
  readonly labels: readonly (readonly [name: string, value: string])[];
}

interface Judged extends ListedLicense {
  readonly mark: Mark;
  /** How urgent it is: the worst first. */
  readonly rank: readonly number[];
  readonly needed: readonly Needed[];
  /** Names of groups that nobody can take a chat of. */
  readonly empty: readonly string[];
  /** The usual hours of one of them say otherwise. */
  readonly isMissed: boolean;
}

export function licensesView(listed: readonly ListedLicense[], { script, isNameless }: PageOptions): View {
  const shown = isNameless ? listed.map(withoutNames) : listed;
  const licenses = shown.map(judged).toSorted(worstFirst);
  const times = listed.map(({ at }) => at).toSorted(byText);
  const worst = licenses[0];
  const areEmulators = licenses.every(({ page }) => page === null || page.isEmulator);
  const [first = '', last = ''] = [times[0], times.at(-1)];
  return {
    title: `Licenses: ${listed.length}`,
    mark: worst?.mark ?? { sign: '✓', word: 'no open needs', tone: 'add' },
    result: resultText(licenses),
    about: [
      [
        isSameMinute(first, last) ? 'Read at ' : 'Read from ',
        { text: first, as: 'time' },
        ...(isSameMinute(first, last) ? [] : [' to ', { text: last, as: 'time' } as const]),
        `. ${areEmulators ? 'All licenses that were read are emulators. ' : ''}The page of each license is a file next to this one.`,
      ],
    ],
    body: [
      { type: 'counts', counts: countsOf(licenses) },
      { type: 'picture', picture: filterForm(licenses, script, isNameless), instead: [] },
      {
        type: 'section',
        id: 'licenses',
        title: 'Licenses, the worst first',
        count: licenses.length,
        body: [licensesTable(licenses, areEmulators)],
      },
      needsOfAll(licenses),
    ],
  };
}

/** Pages tell no seconds. */
function isSameMinute(one: string, other: string): boolean {
  return one.slice(0, 'YYYY-MM-DDTHH:MM'.length) === other.slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

/** A copy whose texts name no person. */
function withoutNames(license: ListedLicense): ListedLicense {
  const { page, problem } = license;
  if (page === null) return { ...license, problem: withoutAddresses(problem) };
  return { ...license, page: { ...page, unread: withoutAddresses(page.unread), needs: needsWithoutNames(page) } };
}

function judged(license: ListedLicense): Judged {
  const { page, problem } = license;
  if (page === null) {
    const mark = { sign: '!', word: 'not read', tone: 'error' } as const;
    return { ...license, problem, mark, rank: [0], needed: ['unread'], empty: [], isMissed: false };
  }
  const { needs, unread, next } = page;
  const [errors, warnings] = [needs.filter(({ severity }) => severity === 'error').length, needs.length];
  const empty = next.groups.filter(isEmpty).map(({ name }) => name);
  const isMissed = next.groups.some((group) => isEmpty(group) && !group.isClosed);
  const rank = [errors > 0 ? 1 : warnings > 0 ? 2 : unread.length > 0 ? 3 : 4, -errors, -warnings, -empty.length];
  const about = new Set<Needed>(needs.map((need) => need.about));
  if (unread.length > 0) about.add('unread');
  if (empty.length > 0) about.add('nobody');
  return { ...license, mark: markOf(page), rank, needed: [...about], empty, isMissed };
}

function worstFirst(one: Judged, other: Judged): number {
  const by = one.rank.map((each, at) => each - (other.rank[at] ?? each)).find((difference) => difference !== 0);
  return by ?? byText(one.target, other.target);
}

const RANKS = ['not read', 'with errors', 'with warnings', 'read in part', 'with no open needs'] as const;

function countAt(licenses: readonly Judged[], rank: number): number {
  return licenses.filter((license) => license.rank[0] === rank).length;
}

function resultText(licenses: readonly Judged[]): Text {
  const parts = RANKS.map((says, rank) => [countAt(licenses, rank), says] as const);
  const ranks = parts.filter(([count]) => count > 0).map(([count, says]) => `${count} ${says}`);
  return `${counted(licenses.length, 'license')}: ${ranks.join(', ')}.`;
}

function countsOf(licenses: readonly Judged[]) {
  const tones = ['error', 'error', 'warning', 'warning', 'add'] as const;
  const empty = licenses.filter((license) => license.empty.length > 0).length;
  const isMissed = licenses.some((license) => license.isMissed);
  const states = RANKS.map((says, rank) => [says, countAt(licenses, rank), tones[rank] ?? 'calm'] as const);
  return [...states, ['with nobody there when read', empty, isMissed ? 'error' : 'calm'] as const];
}

function licensesTable(licenses: readonly Judged[], areEmulators: boolean): Table {
  const columns = ['License', 'Needs a person', 'Since', 'Nobody there when read', 'Waiting', 'Labels'];
  const rows = licenses.map((license) => rowOf(license, !areEmulators));
  return withoutEmpty({ type: 'table', name: 'Licenses', columns: columns.map((title) => ({ title })), rows });
}

function rowOf({ target, page, problem, mark, empty, labels, rank: [rank = 0] }: Judged, saysEmulator: boolean): Row {
  const [first, ...others] = page?.needs ?? [];
  const unread = page === null ? problem : page.unread.length === 0 ? null : page.unread.join('; ');
  const what = [...(unread === null ? [] : [`Not read: ${unread}.`]), ...(first === undefined ? [] : [saysOf(first)])];
  const more = others.length === 0 ? '' : `; ${others.length} more`;
  return {
    cells: [
      [
        { text: target, as: 'name', page: target },
        saysEmulator && page?.isEmulator === true ? ' (emulator) ' : ' ',
        { mark },
      ],
      what.length === 0 ? 'nothing' : `${what.join(' ')}${more}`,
      sinceOf(page),
      empty.length === 0 ? '' : { names: empty, most: MOST_NAMES },
      page === null ? 'not known' : waitingText(page),
      labels.map(([name, value]) => `${name} ${value}`).join(', '),
    ],
    weight: 4 - rank,
  };
}

function saysOf({ names, says }: LicensePage['needs'][number]): string {
  if (names.length === 0) return says;
  return `${names.length > 1 ? `${names[0]} and ${names.length - 1} more` : names[0]}: ${says}`;
}

/** The first time of all that is known. */
function sinceOf(page: LicensePage | null): Text {
  const since = (page?.needs ?? []).flatMap((need) => need.since ?? []).toSorted(byText)[0];
  return since === undefined ? '' : { text: since, as: 'time' };
}

function waitingText({ plan }: LicensePage): string {
  if (plan === null) return 'not known';
  const { add, change, destroy, adopt } = plan.plan.summary;
  const count = add + change + destroy + adopt;
  return count === 0 ? '' : counted(count, 'change');
}

/** Each need of each license, so that the index says something without the pages next to it. */
function needsOfAll(licenses: readonly Judged[]): Section {
  const tables = licenses.map(({ target, page, problem }) => {
    const table = needsTable(page === null ? [unreadNeed(problem)] : page.needs, target);
    const rows = table.rows.map((row) => ({ ...row, cells: [{ text: target, as: 'name' } as const, ...row.cells] }));
    return { columns: table.columns, rows };
  });
  const rows = tables.flatMap((each) => each.rows);
  const columns = [{ title: 'License' }, ...(tables[0]?.columns ?? [])];
  const table = withoutEmpty({ type: 'table', name: 'Needs of all licenses', columns, rows });
  return {
    type: 'section',
    id: 'needs',
    title: 'Needs a person',
    count: rows.length,
    body: [rows.length === 0 ? { type: 'text', text: 'Nothing, in any license.' } : table],
  };
}

function unreadNeed(problem: string | null): OpenNeed {
  const says = `Not read: ${problem}`;
  return { about: 'unread', severity: 'error', names: [], says, who: 'run', place: null, since: null };
}

function filterForm(licenses: readonly Judged[], script: string, isNameless: boolean): Picture {
  const found = new Set(licenses.flatMap(({ needed }) => needed));
  const labels = groupedBy(
    licenses.flatMap((license) => license.labels),
    ([name]) => name,
  );
  return {
    kind: 'form',
    id: 'filter',
    name: 'Filter the licenses',
    fields: [
      { name: 'text', label: isNameless ? 'License or text' : 'License, person or text', example: '', type: 'text' },
      {
        name: 'needs',
        label: 'What they need',
        example: 'all',
        type: 'choice',
        options: Object.entries(NEEDED).filter(([needed]) => found.has(needed as Needed)),
      },
      ...[...labels].map(([name, all]) => {
        const values = [...new Set(all.map(([, value]) => value))].toSorted(byText);
        const options = values.map((value) => [value, value] as const);
        return { name: `label.${name}`, label: capital(name), example: 'all', type: 'choice', options } as const;
      }),
    ],
    button: 'Show all',
    data: { licenses: licenses.map(filtered), people: isNameless ? [] : peopleOf(licenses) },
    script,
  };
}

function filtered({ target, page, needed, labels }: Judged): FilteredLicense {
  return { name: target, needs: needed, labels: Object.fromEntries(labels), rows: page?.needs.length ?? 1 };
}

/** Each person once, with the places of their licenses in the index. */
function peopleOf(licenses: readonly Judged[]): readonly (readonly [says: string, places: readonly number[]])[] {
  const places = new Map<string, number[]>();
  for (const [place, { page }] of licenses.entries())
    for (const { name, id, type } of page?.people ?? []) {
      if (KINDS[type].serving?.tireless !== false) continue;
      const says = `${name} (${id})`;
      const known = places.get(says);
      if (known === undefined) places.set(says, [place]);
      else known.push(place);
    }
  return [...places];
}
