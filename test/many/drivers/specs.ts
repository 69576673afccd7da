// What every driver of a fleet run must do: the specs, as data. test/many/drivers.test.ts and test/many/workers/drivers.test.ts carry them out.

import { fleetSpec } from '../../../src/many/spec.ts';
import { type FreezeWindow, fleetSettings } from '../../../src/project/fleet-settings.ts';
import { spec, wave } from '../names.ts';
import type { DriverSpec, Round } from './spec.ts';

const DONE: readonly Round[] = [{ end: 'done' }];
const ONE = { parallel: 1 } as const;
const HOUR = 3_600_000;
const CANARY = wave('canary', ['a', 'b'], { ...ONE, gates: ['customers'] });
const EIGHT = wave('all', [...'abcdefgh'], { parallel: 8 });
const REST = wave('rest', ['c']);
/** Noon, when the runs begin unless they say otherwise. */
const NOON: FreezeWindow = { cron: '0 12 * * *', duration: 3_000, zone: 'UTC', reason: null };

const SHARES = fleetSpec(
  fleetSettings({
    waves: [
      { name: 'first', count: 1 },
      { name: 'some', percent: 30, parallel: 2 },
    ],
    parallel: 3,
  }),
  Array.from('abcdefgh', (name) => ({ name, tokenEnv: 'TOKEN', labels: new Map<string, string>() })),
);

const WAVES: readonly DriverSpec[] = [
  {
    title: 'Waves come one after the other',
    run: spec([wave('one', ['a']), wave('two', ['b', 'c', 'd']), wave('three', ['e'])]),
    rounds: DONE,
    targets: 'a done, b done, c done, d done, e done',
  },
  {
    title: 'Waves without targets are passed over, with their holds and gates',
    run: spec([wave('one', [], { hold: HOUR, gates: ['tests'] }), wave('two', ['a']), wave('three', []), REST]),
    rounds: DONE,
    targets: 'a done, c done',
  },
  {
    title: 'A run without targets is done',
    run: spec([wave('all', [])]),
    rounds: DONE,
    targets: '',
  },
  {
    title: 'A wave with `parallel: 1` takes its targets in their order',
    run: spec([wave('all', ['b', 'a', 'c'], ONE)]),
    rounds: DONE,
    targets: 'b done, a done, c done',
    begun: 'b a c',
  },
  {
    title: 'Waves by count and share, and a last one for the others',
    run: SHARES,
    rounds: DONE,
    targets: 'a done, b done, c done, d done, e done, f done, g done, h done',
  },
];

const GATES: readonly DriverSpec[] = [
  {
    title: 'Gates of a wave are checked after its hold, and then the next wave begins',
    run: spec([{ ...CANARY, hold: 1_000 }, REST]),
    rounds: DONE,
    targets: 'a done, b done, c done',
    checked: 'customers a passed, customers b passed',
    isQuick: true,
  },
  {
    title: 'A gate that does not pass stops the run',
    run: spec([CANARY, REST]),
    gates: { 'customers a': [false] },
    rounds: [{ end: 'gate customers a of canary: not as wanted' }],
    targets: 'a done, b done, c pending',
    checked: 'customers a closed',
  },
  {
    title: 'A gate that passes on the first target and not on the second stops the run',
    run: spec([CANARY, REST]),
    gates: { 'customers b': [false] },
    rounds: [{ end: 'gate customers b of canary: not as wanted' }],
    targets: 'a done, b done, c pending',
    checked: 'customers a passed, customers b closed',
  },
  {
    title: 'The second of two gates does not pass',
    run: spec([wave('canary', ['a'], { gates: ['customers', 'no_drift'], parallel: 1 }), REST]),
    gates: { 'no_drift a': [false] },
    rounds: [{ end: 'gate no_drift a of canary: not as wanted' }],
    targets: 'a done, c pending',
    checked: 'customers a passed, no_drift a closed',
  },
  {
    title: 'A gate that did not pass is checked again when the run is resumed; one that passed is not',
    run: spec([CANARY, REST]),
    gates: { 'customers b': [false, true] },
    rounds: [{ end: 'gate customers b of canary: not as wanted' }, { end: 'done' }],
    targets: 'a done, b done, c done',
    checked: 'customers a passed, customers b closed, customers b passed',
    isQuick: true,
  },
  {
    title: 'Gates of the last wave are checked, and can stop the run',
    run: spec([wave('all', ['a'], { gates: ['tests'] })]),
    gates: { 'tests a': [false] },
    rounds: [{ end: 'gate tests a of all: not as wanted' }],
    targets: 'a done',
    checked: 'tests a closed',
  },
  {
    title: 'Gates are checked only on targets that are done, and again after another attempt in their wave',
    run: spec([CANARY, REST], { maxFailures: 1 }),
    outcomes: { b: ['failed', 'done'] },
    rounds: [{ end: 'done' }, { retry: ['failed'], end: 'done' }],
    targets: 'a done, b done 2, c done',
    checked: 'customers a passed, customers a passed, customers b passed',
  },
];

