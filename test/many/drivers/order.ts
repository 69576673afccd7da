// What must never be in the log of a run, whoever drives it: starts that are too early, or too many at once.

import type { FleetEvent, Wave } from '../../../src/many/log/events.ts';

type State = 'pending' | 'running' | 'over';

/** @param isFrozen - Whether a time is in a window. */
export function wrongStarts(events: readonly FleetEvent[], isFrozen: (at: number) => boolean): readonly string[] {
  const [run] = events;
  if (run?.type !== 'run') return ['the log does not begin with its run'];
  const { waves } = run.spec;
  const states = new Map<string, State>();
  const done = new Set<string>();
  const unchanged = new Set<string>();
  const approved = new Set<string>();
  const passed = new Set<string>();
  const ends = new Map<string, number>();
  const wrong: string[] = [];
  let isStopped = false;

  const statesIn = (wave: Wave) => wave.targets.map((target) => states.get(target) ?? 'pending');

  function unpassed({ targets, gates }: Wave): boolean {
    return targets.some((target) => done.has(target) && gates.some((gate) => !passed.has(`${gate} ${target}`)));
  }

  function start(target: string, at: number): void {
    const place = waves.findIndex(({ targets }) => targets.includes(target));
    const own = waves[place];
    if (own === undefined) return void wrong.push(`${target} is in no wave`);
    if (isStopped) wrong.push(`${target} was begun after the run had stopped`);
    if (isFrozen(at)) wrong.push(`${target} was begun in a window`);
    if (own.approve === true && !approved.has(own.name)) wrong.push(`${target} was begun without an approval`);
    // A wave without a change leaves its gates and its hold to the next one.
    let unproven: Pick<Wave, 'gates' | 'hold'> = { gates: [], hold: 0 };
    for (const planned of waves.slice(0, place).filter(({ targets }) => targets.length > 0)) {
      const gates = [...new Set([...planned.gates, ...unproven.gates])];
      const before = { ...planned, gates, hold: Math.max(planned.hold, unproven.hold) };
      const isIdle = before.targets.every((each) => unchanged.has(each));
      unproven = isIdle ? before : { gates: [], hold: 0 };
      if (isIdle) continue;
      if (statesIn(before).some((state) => state !== 'over'))
        wrong.push(`${target} was begun before ${before.name} ended`);
      if (unpassed(before)) wrong.push(`${target} was begun before the gates of ${before.name}`);
      const end = Math.max(...before.targets.map((each) => ends.get(each) ?? 0));
      if (at < end + before.hold) wrong.push(`${target} was begun in the hold of ${before.name}`);
    }
    states.set(target, 'running');
    done.delete(target);
    unchanged.delete(target);
    for (const gate of own.gates) for (const each of own.targets) passed.delete(`${gate} ${each}`);
    const underWay = statesIn(own).filter((state) => state === 'running').length;
    if (underWay > own.parallel) wrong.push(`${underWay} of ${own.name} were under way`);
  }

  for (const event of events) {
    const at = Date.parse(event.at);
    switch (event.type) {
      case 'started':
        start(event.target, at);
        break;
      case 'ended':
        states.set(event.target, 'over');
        ends.set(event.target, at);
        if (event.state === 'done') done.add(event.target);
        if (event.unchanged === true) unchanged.add(event.target);
        break;
      case 'unbegun':
        states.set(event.target, 'pending');
        break;
      case 'gate':
        if (event.passed) passed.add(`${event.gate} ${event.target}`);
        break;
      case 'resumed':
        isStopped = false;
        for (const [target, state] of states) if (state === 'running') states.set(target, 'pending');
        break;
      case 'approved':
        approved.add(event.wave);
        break;
      case 'retry':
        for (const target of event.targets) states.set(target, 'pending');
        break;
      case 'cancel':
      case 'stopped':
        isStopped = true;
        break;
      default:
    }
  }
  return wrong;
}
