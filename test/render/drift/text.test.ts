// What a person reads of a look: who moved, what to do, and no more than was seen.

import { describe, expect, test } from 'vitest';
import { driftText } from '../../../src/render/drift/text.ts';
import { coloured, uncoloured } from '../../../src/render/paint.ts';
import type { DriftItem, DriftReport } from '../../../src/tasks/drift/report.ts';
import { CALM, ITEMS, REPORT } from '../../tasks/drift/example.ts';

const [CHANGED, , MISSING, REORDERED] = ITEMS as readonly [DriftItem, DriftItem, DriftItem, DriftItem];
const UNREAD = ITEMS.find(({ status }) => status === 'unknown') as DriftItem;
const CONVERGED = ITEMS.find(({ status }) => status === 'converged') as DriftItem;
const WAITING = ITEMS.find(({ kind }) => kind === 'pending-approval') as DriftItem;

function reportOf(items: readonly DriftItem[], more: Partial<DriftReport> = {}): DriftReport {
  const of = (status: DriftItem['status']): number => items.filter((item) => item.status === status).length;
  const summary = {
    ...REPORT.summary,
    ...{ drift: of('drift'), conflict: of('conflict'), pending: of('pending') },
    ...{ converged: of('converged'), unknown: of('unknown'), total: items.length },
    ...{ ignored: 0, fights: items.filter(({ fight }) => fight).length },
  };
  return { ...REPORT, in_sync: true, items, ignored: [], notes: [], summary, ...more };
}

const textOf = (items: readonly DriftItem[], more: Partial<DriftReport> = {}): string =>
  driftText(reportOf(items, more), uncoloured);

describe('A look that finds nothing severe', () => {
  test('is one line and what it cost', () => {
    expect(CALM.outcome === 'seen' && driftText(CALM.report, uncoloured)).toMatch(/^No drift\..*\n.*6 requests\n$/);
  });

  test('does not claim what cannot be read back', () => {
    const text = textOf([UNREAD]);
    expect(text).toContain('No drift. The license is as the manifest says, but for 1 that cannot be read back.');
    expect(text).toContain('bot_template/helper max_chats_count');
  });

  test('does not claim what it ignores', () => {
    const { summary } = reportOf([]);
    const text = textOf([], { ignored: REPORT.ignored, summary: { ...summary, ignored: 1 } });
    expect(text).toContain('but for 1 that the project ignores');
    expect(text).toContain('Ann sets her own hours this winter, until 2027-03-01');
  });

  test('names what it ignores, by the reason', () => {
    const [first] = REPORT.ignored;
    const other = { ...WAITING, ignored: { reason: 'On leave', until: null } };
    const text = textOf([], { ignored: first === undefined ? [] : [first, { ...first, path: ['name'] }, other] });
    expect(text).toMatch(
      /Ignored: 2 \(Ann sets .*\): agent\/ann@example\.com work_scheduler, agent\/ann@example\.com name\n/,
    );
    expect(text).toMatch(new RegExp(`Ignored: 1 \\(On leave\\): ${WAITING.address}`));
  });

  test('names lesser differences, and does not say that there are none', () => {
    const text = textOf([{ ...CHANGED, severity: 'info' }, WAITING]);
    expect(text).toContain('In sync: 2 differences, none as severe as fail_on (warning).');
    expect(text).not.toContain('No drift');
  });
});

