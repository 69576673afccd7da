// Nothing in, one line about the machine and the moment out: numbers mean nothing without it.

import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { HAS_TIME } from './run.ts';

export function machineLine(rounds: number): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const all = cpus();
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const untold = HAS_TIME ? '' : ' CPU and memory are not told: there is no GNU time.';
  return (
    `chatform ${version} on ${all.length} × ${all[0]?.model.trim() ?? 'unknown'}, ${memory}, Node ${process.versions.node}, ` +
    `${new Date().toISOString().slice(0, 10)}; at most ${rounds} rounds.${untold}`
  );
}
