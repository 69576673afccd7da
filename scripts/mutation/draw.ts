// Mutants of lines that are drawn from sources. The same seed draws the same ones from the same sources.

import { readFileSync } from 'node:fs';
import { type Mutant, mutantsOf } from './mutants.ts';

/** Numbers from 0 up to 1, by mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws lines until `count` of them have a mutant, each line as likely as any other. Returns the drawn mutants of each file. */
export async function draw(
  files: readonly string[],
  count: number,
  seed: number,
): Promise<ReadonlyMap<string, readonly Mutant[]>> {
  const random = randomNumbers(seed);
  const lines = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((_, at) => ({ file, line: at + 1 })),
  );
  const all = new Map<string, readonly Mutant[]>();
  const drawn = new Map<string, Mutant[]>();
  for (let left = count; left > 0 && lines.length > 0; ) {
    const [at] = lines.splice(Math.floor(random() * lines.length), 1);
    if (at === undefined) break;
    const mutants = all.get(at.file) ?? (await mutantsOf([at.file])).mutants;
    all.set(at.file, mutants);
    const there = mutants.filter(({ line }) => line === at.line);
    const mutant = there[Math.floor(random() * there.length)];
    if (mutant === undefined) continue;
    drawn.set(at.file, [...(drawn.get(at.file) ?? []), mutant]);
    left -= 1;
  }
  return drawn;
}
