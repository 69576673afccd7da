// The page of a license as `chatform ui` serves it: what a saved file makes of it, what it asks of the service, and who is kept out.

import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LiveState } from '../../../src/features/ui/in-browser/live.ts';
import { type LiveOptions, openPage } from '../../../src/features/ui/operation.ts';
import { servePage } from '../../../src/features/ui/serve-page.ts';
import { HOSTILE_NAMES } from '../../browser/hostile.ts';
import { chatform, folder } from '../../cli/chatform.ts';
import { served } from '../../cli/served.ts';
import { fakeTerminal } from '../../cli/terminal.ts';
import { IS_FULL, tries } from '../../tries.ts';

const TOKEN = 'dal:open-sesame-4711';
const ENV = { CHATFORM_TOKEN: TOKEN };

const MANIFEST = `version: 1
agents: { ann@example.com: { name: Ann, max_chats_count: 4, awaiting_approval: false } }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
auto_access:
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
`;

function projectOf(url: string): string {
  return `version: 1
manifest: [manifest.yaml]
targets: { shop: { base_url: "${url}", ledger: ledger.ndjson, plain_http: true, routing: { timezone: Europe/Warsaw } } }
`;
}

/** A project that was applied, and the emulator of its license. */
async function project(files: { readonly [name: string]: string } = {}) {
  const { emulator, url } = await served();
  const cwd = await folder({ 'chatform.yaml': projectOf(url), 'manifest.yaml': MANIFEST, ...files });
  const home = process.cwd();
  process.chdir(cwd);
  onTestFinished(() => process.chdir(home));
  const chat = (...args: readonly string[]) => chatform(args, { cwd, env: ENV });
  expect(await chat('apply', '--yes', '-q')).toMatchObject({ code: 0 });
  return { emulator, url, chat };
}

/** Milliseconds between two checks of the files, and between two pages of the same files. */
const [LOOK, TURN] = [250, 300_000];

const OPTIONS: LiveOptions = { choice: {}, port: 0, refresh: null, isNameless: false };

/** The page, with a reader who listens. `save` writes a file, and resolves to what the reader is told then. */
async function opened(options: Partial<LiveOptions> = {}) {
  const { terminal } = fakeTerminal(null, ENV);
  const repeated: (readonly [milliseconds: number, task: () => void])[] = [];
  const every = (milliseconds: number, task: () => void): (() => void) => {
    repeated.push([milliseconds, task]);
    return () => {};
  };
  const page = await openPage({ ...OPTIONS, ...options }, { ...terminal, every });
  onTestFinished(() => page.close());
  /** What is done each so often is done now. */
  const pass = (milliseconds: number): void => {
    for (const [each, task] of repeated) if (each === milliseconds) task();
  };
  const look = (): void => pass(LOOK);
  const states = await listening(page.address);
  const first = await states.next();
  const save = async (file: string, text: string): Promise<LiveState> => {
    await writeFile(file, text);
    look();
    look();
    return states.next();
  };
  const read = async (): Promise<LiveState> => {
    const { origin } = new URL(page.address);
    expect((await fetch(`${page.address}read`, { method: 'POST', headers: { origin } })).status).toBe(202);
    expect(await states.next()).toMatchObject({ isReading: true });
    return states.next();
  };
  const markup = async (): Promise<string> => (await fetch(page.address)).text();
  const text = async (): Promise<string> => textOf(await markup());
  return { page, first, save, read, markup, text, states, look, pass };
}

