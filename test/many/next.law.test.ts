// Laws of `next` over random histories: ends, failures, kills, resumes, retries, cancels, freezes and gates in any order. What a law looks at is
// recounted from the list of events alone.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FleetEvent, FleetSpec, Wave } from '../../src/many/log/events.ts';
import { fleetLog } from '../../src/many/log/log.ts';
import { type NextStep, next } from '../../src/many/next.ts';
import { tries } from '../tries.ts';
import { ANN, ended, runOf, START, stampAt, started } from './names.ts';
import { anyFreezes, anySpec, type Freezes, frozenAt, UNIT } from './runs.ts';

/** A choice of the world; a number decides which of what is possible. */
const anyChoice = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('go on' as const) },
    { weight: 3, arbitrary: fc.constant('wait' as const) },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
    { weight: 1, arbitrary: fc.constant('retry' as const) },
  ),
  number: fc.nat(11),
  luck: fc.oneof(
    { weight: 6, arbitrary: fc.constant('done' as const) },
    { weight: 4, arbitrary: fc.constant('unchanged' as const) },
    { weight: 2, arbitrary: fc.constant('failed' as const) },
    { weight: 2, arbitrary: fc.constant('unreachable' as const) },
  ),
});

type Choice = typeof anyChoice extends fc.Arbitrary<infer T> ? T : never;

const anyHistory = fc.record({ spec: anySpec, freezes: anyFreezes, choices: fc.array(anyChoice, { maxLength: 60 }) });

/** State of a target, recounted from its own events: those of a process that is gone do not make it run. */
function recounted(events: readonly FleetEvent[], target: string) {
  let state: 'new' | 'running' | 'done' | 'failed' | 'unreachable' = 'new';
  let startsInAttempt = 0;
  let attempt = 1;
  let isForgiven = false;
  let stop: string | null = null;
  for (const event of events) {
    if (event.type === 'stopped') stop = event.because.kind;
    if (event.type === 'started' && event.target === target) {
      state = 'running';
      startsInAttempt += 1;
      isForgiven = false;
    }
    if (event.type === 'ended' && event.target === target) state = event.state;
    if (event.type === 'resumed') {
      if (state === 'running') {
        state = 'new';
        startsInAttempt = 0;
      }
      isForgiven ||= (stop === 'failures' && state === 'failed') || (stop === 'unreachable' && state === 'unreachable');
      stop = null;
    }
    if (event.type === 'retry' && event.targets.includes(target)) {
      state = 'new';
      startsInAttempt = 0;
      attempt += 1;
    }
  }
  return { state, startsInAttempt, attempt, isForgiven };
}

/** Whether the last attempt on a target found nothing to change. */
function isUnchanged(events: readonly FleetEvent[], target: string): boolean {
  const end = events.findLast((event) => event.type === 'ended' && event.target === target);
  return end?.type === 'ended' && end.unchanged === true && recounted(events, target).state === 'done';
}

function lawsOfStart(spec: FleetSpec, events: readonly FleetEvent[], now: number, targets: readonly string[]): void {
  const of = (target: string) => recounted(events, target);
  const failedIn = (names: readonly string[], state: 'failed' | 'unreachable') =>
    names.filter((name) => of(name).state === state && !of(name).isForgiven).length;
  for (const target of targets) {
    expect(of(target), 'never twice in an attempt').toMatchObject({ state: 'new', startsInAttempt: 0 });
    const index = spec.waves.findIndex((wave) => wave.targets.includes(target));
    let unproven: Pick<Wave, 'gates' | 'hold'> = { gates: [], hold: 0 };
    for (const planned of spec.waves.slice(0, index)) {
      const gates = [...new Set([...planned.gates, ...unproven.gates])];
      const wave = { ...planned, gates, hold: Math.max(planned.hold, unproven.hold) };
      if (wave.targets.length === 0) continue;
      unproven = wave.targets.every((name) => isUnchanged(events, name)) ? wave : { gates: [], hold: 0 };
      if (unproven !== wave) lawsOfEarlierWave(wave, events, now);
    }
    const own = spec.waves[index];
    const running = own?.targets.filter((name) => of(name).state === 'running').length ?? 0;
    expect(running + targets.length, 'no more at once than the wave says').toBeLessThanOrEqual(own?.parallel ?? 0);
  }
  for (const { targets: names, maxFailures, maxUnreachable } of [
    ...spec.waves,
    { ...spec, targets: spec.waves.flatMap((wave) => wave.targets) },
  ]) {
    expect(failedIn(names, 'failed'), 'nothing after the budget').toBeLessThanOrEqual(maxFailures ?? 99);
    expect(failedIn(names, 'unreachable'), 'nothing after the budget').toBeLessThanOrEqual(maxUnreachable ?? 99);
  }
  const afterCancel = events.slice(events.findLastIndex(({ type }) => type === 'cancel'));
  const isCancelled = afterCancel[0]?.type === 'cancel' && !afterCancel.some(({ type }) => type === 'resumed');
  expect(isCancelled, 'nothing after a cancel').toBe(false);
}

function lawsOfEarlierWave(wave: Wave, events: readonly FleetEvent[], now: number): void {
  if (wave.targets.length === 0) return;
  const states = wave.targets.map((name) => recounted(events, name).state);
  expect(
    states.filter((state) => state === 'new' || state === 'running'),
    'earlier waves have ended',
  ).toEqual([]);
  expect(states, 'an earlier wave has a proof').toContain('done');
  const ends = events.filter((event) => event.type === 'ended' && wave.targets.includes(event.target));
  const last = Math.max(...ends.map(({ at }) => Date.parse(at)));
  expect(now, 'the hold is over').toBeGreaterThanOrEqual(last + wave.hold);
  const lastStart = events.findLastIndex((event) => event.type === 'started' && wave.targets.includes(event.target));
  for (const [index, target] of wave.targets.entries()) {
    if (states[index] !== 'done') continue;
    for (const gate of wave.gates) {
      const results = events
        .slice(lastStart)
        .flatMap((event) =>
          event.type === 'gate' && event.gate === gate && event.target === target ? [event.passed] : [],
        );
      expect(results.at(-1), 'the gates have passed').toBe(true);
    }
  }
}

