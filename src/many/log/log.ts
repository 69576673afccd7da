// What the events of a fleet run add up to. Gates and budgets look at nothing else.

import { assertNever, InternalError } from '../../base/errors.ts';
import type { Gate } from '../../project/fleet-settings.ts';
import type {
  Cap,
  EndedEvent,
  FleetEvent,
  FleetRunEvent,
  GateEvent,
  RunMaker,
  StartedEvent,
  StopReason,
} from './events.ts';

export interface LoggedResult {
  /** `unknown`: begun by a process that is gone, and not begun again. `queued`: see `withQueued`. */
  readonly state: 'pending' | 'queued' | 'running' | 'unknown' | EndedEvent['state'];
  /** First is 1. */
  readonly attempt: number;
  /** When the last attempt began, RFC 3339; null before the first. */
  readonly begun: string | null;
  /** How the last attempt that ended did; null before the first. */
  readonly end: EndedEvent | null;
}

export interface WaveResults {
  /** Targets to begin, in their order: pending and unknown. */
  readonly open: ReadonlySet<string>;
  readonly queued: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
  /** Those that are done, and had nothing to change. */
  readonly unchanged: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  readonly unreachable: ReadonlySet<string>;
  /** Milliseconds since the epoch; null when none has ended. */
  readonly lastEnd: number | null;
  /** The gates that were checked since the last start in this wave. */
  readonly gate: (gate: Gate, target: string) => GateEvent | null;
  /** The first of them that did not pass. */
  readonly closed: GateEvent | null;
}

export interface FleetResults {
  readonly run: FleetRunEvent;
  readonly targets: ReadonlyMap<string, LoggedResult>;
  /** In the order of the waves of the run. */
  readonly waves: readonly WaveResults[];
  /**
   * Failed and unreachable targets that count against no budget: the run had stopped because of them, and was resumed.
   */
  readonly acknowledged: ReadonlySet<string>;
  /** Names of the waves that a person approved. */
  readonly approved: ReadonlySet<string>;
  /** The last target that a limit for all of them kept from being changed, since the run was resumed; null when none. */
  readonly over: { readonly target: string; readonly cap: Cap } | null;
  /** Who cancelled the run; null when it is not cancelled. */
  readonly cancelled: RunMaker | null;
  /** Why the run stopped the last time; null while it goes on. */
  readonly stopped: StopReason | null;
  readonly finished: boolean;
  /** When the last event was, RFC 3339. */
  readonly lastAt: string;
}

/** Results that grow with the log. */
export interface FleetLog {
  /** Changes with each event. */
  readonly results: FleetResults;
  readonly add: (event: FleetEvent) => void;
}

export function resultsOf(events: readonly FleetEvent[]): FleetResults {
  return fleetLog(events).results;
}

/** @throws InternalError for a log that does not begin with its run, or names a target that the run does not have */
export function fleetLog(events: readonly FleetEvent[]): FleetLog {
  const [run, ...rest] = events;
  if (run?.type !== 'run') throw new InternalError('the log of a fleet run does not begin with the run');
  const targets = new Map<string, LoggedResult>();
  const waveOf = new Map<string, OpenWave>();
  const waves = run.spec.waves.map((wave) => {
    const made = openWave(wave.targets);
    for (const target of wave.targets) {
      targets.set(target, { state: 'pending', attempt: 1, begun: null, end: null });
      waveOf.set(target, made);
    }
    return made;
  });
  const acknowledged = new Set<string>();
  const approved = new Set<string>();
  /** As they were before they were begun. */
  const before = new Map<string, LoggedResult>();
  const results: { -readonly [member in keyof FleetResults]: FleetResults[member] } = {
    run,
    targets,
    waves,
    acknowledged,
    approved,
    over: null,
    cancelled: null,
    stopped: null,
    finished: false,
    lastAt: run.at,
  };

  function known(name: string): readonly [LoggedResult, OpenWave] {
    const [result, wave] = [targets.get(name), waveOf.get(name)];
    if (result === undefined || wave === undefined) throw new InternalError(`the fleet run has no target ${name}`);
    return [result, wave];
  }

  function put(name: string, change: Partial<LoggedResult> & Pick<LoggedResult, 'state'>): void {
    const [before, wave] = known(name);
    targets.set(name, { ...before, ...change });
    wave.put(name, before.state, change.state);
  }

  function begun(name: string, at: string): void {
    before.set(name, known(name)[0]);
    put(name, { state: 'running', begun: at });
    known(name)[1].forgetGates();
    acknowledged.delete(name);
  }

  function unbegun(name: string, cut: boolean): void {
    const { state = 'pending', begun: at = null } = before.get(name) ?? {};
    put(name, { state: cut || state === 'unknown' ? 'unknown' : 'pending', begun: cut ? known(name)[0].begun : at });
  }

  function resumed(): void {
    for (const [name, { state }] of targets) {
      if (state === 'running') put(name, { state: 'unknown' });
      if (isForgiven(state, results.stopped)) acknowledged.add(name);
    }
    for (const wave of waves) wave.forgetClosed();
    results.over = null;
    results.cancelled = null;
    results.stopped = null;
  }

  function add(event: FleetEvent): void {
    results.lastAt = event.at;
    switch (event.type) {
      case 'run':
        throw new InternalError('the log of a fleet run has two runs');
      case 'started':
        begun(event.target, event.at);
        return;
      case 'unbegun':
        unbegun(event.target, event.cut);
        return;
      case 'ended':
        if (event.over !== undefined) {
          // It was planned, and not begun: another attempt begins it.
          results.over = { target: event.target, cap: event.over };
          unbegun(event.target, false);
          const [{ state, attempt }] = known(event.target);
          put(event.target, { state, attempt: attempt + 1 });
          return;
        }
        put(event.target, { state: event.state, end: event });
        known(event.target)[1].end(event.target, Date.parse(event.at), event.unchanged === true);
        return;
      case 'approved':
        approved.add(event.wave);
        return;
      case 'gate':
        known(event.target)[1].check(event);
        return;
      case 'resumed':
        resumed();
        return;
      case 'retry':
        results.finished = false;
        for (const name of event.targets) put(name, { state: 'pending', attempt: known(name)[0].attempt + 1 });
        return;
      case 'cancel':
        results.cancelled = event.by;
        return;
      case 'stopped':
        results.stopped = event.because;
        return;
      case 'done':
        results.finished = true;
        return;
      default:
        assertNever(event);
    }
  }

  for (const event of rest) add(event);
  return { results, add };
}

