// A program `chatform` for scripts of tests that runs in this process: to start node takes longer than most commands.

import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CLI, chatform, folder } from './chatform.ts';

/** What works in the background, and what reads standard input, is a process of dist/cli.cjs. */
const client = (port: number): string => `#!/bin/bash
if [[ $1 = emulate || "$1 $2" = "fleet worker" || ! -c /dev/stdin ]]; then exec "${process.execPath}" "${CLI}" "$@"; fi
exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$PWD" $# "$@"; env -0; printf '\\0'; } >&3
read -r -u 3 code files
for file in $files; do if [[ $file = *.stdout ]]; then cat "$file"; else cat "$file" >&2; fi; done
exit "$code"
`;

interface Request {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

/** Null while a part of it is missing. */
function requestIn(text: string): Request | null {
  const [cwd = '', count, ...rest] = text.split('\0');
  const [args, variables] = [rest.slice(0, Number(count)), rest.slice(Number(count))];
  const end = variables.indexOf('');
  // The last one is not whole.
  if (end === -1 || end === variables.length - 1) return null;
  const env = variables.slice(0, end).map((line) => line.split(/=(.*)/s, 2));
  return { cwd, args, env: Object.fromEntries(env) };
}

function requestOf(socket: Socket): Promise<Request> {
  let text = '';
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const request = requestIn(text);
      if (request !== null) resolve(request);
    });
  });
}

/** Text of the program, which works until the test is over. */
export async function residentProgram(): Promise<string> {
  const outputs = await folder();
  let runs = 0;
  async function answer(socket: Socket): Promise<void> {
    const { cwd, args, env } = await requestOf(socket);
    runs += 1;
    const run = join(outputs, String(runs));
    const said: { readonly stream: string; text: string }[] = [];
    const onText = (stream: string, text: string): void => {
      const last = said.at(-1);
      if (last?.stream === stream) last.text += text;
      else said.push({ stream, text });
    };
    const { code } = await chatform(args, { cwd, env, onText });
    const files = said.map(({ stream, text }, nth) => ({ path: `${run}.${nth}.${stream}`, text }));
    await Promise.all(files.map(({ path, text }) => writeFile(path, text)));
    socket.write(`${[code, ...files.map(({ path }) => path)].join(' ')}\n`);
  }
  const server = createServer((socket) => void answer(socket).finally(() => socket.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return client((server.address() as AddressInfo).port);
}