const UNCHANGED: readonly DriverSpec[] = [
  {
    title: 'Gates and hold of a wave without a change go to the first later wave that has one',
    run: spec([
      { ...CANARY, hold: 1_000 },
      wave('tenth', ['c'], ONE),
      wave('more', ['d'], { ...ONE, gates: ['tests'] }),
      wave('rest', ['e']),
    ]),
    outcomes: { a: ['unchanged'], b: ['unchanged'], c: ['unchanged'] },
    rounds: DONE,
    targets: 'a done, b done, c done, d done, e done',
    checked: 'customers d passed, tests d passed',
    isQuick: true,
  },
  {
    title: 'A wave with one change keeps its gates, also on the targets without one',
    run: spec([CANARY, REST]),
    outcomes: { a: ['unchanged'] },
    rounds: DONE,
    targets: 'a done, b done, c done',
    checked: 'customers a passed, customers b passed',
  },
  {
    title: 'A run without a change checks nothing',
    run: spec([CANARY, REST]),
    outcomes: { a: ['unchanged'], b: ['unchanged'], c: ['unchanged'] },
    rounds: DONE,
    targets: 'a done, b done, c done',
    checked: '',
  },
];

const APPROVED: readonly DriverSpec[] = [
  {
    title: 'A run stops before a wave that a person has to approve, and begins it once one did',
    run: spec([wave('canary', ['a']), wave('rest', ['b', 'c'], { approve: true })]),
    rounds: [{ end: 'approval of rest' }, { end: 'approval of rest' }, { approved: ['rest'], end: 'done' }],
    targets: 'a done, b done, c done',
    isQuick: true,
  },
  {
    title: 'An approved wave goes on without another approval',
    run: spec([wave('all', ['a', 'b'], { ...ONE, approve: true })]),
    outcomes: { a: ['failed', 'done'] },
    rounds: [
      { end: 'approval of all' },
      { approved: ['all'], end: 'failures of run: 1 of 0' },
      { retry: ['failed'], end: 'done' },
    ],
    targets: 'a done 2, b done',
  },
  {
    title: 'A limit for all targets stops the run, whatever may fail, until a person resumes it',
    run: spec([wave('all', ['a', 'b', 'c'], ONE)], { maxFailures: 9 }),
    outcomes: { b: ['over', 'done'] },
    rounds: [{ end: 'max_deletes at b: 12 of 10' }, { retry: ['failed'], end: 'done' }],
    targets: 'a done, b done 2, c done',
    isQuick: true,
  },
];

