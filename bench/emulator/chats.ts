// What a month of chats costs the emulator: 10,000 a day on 100 agents, played in the engine on its own clock, and a day of them as requests.
// Then the time of single reads over HTTP. Ends with 1 when a target is missed.

import { createEmulator, listen, type Seed, type WireRequest, withControl } from 'chatform/emulator';
import { sha256Hex } from '../../src/base/digest.ts';
import { seededId, seededRandom, uuid } from '../../src/emulator/engine/random.ts';

const DAYS = Number(process.env['DAYS'] ?? 30);
const CHATS_A_DAY = 10_000;
const AGENTS = 100;
const SECONDS = 90;
const READS = 2_000;
const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 1);

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

/** A license with a clock of its own, which is the same in every run. */
function createLicense() {
  const clock = { now: BEGIN };
  const random = seededRandom(7);
  return { clock, random, emulator: createEmulator({ now: () => clock.now, random, seed }) };
}
type License = ReturnType<typeof createLicense>;

type Reply = { readonly chat_id?: string };

interface Customer {
  readonly token: string;
  /** That of a token which is not known. */
  readonly id: string;
}

function customerOf(token: string): Customer {
  return { token, id: uuid(seededId('customer', sha256Hex(token))) };
}

/** How the people of a chat reach the license. */
interface Access {
  readonly customer: (who: Customer, action: string, body: object, page: string) => Promise<Reply>;
  /** What an agent writes. */
  readonly reply: (body: object) => Promise<Reply>;
}

/** Without a wire: values go in and come out. */
function inEngine({ emulator }: License): Access {
  return {
    customer: ({ id: customerId }, action, body, referer) => {
      const rest = {
        clientId: undefined,
        organizationId: 'o',
        userAgent: undefined,
        origin: 'http://emulator.localhost',
      };
      const path = `/v3.7/customer/action/${action}` as const;
      return emulator.perform({ path, caller: { customerId, referer, ...rest }, body });
    },
    reply: (body) => emulator.control('chats/reply', body),
  };
}

const encoder = new TextEncoder();

/** As requests, with everything that a carrier gives and gets apart from the socket. */
function overWire({ emulator }: License): Access {
  const { handle } = withControl(emulator);
  async function send(target: string, headers: Readonly<Record<string, string>>, given: object): Promise<Reply> {
    const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers };
    const request: WireRequest = {
      method: 'POST',
      origin: 'http://emulator.localhost',
      target,
      header: (name) => all[name] ?? null,
      bytes: async () => encoder.encode(JSON.stringify(given)),
    };
    const { status, body } = await handle(request);
    if (status !== 200) throw new Error(`${target}: ${status} ${String(body)}`);
    return JSON.parse(String(body));
  }
  return {
    customer: ({ token }, action, body, referer) =>
      send(`/v3.7/customer/action/${action}?organization_id=o`, { authorization: `Bearer ${token}`, referer }, body),
    reply: (body) => send('/_emulator/chats/reply', {}, body),
  };
}

/** One step of a chat, at its time. */
interface Step {
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

/** What was played, and what it took. */
interface Played {
  readonly chats: readonly (readonly [token: string, chat: string])[];
  readonly refused: number;
  /** Of the processor: in the program itself, and in the system. */
  readonly user: number;
  readonly system: number;
}

/** Plays days of chats; each chat has five steps, a minute or more after one another. */
async function play({ clock, random }: License, { customer, reply }: Access, days: number): Promise<Played> {
  const chats: (readonly [token: string, chat: string])[] = [];
  const message = (chat_id: string | undefined, text: string): object => ({
    chat_id,
    event: { type: 'message', text },
  });

  function chat(number: number, at: number): readonly Step[] {
    const token = `t${number}`;
    const who = customerOf(token);
    const page = `https://shop.example/${Math.floor(random() * 6)}/`;
    const pause = 60_000 + random() * 120_000;
    let id: string | undefined;
    const steps = [
      async () => {
        const thread = { events: [{ type: 'message', text: 'Hello, is this still available?' }] };
        ({ chat_id: id } = await customer(who, 'start_chat', { chat: { thread } }, page));
        if (id !== undefined) chats.push([token, id]);
      },
      () => reply({ chat_id: id, text: 'It is. Which size?' }),
      () => customer(who, 'send_event', message(id, 'Medium, please.'), page),
      () => reply({ chat_id: id, text: 'Here is the link.' }),
      () => customer(who, 'deactivate_chat', { id }, page),
    ];
    return steps.map((run, index) => ({ at: at + index * pause, run }));
  }

  const before = process.cpuUsage();
  let refused = 0;
  for (let day = 0; day < days; day += 1) {
    const steps = Array.from({ length: CHATS_A_DAY }, (_, index) => {
      // Most visitors come in the middle of the day.
      const hour = 12 + (random() + random() + random() - 1.5) * 7;
      return chat(day * CHATS_A_DAY + index, BEGIN + day * DAY + hour * 3_600_000);
    }).flat();
    for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
      clock.now = Math.max(clock.now, Math.floor(at));
      await run().catch((error: unknown) => {
        refused += 1;
        if (refused === 1) console.log(String(error));
      });
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { chats, refused, user: user / 1e6, system: system / 1e6 };
}

function report(how: string, { chats, refused, user, system }: Played, limit: string): void {
  const each = ((user + system) * 1000) / chats.length;
  console.log(
    `${how}: ${chats.length} chats in ${(user + system).toFixed(1)} s of processor (user ${user.toFixed(1)} s)${limit}, ` +
      `${each.toFixed(3)} ms each; ${refused} requests refused`,
  );
}

const license = createLicense();
const played = await play(license, inEngine(license), DAYS);
report(`in the engine, ${DAYS} days`, played, `, at most ${SECONDS} s`);
globalThis.gc?.();
const { heapUsed, rss } = process.memoryUsage();
console.log(`memory: ${Math.round(heapUsed / 2 ** 20)} MB of heap, ${Math.round(rss / 2 ** 20)} MB resident`);

const server = await listen(license.emulator, { port: 0, host: '127.0.0.1' });
async function p95(name: string, body: (chat: string) => object): Promise<void> {
  const { chats } = played;
  const times: number[] = [];
  for (let index = 0; index < READS; index += 1) {
    const [token = '', id = ''] = chats[Math.floor(license.random() * chats.length)] ?? [];
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
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(2);
  console.log(`${name} over HTTP on ${chats.length} chats: p95 ${at(0.95)} ms, median ${at(0.5)} ms`);
}
await p95('list_chats', () => ({}));
await p95('get_chat', (chat_id) => ({ chat_id }));
await server.close();

const another = createLicense();
report('as requests, 1 day', await play(another, overWire(another), 1), '');
process.exitCode = played.user + played.system <= SECONDS && played.refused === 0 ? 0 : 1;
