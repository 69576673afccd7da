// What a month of chats costs the emulator: 10,000 a day on 100 agents, played on its own clock without HTTP; then the time of single reads over HTTP.
// Ends with 1 when a target is missed.

import { createEmulator, listen, type Seed, type WireRequest, withControl } from '../../src/emulator/index.ts';

const DAYS = Number(process.env['DAYS'] ?? 30);
const CHATS_A_DAY = 10_000;
const AGENTS = 100;
const SECONDS = 90;
const READS = 2_000;
const DAY = 86_400_000;

const seed: Seed = {
  agents: Array.from({ length: AGENTS }, (_, index) => ({
    id: `agent${index}@example.com`,
    name: `Agent ${index}`,
    groups: [{ id: 1 + (index % 5), priority: 'normal' as const }],
  })),
  groups: Array.from({ length: 5 }, (_, index) => ({ id: index + 1, name: `Group ${index + 1}` })),
  auto_access: Array.from({ length: 5 }, (_, index) => ({
    id: `rule${index}`,
    access: { groups: [index + 1] },
    conditions: { url: { values: [{ value: `/${index}/` }] } },
  })),
  presence: Object.fromEntries(
    Array.from({ length: AGENTS }, (_, index) => [`agent${index}@example.com`, 'accepting_chats' as const]),
  ),
};

let now = Date.UTC(2026, 0, 1);
let state = 7;
/** A small generator (mulberry32), uniform in [0, 1). */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

const emulator = withControl(createEmulator({ now: () => now, random, seed }));
const encoder = new TextEncoder();

function request(target: string, headers: Readonly<Record<string, string>>, body: object): WireRequest {
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers };
  return {
    method: 'POST',
    origin: 'http://emulator.localhost',
    target,
    header: (name) => all[name] ?? null,
    bytes: async () => encoder.encode(JSON.stringify(body)),
  };
}

async function ask(wanted: WireRequest): Promise<{ readonly chat_id?: string; readonly error?: object }> {
  const { status, body } = await emulator.handle(wanted);
  if (status !== 200) throw new Error(`${wanted.target}: ${status} ${String(body)}`);
  return JSON.parse(String(body));
}

const customer = (token: string, action: string, body: object, referer = 'https://shop.example/') =>
  ask(
    request(`/v3.7/customer/action/${action}?organization_id=o`, { authorization: `Bearer ${token}`, referer }, body),
  );
const message = (chat_id: string | undefined, text: string): object => ({ chat_id, event: { type: 'message', text } });

/** One step of a chat, at its time. */
interface Step {
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

const chats: (readonly [token: string, chat: string])[] = [];

/** The steps of a chat that begins at `at`, a minute or more after one another. */
function chat(number: number, at: number): readonly Step[] {
  const token = `t${number}`;
  let id: string | undefined;
  const pause = 60_000 + random() * 120_000;
  const steps = [
    async () => {
      const page = `https://shop.example/${Math.floor(random() * 6)}/`;
      const thread = { events: [{ type: 'message', text: 'Hello, is this still available?' }] };
      ({ chat_id: id } = await customer(token, 'start_chat', { chat: { thread } }, page));
      if (id !== undefined) chats.push([token, id]);
    },
    () => ask(request('/_emulator/chats/reply', {}, { chat_id: id, text: 'It is. Which size?' })),
    () => customer(token, 'send_event', message(id, 'Medium, please.')),
    () => ask(request('/_emulator/chats/reply', {}, { chat_id: id, text: 'Here is the link.' })),
    () => customer(token, 'deactivate_chat', { id }),
  ];
  return steps.map((run, index) => ({ at: at + index * pause, run }));
}

const begun = process.cpuUsage();
let refused = 0;
for (let day = 0; day < DAYS; day += 1) {
  const start = Date.UTC(2026, 0, 1) + day * DAY;
  const steps = Array.from({ length: CHATS_A_DAY }, (_, index) => {
    // Most visitors come in the middle of the day.
    const hour = 12 + (random() + random() + random() - 1.5) * 7;
    return chat(day * CHATS_A_DAY + index, start + hour * 3_600_000);
  }).flat();
  for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
    now = Math.max(now, Math.floor(at));
    await run().catch((error: unknown) => {
      refused += 1;
      if (refused === 1) console.log(String(error));
    });
  }
}
const { user, system } = process.cpuUsage(begun);
const used = (user + system) / 1e6;
globalThis.gc?.();
const { heapUsed, rss } = process.memoryUsage();
console.log(
  `${chats.length} chats in ${DAYS} days: ${used.toFixed(1)} s of processor, at most ${SECONDS}; ${refused} requests refused`,
);
console.log(`memory: ${Math.round(heapUsed / 2 ** 20)} MB of heap, ${Math.round(rss / 2 ** 20)} MB resident`);

const server = await listen(emulator, { port: 0, host: '127.0.0.1' });
async function p95(name: string, body: (chat: string) => object): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < READS; index += 1) {
    const [token = '', id = ''] = chats[Math.floor(random() * chats.length)] ?? [];
    const begin = process.hrtime.bigint();
    const reply = await fetch(`${server.url}/v3.7/customer/action/${name}?organization_id=o`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body(id)),
    });
    await reply.text();
    if (reply.status !== 200) throw new Error(`${name}: ${reply.status}`);
    times.push(Number(process.hrtime.bigint() - begin) / 1e6);
  }
  times.sort((one, other) => one - other);
  const found = times[Math.floor(times.length * 0.95)] ?? Number.NaN;
  console.log(
    `${name} over HTTP: p95 ${found.toFixed(2)} ms, median ${times[Math.floor(times.length / 2)]?.toFixed(2)} ms`,
  );
  return found;
}
await p95('list_chats', () => ({}));
await p95('get_chat', (chat_id) => ({ chat_id }));
await server.close();
process.exitCode = used <= SECONDS && refused === 0 ? 0 : 1;
