// Law 9: no secret in any output. Random runs of commands against a service that repeats every secret it knows, in every form, while it fails.
// `npm run test:all` makes 500 runs; `SEED` says where to begin.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Terminal } from '../../src/command/terminal.ts';
import { createEmulator, type Emulator, type Listening, listen } from '../../src/emulator/index.ts';
import { filesIn, folder } from '../cli/chatform.ts';
import { atTerminal, fakeTerminal } from '../cli/terminal.ts';
import { tries } from '../tries.ts';
import { seededRandom } from '../world.ts';
import { type Blabbing, blabbing } from './blabbing.ts';
import { leaked, mark } from './marks.ts';

const RUNS = tries(500, 10);
const SEED = Number(process.env['SEED'] ?? 1);
const HERE = fileURLToPath(new URL('../..', import.meta.url));
const SINK = 'secrets.json';
const ALL = [/./, /\/(create|batch|update|delete|add)_/, /\/batch_create_bots$|\/create_bot/];

let handler: Emulator['handle'] = async () => ({ status: 500, headers: {}, body: '' });
let server: Listening;

beforeAll(async () => {
  server = await listen({ handle: (asked) => handler(asked) }, { port: 0, host: '127.0.0.1' });
});

afterAll(async () => {
  process.chdir(HERE);
  await server.close();
});

/** Bots, templates and webhooks are what has secrets; the rest is there to fail. */
function manifestOf(random: () => number, more = ''): string {
  const some = (line: string): string => (random() < 0.7 ? line : '');
  const bots = [1, 2, 3, 4]
    .map((n) => some(`  bot${n}: { name: Bot ${n}, owner_client_id: shop, groups: { sales: first } }\n`))
    .join('');
  const templates = [1, 2].map((n) => some(`  t${n}: { name: T${n}, owner_client_id: shop }\n`)).join('');
  return `version: 1
groups:
  sales: { name: Sales }
${some('  help: { name: Help, agent_priorities: { ann@example.com: first } }\n')}agents:
  ann@example.com: { name: Ann, job_title: Clerk ${Math.floor(random() * 9)} }
bots:
  witness${more}: { name: Witness${more}, owner_client_id: shop }
${bots}bot_templates:
  witness${more}: { name: Witness${more}, owner_client_id: shop }
${templates}webhooks:
${some('  ended: { owner_client_id: shop, type: license, action: chat_deactivated, url: "https://hooks.example/ended", secret_key: { env: WAREHOUSE_HOOK } }\n')}${some('  made: { owner_client_id: shop, type: bot, action: incoming_chat, url: "https://hooks.example/made" }\n')}auto_access:
  - { key: all, access: { groups: [sales] }, conditions: { url: { values: [{ value: / }] } } }
`;
}

const TOLD = [
  'notify: [{ webhook: { url_env: HOOK_URL, secret_env: HOOK_SECRET, about: [drift, plan, apply] } }, { slack: { url_env: HOOK_URL, about: [drift, plan, apply] } }]',
  'drift: { heartbeat: { url_env: BEAT_URL } }',
];

interface Secrets {
  readonly env: Terminal['env'];
  /** What is told of the target in chatform.yaml. */
  readonly settings: readonly string[];
  readonly baseUrl: string;
  readonly marks: readonly string[];
  /** Whether a run can succeed with them. */
  readonly work: boolean;
}