const FAILURES: readonly DriverSpec[] = [
  {
    title: 'With `max_failures: 0` the first failure stops the run, and what is under way ends',
    run: spec([wave('all', ['a', 'b', 'c'])]),
    outcomes: { a: ['failed'] },
    waits: { b: 'ended a' },
    rounds: [{ end: 'failures of run: 1 of 0' }],
    targets: 'a failed, b done, c pending',
  },
  {
    title: 'With `max_failures: 2` the third failure stops the run',
    run: spec([wave('all', ['a', 'b', 'c', 'd', 'e'], ONE)], { maxFailures: 2 }),
    outcomes: { a: ['failed'], c: ['failed'], d: ['failed'] },
    rounds: [{ end: 'failures of run: 3 of 2' }],
    targets: 'a failed, b done, c failed, d failed, e pending',
  },
  {
    title: 'Without `max_failures` no failure stops the run',
    run: spec([wave('all', ['a', 'b', 'c'])], { maxFailures: null }),
    outcomes: { a: ['failed'], b: ['failed'] },
    rounds: DONE,
    targets: 'a failed, b failed, c done',
  },
  {
    title: 'The limit of a wave stops the run below that of the run',
    run: spec([wave('canary', ['a', 'b'], { ...ONE, maxFailures: 0 }), REST], { maxFailures: 5 }),
    outcomes: { a: ['failed'] },
    rounds: [{ end: 'failures of canary: 1 of 0' }],
    targets: 'a failed, b pending, c pending',
  },
  {
    title: 'With `max_unreachable: 0` the first target that cannot be reached stops the run',
    run: spec([wave('all', ['a', 'b'], ONE)], { maxUnreachable: 0 }),
    outcomes: { a: ['unreachable'] },
    rounds: [{ end: 'unreachable of run: 1 of 0' }],
    targets: 'a unreachable, b pending',
  },
  {
    title: 'Targets that cannot be reached are no failures',
    run: spec([wave('all', ['a', 'b'], ONE)]),
    outcomes: { a: ['unreachable'] },
    rounds: DONE,
    targets: 'a unreachable, b done',
  },
  {
    title:
      'A canary that fails within the limits proves nothing for the next wave, also after a resume; its second attempt does',
    run: spec([wave('canary', ['a']), REST], { maxFailures: null }),
    outcomes: { a: ['failed', 'done'] },
    rounds: [{ end: 'unproven canary' }, { end: 'unproven canary' }, { retry: ['failed'], end: 'done' }],
    targets: 'a done 2, c done',
  },
  {
    title: 'A failure of the last target stops nothing',
    run: spec([wave('all', ['a', 'b'], ONE)]),
    outcomes: { b: ['failed'] },
    rounds: DONE,
    targets: 'a done, b failed',
  },
];

const HOLDS: readonly DriverSpec[] = [
  {
    title: 'The next wave waits for the hold of the one before',
    run: spec([wave('canary', ['a', 'b'], { hold: 2_000 }), REST]),
    rounds: DONE,
    targets: 'a done, b done, c done',
  },
  {
    title: 'A run that is cancelled in a hold stops, and is held again when it is resumed',
    run: spec([wave('canary', ['a'], { hold: 24 * HOUR }), REST]),
    rounds: [
      { cancel: 'ended a', end: 'cancelled by bob' },
      { cancel: 'later', end: 'cancelled by bob' },
    ],
    targets: 'a done, c pending',
  },
  {
    title: 'Nothing is begun in a window in which the run begins',
    run: spec([wave('all', ['a', 'b'], ONE)]),
    freeze: NOON,
    rounds: DONE,
    targets: 'a done, b done',
  },
  {
    title: 'What is under way when a window begins ends, and nothing else is begun until the window ends',
    run: spec([wave('all', ['a', 'b'], ONE)]),
    freeze: NOON,
    clock: '2026-11-23T11:59:58Z',
    waits: { a: 'freeze' },
    rounds: DONE,
    targets: 'a done, b done',
    isQuick: true,
  },
  {
    title: 'A run that is cancelled in a window has begun nothing',
    run: spec([wave('all', ['a'])]),
    freeze: { ...NOON, duration: 24 * HOUR },
    rounds: [{ cancel: 'later', end: 'cancelled by bob' }],
    targets: 'a pending',
  },
];