describe('A look that fails', () => {
  test('unfolds what it fails for, although nobody can tell whether it differs', () => {
    const items = [UNREAD, CONVERGED].map((item): DriftItem => ({ ...item, severity: 'error' }));
    const text = textOf(items, { in_sync: false });
    expect(text).toMatch(/^Errors:\n.*bot_template\/helper/);
    expect(text).toContain('Drift: 1 moved to the same on both sides, 1 that cannot be read back.');
    expect(text).toContain('2 of 2 fail the look');
  });

  test('says of each who moved', () => {
    const moved = (item: DriftItem): string => textOf([item], { in_sync: false });
    expect(moved(CHANGED)).toContain('applied "first" -> live "last" -> declared "first"');
    expect(moved(CHANGED)).toContain('the license moved since the apply of 2026-11-20T09:00:00Z');
    expect(moved({ ...CHANGED, status: 'pending' })).toContain('the repository moved');
    expect(moved({ ...CHANGED, status: 'conflict' })).toContain('both moved apart');
  });

  test('shows what was never applied without a base', () => {
    const text = textOf([{ ...CHANGED, base: null, applied_at: null }], { in_sync: false });
    expect(text).toContain(': live "last" -> declared "first"');
    expect(text).not.toContain('applied');
  });

  test('calls no value nothing that is only never read back', () => {
    const hidden = { path: ['default_value'], base: null, live: null, reach: 'replace', status: 'pending' } as const;
    const text = textOf([{ ...CHANGED, ...hidden, desired: 'gold' }], { in_sync: false });
    expect(text).toContain('applied unknown -> live unknown -> declared "gold"');
  });

  test('says of what the ledger knows no apply of that nobody can tell who moved', () => {
    const item: DriftItem = { ...CHANGED, status: 'pending', base: null, applied_at: null };
    const text = textOf([item], { in_sync: false });
    expect(text).toContain('the ledger knows of no apply of it');
    expect(text).toContain('Drift: 1 that the ledger knows no apply of.');
    expect(text).not.toContain('the repository');
  });

  test('marks a fight, and how often what is no fight yet came back', () => {
    expect(textOf([CHANGED], { in_sync: false })).toContain('! a fight: it came back after 2 applies');
    const once = textOf([{ ...CHANGED, fight: false, returned: 1 }], { in_sync: false });
    expect(once).toContain('it came back after 1 apply\n');
    expect(once).not.toContain('fight');
  });

  test('is silent about a first sight', () => {
    expect(textOf([{ ...CHANGED, seen_count: 1 }], { in_sync: false })).not.toContain('seen 1');
  });

  test('shows the members of a mapping that differ, and for a conflict both sides', () => {
    const hours = { base: { a: 1, b: 1 }, live: { a: 2, b: 1 }, desired: { a: 1, b: 3 } };
    const text = textOf([{ ...CHANGED, ...hours, path: ['hours'], status: 'conflict' }], { in_sync: false });
    expect(text).toMatch(/applied -> live\n.*~ hours\.a: 1 -> 2\n.*applied -> declared\n.*~ hours\.b: 1 -> 3\n/);
  });

  test('shows a list whose order alone differs', () => {
    const lists = { base: ['a', 'b'], live: ['b', 'a'], desired: ['a', 'b'] };
    const text = textOf([{ ...CHANGED, ...lists, path: ['list'] }], { in_sync: false });
    expect(text).toContain('list: ["a","b"] -> ["b","a"]');
  });

  test('cuts what is long', () => {
    const members = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, index]));
    const many = { base: {}, live: members, desired: {}, path: ['map'] };
    expect(textOf([{ ...CHANGED, ...many }], { in_sync: false })).toContain('and 22 more');
    expect(textOf([{ ...CHANGED, live: 'x'.repeat(500) }], { in_sync: false })).toMatch(/x{119}…/);
    const order = Array.from({ length: 30 }, (_, index) => `auto_access/${index}`);
    const text = textOf([{ ...REORDERED, live: order }], { in_sync: false });
    expect(text).not.toContain('auto_access/11');
    expect(text).toContain(String(REORDERED.reason));
  });
});

describe('The ways out', () => {
  test('are commands for the target that was looked at', () => {
    const text = textOf([MISSING], { in_sync: false });
    expect(text).toContain('chatform apply -t production --only bot/triage\n');
    expect(text).toContain('chatform drift -t production --accept bot/triage\n');
  });

  test('are only those that there are', () => {
    const text = textOf([{ ...MISSING, ways_out: ['apply'] }], { in_sync: false });
    expect(text).not.toMatch(/--accept|ignore:/);
  });

  test('can be pasted, whatever the address is', () => {
    const text = textOf([{ ...MISSING, address: "property/abc/it's $(reboot)" }], { in_sync: false });
    expect(text).toContain(String.raw`--only 'property/abc/it'\''s $(reboot)'`);
  });
});

test('Colours change nothing but the colour', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are made of
  expect(driftText(REPORT, coloured).replaceAll(/\u001b\[\d+m/g, '')).toBe(driftText(REPORT, uncoloured));
});

test('What cannot be read back is unknown, and not nothing', () => {
  const hidden: DriftItem = { ...CHANGED, status: 'pending', base: null, live: null, desired: 12, reach: 'unverified' };
  expect(textOf([hidden], { in_sync: false })).toContain('applied unknown -> live unknown -> declared 12');
  const absent: DriftItem = { ...hidden, reach: 'write' };
  expect(textOf([absent], { in_sync: false })).toContain('applied nothing -> live nothing -> declared 12');
});

describe('What nothing declares', () => {
  const STRANGER = ITEMS.find(({ kind }) => kind === 'unmanaged') as DriftItem;

  test('is described by what tells what it is', () => {
    const live = { name: 'Amber', language_code: 'de', agent_priorities: {}, description: '', suspended: false };
    const text = textOf([{ ...STRANGER, name: 'Amber', live }], { in_sync: false });
    expect(text).toContain('nothing declares it\n      + language_code: "de"\n      license wins');
  });

  test('is counted when there are hundreds, after what somebody declared', () => {
    const strangers = Array.from({ length: 300 }, (_, index) => ({ ...STRANGER, address: `agent/${index}` }));
    const declared: DriftItem = { ...CHANGED, severity: 'warning' };
    const text = textOf([...strangers, declared], { in_sync: false });
    expect(text).toContain('and 280 more on the license that nothing declares');
    expect(text).toContain('group/sales');
    expect(text.split('\n').length).toBeLessThan(200);
  });
});