function textOf(markup: string): string {
  return markup
    .slice(markup.indexOf('<body>'))
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** What the server tells a reader, one state after the other. */
async function listening(address: string): Promise<{ readonly next: () => Promise<LiveState> }> {
  const { body } = await fetch(`${address}events`);
  if (body === null) throw new Error('no events');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const next = async (): Promise<LiveState> => {
    for (;;) {
      const end = rest.indexOf('\n\n');
      if (end >= 0) {
        const [event, after] = [rest.slice(0, end), rest.slice(end + 2)];
        rest = after;
        if (event.startsWith('data: ')) return JSON.parse(event.slice('data: '.length)) as LiveState;
        if (event.startsWith('event: ')) throw new Error(event);
        continue;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('the server is gone');
      rest += value;
    }
  };
  return { next };
}

function requestsTo({ stats }: { readonly stats: () => { readonly [action: string]: number } }): number {
  return Object.values(stats()).reduce((sum, count) => sum + count, 0);
}

describe('The page follows the files', () => {
  test('a mistake stands at its place above the last good page, and once it is mended, the plan: no request is sent', async () => {
    const { emulator, chat } = await project();
    expect(await chat('api', 'suspend_agent', '--data', '{"id":"ann@example.com"}', '--write', '--yes')).toMatchObject({
      code: 0,
    });
    const { first, save, text } = await opened();
    expect(first).toMatchObject({ says: expect.stringMatching(/^The files are those of /), isReading: false });
    expect(await text()).toContain('No changes.');
    const before = emulator.stats();
    const broken = await save('manifest.yaml', `${MANIFEST}group: {}\n`);
    expect(broken.says).toMatch(/^The files have 1 error, so there is no plan: manifest\.yaml:7:1 /);
    expect(broken.version).not.toBe(first.version);
    const wrong = await text();
    expect(wrong).toContain('manifest.yaml:7');
    expect(wrong).toContain('Not known: there is no plan.');
    expect(wrong).toContain('Groups');
    expect(wrong).toMatch(
      /Needs a person 2 .* error (?=[^.]*group).* the people who edit the files manifest\.yaml:7 .* Ann: suspended/,
    );
    expect(wrong).toContain('Ann is suspended in the application; whether the files say so is not known');
    const mended = await save('manifest.yaml', MANIFEST.replace('name: Sales', 'name: Sales EU'));
    expect(mended.says).toMatch(/^The files are those of /);
    expect(await text()).toContain('Sales EU');
    expect((await save('manifest.yaml', MANIFEST)).version).toBe(first.version);
    expect(emulator.stats()).toEqual(before);
  });

  test('a broken chatform.yaml, a file that is gone and a license of another address are said, and the page stays', async () => {
    const { emulator, url } = await project();
    const { first, save, text } = await opened();
    const before = emulator.stats();
    expect((await save('chatform.yaml', 'version: 1\ntargets: [')).says).toMatch(/^The files have .*chatform\.yaml:2/);
    expect((await save('chatform.yaml', projectOf(url).replace('manifest.yaml', 'other.yaml'))).says).toContain(
      'the file does not exist',
    );
    expect((await save('other.yaml', MANIFEST)).says).toMatch(/^The files are those of /);
    const elsewhere = await save('chatform.yaml', projectOf('https://chat.example.com'));
    expect(elsewhere.says).toContain('another service, version or ledger of shop: read the license again');
    expect(await text()).toContain('Sales');
    expect((await save('chatform.yaml', projectOf(url))).version).toBe(first.version);
    expect(emulator.stats()).toEqual(before);
  });

  test('fields and objects that the files did not have are planned, and a client that was not read is said to be', async () => {
    const { emulator } = await project();
    const { save, text } = await opened();
    const before = emulator.stats();
    const more = MANIFEST.replace('name: Ann,', 'name: Ann, job_title: Lead,').replace(
      'groups:\n',
      'tags: { vip: { groups: [sales] } }\ngroups:\n  night: { name: Night, language_code: pl, agent_priorities: { ann@example.com: last } }\n',
    );
    expect((await save('manifest.yaml', more)).says).toMatch(/^The files are those of /);
    expect(await text()).toMatch(/job_title .*Night.*Plan: 2 to add|Plan: 2 to add.*Night/);
    const bot = `${MANIFEST}bot_templates: { t: { name: T, owner_client_id: 0123456789abcdef0123456789abcdef } }\n`;
    expect((await save('manifest.yaml', bot)).says).toMatch(/not read of the license \(list_\w+\): read it again/);
    expect(emulator.stats()).toEqual(before);
  });

  test('saves that come quicker than a plan are taken together, the last one included', async () => {
    await project();
    const { text, save, states, look } = await opened();
    await writeFile('manifest.yaml', MANIFEST.replace('Sales', 'One'));
    look();
    await writeFile('manifest.yaml', MANIFEST.replace('Sales', 'Number two'));
    for (let nth = 0; nth < 20; nth += 1) look();
    expect((await states.next()).says).toMatch(/^The files are/);
    expect(await text()).toContain('Number two');
    // Nothing else was told in between.
    expect((await save('manifest.yaml', `${MANIFEST}group: {}\n`)).says).toMatch(/^The files have 1 error/);
  });
});

describe('The page of the license', () => {
  test('is read again when a person asks, and never else: an open page sends nothing by itself', async () => {
    const { emulator, chat } = await project();
    const { page, first, read, states, pass, text } = await opened();
    const before = requestsTo(emulator);
    // A day of them.
    for (let turn = 0; turn < tries(288); turn += 1) {
      pass(TURN);
      await states.next();
    }
    expect(requestsTo(emulator)).toBe(before);
    await chat('api', 'update_group', '--data', '{"id":1,"name":"Sales EU"}', '--write', '--yes');
    const written = requestsTo(emulator);
    expect((await read()).version).not.toBe(first.version);
    expect(requestsTo(emulator) - written).toBe(page.requests);
    expect(await text()).toContain('changed in the application: name is now Sales EU');
  });

  test('says that a run has written since it was read, and a reading shows it', async () => {
    const { emulator, chat } = await project();
    const { save, states, read, look } = await opened();
    await save('manifest.yaml', MANIFEST.replace('name: Sales', 'name: Sales EU'));
    expect(await chat('apply', '--yes', '-q')).toMatchObject({ code: 0 });
    const before = requestsTo(emulator);
    look();
    look();
    expect((await states.next()).says).toBe('A run wrote to the license after it was read: read it again.');
    expect(requestsTo(emulator)).toBe(before);
    expect((await read()).says).toMatch(/^The files are those of /);
  });

  test('stays when the service cannot be read, and says why without the token', async () => {
    const { url } = await project();
    const { read, save, markup } = await opened();
    await save('chatform.yaml', projectOf(url.replace(/\d+$/, '9')));
    const { says } = await read();
    expect(says).toMatch(/^The license was not read: /);
    expect(says + (await markup())).not.toContain(TOKEN);
    expect((await save('chatform.yaml', projectOf(url))).says).toMatch(/^The files are those of /);
    expect(textOf(await markup())).toContain('No changes.');
  });

  test('with --refresh, is read while a reader listens', async () => {
    const { emulator } = await project();
    const { page, states, pass } = await opened({ refresh: 600_000 });
    const before = requestsTo(emulator);
    pass(600_000);
    while ((await states.next()).isReading !== true);
    while ((await states.next()).isReading);
    expect(requestsTo(emulator) - before).toBe(page.requests);
  });

  test('has every hostile name as text, its own script alone, and no token of the service', async () => {
    await project();
    const { save, markup } = await opened();
    const agents = HOSTILE_NAMES.map((name, at) => `a${at}@example.com: { name: ${JSON.stringify(name)} }, `);
    const { says } = await save('manifest.yaml', MANIFEST.replace('agents: { ', `agents: { ${agents.join('')}`));
    expect(says).toMatch(/^The files are those of /);
    const page = await markup();
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|<base|onerror="|<meta http-equiv="refresh/);
    expect(page).not.toContain(TOKEN);
  });

  test('leaves names out where that is asked for', async () => {
    await project();
    const { markup, save } = await opened({ isNameless: true });
    const { says } = await save('manifest.yaml', MANIFEST.replace('ann@example.com: first', 'anna@example.com: first'));
    expect(says).toMatch(/^The files have 1 error, so there is no plan: manifest\.yaml:4:\d+$/);
    expect(says + (await markup())).not.toMatch(/\bAnn\b|ann@/);
  });

  test('is made of as many saves as come, in steady memory', async () => {
    await project();
    const { save } = await opened();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used: number[] = [];
    const begun = performance.now();
    const [rounds, each] = [12, tries(300, 3)];
    for (let nth = 0; nth < rounds * each; nth += 1) {
      const isBroken = nth % 2 === 0;
      const text = isBroken ? `${MANIFEST}group: {}\n` : MANIFEST.replace('Sales', `S${nth}`);
      expect((await save('manifest.yaml', text)).says).toMatch(isBroken ? /^The files have 1 error/ : /^The files are/);
      if (nth % each !== each - 1) continue;
      collect();
      used.push(process.memoryUsage().heapUsed / 2 ** 20);
    }
    const [seconds, resident] = [(performance.now() - begun) / 1000, process.memoryUsage().rss / 2 ** 20];
    if (!IS_FULL) return;
    console.info(
      `${rounds * each} saves in ${seconds.toFixed(0)} s; MiB: ${used.map((one) => one.toFixed(1)).join(' ')}, RSS ${resident.toFixed(0)}`,
    );
    expect(used.at(-1)).toBeLessThan((used[1] ?? 0) + 5);
  });
});

interface Attempt {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string | readonly string[] };
}

