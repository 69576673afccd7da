// The table on docs/reference/emulator.md of where the public pages differ: every difference is there once, and is decided.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/emulator/index.ts';

/** Properties of the service that the facts name, and the chats of the emulator do not use. */
const UNUSED = ['`transfer_chat_after_min`', '`customer_timeout_after_min`', '`queue.limit`'];

/**
 * How many differences each page of facts tables, by the section that has them: in `today/reports.md`, "Contradictions with our specification". `named`: those of
 * `today/customer.md`, "Neutral names of the seed and the real ones".
 */
const TABLED = {
  Configuration: { section: 2, rows: 24, named: [] },
  'Customer Chat Web': { section: 7, rows: 30, named: ['Product', 'Channels', ...UNUSED] },
  Reports: { section: 4, rows: 23, named: [] },
} as const;

interface Row {
  readonly api: string;
  readonly place: string;
  readonly decision: string;
}

async function rows(): Promise<readonly Row[]> {
  const page = await readFile(new URL('../../docs/reference/emulator.md', import.meta.url), 'utf8');
  const section = page.split('\n### Where the public pages differ\n')[1]?.split(/\n###? /)[0] ?? '';
  const lines = Array.from(section.matchAll(/^\| (?!API )([^|]+) \| ([^|]+) \| (.*?) ?\|$/gm));
  return lines.map(([, api = '', difference = '', decision = '']) => ({
    api,
    place: difference.split(':')[0] ?? '',
    decision,
  }));
}

/** The default of a setting, such as `limits.agents`; undefined where there is no such setting. */
const defaultOf = (name: string): unknown =>
  name.split('.').reduce<unknown>((group, member) => Object(group)[member], DEFAULT_SETTINGS);

/** A decision says what the emulator does, with the setting and its default, or the reason. */
function isDecided(decision: string): boolean {
  if (decision === 'adopted') return true;
  const [, name, preset] = /^setting `([\w.]+)`(?: \(`([^`]+)`\))?$/.exec(decision) ?? [];
  if (name === undefined) return /^left: \S+ \S+/.test(decision);
  const standard = defaultOf(name);
  return standard !== undefined && (preset === undefined || preset === String(standard));
}

test('Every difference is decided: adopted, a setting with its default, or left with the reason', async () => {
  const all = await rows();
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(({ decision }) => !isDecided(decision))).toEqual([]);
});

test('No decision passes that says nothing', () => {
  for (const decision of [
    '',
    'left',
    'left:',
    'left: no',
    'setting',
    'setting `nothing`',
    'setting `zeroMembers` (`shown`)',
  ])
    expect([decision, isDecided(decision)]).toEqual([decision, false]);
});

test('Every difference that the facts table has its row, in their order', async () => {
  const all = await rows();
  for (const [api, { section, rows: count, named }] of Object.entries(TABLED)) {
    const places = [...Array.from({ length: count }, (_, index) => `${section}.${index + 1}`), ...named];
    expect([api, all.filter((row) => row.api === api).map(({ place }) => place)]).toEqual([api, places]);
  }
});