/** A credential of some kind, secrets of others in the environment, and now and then one where none belongs. */
function secretsOf(random: () => number, url: string): Secrets {
  const marks = Array.from({ length: 10 }, () => mark(random));
  const [token = '', second = '', database = '', cloud = '', proxy = '', misplaced = ''] = marks;
  const [hook = '', signing = '', beat = '', warehouse = ''] = marks.slice(6);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  /** One of these, in one run of eight. */
  const seldom = <T>(...items: readonly T[]): T | null => (random() < 1 / 8 ? pick(items) : null);
  const region = pick(['dal:', 'fra:', '']);
  const spelling = seldom('encoded', 'spaced') ?? 'right';
  const whole = `${region}${token}${pick(['', '/', '+', '=', '.', '$&'])}${second}`;
  const spelt = { right: whole, encoded: `dal%3A${whole}`, spaced: `${whole} ` }[spelling];
  const proxied = seldom(`http://me:${proxy}@127.0.0.1:1`, `me:${proxy}@127.0.0.1`);
  const wrong = seldom(
    `token: dal:${misplaced}`,
    `token_env: dal:${misplaced}`,
    `secrets: { file: ${SINK}, password: ${misplaced} }`,
    `base_url: "https://me:${misplaced}@example.com"`,
    `notify: [{ slack: { url: "https://example.com/${misplaced}" } }]`,
  );
  const account = pick([null, 'ann-account', 'ann']);
  const settings = [
    ...(wrong?.startsWith('base_url') ? [] : [`base_url: "${url}"`]),
    ...(wrong?.startsWith('secrets') ? [] : [`secrets: { file: ${SINK} }`]),
    ...(account === null ? [] : [`account_id: ${account}`]),
    ...(wrong?.startsWith('notify') ? [] : TOLD),
    ...(wrong === null ? [] : [wrong]),
    'organization_id: org-1',
    'max_deletes: 100',
    'max_delete_percent: 100',
    'propagation_timeout: 20s',
  ];
  return {
    settings,
    baseUrl: seldom(`http://me:${misplaced}@127.0.0.1:1`) ?? url,
    env: {
      CHATFORM_TOKEN: spelt,
      DATABASE_URL: `postgres://me:${database}@db.example.com/shop`,
      AWS_SECRET_ACCESS_KEY: cloud,
      HOOK_URL: `${url}/hook/${hook}`,
      HOOK_SECRET: signing,
      BEAT_URL: `${url}/beat/${beat}`,
      WAREHOUSE_HOOK: warehouse,
      ...(proxied === null ? {} : { HTTP_PROXY: proxied, HTTPS_PROXY: proxied }),
    },
    marks,
    work: spelling === 'right' && wrong === null && proxied === null,
  };
}

interface Site {
  readonly clock: Terminal['clock'];
  readonly env: Secrets['env'];
  readonly random: () => number;
  readonly heard: string[];
}

/** Runs a command line that logs everything, and remembers all that it says. */
async function run({ clock, env, random, heard }: Site, args: readonly string[]) {
  const hear = (text: string): void => void heard.push(text);
  const log = ['--log-level', 'debug', ...(random() < 0.5 ? [] : ['--log-json'])];
  const { terminal } = fakeTerminal(null, env);
  return atTerminal([...args, ...log], { ...terminal, clock, random, out: hear, err: hear });
}

const APPLY = ['apply', '--yes', '--acknowledge', 'deletes'];

/** The first are applies, because without them there is not much to tell. */
function commandOf(random: () => number, baseUrl: string, isEarly: boolean): readonly string[] {
  const json = random() < 0.5 ? ['--json'] : [];
  const flags = [...json, '--base-url', baseUrl];
  const commands = [
    [...APPLY, ...flags],
    [...APPLY, ...flags],
    ['plan', ...flags, '--out', 'plan.json'],
    ['apply', 'plan.json', ...flags],
    ['show', 'plan.json', ...json],
    ['doctor', ...flags],
    ['drift', ...flags, '--report', 'text=drift.txt', '--report', 'markdown=drift.md'],
    ['validate', ...flags],
    ['api', 'create_bot', '-d', '{"name":"Extra","owner_client_id":"shop"}', '--write', '--yes', '--base-url', baseUrl],
    ['api', 'list_bots', '-d', '{"all":true}', '--base-url', baseUrl],
    ['secrets', 'token', 'bot/witness', ...json],
    ['secrets', 'list', ...json],
    ['ledger', 'show', ...json],
    ['ledger', 'log', ...json],
  ];
  const command = commands[isEarly ? 0 : Math.floor(random() * commands.length)];
  if (command === undefined) throw new Error('no command');
  return command;
}