/** Of what a run on workers was told to begin, no worker has all: the others are queued. */
export function withQueued(
  results: FleetResults,
  begun: readonly Pick<StartedEvent, 'target' | 'attempt'>[],
): FleetResults {
  const taken = new Set(begun.map(({ target, attempt }) => `${attempt} ${target}`));
  const targets = new Map<string, LoggedResult>();
  for (const [name, result] of results.targets) {
    const isQueued = result.state === 'running' && !taken.has(`${result.attempt} ${name}`);
    targets.set(name, isQueued ? { ...result, state: 'queued' } : result);
  }
  const waves = results.waves.map((wave) => {
    const [queued, running] = [new Set<string>(), new Set<string>()];
    for (const name of wave.running) (targets.get(name)?.state === 'queued' ? queued : running).add(name);
    return { ...wave, queued, running };
  });
  return { ...results, targets, waves };
}

/** The person who resumes a run has seen why it stopped. */
function isForgiven(state: LoggedResult['state'], stopped: StopReason | null): boolean {
  return stopped?.kind === 'failures' ? state === 'failed' : stopped?.kind === 'unreachable' && state === 'unreachable';
}

/** Whether a person has to resume the run, if there is anything left. On workers, a run that a signal interrupted goes on by itself. */
export function isOverOnWorkers({ stopped, finished }: FleetResults): boolean {
  return finished || (stopped !== null && stopped.kind !== 'interrupted');
}

interface OpenWave extends WaveResults {
  readonly put: (target: string, from: LoggedResult['state'], to: LoggedResult['state']) => void;
  readonly end: (target: string, at: number, isUnchanged: boolean) => void;
  readonly check: (event: GateEvent) => void;
  readonly forgetGates: () => void;
  readonly forgetClosed: () => void;
}

function openWave(targets: readonly string[]): OpenWave {
  const sets = {
    open: new Set(targets),
    queued: new Set<string>(),
    running: new Set<string>(),
    done: new Set<string>(),
    unchanged: new Set<string>(),
    failed: new Set<string>(),
    unreachable: new Set<string>(),
  };
  /** Those of `open` that may be changed in part: they come first. */
  const cut = new Set<string>();
  const gates = new Map<string, GateEvent>();
  const keyOf = (gate: Gate, target: string): string => `${gate} ${target}`;
  let lastEnd: number | null = null;
  return {
    ...sets,
    get lastEnd() {
      return lastEnd;
    },
    get closed() {
      return [...gates.values()].find(({ passed }) => !passed) ?? null;
    },
    gate: (gate, target) => gates.get(keyOf(gate, target)) ?? null,
    put: (target, from, to) => {
      sets[setOf(from)].delete(target);
      sets.unchanged.delete(target);
      sets[setOf(to)].add(target);
      if (to === 'unknown') cut.add(target);
      else cut.delete(target);
      if (to === 'unknown') putFirst(sets.open, [target]);
      // Those that were not begun after all come again where they were.
      else if (to === 'pending' && from === 'running') putFirst(sets.open, [...cut, ...targets]);
    },
    end: (target, at, isUnchanged) => {
      if (isUnchanged && sets.done.has(target)) sets.unchanged.add(target);
      lastEnd = Math.max(lastEnd ?? at, at);
    },
    check: (event) => void gates.set(keyOf(event.gate, event.target), event),
    forgetGates: () => gates.clear(),
    forgetClosed: () => {
      for (const [key, { passed }] of gates) if (!passed) gates.delete(key);
    },
  };
}

function setOf(state: LoggedResult['state']) {
  return state === 'pending' || state === 'unknown' ? 'open' : state;
}

/** Of these, those that are in the set come before all others. */
function putFirst(open: Set<string>, targets: readonly string[]): void {
  const found = new Set(targets.filter((target) => open.has(target)));
  for (const other of open) found.add(other);
  open.clear();
  for (const each of found) open.add(each);
}
