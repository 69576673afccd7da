// The demo: examples/support-team applied to a license that was set up by hand. It runs the real command line on the embedded
// emulator in .demo/, so nothing leaves this machine. The arguments are the propagation delay in seconds and the days of visitors; the test
// passes small ones.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Emulator, openStateFile, parseTraffic } from '../src/emulator/index.ts';

const ROOT = new URL('..', import.meta.url);
const STATE = new URL('.demo/license.json', ROOT);
const TRAFFIC = new URL('examples/support-team/traffic.yaml', ROOT);
const LAG = Number(process.argv[2] ?? 3);
const DAYS = Number(process.argv[3] ?? 28);
const bold = (text: string): string => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text);

function say(title: string, text: string): void {
  console.log(`\n${bold(`== ${title}`)}\n${text}`);
}

/** Runs the command line as a user would, shows so many lines of its output, and fails the demo if the exit code is not the expected one. */
async function chatform(args: readonly string[], expected: number, most?: number): Promise<void> {
  console.log(bold(`$ chatform ${args.join(' ')}${most === undefined ? '' : ` | head -${most}`}`));
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, ['dist/cli.cjs', '-C', '.demo', ...args], {
    cwd: ROOT,
    stdio: ['ignore', most === undefined ? 'inherit' : 'pipe', 'inherit'],
    env: { ...process.env, ...colour },
  });
  let piped = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    piped += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (most !== undefined) console.log(piped.split('\n').slice(0, most).join('\n'));
  if (code !== expected)
    throw new Error(`chatform ${args.join(' ')} exited with ${code}, and ${expected} was expected`);
}

/** Sends a request to the license, as the application of the service would. */
type Post = (action: string, body: object) => Promise<unknown>;

const openLicense = (): Promise<Emulator> => openStateFile(STATE.pathname, { now: Date.now, random: Math.random });

/** Visitors come and chat for DAYS, which end now. */
async function playVisitors(): Promise<void> {
  const emulator = await openLicense();
  const traffic = parseTraffic(parse(readFileSync(TRAFFIC, 'utf8')));
  const { chats, taken } = await emulator.play({ ...traffic, days: DAYS, to: new Date().toISOString() });
  console.log(`${chats} chats, of which agents took ${taken}.`);
}

/** Does something to the license by hand. */
async function byHand(work: (post: Post, rules: readonly RuleSeen[]) => Promise<void>): Promise<void> {
  const emulator = await openLicense();
  const post: Post = async (action, body) => {
    const response = await emulator.fetch(
      new Request(`http://emulator.localhost/v3.6/configuration/action/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
        body: JSON.stringify(body),
      }),
    );
    if (!response.ok) throw new Error(`${action}: ${await response.text()}`);
    return response.json();
  };
  await work(post, (await post('list_auto_accesses', {})) as readonly RuleSeen[]);
}

interface RuleSeen {
  readonly id: string;
  readonly description?: string;
  readonly access: { readonly groups: readonly number[] };
}

function lastRule(rules: readonly RuleSeen[]): RuleSeen | undefined {
  return rules.find(({ description }) => description?.startsWith('All other visitors'));
}

/** Changes managed values. */
async function changeValues(post: Post, rules: readonly RuleSeen[]): Promise<void> {
  await post('update_agent', { id: 'ola.nowak@northpine.example', max_chats_count: 1 });
  await post('update_auto_access', { id: lastRule(rules)?.id, next_id: rules[0]?.id });
}

/** Adds a rule on top that no file declares, and that catches every customer. */
async function catchEveryone(post: Post, rules: readonly RuleSeen[]): Promise<void> {
  await post('add_auto_access', {
    description: 'Test, please ignore',
    access: rules[0]?.access,
    conditions: { url: { exclude_values: [{ value: 'no page has this' }] } },
    next_id: rules[0]?.id,
  });
}

async function main(): Promise<void> {
  const started = Date.now();
  rmSync(new URL('.demo', ROOT), { recursive: true, force: true });
  mkdirSync(new URL('.demo', ROOT));
  copyFileSync(new URL('license.json', import.meta.url), STATE);
  const project = readFileSync(new URL('chatform.yaml', import.meta.url), 'utf8');
  const lag = `propagation_delay: ${LAG}s`;
  writeFileSync(new URL('.demo/chatform.yaml', ROOT), project.replace(/propagation_delay: \w+/, lag));

  say(
    'The plan',
    `Northpine Outfitters has a license that three people set up by hand over four years. examples/support-team says what it\nshould have. chatform recognises existing objects, adopts them, and shows the difference: its dangers, and how many of the\nchats of ${DAYS} days would go to other groups; then the rest. The emulator plays these days.`,
  );
  await playVisitors();
  await chatform(['plan', '--demand', '28d', '--quiet'], 0);
  await chatform(['plan'], 0, 6);

  say(
    'The apply',
    'Changes show after three seconds here, and after up to two minutes on the real service: chatform waits until it has seen\neach of them. The second plan is empty, but for a name that cannot be changed through the API of 3.6.',
  );
  await chatform(['apply', '--yes', '--quiet'], 0);
  await chatform(['plan', '--quiet', '--detailed-exitcode'], 0);

  say(
    'The drift',
    'Two changes by hand: an agent gets a chat limit of 1, and the rule for all other visitors moves to the top. `drift` says\nwhat changed, on which side, and what to do.',
  );
  await byHand(changeValues);
  await new Promise((resolve) => setTimeout(resolve, LAG * 1000));
  await chatform(['drift', '--only', 'agent/ola.nowak@northpine.example', '--only', 'auto_access'], 2);

  say(
    'The customers',
    'An apply takes both changes back. Then a person adds a rule on top that catches every customer. The files are right;\n`test --on customer --visitor` visits the pages as a customer does, and says before that this leaves a visitor.',
  );
  await chatform(['apply', '--yes', '--quiet'], 0);
  await byHand(catchEveryone);
  await new Promise((resolve) => setTimeout(resolve, LAG * 1000));
  await chatform(['test', '--on', 'customer', '--visitor'], 2);

  say(
    'Done',
    `in ${Math.round((Date.now() - started) / 1000)} s. The license is in .demo/license.json, and the ledger in .demo/ledger.ndjson.\nThe rule on top is still there. Next: README.md, "First steps".`,
  );
}

await main();