/** All that a run leaves behind and is not the place for secrets. */
async function remains(cwd: string): Promise<string> {
  const files = Object.entries(await filesIn(cwd)).filter(([name]) => name !== SINK);
  return files.map(([name, text]) => `${name}\n${text}`).join('\n');
}

async function lastWord(site: Site, service: Blabbing, cwd: string, random: () => number): Promise<void> {
  service.spoil(0);
  await writeFile('manifest.yaml', manifestOf(random, '-of-the-end'));
  const before = new Set(service.arrived);
  // What was cut off may have left twins, which keep the next run from planning: other runs prove the sink then.
  const code = await run(site, APPLY);
  if (code !== 0) return;
  const fresh = [...service.arrived].filter((secret) => !before.has(secret));
  expect(fresh.length).toBeGreaterThanOrEqual(2);
  const kept = await readFile(`${cwd}/${SINK}`, 'utf8');
  expect(fresh.filter((secret) => !kept.includes(secret))).toEqual([]);
  proven += 1;
}

let proven = 0;
/** Messages that channels got. */
let told = 0;

async function oneRun(seed: number): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const { terminal } = fakeTerminal(null);
  const clock: Terminal['clock'] = {
    now: terminal.clock.now,
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted !== true) await terminal.clock.sleep(milliseconds);
    },
  };
  const emulator = createEmulator({ now: clock.now, random, sleep: (time) => clock.sleep(time) });
  const service = blabbing(emulator, random);
  /** What channels got. */
  const got: string[] = [];
  handler = async (asked) => {
    if (!asked.target.startsWith('/hook/')) return service.handle(asked);
    const bytes = (await asked.bytes(-1)) ?? new Uint8Array();
    got.push(Buffer.from(bytes).toString());
    return service.handle({ ...asked, bytes: async () => bytes });
  };
  const secrets = secretsOf(random, server.url);
  const cwd = await folder({
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here:\n${secrets.settings.map((line) => `    ${line}\n`).join('')}`,
    'manifest.yaml': manifestOf(random),
  });
  // What was put into chatform.yaml by mistake stays there.
  const given = await remains(cwd);
  process.chdir(cwd);
  const site: Site = { clock, env: secrets.env, random, heard: [] };
  for (let turn = 0; turn < 5; turn += 1) {
    // A plan that is not made has nothing to tell, so at first the service behaves until it is written to.
    const to = turn < 2 ? ALL[2] : ALL[Math.floor(random() * ALL.length)];
    service.spoil([0.1, 0.3, 0.5, 0.8][Math.floor(random() * 4)] ?? 0, to);
    service.begin();
    await run(site, commandOf(random, secrets.baseUrl, turn < 2));
    await writeFile('manifest.yaml', manifestOf(random));
  }
  if (secrets.work) await lastWord(site, service, cwd, random);
  const left = (await remains(cwd)).replace(given, '');
  const files = left.replaceAll(/^\s+(token|token_env|base_url|secrets|drift|notify): .*$/gm, '');
  process.chdir(HERE);
  told += got.length;
  return leaked(`${site.heard.join('')}\n${got.join('\n')}\n${files}`, [...secrets.marks, ...service.told]);
}

test('No output, document, log, ledger or lease repeats a secret, whatever the service says; only the sink has them', async () => {
  const leaks: string[] = [];
  for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
    const found = await oneRun(seed);
    if (found.length > 0) leaks.push(`SEED=${seed}: ${found.join(', ')}`);
  }
  expect(leaks).toEqual([]);
  expect(proven).toBeGreaterThan(RUNS / 5);
  expect(told).toBeGreaterThan(RUNS / 5);
}, 3_600_000);
