// What a run of a spec comes to, and what it must come to: the same for every driver.

import { expect } from 'vitest';
import { frozenUntil } from '../../src/many/freeze.ts';
import type { FleetEvent, StopReason } from '../../src/many/log/events.ts';
import { resultsOf } from '../../src/many/log/log.ts';
import { wrongStarts } from './drivers/order.ts';
import type { DriverSpec } from './drivers/spec.ts';

/** Why a run stopped, as specs say it. @param stopped - Null for a run that is done. */
export function endText(stopped: StopReason | null): string {
  switch (stopped?.kind) {
    case undefined:
      return 'done';
    case 'failures':
    case 'unreachable':
      return `${stopped.kind} of ${stopped.wave ?? 'run'}: ${stopped.count} of ${stopped.limit}`;
    case 'gate':
      return `gate ${stopped.gate} ${stopped.target} of ${stopped.wave}: ${stopped.message}`;
    case 'unproven':
      return `unproven ${stopped.wave}`;
    case 'approval':
      return `approval of ${stopped.wave}`;
    case 'cap':
      return `${stopped.cap.setting} at ${stopped.target}: ${stopped.cap.count} of ${stopped.cap.limit}`;
    case 'cancelled':
      return `cancelled by ${stopped.by.user}`;
    default:
      return 'interrupted';
  }
}

/** Compares what a driver did with what the spec wants. `ends`: of each round; null for a driver that was lost. */
export async function expectAsSpecified(
  spec: DriverSpec,
  ends: readonly (string | null)[],
  events: readonly FleetEvent[],
): Promise<void> {
  const { freeze, rounds, targets, checked, begun, unbegun } = spec;
  const frozen = await frozenUntil(freeze === undefined ? [] : [freeze]);
  const found = {
    ends,
    targets: targetsText(events),
    checked: textOf(events, (event) =>
      event.type === 'gate' ? [`${event.gate} ${event.target} ${event.passed ? 'passed' : 'closed'}`] : [],
    ).join(', '),
    begun:
      begun === undefined
        ? null
        : textOf(events, (event) => (event.type === 'started' ? [event.target] : [])).join(' '),
    unbegun:
      unbegun === undefined
        ? null
        : textOf(events, (event) => (event.type === 'unbegun' ? [event.target] : []))
            .toSorted()
            .join(' '),
    wrong: wrongStarts(events, (at) => frozen(at) !== null),
  };
  expect(found).toEqual({
    ends: rounds.map(({ end = null }) => end),
    targets,
    checked: checked ?? '',
    begun: begun ?? null,
    unbegun: unbegun ?? null,
    wrong: [],
  });
}

function textOf(events: readonly FleetEvent[], text: (event: FleetEvent) => readonly string[]): readonly string[] {
  return events.flatMap(text);
}

function targetsText(events: readonly FleetEvent[]): string {
  return [...resultsOf(events).targets]
    .map(([name, { state, attempt }]) => `${name} ${state}${attempt === 1 ? '' : ` ${attempt}`}`)
    .join(', ');
}
