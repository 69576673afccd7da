// `npm run demo`, but for the build: what README.md sends every newcomer to. Readings lag behind writes by next to nothing here, and visitors come
// for three days.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function demo(lag: string, days: string): Promise<{ readonly code: number | null; readonly printed: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts', lag, days], {
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

test('The demo shows a plan and what it carries, applies it, finds nothing left to do, notices what is changed by hand, and asks as a visitor', async () => {
  const { code, printed } = await demo('0.02', '3');
  expect([code, printed]).toEqual([0, expect.stringContaining('== Done')]);
  const plans = Array.from(
    printed.matchAll(
      /^(Plan: .*|Impact: .*|\d+ chats, of which .*|Drift: .*?,|Apply complete\. .*?destroyed|No changes\. .*| {2}differs {2}.*? {2})/gm,
    ),
    ([line]) => line,
  );
  expect(plans).toEqual([
    expect.stringMatching(/^\d+ chats, of which agents took \d+\.$/),
    expect.stringMatching(
      /^Impact: at most [\d,]+ chats in 28 days; .*at most [\d,]+ go to other groups; \d+ requests to the reports$/,
    ),
    'Plan: 26 to add, 33 to change, 0 to destroy on demo. 73 to adopt.',
    'Apply complete. 26 added, 33 changed, 0 destroyed',
    'No changes. The license of demo matches the manifest, except for 1 that cannot be changed through the API and 7 that cannot be verified.',
    'Drift: 2 changed on the license,',
    'Apply complete. 0 added, 2 changed, 0 destroyed',
    '  differs  a cart from an unknown place  ',
    '  differs  a product of the sale is not its landing page  ',
    '  differs  applicants do not talk to the gear advisors  ',
    '  differs  pages of other sites reach no group  ',
  ]);
  expect(printed.trimEnd().split('\n').length).toBeLessThanOrEqual(125);
  expect(printed).not.toMatch(/withheld|error:|undefined/i);
});
