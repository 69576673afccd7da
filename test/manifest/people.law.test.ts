// The law of tables of people: a table declares what the same people declare as entries, and each value has the place of its cell.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from '../../src/base/model.ts';
import { PRIORITIES } from '../../src/kinds/priority.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { tries } from '../tries.ts';
import { memoryDisk } from './memory-disk.ts';

interface Person {
  readonly name: string;
  readonly job_title: string | null;
  readonly max_chats_count: number | null;
  readonly notifications: readonly string[];
  readonly groups: { readonly [group: string]: string };
  readonly left: boolean;
}

const GROUPS = { sales: { name: 'Sales' }, 'help: me': { name: 'Help' }, support: { name: 'Support' } };
const DEFAULTS = { role: 'normal', job_title: 'Agent' };

/** Texts that a table has to quote, and that have no white space around them. */
const text = fc
  .array(fc.constantFrom('a', 'ż', '"', ',', ';', ':', ' ', '\n', '\r\n', "'", '#', '🙂', '1'), { minLength: 1 })
  .map((parts) => parts.join(''))
  .filter((each) => each === each.trim());

const person: fc.Arbitrary<Person> = fc.record({
  name: text,
  job_title: fc.option(text),
  max_chats_count: fc.option(fc.nat(20)),
  notifications: fc.subarray(['ticket', 'incoming_chat', 'new_goal']),
  groups: fc.dictionary(fc.constantFrom(...Object.keys(GROUPS)), fc.constantFrom(...PRIORITIES)),
  left: fc.boolean(),
});

function entryOf({ left, groups, notifications, ...fields }: Person): Json {
  if (left) return { suspended: true, groups: {} };
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const listed = notifications.length === 0 ? {} : { notifications };
  return { suspended: false, ...DEFAULTS, ...Object.fromEntries(given), ...listed, groups };
}

interface Notation {
  readonly separator: string;
  /** Whether a text that needs no quotes has none. */
  readonly isBare: boolean;
  readonly end: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** A byte-order mark; otherwise the encoding is declared. */
  readonly isMarked: boolean;
}

const notation: fc.Arbitrary<Notation> = fc.record({
  separator: fc.constantFrom(',', ';', '\t', '|'),
  isBare: fc.boolean(),
  end: fc.constantFrom('\n', '\r\n'),
  encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
  isMarked: fc.boolean(),
});

function cellOf(value: string, { isBare, separator }: Notation): string {
  const isPlain = isBare && !/["\r\n]/.test(value) && !value.includes(separator);
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}

function bytesOf(text: string, { encoding, isMarked }: Notation): Uint8Array {
  const bytes = Buffer.from((isMarked ? '\ufeff' : '') + text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

const COLUMNS = ['E-mail', 'Name', 'Title', 'Chats', 'Tells', 'Team', 'State', 'Other'] as const;

function rowOf(email: string, { name, job_title, max_chats_count, notifications, groups, left }: Person) {
  const team = Object.entries(groups).map(([group, priority]) => `${group}:${priority}`);
  const cells: { readonly [column in (typeof COLUMNS)[number]]: string } = {
    'E-mail': email,
    Name: name,
    Title: job_title ?? '',
    Chats: max_chats_count === null ? '' : String(max_chats_count),
    Tells: notifications.join(' ; '),
    Team: team.join(';'),
    State: left ? 'Left' : 'here',
    Other: 'no matter',
  };
  return cells;
}

const FROM = {
  csv: 'people.csv',
  email: 'E-mail',
  columns: { name: 'Name', job_title: 'Title', max_chats_count: 'Chats', notifications: 'Tells', groups: 'Team' },
  left: { column: 'State', value: 'left' },
  defaults: DEFAULTS,
};

async function loaded(manifest: Json, table: Uint8Array) {
  const io = memoryDisk({ 'manifest.yaml': stringify(manifest), 'people.csv': table });
  return loadManifest({ files: ['manifest.yaml'], env: {}, version: '3.6', io });
}

test('a table declares what the same entries declare, whatever its separator and its encoding are', async () => {
  const people = fc.array(person, { minLength: 1, maxLength: 6 });
  const order = fc.shuffledSubarray([...COLUMNS], { minLength: COLUMNS.length });
  await fc.assert(
    fc.asyncProperty(people, order, notation, async (all, columns, how) => {
      const known = all.map((each, nth) => [`p${nth}@example.com`, each] as const);
      const rows = known.map(([email, each]) => {
        const cells = rowOf(email, each);
        return columns.map((column) => cellOf(cells[column], how)).join(how.separator);
      });
      const table = [columns.join(how.separator), ...rows, ''].join(how.end);
      const from = how.isMarked ? FROM : { ...FROM, encoding: how.encoding };
      const read = await loaded({ version: 1, agents_from: from, groups: GROUPS }, bytesOf(table, how));
      const agents = Object.fromEntries(known.map(([email, each]) => [email, entryOf(each)]));
      const same = await loaded({ version: 1, agents, groups: GROUPS }, Buffer.from(''));
      expect(read.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      const specs = (desired: typeof read.desired) => desired?.resources.map(({ address, spec }) => [address, spec]);
      expect(specs(read.desired)).toEqual(specs(same.desired));
      const lines = table.split('\n');
      for (const [email, { name, left }] of known) {
        const mark = read.markOf(`agent/${email}`, left ? [] : ['name'], 'value');
        const { line = 0, column = 0 } = mark?.place ?? {};
        const [first = ''] = cellOf(left ? email : name, how).split(/\r?\n/);
        expect(lines[line - 1]?.slice(column - 1, column - 1 + first.length)).toBe(first);
      }
    }),
    { numRuns: tries(2000, 60) },
  );
});
