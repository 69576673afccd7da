// What a channel is told, look by look, and what it is not told twice.

import { describe, expect, test } from 'vitest';
import {
  type ChannelNotice,
  type ChannelState,
  knownAfter,
  noticeOf,
  unaware,
} from '../../../../src/features/drift/notify/transition.ts';
import type { DriftCheck, DriftItem } from '../../../../src/features/drift/schema.ts';
import { CALM, FAILED, ITEMS, REPORT } from '../example.ts';

const [ONE, OTHER] = ITEMS as [DriftItem, DriftItem];

const seeing = (...items: readonly DriftItem[]): DriftCheck => ({
  outcome: 'seen',
  report: { ...REPORT, in_sync: items.length === 0, items, ignored: [] },
});

/** What a channel is told of these looks, one after the other, each delivered or, with `lost`, not. */
function toldBy(looks: readonly DriftCheck[], lost: readonly number[] = []) {
  let told: ChannelState | null = null;
  return looks.map((look, index) => {
    const notice: ChannelNotice | null = noticeOf(look, told, 'on-change');
    told = notice === null || lost.includes(index) ? unaware(look, told) : knownAfter(look, told);
    return notice === null ? null : [notice.event, ...notice.items.map(({ change }) => change)].join(' ');
  });
}

test('Whoever sees nothing at first is told nothing, and then what is new, once', () => {
  expect(toldBy([seeing(), seeing(ONE), seeing(ONE), seeing(ONE, OTHER), seeing(ONE, OTHER)])).toEqual([
    null,
    'drift new',
    null,
    'drift known new',
    null,
  ]);
});

test('A first look that sees something tells it', () => {
  expect(toldBy([seeing(ONE)])).toEqual(['drift new']);
});

test('When all is gone, that is told; when only some is gone, it is not, and is news when it is back', () => {
  expect(toldBy([seeing(ONE, OTHER), seeing(ONE), seeing(ONE, OTHER), seeing(), seeing()])).toEqual([
    'drift new new',
    null,
    'drift known new',
    'resolved',
    null,
  ]);
});

test('What comes back after all was gone is new again', () => {
  expect(toldBy([seeing(ONE), seeing(), seeing(ONE), seeing(ONE)])).toEqual([
    'drift new',
    'resolved',
    'drift new',
    null,
  ]);
});

test('What gets worse is told, also when it had got better in between', () => {
  const mild: DriftItem = { ...ONE, severity: 'warning' };
  expect(toldBy([seeing(mild), seeing(ONE), seeing(mild), seeing(ONE)])).toEqual([
    'drift new',
    'drift worse',
    null,
    'drift worse',
  ]);
});

test('What does not count is not told, until it does', () => {
  const faint: DriftItem = { ...ONE, severity: 'info' };
  expect(toldBy([seeing(faint), seeing(ONE), seeing(faint)])).toEqual([null, 'drift new', 'resolved']);
});

test('A look that failed is told once, and so is the first that works again, with all that is there', () => {
  expect(toldBy([CALM, FAILED, FAILED, seeing(ONE), seeing(ONE)])).toEqual([
    null,
    'failed',
    null,
    'recovered new',
    null,
  ]);
  expect(toldBy([seeing(ONE), FAILED, seeing(ONE), seeing()])).toEqual([
    'drift new',
    'failed',
    'recovered known',
    'resolved',
  ]);
});

test('A first look that fails is told', () => {
  expect(toldBy([FAILED, seeing()])).toEqual(['failed', 'recovered']);
});

test('What could not be delivered is told by the next look, if it is still so', () => {
  expect(toldBy([seeing(ONE), seeing(ONE), seeing(ONE)], [0])).toEqual(['drift new', 'drift new', null]);
  expect(toldBy([seeing(ONE), seeing()], [0])).toEqual(['drift new', null]);
  expect(toldBy([seeing(ONE), seeing(), seeing(), seeing()], [1])).toEqual(['drift new', 'resolved', 'resolved', null]);
  expect(toldBy([CALM, FAILED, FAILED, CALM], [1])).toEqual([null, 'failed', 'failed', 'recovered']);
});

describe('Whoever asked for every look', () => {
  test('is told of every look', () => {
    const told = knownAfter(seeing(ONE), null);
    const events = [seeing(ONE), seeing(), FAILED].map((look) => noticeOf(look, told, 'always')?.event);
    expect(events).toEqual(['unchanged', 'resolved', 'failed']);
    expect(noticeOf(CALM, null, 'always')?.event).toBe('unchanged');
  });
});