const SMALL = {
  html: () => Buffer.from('<p>page</p>'),
  policy: "default-src 'none'",
  state: () => '{}',
  onRead: () => {},
};

async function small(more: Partial<typeof SMALL> = {}, patience?: Parameters<typeof servePage>[2]) {
  const server = await servePage(0, { ...SMALL, ...more }, patience);
  onTestFinished(() => server.close());
  const { port, host, pathname } = new URL(server.address);
  const ask = ({ path = pathname, method = 'GET', headers = {} }: Attempt = {}) =>
    new Promise<{ readonly status: number | undefined; readonly body: string; readonly headers: object }>(
      (resolve, reject) => {
        const sent = request(
          { host: '127.0.0.1', port, path, method, headers: { host, ...headers } as never, agent: false },
          (reply) => {
            let body = '';
            reply.on('data', (chunk: Buffer) => {
              body += chunk.toString();
            });
            reply.on('end', () => resolve({ status: reply.statusCode, body, headers: reply.headers }));
          },
        );
        sent.on('error', reject);
        sent.end();
      },
    );
  return { server, ask, host, pathname, port: Number(port) };
}

describe('The server of the page', () => {
  test('answers who has the address, and lets nothing of it be kept, framed or guessed', async () => {
    const { ask } = await small();
    const { status, body, headers } = await ask();
    expect([status, body]).toEqual([200, '<p>page</p>']);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('refuses a page whose name leads here, a foreign origin, a wrong token, and each place that is none', async () => {
    let readings = 0;
    const { ask, host, pathname, port } = await small({
      onRead: () => {
        readings += 1;
      },
    });
    const other = `/${'A'.repeat(43)}/`;
    const origin = `http://${host}`;
    const post = { path: `${pathname}read`, method: 'POST' };
    const refused: readonly (readonly [number, Attempt])[] = [
      [403, { headers: { host: 'evil.example' } }],
      [403, { headers: { host: `evil.example:${port}` } }],
      [403, { headers: { host: `127.0.0.1.evil.example:${port}` } }],
      [403, { headers: { host: `[::1]:${port}` } }],
      [403, { headers: { host: '127.0.0.1' } }],
      [403, { headers: { origin: 'https://evil.example' } }],
      [403, { headers: { origin: 'null' } }],
      [403, { ...post }],
      [403, { ...post, headers: { origin: 'https://evil.example' } }],
      [403, { ...post, headers: { origin: `https://${host}` } }],
      [403, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }],
      [404, { path: '/' }],
      [404, { path: other }],
      [404, { path: `${other}events` }],
      [404, { path: `${other}read`, method: 'POST', headers: { origin } }],
      [404, { path: pathname.slice(0, -2) }],
      [404, { path: `${pathname}?x` }],
      [404, { path: `${pathname}../../etc/passwd` }],
      [404, { path: `${pathname}%2e%2e/chatform.yaml` }],
      [404, { path: `${pathname}ledger.ndjson` }],
      [404, { path: `/${'A'.repeat(43)}/once` }],
      [404, { path: `${pathname}once` }],
      [404, { path: `http://evil.example${pathname}` }],
      [405, { ...post, method: 'PUT', headers: { origin } }],
      [405, { path: `${pathname}read` }],
      [405, { method: 'POST', headers: { origin } }],
    ];
    for (const [status, attempt] of refused) {
      const answer = await ask(attempt);
      expect([attempt, answer.status, answer.body]).toEqual([attempt, status, '']);
    }
    expect(readings).toBe(0);
    expect((await ask({ ...post, headers: { origin } })).status).toBe(202);
    expect((await ask({ headers: { host: `localhost:${port}`, origin: `http://localhost:${port}` } })).status).toBe(
      200,
    );
    expect(readings).toBe(1);
  });

  test('opens a browser with an address that is good for one visit', async () => {
    const { ask, server, pathname } = await small();
    const path = new URL(server.once).pathname;
    expect(path).not.toContain(pathname);
    expect(await ask({ path })).toMatchObject({ status: 303, headers: { location: pathname } });
    expect((await ask({ path })).status).toBe(404);
  });

  test('answers in the middle of 10,000 connections that say nothing, and keeps 64 of them at most', async () => {
    const { ask, port } = await small();
    const strangers = new Set<ReturnType<typeof connect>>();
    let ended = 0;
    for (let nth = 0; nth < 10_000; nth += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', resolve).on('error', () => resolve());
        strangers.add(socket);
        socket.on('close', () => {
          ended += 1;
          strangers.delete(socket);
        });
      });
      if (nth % 2_500 === 2_499) expect((await ask()).status).toBe(200);
    }
    await expect.poll(() => ended).toBeGreaterThanOrEqual(10_000 - 64);
    for (const socket of strangers) socket.destroy();
  });

  test('ends a request that does not come, and an answer that nobody takes', async () => {
    const large = Buffer.alloc(64 * 2 ** 20, 'x');
    const { ask, port, host, pathname, server } = await small(
      { html: () => large, state: () => 'x'.repeat(2 ** 20) },
      { request: 100, answer: 300, sign: 1_000 },
    );
    const ended = (text: string, isRead: boolean): Promise<void> =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => void socket.write(text));
        socket.on('error', () => {});
        socket.on('close', () => resolve());
        if (isRead) socket.resume();
      });
    await ended('GET / HTTP/1.1\r\nHost:', true);
    const deaf = connect(
      port,
      '127.0.0.1',
      () => void deaf.write(`GET ${pathname}events HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
    );
    deaf.on('error', () => {});
    onTestFinished(() => void deaf.destroy());
    await expect.poll(server.listeners).toBe(1);
    for (let nth = 0; nth < 32; nth += 1) server.tell();
    await expect.poll(server.listeners).toBe(0);
    const slow = connect(port, '127.0.0.1', () => void slow.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    const gone = new Promise<number>((resolve) => {
      let got = 0;
      slow.on('error', () => {}).on('close', () => resolve(got));
      setTimeout(
        () =>
          slow.on('data', (chunk: Buffer) => {
            got += chunk.length;
          }),
        600,
      );
    });
    expect(await gone).toBeLessThan(large.length);
    expect((await ask({ path: '/' })).status).toBe(404);
  });

  test('has four readers at most: the oldest is told that it follows no more', async () => {
    const { server } = await small();
    const readers = [];
    for (let nth = 0; nth < 5; nth += 1) readers.push(await listening(server.address));
    const [oldest, ...others] = readers;
    await oldest?.next();
    await expect(oldest?.next()).rejects.toThrow('event: end');
    expect(await Promise.all(others.map((each) => each.next()))).toEqual([{}, {}, {}, {}]);
    expect(server.listeners()).toBe(4);
  });

  test('a port that is taken is said to be', async () => {
    const { port } = await small();
    await expect(servePage(port, SMALL)).rejects.toThrow(
      `--port ${port} cannot be opened: EADDRINUSE; name another, or leave it out`,
    );
  });
});
