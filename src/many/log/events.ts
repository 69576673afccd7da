// Schemas and types of what the log of a fleet run holds. All of it is plain JSON, without credentials.

import {
  anyOf,
  anything,
  flag,
  list,
  type Members,
  oneOf,
  only,
  orNull,
  record,
  sha256,
  text,
  typed,
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import { CAPS, GATES } from '../../project/fleet-settings.ts';

const stamp = {
  /** Version of the format of a log. */
  v: only(1),
  at: typed<string>({ type: 'string', format: 'timestamp', description: 'RFC 3339.' }),
};

function event<T extends string, R extends Members, O extends Members = Record<never, never>>(
  type: T,
  description: string,
  members: R,
  optional?: O,
) {
  return record(description, { ...stamp, type: only(type), ...members }, optional);
}

const amount = (description: string) => typed<number>({ type: 'number', minimum: 0, description });
const limit = (description: string) => orNull(whole(`${description} Null without a limit.`));
const target = text('Name of the target.');
const wave = text('Name of the wave.');
const gate = oneOf('What was checked.', GATES);
const attempt = whole('First is 1.');

const maker = record('Who did it, and where.', {
  user: text('Account on the machine.'),
  host: text('Name of the machine.'),
  pid: whole('Process.'),
});

const spec = record('What a run does, in numbers.', {
  waves: list(
    'In their order. Every target is in one.',
    record(
      'One wave.',
      {
        name: wave,
        targets: list('In the order in which they are begun.', target),
        parallel: whole('How many are under way at once.'),
        hold: amount('Milliseconds after its last end until its gates are checked.'),
        gates: list('What is checked before the next wave.', gate),
        maxFailures: limit('The run stops beyond so many failed targets of the wave.'),
        maxUnreachable: limit('The run stops beyond so many unreachable targets of the wave.'),
      },
      { approve: only(true) },
    ),
  ),
  maxFailures: limit('The run stops beyond so many failed targets.'),
  maxUnreachable: limit('The run stops beyond so many unreachable targets.'),
});

const cap = record('What a limit of the run for all of its targets does not allow.', {
  setting: oneOf('Which.', CAPS),
  count: whole('How many there would be.'),
  limit: whole('How many are allowed.'),
});

const stopReason = anyOf('Why a run stopped before all of its targets had ended.', [
  record('Too many failed, or could not be reached.', {
    kind: oneOf('Which.', ['failures', 'unreachable']),
    wave: orNull(text('The wave whose limit it is; null for that of the run.')),
    count: whole('How many there were.'),
    limit: whole('How many are allowed.'),
  }),
  record('A gate did not pass.', {
    kind: only('gate'),
    wave,
    gate,
    target,
    message: orNull(text('Why.')),
  }),
  record('No target of a wave was done, so the next wave has no proof.', { kind: only('unproven'), wave }),
  record('A target would exceed a limit for all of them, so it was not changed.', { kind: only('cap'), target, cap }),
  record('A person has to approve a wave.', { kind: only('approval'), wave }),
  record('A person cancelled it.', { kind: only('cancelled'), by: maker }),
  record('A signal interrupted it.', { kind: only('interrupted') }),
]);

/** By type. */
export const KNOWN = {
  run: event('run', 'The first event.', {
    id: text('Id of the run.'),
    command: text('Command that began it.'),
    spec,
    digest: orNull(sha256('Digest of the approved plans.')),
    by: maker,
  }),
  started: event('started', 'A target is begun. What becomes of it is unknown until its `ended`.', { target, attempt }),
  unbegun: event('unbegun', 'A target that waited for its turn was not begun: the run was cancelled, or had stopped.', {
    target,
    attempt,
    cut: flag('Whether an earlier process had begun this attempt. What became of it is unknown then.'),
  }),
  ended: event(
    'ended',
    'A target ended.',
    {
      target,
      attempt,
      state: oneOf('How.', ['done', 'failed', 'unreachable']),
      code: whole('Exit code of the command for this target alone.'),
      message: orNull(text('Why it is not done.')),
      requests: whole('How many were sent.'),
      seconds: amount('How long it took.'),
      summary: anything('What the command has to say of it.'),
    },
    { unchanged: only(true), over: cap },
  ),
  approved: event('approved', 'A person approved a wave: it may begin.', { wave, by: maker }),
  gate: event('gate', 'A gate was checked on a target.', {
    wave,
    gate,
    target,
    passed: flag('Whether the next wave may begin.'),
    message: orNull(text('Why not.')),
  }),
  resumed: event('resumed', 'A process goes on with the run: what was under way is begun again.', { by: maker }),
  retry: event('retry', 'Targets that failed or were unreachable get another attempt.', {
    targets: list('Which.', target),
  }),
  cancel: event('cancel', 'A person cancelled the run: nothing is begun any more.', { by: maker }),
  stopped: event('stopped', 'The run stopped.', { because: stopReason }),
  done: event('done', 'All targets have ended, and all gates have passed.', {}),
};

export type FleetSpec = ValueOf<typeof spec>;
export type Wave = FleetSpec['waves'][number];
export type RunMaker = ValueOf<typeof maker>;
export type StopReason = ValueOf<typeof stopReason>;
export type FleetRunEvent = ValueOf<typeof KNOWN.run>;
export type StartedEvent = ValueOf<typeof KNOWN.started>;
export type Cap = ValueOf<typeof cap>;
export type EndedEvent = ValueOf<typeof KNOWN.ended>;
export type CancelEvent = ValueOf<typeof KNOWN.cancel>;
export type GateEvent = ValueOf<typeof KNOWN.gate>;
export type FleetEvent = ValueOf<(typeof KNOWN)[keyof typeof KNOWN]>;
