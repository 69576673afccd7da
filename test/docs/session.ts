// Runs the steps of a page in one shell, in a new folder, without a network, and returns the output and exit code of each command. Does not know
// what the page shows.

import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder } from '../cli/chatform.ts';
import { residentProgram } from '../cli/resident.ts';
import type { Command, NamedFile } from './page.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** The ports that pages use; each is replaced with a free one. */
const PORTS = ['8080', '8081', '8083', '8084', '8085'];

export interface Ended {
  readonly command: Command;
  /** stdout and stderr as a terminal shows them, without the last line break. */
  readonly output: string;
  readonly code: number;
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return String(address.port);
}

/** What a page may use: in a checkout, its files; elsewhere, `chatform` and the library by their names. */
async function place(where: 'checkout' | 'elsewhere'): Promise<string> {
  const root = await folder();
  const cwd = join(root, 'here');
  await mkdir(join(root, 'bin'), { recursive: true });
  await mkdir(cwd);
  if (where === 'checkout') {
    for (const name of ['dist', 'demo', 'examples']) await symlink(join(CHECKOUT, name), join(cwd, name));
    return cwd;
  }
  await writeFile(join(root, 'bin/chatform'), await residentProgram(), { mode: 0o755 });
  await mkdir(join(cwd, 'node_modules'));
  await symlink(CHECKOUT, join(cwd, 'node_modules/chatform'));
  return cwd;
}

/** A command in the background must print something before the next one starts. */
function scriptOf(step: Command | NamedFile, index: number): string {
  if (step.type === 'file') {
    return `mkdir -p '${dirname(step.name)}'\ncat > '${step.name}' <<'END OF FILE'\n${step.text}END OF FILE\n`;
  }
  const background = /^(.*[^&])&$/s.exec(step.text)?.[1];
  const log = `"$HOME/background.${index}"`;
  const command =
    background === undefined
      ? step.text
      : `${background} > ${log} 2>&1 &\nuntil [ -s ${log} ]; do sleep 0.05; done; cat ${log}`;
  // A subshell that only exits restores the exit code of the last command for `echo $?`.
  return `printf '\\n<<%s>>\\n' ${index}; (exit $code)\n${command}\ncode=$?; printf '\\n<<end %s>>\\n' $code\n`;
}

/** Variables of the environment of a page. `PATH`: folders to look in as well. */
export type PageEnv = { readonly [name: string]: string };

async function run(script: string, cwd: string, { PATH: more = '', ...env }: PageEnv): Promise<string> {
  const file = join(dirname(cwd), 'page.sh');
  await writeFile(file, script);
  const child = spawn('bash', [file], {
    cwd,
    // Requests to other machines go to a proxy that does not exist.
    env: {
      ...env,
      HOME: dirname(cwd),
      PATH: `${join(dirname(cwd), 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}:${more}`,
      LANG: 'C.UTF-8',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(printed));
  });
}

export async function runSteps(
  steps: readonly (Command | NamedFile)[],
  where: 'checkout' | 'elsewhere',
  env: PageEnv = {},
): Promise<readonly Ended[]> {
  const cwd = await place(where);
  const ports = await Promise.all(PORTS.map(async (shown) => ({ shown, free: await freePort() })));
  const opening = "exec 2>&1\nshopt -s expand_aliases\ncode=0\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n";
  const script = steps.map((step, index) => scriptOf(step, index)).join('');
  const runnable = ports.reduce((text, { shown, free }) => text.replaceAll(shown, free), opening + script);
  const printed = ports.reduce((text, { shown, free }) => text.replaceAll(free, shown), await run(runnable, cwd, env));
  return steps.flatMap((command, index): readonly Ended[] => {
    if (command.type === 'file') return [];
    const [, output, code] = new RegExp(`\\n<<${index}>>\\n([^]*?)\\n<<end (\\d+)>>\\n`).exec(printed) ?? [];
    if (output === undefined) throw new Error(`line ${command.line} was not reached:\n${printed.slice(-2000)}`);
    return [{ command, output: output.replace(/\n$/, ''), code: Number(code) }];
  });
}
