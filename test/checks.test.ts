// The checks that read the sources and do not run them. They are tests so that they run next to the others: one after the other, they keep one core busy.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

/** Everything that it prints, and its exit code. */
function npmRun(
  script: string,
  ...flags: readonly string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn('npm', ['run', '--silent', script, '--', ...flags], {
    cwd: CHECKOUT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}

test.each([
  // Threads check the same types several times, and the other core has tests.
  ['types', '--singleThreaded'],
  ['lint'],
  ['deadcode'],
])('npm run %s finds nothing', { timeout: 600_000 }, async (script = '', ...flags) => {
  const { code, said } = await npmRun(script, ...flags);
  expect(code, said).toBe(0);
});