/** Plays a history, holding each step to the laws; then lets everything succeed. @returns its events */
function played(spec: FleetSpec, freezes: Freezes, choices: readonly Choice[]): readonly FleetEvent[] {
  const first = runOf(spec);
  const events: FleetEvent[] = [first];
  let log = fleetLog(events);
  let now = START;
  const stamp = () => stampAt(now);
  const add = (event: FleetEvent): void => {
    events.push(event);
    log.add(event);
  };
  const step = (): NextStep => {
    const found = next(spec, log.results, now, frozenAt(freezes, now));
    // Another process, which reads the log, decides alike.
    if (events.length % 5 === 0)
      expect(next(spec, fleetLog(events).results, now, frozenAt(freezes, now))).toEqual(found);
    if (found.type === 'start') {
      expect(found.targets.length).toBeGreaterThan(0);
      expect(new Set(found.targets).size).toBe(found.targets.length);
      expect(frozenAt(freezes, now), 'nothing in a freeze').toBeNull();
      lawsOfStart(spec, events, now, found.targets);
    }
    return found;
  };
  const running = () => [...log.results.targets].filter(([, { state }]) => state === 'running').map(([name]) => name);
  const resume = (): void => {
    log = fleetLog(events);
    add({ ...stamp(), type: 'resumed', by: ANN });
  };
  const endOne = ({ number, luck }: Choice): boolean => {
    const names = running();
    const target = names[number % Math.max(1, names.length)];
    if (target === undefined) return false;
    const attempt = log.results.targets.get(target)?.attempt ?? 0;
    const end = ended(target, luck === 'unchanged' ? 'done' : luck, now, attempt);
    add(luck === 'unchanged' && end.type === 'ended' ? { ...end, unchanged: true } : end);
    return true;
  };
  const goOn = (choice: Choice): void => {
    const found = step();
    switch (found.type) {
      case 'start':
        // A driver may begin some of them, and ask again.
        for (const target of found.targets.slice(0, 1 + (choice.number % 3)))
          add(started(target, now, log.results.targets.get(target)?.attempt ?? 0));
        return;
      case 'check': {
        const check = found.checks[choice.number % found.checks.length];
        if (check === undefined) throw new Error('there is nothing to check');
        add({
          ...stamp(),
          type: 'gate',
          wave: found.wave,
          ...check,
          passed: choice.luck === 'done' && choice.number > 1,
          message: null,
        });
        return;
      }
      case 'hold':
        if (choice.number % 2 === 0 && endOne(choice)) return;
        expect(found.until).toBeGreaterThan(now);
        now = found.until;
        return;
      case 'wait':
        expect(endOne(choice), 'something is under way').toBe(true);
        return;
      case 'stop':
        expect(running(), 'a stop lets what is under way end').toEqual([]);
        add({ ...stamp(), type: 'stopped', because: found.because });
        resume();
        return;
      case 'done':
        expect(running()).toEqual([]);
        add({ ...stamp(), type: 'done' });
        resume();
        return;
    }
  };
  const retry = (states: readonly string[]): void => {
    resume();
    const targets = [...log.results.targets].filter(([, { state }]) => states.includes(state)).map(([name]) => name);
    if (targets.length > 0) add({ ...stamp(), type: 'retry', targets });
  };

  for (const choice of choices) {
    switch (choice.kind) {
      case 'go on':
        goOn(choice);
        break;
      case 'wait':
        if (!endOne(choice)) now += (choice.number % 4) * UNIT;
        break;
      case 'kill':
        resume();
        break;
      case 'cancel':
        add({ ...stamp(), type: 'cancel', by: ANN });
        break;
      case 'retry':
        retry(choice.number % 2 === 0 ? ['failed'] : ['failed', 'unreachable']);
        break;
    }
  }
  retry(['failed', 'unreachable']);
  const good: Choice = { kind: 'go on', number: 4, luck: 'done' };
  for (let left = 400; ; left -= 1) {
    const found = step();
    if (found.type === 'done') break;
    expect(found.type, 'nothing stops a run in which all succeed').not.toBe('stop');
    expect(left, 'a run ends').toBeGreaterThan(0);
    goOn(good);
  }
  for (const [name, { state }] of log.results.targets) expect([name, state]).toEqual([name, 'done']);
  return events;
}

const LENGTH = tries(20_000, 400);

test(`Of ${LENGTH} histories, none begins a target twice in an attempt, a wave too early or anything after a stop; all end with every target done`, {
  timeout: 1_200_000,
}, () => {
  const seen = new Map<string, number>();
  const property = fc.property(anyHistory, ({ spec, freezes, choices }) => {
    for (const event of played(spec, freezes, choices)) {
      const kind = event.type === 'stopped' ? `stopped ${event.because.kind}` : event.type;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
  });
  fc.assert(property, { numRuns: LENGTH });
  const all = ['cancelled', 'failures', 'gate', 'unproven', 'unreachable'].map((kind) => `stopped ${kind}`);
  for (const kind of ['started', 'ended', 'gate', 'retry', 'cancel', 'done', ...all])
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(LENGTH / 100);
});
