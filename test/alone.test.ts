// Work that one process of the machine does at a time.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { alone } from '../scripts/alone.ts';

describe.skipIf(process.platform !== 'linux')('Alone on Linux', () => {
  test('Work of one name never overlaps, also after work that failed', async () => {
    const name = `chatform test ${process.pid} overlap`;
    let [working, most] = [0, 0];
    const work = (nth: number) => async (): Promise<number> => {
      working += 1;
      most = Math.max(most, working);
      await new Promise((resolve) => setImmediate(resolve));
      working -= 1;
      if (nth === 2) throw new Error('refused');
      return nth;
    };
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map((nth) => alone(name, work(nth))));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(most).toBe(1);
  });

  test('Work waits for that of another process, until that process is killed', async () => {
    const name = `chatform test ${process.pid} killed`;
    const module = JSON.stringify(fileURLToPath(new URL('../scripts/alone.ts', import.meta.url)));
    const script = `const { alone } = await import(${module});
      await alone(${JSON.stringify(name)}, () => { process.stdin.pipe(process.stdout); process.stdout.write('works'); return new Promise(() => {}); });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    await once(child.stdout, 'data');
    let isKilled = false;
    const workedAfterKill = alone(name, async () => isKilled);
    child.stdin.write('still');
    await once(child.stdout, 'data');
    isKilled = true;
    child.kill('SIGKILL');
    expect(await workedAfterKill).toBe(true);
  });
});
