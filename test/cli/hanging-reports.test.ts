// Commands that read reports of a service which never answers: Ctrl-C ends them at once, and so does the end of the time that is left after it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOUR } from '../../src/base/zone.ts';
import { chatform, folder, MANIFEST, type Ran } from './chatform.ts';
import { served } from './served.ts';

const APPLIED = Date.parse('2026-06-15T08:40:00Z');

/** An applied project, on a service that stops to answer requests whose target has `hangs` in it. */
async function shop(hangs: string, onHang: () => void = () => {}) {
  let now = APPLIED;
  let isHanging = false;
  let onSleep = (): void => {};
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      if (signal?.aborted !== true) now += milliseconds;
      onSleep();
    },
  };
  const { url } = await served({ now: clock.now }, (handle) => (request) => {
    if (!isHanging || !request.target.includes(hangs)) return handle(request);
    onHang();
    return new Promise(() => {});
  });
  const cwd = await folder({
    'manifest.yaml': MANIFEST,
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here: { base_url: "${url}", ledger: ledger.ndjson, reports_lag: 0s, request_timeout: 30s }\n`,
  });
  const run = (args: readonly string[], stop = new AbortController()): Promise<Ran> =>
    chatform(args, { cwd, env: { CHATFORM_TOKEN: 'dal:open-sesame' }, clock, stop });
  expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
  await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('name: Sales', 'name: Sales, language_code: pl'));
  now = APPLIED + 5 * HOUR;
  isHanging = true;
  return {
    cwd,
    run,
    interruptAt: (hours: number, stop: AbortController) => {
      onSleep = () => {
        if (now >= APPLIED + hours * HOUR) stop.abort();
      };
    },
  };
}

test.each([
  ['list_groups', ['report', '--since']],
  ['/reports/', ['report', '--since']],
  ['list_groups', ['report', 'total_chats', '--group', 'sales']],
  ['/reports/', ['report', 'total_chats']],
  ['/reports/', ['plan', '--demand', '28d']],
  ['/reports/', ['coverage', '--demand', '28d']],
] as const)('Ctrl-C while %s hangs ends %j', async (hangs, args) => {
  const stop = new AbortController();
  const { run } = await shop(hangs, () => stop.abort());
  const { code, stdout, stderr } = await run(args, stop);
  expect([code, stdout, stderr.includes('Error: ')]).toEqual([130, '', true]);
});

test('After Ctrl-C ended the waiting, a service that hangs holds a follow for two requests at most', async () => {
  const stop = new AbortController();
  const { run, cwd, interruptAt } = await shop('/reports/');
  const settings = await readFile(join(cwd, 'chatform.yaml'), 'utf8');
  await writeFile(join(cwd, 'chatform.yaml'), settings.replace('request_timeout: 30s', 'request_timeout: 100ms'));
  interruptAt(8, stop);
  const { code, stdout } = await run(['report', '--since', '--for', '24h'], stop);
  expect([code, stdout]).toEqual([130, '']);
});