const CANCELLED: readonly DriverSpec[] = [
  {
    title: 'A run that is cancelled before its first target begins nothing',
    run: spec([wave('all', ['a', 'b'])]),
    rounds: [{ cancel: 'before', end: 'cancelled by bob' }],
    targets: 'a pending, b pending',
  },
  {
    title: 'A run that is cancelled lets what is under way end, and goes on when it is resumed',
    run: spec([wave('all', ['a', 'b', 'c'])]),
    waits: { a: 'cancel', b: 'cancel' },
    rounds: [{ cancel: 'started b', end: 'cancelled by bob' }, { end: 'done' }],
    targets: 'a done, b done, c done',
    isQuick: true,
  },
  {
    title: 'Of a failure beyond the limit and a request to cancel, the run says the request',
    run: spec([wave('all', ['a', 'b', 'c'])]),
    outcomes: { a: ['failed'] },
    waits: { a: 'cancel', b: 'cancel' },
    rounds: [{ cancel: 'started b', end: 'cancelled by bob' }],
    targets: 'a failed, b done, c pending',
  },
  {
    title: 'What waits for its turn when the run is cancelled is not begun, and goes on when the run is resumed',
    run: spec([EIGHT]),
    slots: 2,
    waits: { a: 'cancel', b: 'cancel' },
    rounds: [{ cancel: 'started h', end: 'cancelled by bob' }, { end: 'done' }],
    unbegun: 'c d e f g h',
    targets: 'a done, b done, c done, d done, e done, f done, g done, h done',
    isQuick: true,
  },
  {
    title: 'What waits for its turn when a target fails beyond the limit is not begun',
    run: spec([EIGHT]),
    slots: 1,
    outcomes: { a: ['failed'] },
    waits: { a: 'started h' },
    rounds: [{ end: 'failures of run: 1 of 0' }],
    unbegun: 'b c d e f g h',
    targets: 'a failed, b pending, c pending, d pending, e pending, f pending, g pending, h pending',
    isQuick: true,
  },
];

const RESUMED: readonly DriverSpec[] = [
  {
    title: 'After a stop the failures until then count no more, and the next one stops the run again',
    run: spec([wave('all', ['a', 'b', 'c', 'd'], ONE)]),
    outcomes: { a: ['failed'], c: ['failed'] },
    rounds: [{ end: 'failures of run: 1 of 0' }, { end: 'failures of run: 1 of 0' }, { end: 'done' }],
    targets: 'a failed, b done, c failed, d done',
    begun: 'a b c d',
  },
  {
    title: '`retry failed` gives those that failed another attempt',
    run: spec([wave('all', ['a', 'b', 'c'], ONE)], { maxFailures: 1 }),
    outcomes: { a: ['unreachable'], b: ['failed', 'done'] },
    rounds: [{ end: 'done' }, { retry: ['failed'], end: 'done' }],
    targets: 'a unreachable, b done 2, c done',
    begun: 'a b c b',
    isQuick: true,
  },
  {
    title: '`retry unreachable` gives those that could not be reached another attempt',
    run: spec([wave('all', ['a', 'b', 'c'], ONE)], { maxFailures: 1 }),
    outcomes: { a: ['unreachable', 'done'], b: ['failed'] },
    rounds: [{ end: 'done' }, { retry: ['unreachable'], end: 'done' }],
    targets: 'a done 2, b failed, c done',
    begun: 'a b c a',
  },
  {
    title: '`retry failed,unreachable` after a stop comes after the targets that were not begun',
    run: spec([wave('all', ['a', 'b', 'c'], ONE)]),
    outcomes: { a: ['unreachable', 'done'], b: ['failed', 'done'] },
    rounds: [{ end: 'failures of run: 1 of 0' }, { retry: ['failed', 'unreachable'], end: 'done' }],
    targets: 'a done 2, b done 2, c done',
    begun: 'a b c a b',
  },
  {
    title: 'A run that is done begins nothing when it is resumed without `retry`',
    run: spec([wave('all', ['a', 'b'], ONE)], { maxFailures: null }),
    outcomes: { a: ['failed'] },
    rounds: [{ end: 'done' }, { end: 'done' }],
    targets: 'a failed, b done',
    begun: 'a b',
  },
  {
    title: 'Attempts of a target are counted, and one that fails again stops the run again',
    run: spec([wave('all', ['a', 'b'], ONE)]),
    outcomes: { a: ['failed', 'failed', 'done'] },
    rounds: [
      { end: 'failures of run: 1 of 0' },
      { retry: ['failed'], end: 'done' },
      { retry: ['failed'], end: 'done' },
    ],
    targets: 'a done 3, b done',
    begun: 'a b a a',
  },
  {
    title: 'Work that throws ends the run without a reason, and is begun again under the same attempt',
    run: spec([wave('all', ['a', 'b', 'c'], ONE)]),
    outcomes: { b: ['throws', 'done'] },
    rounds: [{ end: 'broken: b is broken' }, { end: 'done' }],
    targets: 'a done, b done, c done',
    begun: 'a b b c',
    isQuick: true,
  },
];

