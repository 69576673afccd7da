import { expect, test } from 'vitest';
import type { FleetEvent, FleetSpec } from '../../src/many/log/events.ts';
import { resultsOf } from '../../src/many/log/log.ts';
import { type Frozen, next } from '../../src/many/next.ts';
import { ANN, ended, runOf, START, spec, stampAt, started, wave } from './names.ts';

function stepAfter(made: FleetSpec, events: readonly FleetEvent[], now = START, frozen: Frozen | null = null) {
  return next(made, resultsOf([runOf(made), ...events]), now, frozen);
}

const gate = (target: string, passed: boolean): FleetEvent => ({
  ...stampAt(START),
  type: 'gate',
  wave: 'canary',
  gate: 'customers',
  target,
  passed,
  message: passed ? null : 'group/sales is offline',
});
const resumed: FleetEvent = { ...stampAt(START), type: 'resumed', by: ANN };
const retry = (...targets: readonly string[]): FleetEvent => ({ ...stampAt(START), type: 'retry', targets });
const stopped = (because: Extract<FleetEvent, { type: 'stopped' }>['because']): FleetEvent => ({
  ...stampAt(START),
  type: 'stopped',
  because,
});

const TWO = spec([wave('canary', ['a', 'b'], { hold: 600_000, gates: ['customers'] }), wave('rest', ['c', 'd', 'e'])]);
const CANARY = [started('a'), started('b'), ended('a'), ended('b')];

test('A run begins as many targets of its first wave as may be under way at once', () => {
  const made = spec([wave('all', ['a', 'b', 'c'])]);
  expect(stepAfter(made, [])).toEqual({ type: 'start', targets: ['a', 'b'] });
  expect(stepAfter(made, [started('a')])).toEqual({ type: 'start', targets: ['b'] });
  expect(stepAfter(made, [started('a'), started('b')])).toEqual({ type: 'wait', stopping: null });
  expect(stepAfter(made, [started('a'), started('b'), ended('b')])).toEqual({ type: 'start', targets: ['c'] });
});

test('After a wave comes its hold, then its gates on the targets that are done, then the next wave', () => {
  expect(stepAfter(TWO, CANARY)).toEqual({
    type: 'hold',
    wave: 'canary',
    until: START + 600_000,
    because: { type: 'hold' },
  });
  const checks = [
    { gate: 'customers', target: 'a' },
    { gate: 'customers', target: 'b' },
  ];
  const later = START + 600_000;
  expect(stepAfter(TWO, CANARY, later)).toEqual({ type: 'check', wave: 'canary', parallel: 2, checks });
  expect(stepAfter(TWO, [...CANARY, gate('a', true)], later)).toMatchObject({ checks: [checks[1]] });
  expect(stepAfter(TWO, [...CANARY, gate('a', true), gate('b', true)], later)).toEqual({
    type: 'start',
    targets: ['c', 'd'],
  });
});

test('A gate that does not pass stops the run, and is checked again when the run is resumed', () => {
  const later = START + 600_000;
  const because = {
    kind: 'gate',
    wave: 'canary',
    gate: 'customers',
    target: 'b',
    message: 'group/sales is offline',
  } as const;
  const events = [...CANARY, gate('a', true), gate('b', false)];
  expect(stepAfter(TWO, events, later)).toEqual({ type: 'stop', because });
  expect(stepAfter(TWO, [...events, stopped(because), resumed], later)).toMatchObject({
    checks: [{ gate: 'customers', target: 'b' }],
  });
});

test('Gates are checked again after another attempt in their wave', () => {
  const made = spec(TWO.waves, { maxFailures: 5 });
  const first = [started('a'), started('b'), ended('a'), ended('b', 'failed'), gate('a', true)];
  expect(stepAfter(made, first, START + 600_000)).toEqual({ type: 'start', targets: ['c', 'd'] });
  const again = [...first, resumed, retry('b')];
  expect(stepAfter(made, again)).toEqual({ type: 'start', targets: ['b'] });
  const ends = [...again, started('b', START, 2), ended('b', 'done', START + 1, 2)];
  expect(stepAfter(made, ends, START + 600_000)).toMatchObject({ type: 'hold', until: START + 600_001 });
  expect(stepAfter(made, ends, START + 600_001)).toMatchObject({ checks: [{ target: 'a' }, { target: 'b' }] });
});

test('One failure more than the budget stops the run; what is under way ends first', () => {
  const made = spec([wave('all', ['a', 'b', 'c', 'd'])], { maxFailures: 1 });
  const one = [started('a'), started('b'), ended('a', 'failed')];
  expect(stepAfter(made, one)).toEqual({ type: 'start', targets: ['c'] });
  const because = { kind: 'failures', wave: null, count: 2, limit: 1 };
  const two = [...one, started('c'), ended('c', 'failed')];
  expect(stepAfter(made, two)).toEqual({ type: 'wait', stopping: because });
  expect(stepAfter(made, [...two, ended('b')])).toEqual({ type: 'stop', because });
});

