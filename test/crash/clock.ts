// A file in; a clock that all who open it share, out. It runs like any other, but leaps over every wait: hours cost nothing, and a machine that is
// busy makes nobody late, as it would if time merely ran faster.

import { openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Terminal } from '../../src/command/terminal.ts';

export type SharedClock = Pick<Terminal, 'clock' | 'every'>;

/** Real milliseconds that what is repeated may take before the next leap: a lease must be renewed on disk while minutes pass. */
const BREATH = 15;

/** By how many milliseconds the clock is ahead of that of the machine. */
export function createClockFile(path: string, ahead: number): void {
  writeFileSync(path, Buffer.from(new Float64Array([ahead]).buffer));
}

interface Beat {
  readonly milliseconds: number;
  readonly task: () => void;
  next: number;
}

/** Of those who share it, one at a time may wait. */
export function sharedClock(path: string): SharedClock {
  const file = openSync(path, 'r+');
  const ahead = new Float64Array(1);
  const bytes = new Uint8Array(ahead.buffer);
  const beats = new Set<Beat>();

  function now(): number {
    readSync(file, bytes, 0, bytes.length, 0);
    return Date.now() + (ahead[0] ?? 0);
  }

  function leapTo(time: number): void {
    const left = time - now();
    if (left <= 0) return;
    ahead[0] = (ahead[0] ?? 0) + Math.ceil(left);
    writeSync(file, bytes, 0, bytes.length, 0);
  }

  /** Whether there was one to do. */
  function beat(): boolean {
    const due = [...beats].filter(({ next }) => next <= now());
    for (const each of due) {
      each.next += each.milliseconds;
      each.task();
    }
    return due.length > 0;
  }

  async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const end = now() + milliseconds;
    while (now() < end && signal?.aborted !== true) {
      leapTo(Math.min(end, ...[...beats].map(({ next }) => next)));
      await pause(beat() ? BREATH : 0);
    }
  }

  return {
    clock: { now, sleep },
    every: (milliseconds, task) => {
      const each: Beat = { milliseconds, task, next: now() + milliseconds };
      beats.add(each);
      return () => beats.delete(each);
    },
  };
}
