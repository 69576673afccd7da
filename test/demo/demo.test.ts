// `npm run demo`, but for the build: what README.md sends every newcomer to. Readings lag behind writes by next to nothing here.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function demo(lag: string): Promise<{ readonly code: number | null; readonly printed: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts', lag], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, printed };
}

test('The demo shows a plan, applies it, finds nothing left to do, and notices what is changed by hand', async () => {
  const { code, printed } = await demo('0.02');
  expect([code, printed]).toEqual([0, expect.stringContaining('== Done')]);
  const plans = Array.from(
    printed.matchAll(/^(Plan: .*|Drift: .*?,|Apply complete\. .*adopted|No changes\. .*)/gm),
    ([line]) => line,
  );
  expect(plans).toEqual([
    'Plan: 15 to add, 31 to change, 0 to destroy. 71 to adopt.',
    'Apply complete. 15 added, 31 changed, 0 destroyed, 71 adopted',
    'No changes. The license matches the manifest, except for 1 that cannot be changed through the API and 7 that cannot be verified.',
    'Drift: 2 changed on the license,',
  ]);
  expect(printed).not.toMatch(/withheld|error:|undefined/i);
});
