// The demo: examples/support-team meets a license that was clicked together by hand. Everything here is the real command line, run on the
// embedded emulator in .demo/; nothing leaves this machine. Seconds that readings lag behind writes may be given; a test gives fewer.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openStateFile } from '../src/emulator/index.ts';

const ROOT = new URL('..', import.meta.url);
const STATE = new URL('.demo/license.json', ROOT);
const LAG = Number(process.argv[2] ?? 3);
const bold = (text: string): string => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text);

function say(title: string, text: string): void {
  console.log(`\n${bold(`== ${title}`)}\n${text}\n`);
}

/** Runs the command line as a person would, and fails the demo when it ends otherwise than it should. */
async function chatform(args: readonly string[], expected: number): Promise<void> {
  console.log(bold(`$ chatform ${args.join(' ')}\n`));
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, ['dist/cli.cjs', '-C', '.demo', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...colour },
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== expected) throw new Error(`chatform ${args.join(' ')} ended with ${code}, not with ${expected}`);
}

/** Somebody opens the app and changes things that the repository manages. */
async function changeByHand(): Promise<void> {
  const emulator = await openStateFile(STATE.pathname, { now: Date.now, random: Math.random });
  const post = async (action: string, body: object): Promise<unknown> => {
    const response = await emulator.fetch(
      new Request(`http://emulator.localhost/v3.6/configuration/action/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer somebody' },
        body: JSON.stringify(body),
      }),
    );
    if (!response.ok) throw new Error(`${action}: ${await response.text()}`);
    return response.json();
  };
  await post('update_agent', { id: 'ola.nowak@northpine.example', max_chats_count: 1 });
  const rules = (await post('list_auto_accesses', {})) as readonly {
    readonly id: string;
    readonly description?: string;
  }[];
  const last = rules.find(({ description }) => description?.startsWith('Whoever is left'));
  await post('update_auto_access', { id: last?.id, next_id: rules[0]?.id });
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
    'Northpine Outfitters has a license that three people clicked together over four years. examples/support-team says what\nit should be. chatform recognises what is there by its natural keys, adopts it, and shows the difference.',
  );
  await chatform(['plan'], 0);

  say(
    'The apply',
    'The same plan, carried out in its minimum of requests. Readings lag three seconds behind writes here, up to two minutes\non the real service: chatform waits until it has seen everything take effect.',
  );
  await chatform(['apply', '--yes', '--quiet'], 0);

  say(
    'The second plan',
    'What was applied is what was wanted, so there is nothing left to do. One name cannot be changed in 3.6, and is said to be out of reach.',
  );
  await chatform(['plan', '--detailed-exitcode'], 0);

  say(
    'The drift',
    'Somebody opens the app, gives an agent a chat limit of 1, and drags the catch-all rule to the top: now every\ncustomer lands at the front desk. On a cron, `drift` says so: what moved, on which side, and the two ways out of it.',
  );
  await changeByHand();
  await new Promise((resolve) => setTimeout(resolve, LAG * 1000));
  await chatform(['drift'], 2);

  say(
    'Done',
    `in ${Math.round((Date.now() - started) / 1000)} s. The license is in .demo/license.json, what chatform owns is in .demo/ledger.ndjson.\nTo go on from there: node dist/cli.cjs -C .demo apply. Then: README.md, "Five minutes".`,
  );
}

await main();
