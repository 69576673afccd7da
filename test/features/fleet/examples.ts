// Runs over several targets, for views: one with a target in each state, called as the names say in turn, and one of any size.

import type { FleetReading } from '../../../src/features/fleet/view.ts';
import type { EndedEvent, FleetEvent } from '../../../src/many/log/events.ts';
import { resultsOf } from '../../../src/many/log/log.ts';
import { ANN, ended, runOf, START, spec, stampAt, started, wave } from '../../many/names.ts';

const MINUTE = 60_000;
const stamp = (minutes: number) => stampAt(START + minutes * MINUTE);

/** The end of a target after so many minutes, with words of its own. */
function endedWith(
  target: string,
  state: EndedEvent['state'],
  minutes: number,
  more: Partial<EndedEvent> = {},
): FleetEvent {
  return { ...(ended(target, state) as EndedEvent), ...stamp(minutes), ...more };
}

/** A run in three waves: the first is done and held, the second is under way after a resume. */
export function fleetCalled(...names: readonly string[]): FleetReading {
  const called = (index: number): string => `${names[index % names.length]} ${index}`;
  const [a, b, c, d, e, f, g] = [0, 1, 2, 3, 4, 5, 6].map(called) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const [first = ''] = names;
  const made = spec(
    [
      wave(`canary ${first}`, [a, b], { hold: 10 * MINUTE, gates: ['no_drift', 'tests'] }),
      wave('tenth', [c, d, e, f], { maxFailures: 3, maxUnreachable: 1 }),
      wave('rest', [g]),
    ],
    { maxFailures: 5 },
  );
  const gate = (target: string, passed: boolean) =>
    ({
      ...stamp(12),
      type: 'gate',
      wave: `canary ${first}`,
      gate: 'tests',
      target,
      passed,
      message: passed ? null : `2 of 31 ${first}`,
    }) as const;
  const events: readonly FleetEvent[] = [
    {
      ...runOf(made),
      id: '3e9a0b12-0000-4000-8000-000000000000',
      digest: 'a'.repeat(64),
      by: { ...ANN, user: `ann ${first}` },
    },
    started(a),
    started(b),
    endedWith(a, 'done', 1, { requests: 12, seconds: 61.25 }),
    endedWith(b, 'done', 2),
    gate(a, true),
    started(c, START + 13 * MINUTE),
    endedWith(c, 'failed', 14, { message: `list_groups: ${first}: the token may not do this` }),
    started(d, START + 13 * MINUTE),
    endedWith(d, 'unreachable', 14, {
      message: 'the environment variable TOKEN_OF_A_LICENSE_WITH_A_LONG_NAME is not set',
    }),
    started(e, START + 15 * MINUTE),
    { ...stamp(20), type: 'resumed', by: ANN },
    gate(b, false),
    started(f, START + 21 * MINUTE),
    { ...stamp(22), type: 'retry', targets: [d] },
  ];
  const results = resultsOf(events);
  const other = resultsOf([
    { ...runOf(spec([wave('all', [a])])), ...stamp(-60), command: `drift ${first}` },
    started(a),
    endedWith(a, 'done', -59),
    { ...stamp(-59), type: 'done' },
  ]);
  const workers = {
    state: { state: 'waiting', refused: `another commit ${first}` },
    live: [{ holder: { ...ANN, user: first }, parallel: 16 }],
  } as unknown as FleetReading['workers'];
  return {
    results,
    commit: '0123456789abcdef0123456789abcdef01234567',
    workers,
    others: [{ results: other, onWorkers: true }],
    at: stamp(23).at,
  };
}

/** A check of a fleet: what one target has differs from its files. */
export function fleetChecked(...names: readonly string[]): FleetReading {
  const results = resultsOf([
    { ...runOf(spec([wave('all', names, { parallel: 512 })])), command: 'drift' },
    ...names.flatMap((target, index) => [started(target), endedWith(target, 'done', 1, { code: index === 0 ? 2 : 0 })]),
    { ...stamp(2), type: 'done' },
  ]);
  return { results, commit: null, workers: null, others: [], at: stamp(3).at };
}

/** A stopped run of so many targets, of which each `nth` failed. */
export function fleetOf(size: number, nth: number, message = 'list_groups: authorization (403)'): FleetReading {
  const names = Array.from({ length: size }, (_, index) => `tenant-${String(index).padStart(5, '0')}`);
  const tenth = Math.ceil(size / 10);
  const made = spec([wave('tenth', names.slice(0, tenth)), wave('rest', names.slice(tenth), { parallel: 50 })]);
  const events = names.flatMap((target, index) => [
    started(target),
    index % nth === 0 ? endedWith(target, 'failed', 1, { message }) : endedWith(target, 'done', 1),
  ]);
  const results = resultsOf([
    runOf(made),
    ...events,
    { ...stamp(2), type: 'stopped', because: { kind: 'failures', wave: null, count: Math.ceil(size / nth), limit: 0 } },
  ]);
  return { results, commit: null, workers: null, others: [], at: stamp(3).at };
}
