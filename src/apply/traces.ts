// Traces of creates whose answers were lost: what the license lists of them once it must. Nothing may be created twice, and no created object may be
// left unmanaged.

import { ApiError } from '../base/errors.ts';
import type { Desired, KindName, LedgerState, Live, LiveObject, ObjectId } from '../base/model.ts';
import { until } from '../base/until.ts';
import { fetchLive } from '../license/reading/live.ts';
import { viewOf } from '../license/reading/view.ts';
import { listNames } from '../plan/binding/recognise.ts';
import { type Recovery, recover } from '../plan/binding/recover.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { pauseBeforeReading } from '../service/patience/pause.ts';
import { isLasting } from '../service/patience/policy.ts';
import type { RepeatedReading } from './input.ts';
import type { Reply } from './replies.ts';

/** What the license shows of one create. */
export type Trace =
  | { readonly status: 'made'; readonly id: ObjectId }
  /** Nothing, although it would show by now: it may be sent again. */
  | { readonly status: 'absent' }
  | { readonly status: 'undecided'; readonly candidates: readonly LiveObject[] }
  /** The license cannot be read, or the run was stopped: the next run decides. */
  | { readonly status: 'unknown' };

/** Resolves when every trace is certain, or none can be. */
export type FindTraces = (steps: readonly Step[]) => Promise<ReadonlyMap<Step, Trace>>;

export interface TraceSearch extends RepeatedReading {
  readonly desired: Desired;
  /** Milliseconds until a created object must be listed. */
  readonly window: number;
  /** The present ledger, with the intents of the steps. */
  readonly state: () => LedgerState;
  readonly intentOf: (step: Step) => string | null;
  /** Ids of the objects that were there when the plan was made. */
  readonly references: Plan['references'];
}

const UNKNOWN: Trace = { status: 'unknown' };
const LOST_ANSWER = 'the answer to its create was lost, and it is not listed yet';

export function createFindTraces(search: TraceSearch): FindTraces {
  const read = sharedReading(search);
  return async (steps) => {
    const { clock, signal, window, state, intentOf, onWait, references } = search;
    /** What this run deleted and makes again may be listed under the same id for a while. */
    const isFormer = ({ address }: Step, trace: Trace): boolean =>
      trace.status === 'made' && address !== null && references[address] === trace.id;
    const started = clock.now();
    const kinds = [...new Set(steps.map(({ type }) => type))];
    const look = async () => {
      const asked = clock.now();
      const lives = await Promise.all(kinds.map(read));
      const recoveries = lives.map((live) => (live instanceof ApiError ? live : recover(state(), live, new Map())));
      const isOver = asked >= started + window;
      const traces = new Map(
        steps.map((step) => {
          const trace = traceIn(recoveries[kinds.indexOf(step.type)], intentOf(step), isOver);
          return [step, isOver || !isFormer(step, trace) ? trace : UNKNOWN] as const;
        }),
      );
      const open = steps.filter((step) => traces.get(step)?.status === 'unknown');
      const isHopeless = lives.some((live) => live instanceof ApiError && (isLasting(live.failure) || isOver));
      return { traces, open, isHopeless };
    };
    const { traces } = await until(look, {
      clock,
      signal,
      isEnough: ({ open, isHopeless }) => open.length === 0 || isHopeless,
      pause: (elapsed) => Math.min(pauseBeforeReading(elapsed), window - elapsed),
      onWait: (elapsed, { open }) => {
        const unsettled = open.flatMap(({ address }) =>
          address === null ? [] : [{ address, reading: LOST_ANSWER, fields: [] }],
        );
        onWait({ elapsed, unsettled });
      },
    });
    return traces;
  };
}

function traceIn(recovery: Recovery | ApiError | undefined, intent: string | null, isOver: boolean): Trace {
  if (recovery === undefined || recovery instanceof ApiError) return UNKNOWN;
  const recovered = recovery.recovered.find((each) => each.intent === intent);
  if (recovered !== undefined) return { status: 'made', id: recovered.id };
  const undecided = recovery.undecided.find((each) => each.intent === intent);
  if (undecided !== undefined) return { status: 'undecided', candidates: undecided.candidates };
  return { status: isOver ? 'absent' : 'unknown' };
}

type ReadKind = (kind: KindName) => Promise<Live | ApiError>;

/** Many answers can be lost at once: a list is read for all creates that asked before it begins. */
function sharedReading({ ask, desired, version, state }: TraceSearch): ReadKind {
  const running = new Map<KindName, Promise<unknown>>();
  const next = new Map<KindName, Promise<Live | ApiError>>();
  const fetch = async (kind: KindName): Promise<Live | ApiError> => {
    const view = viewOf(desired, state(), version);
    try {
      return await fetchLive(ask, { ...view, kinds: new Set([kind]), alongside: view.kinds }, version);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  };
  return (kind) => {
    const waiting = next.get(kind);
    if (waiting !== undefined) return waiting;
    const begin = (): Promise<Live | ApiError> => {
      next.delete(kind);
      const live = fetch(kind);
      running.set(kind, live);
      return live;
    };
    const turn = Promise.resolve(running.get(kind)).then(begin, begin);
    next.set(kind, turn);
    return turn;
  };
}

/** Returns the reply to a create that had no answer, as far as its trace decides it. */
export function replyOf(trace: Trace | undefined, reply: Reply | undefined): Reply | undefined {
  if (trace === undefined || trace.status === 'unknown') return reply;
  if (trace.status === 'made') return { made: trace.id };
  if (reply === undefined || !('error' in reply)) return reply;
  const { failure } = reply.error;
  if (trace.status === 'absent')
    return {
      error: new ApiError({ ...failure, ambiguous: false, message: `${failure.message}; it has made nothing` }),
    };
  return {
    error: new ApiError({
      ...failure,
      message: `${failure.message}; it may have made any of ${listNames(trace.candidates)}`,
    }),
  };
}