const RECOVERED: readonly DriverSpec[] = [
  {
    title: 'What a driver that was killed had begun is begun again under the same attempt, and first',
    run: spec([wave('all', ['a', 'b', 'c'], ONE)]),
    waits: { b: 'resumed' },
    rounds: [{ kill: 'started b' }, { by: 'engine', end: 'done' }],
    targets: 'a done, b done, c done',
    begun: 'a b b c',
  },
  {
    title: 'A driver that was killed in a hold is followed by one that keeps the hold',
    run: spec([wave('canary', ['a'], { hold: 2_000 }), REST]),
    rounds: [{ kill: 'ended a' }, { by: 'engine', end: 'done' }],
    targets: 'a done, c done',
  },
  {
    title: 'A run that is cancelled while no driver lives stays cancelled',
    run: spec([wave('all', ['a', 'b', 'c'], ONE)]),
    waits: { b: 'resumed' },
    rounds: [{ kill: 'started b' }, { by: 'engine', cancel: 'before', end: 'cancelled by bob' }],
    targets: 'a done, b unknown, c pending',
  },
  {
    title: 'A driver that was killed after its run had cancelled is followed by one that begins nothing',
    run: spec([wave('all', ['a', 'b'], ONE)]),
    waits: { a: 'cancel' },
    rounds: [
      { cancel: 'started a', kill: 'cancel' },
      { by: 'engine', end: 'cancelled by bob' },
    ],
    targets: 'a unknown, b pending',
  },
  {
    title: 'A failure still counts for the driver that follows one that was killed',
    run: spec([wave('all', ['a', 'b'], ONE)]),
    outcomes: { a: ['failed'] },
    rounds: [{ kill: 'ended a' }, { by: 'engine', end: 'failures of run: 1 of 0' }],
    targets: 'a failed, b pending',
  },
  {
    title: 'A run that had stopped when its driver was killed stays as it is until a person resumes it',
    run: spec([wave('all', ['a', 'b'], ONE)]),
    outcomes: { a: ['failed'] },
    rounds: [{ kill: 'stopped' }, { by: 'engine', end: 'failures of run: 1 of 0' }, { end: 'done' }],
    targets: 'a failed, b done',
    begun: 'a b',
  },
  {
    title: 'A driver that is told to stop lets what is under way end, and another one goes on',
    run: spec([wave('all', ['a', 'b', 'c', 'd'], ONE)]),
    rounds: [{ stop: 'started b' }, { by: 'engine', end: 'done' }],
    targets: 'a done, b done, c done, d done',
  },
];

export const SPECS: readonly DriverSpec[] = [
  ...WAVES,
  ...GATES,
  ...UNCHANGED,
  ...APPROVED,
  ...FAILURES,
  ...HOLDS,
  ...CANCELLED,
  ...RESUMED,
  ...RECOVERED,
];
