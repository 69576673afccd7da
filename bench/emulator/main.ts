// How many requests per second the emulator answers over kept-alive connections, beside a bare echo server that is sent the same in the
// same minute. Ends with 1 when a target is missed.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { measure, request } from './load.ts';

const ROUNDS = 5;
const MILLISECONDS = 2000;
const SERVER = fileURLToPath(new URL('server.ts', import.meta.url));

interface Server {
  readonly url: string;
  /** Processor time it has used, in microseconds. */
  readonly used: () => Promise<number>;
  readonly stop: () => void;
}

/** Requests per second, and the processor time of each in the server and in the load; in microseconds. */
interface Measured {
  readonly rate: number;
  readonly server: number;
  readonly load: number;
}

interface Subject {
  readonly name: string;
  /** Requests per second that it must answer. */
  readonly target: number;
  readonly next: () => Buffer;
}

let serial = 0;
function newAgent(): object {
  serial += 1;
  return { id: `agent${serial}@example.com`, name: `Agent ${serial}`, groups: [{ id: 0, priority: 'normal' }] };
}

const get = request('get_agent', { id: 'owner@example.com', fields: ['groups', 'max_chats_count'] });
const SUBJECTS: readonly Subject[] = [
  { name: 'get_agent', target: 8000, next: () => get },
  {
    name: 'batch_create_agents of 10',
    target: 3000,
    next: () => request('batch_create_agents', { requests: Array.from({ length: 10 }, newAgent) }),
  },
];

async function start(name: 'echo' | 'emulator'): Promise<Server> {
  const child = fork(SERVER, [name]);
  const [{ url }] = await once(child, 'message');
  const used = async (): Promise<number> => {
    child.send('used');
    const [{ user, system }] = await once(child, 'message');
    return user + system;
  };
  return { url, used, stop: () => child.disconnect() };
}

async function run({ url, used }: Server, next: () => Buffer): Promise<Measured> {
  const [before, own] = [await used(), process.cpuUsage()];
  const { answered, seconds } = await measure({ url, next, milliseconds: MILLISECONDS });
  const { user, system } = process.cpuUsage(own);
  return { rate: answered / seconds, server: ((await used()) - before) / answered, load: (user + system) / answered };
}

function median<T>(of: readonly T[], by: (one: T) => number): number {
  const sorted = of.map(by).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function line(name: string, found: readonly Measured[]): string {
  const [rate, server, load] = (['rate', 'server', 'load'] as const).map((which) => median(found, (one) => one[which]));
  const best = Math.max(...found.map((one) => one.rate));
  return `${name}: ${rate?.toFixed(0)}/s, best ${best.toFixed(0)}/s; processor: server ${server?.toFixed(0)} µs, load ${load?.toFixed(0)} µs`;
}

const [echo, emulator] = [await start('echo'), await start('emulator')];
for (const { name, target, next } of SUBJECTS) {
  const rounds: { readonly bare: Measured; readonly ours: Measured }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const found = { bare: await run(echo, next), ours: await run(emulator, next) };
    // The first one warms up.
    if (round > 0) rounds.push(found);
  }
  const ours = rounds.map((round) => round.ours);
  console.log(
    line(
      `echo of ${name}`,
      rounds.map((round) => round.bare),
    ),
  );
  console.log(line(name, ours));
  const ratio = median(rounds, (round) => round.ours.rate / round.bare.rate);
  const met = median(ours, ({ rate }) => rate) >= target;
  console.log(`${name}: ${ratio.toFixed(2)} of the echo; target ${target}/s ${met ? 'met' : 'MISSED'}\n`);
  if (!met) process.exitCode = 1;
}
echo.stop();
emulator.stop();
