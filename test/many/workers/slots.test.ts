import { expect, test } from 'vitest';
import { slotsOf } from '../../../src/many/workers/slots.ts';

/** Work that ends when the test says so. */
function works() {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const work = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((end) => void ends.set(name, end));
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    for (let turn = 0; turn < 10; turn += 1) await null;
  };
  return { begun, work, end };
}

test('A free slot goes to the run that has the fewest, and there to the first that waits', async () => {
  const { begun, work, end } = works();
  const { during, waiting } = slotsOf(3);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'c1']) void during(name.slice(0, 1), work(name));
  await null;
  expect([begun, waiting()]).toEqual([['a1', 'a2', 'a3'], 6]);
  await end('a1');
  await end('a2');
  expect(begun.slice(3)).toEqual(['b1', 'c1']);
  await end('b1');
  await end('c1');
  await end('a3');
  expect(begun.slice(5)).toEqual(['b2', 'a4', 'a5']);
  await end('b2');
  expect([begun.slice(8), waiting()]).toEqual([['b3'], 0]);
});

test('Work that throws gives its slot back', async () => {
  const { during } = slotsOf(1);
  await expect(during('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await during('a', async () => 'next')).toBe('next');
});