test('Unreachable targets have a budget of their own', () => {
  const made = spec([wave('all', ['a', 'b', 'c'])], { maxUnreachable: 0 });
  const because = { kind: 'unreachable', wave: null, count: 1, limit: 0 };
  expect(stepAfter(made, [started('a'), ended('a', 'unreachable')])).toEqual({ type: 'stop', because });
  const without = spec(made.waves);
  expect(stepAfter(without, [started('a'), ended('a', 'unreachable')])).toMatchObject({ targets: ['b', 'c'] });
});

test('A wave has a budget of its own within that of the run', () => {
  const made = spec([wave('one', ['a'], { maxFailures: 0 }), wave('two', ['b'])], { maxFailures: 5 });
  expect(stepAfter(made, [started('a'), ended('a', 'failed')])).toEqual({
    type: 'stop',
    because: { kind: 'failures', wave: 'one', count: 1, limit: 0 },
  });
});

test('A failure of the last target stops nothing: there is nothing left to begin', () => {
  const made = spec([wave('all', ['a'])]);
  expect(stepAfter(made, [started('a'), ended('a', 'failed')])).toEqual({ type: 'done' });
});

test('A wave in which no target is done proves nothing for the next one', () => {
  const made = spec([wave('canary', ['a']), wave('rest', ['b'])]);
  const unreachable = [started('a'), ended('a', 'unreachable')];
  const because = { kind: 'unproven', wave: 'canary' } as const;
  expect(stepAfter(made, unreachable)).toEqual({ type: 'stop', because });
  expect(stepAfter(made, [...unreachable, stopped(because), resumed])).toEqual({ type: 'stop', because });
  const again = [
    ...unreachable,
    stopped(because),
    resumed,
    retry('a'),
    started('a', START, 2),
    ended('a', 'done', START, 2),
  ];
  expect(stepAfter(made, again)).toEqual({ type: 'start', targets: ['b'] });
});

test('After a stop a resumed run goes on: its failures until then count no more, later ones do', () => {
  const made = spec([wave('all', ['a', 'b', 'c', 'd'], { parallel: 1 })]);
  const failed = [started('a'), ended('a', 'failed')];
  const stop = stopped({ kind: 'failures', wave: null, count: 1, limit: 0 });
  expect(stepAfter(made, [...failed, stop, resumed])).toEqual({ type: 'start', targets: ['b'] });
  expect(stepAfter(made, [...failed, stop, resumed, started('b'), ended('b', 'failed')])).toMatchObject({
    type: 'stop',
    because: { count: 1 },
  });
  // The process was killed before it said why it stops.
  expect(stepAfter(made, [...failed, resumed])).toMatchObject({ type: 'stop' });
  expect(
    stepAfter(made, [...failed, stop, resumed, retry('a'), started('a', START, 2), ended('a', 'failed', START, 2)]),
  ).toMatchObject({ type: 'stop' });
});

test('A target without an end is begun again, before the others and in the same attempt', () => {
  const made = spec([wave('all', ['a', 'b', 'c'])]);
  const events = [started('a'), started('b'), ended('a'), resumed];
  expect(stepAfter(made, events)).toEqual({ type: 'start', targets: ['b', 'c'] });
  expect(resultsOf([runOf(made), ...events]).targets.get('b')).toEqual({
    ...{ state: 'unknown', attempt: 1, begun: stampAt(START).at, end: null },
  });
});

test('A cancelled run begins nothing, until it is resumed', () => {
  const made = spec([wave('all', ['a', 'b', 'c'])]);
  const cancel: FleetEvent = { ...stampAt(START), type: 'cancel', by: ANN };
  expect(stepAfter(made, [started('a'), cancel])).toEqual({ type: 'wait', stopping: { kind: 'cancelled', by: ANN } });
  const ends = [started('a'), cancel, ended('a')];
  expect(stepAfter(made, ends)).toEqual({ type: 'stop', because: { kind: 'cancelled', by: ANN } });
  expect(stepAfter(made, [...ends, resumed])).toEqual({ type: 'start', targets: ['b', 'c'] });
});

test('In a freeze nothing is begun, and gates are checked', () => {
  const frozen = { until: START + 5, reason: 'weekend' };
  expect(stepAfter(spec([wave('all', ['a'])]), [], START, frozen)).toEqual({
    type: 'hold',
    wave: 'all',
    until: START + 5,
    because: { type: 'freeze', reason: 'weekend' },
  });
  expect(stepAfter(TWO, CANARY, START + 600_000, frozen)).toMatchObject({ type: 'check' });
});

test('Gates of the last wave are checked after its hold; without gates it is not held', () => {
  const held = spec([wave('all', ['a'], { hold: 1_000, gates: ['tests'] })]);
  expect(stepAfter(held, [started('a'), ended('a')])).toMatchObject({ type: 'hold' });
  expect(stepAfter(held, [started('a'), ended('a')], START + 1_000)).toMatchObject({ type: 'check' });
  const plain = spec([wave('all', ['a'], { hold: 1_000 })]);
  expect(stepAfter(plain, [started('a'), ended('a')])).toEqual({ type: 'done' });
});

test('A wave without targets is passed over', () => {
  const made = spec([wave('canary', [], { hold: 1_000, gates: ['tests'] }), wave('rest', ['a'])]);
  expect(stepAfter(made, [])).toEqual({ type: 'start', targets: ['a'] });
});
