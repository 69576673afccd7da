// The table of the bench of sizes: processor seconds and memory of each command at each size, and how much faster than the license they grow.

import type { Use } from './commands.ts';

/** By size, and by the name of a command. */
export type Uses = ReadonlyMap<number, ReadonlyMap<string, Use>>;

/** How much faster than the license anything may grow. */
export const MOST_GROWTH = 1.3;

/** Processor seconds of an import of 20,000 agents. */
export const IMPORT = { agents: 20_000, seconds: 15 } as const;

/** What a command used at one size over what it used at a smaller one, over how much larger the license is; the largest of both measures and all sizes. */
export function growthOf(uses: Uses, name: string): number {
  const sizes = [...uses.keys()].sort((one, other) => one - other);
  const ratios = sizes.flatMap((size, index) =>
    sizes.slice(0, index).flatMap((smaller) => {
      const [now, before] = [uses.get(size)?.get(name), uses.get(smaller)?.get(name)];
      if (now === undefined || before === undefined) return [];
      const over = (one: number | null, other: number | null): readonly number[] =>
        one === null || other === null ? [] : [one / other / (size / smaller)];
      return [...over(now.cpu, before.cpu), ...over(now.memory, before.memory)];
    }),
  );
  return ratios.reduce((most, ratio) => Math.max(most, ratio), 0);
}

/** What is wanted and does not hold, one line each. */
export function missesOf(uses: Uses): readonly string[] {
  const slow = namesIn(uses).flatMap((name) => {
    const growth = growthOf(uses, name);
    return growth > MOST_GROWTH ? [`${name} grows ${growth.toFixed(2)} times faster than the license`] : [];
  });
  const cpu = uses.get(IMPORT.agents)?.get('import')?.cpu ?? 0;
  const seconds = cpu / 1000;
  return [
    ...slow,
    ...(seconds > IMPORT.seconds
      ? [`import of ${IMPORT.agents} agents takes ${seconds.toFixed(1)} s, and ${IMPORT.seconds} are wanted`]
      : []),
  ];
}

export function tableText(machine: string, uses: Uses): string {
  const sizes = [...uses.keys()];
  const heads = sizes.flatMap((size) => [`${thousands(size)}: s`, 'MiB']);
  const rows = namesIn(uses).map((name) => {
    const cells = sizes.flatMap((size) => {
      const use = uses.get(size)?.get(name);
      return use === undefined ? ['–', '–'] : [seconds(use.cpu), mebibytes(use.memory)];
    });
    return [name, ...cells, uses.size < 2 ? '–' : growthOf(uses, name).toFixed(2)];
  });
  const head = ['', ...heads, 'growth'];
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  const lines = [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  const misses = missesOf(uses);
  const said = misses.length === 0 ? ['Everything that is wanted holds.'] : misses.map((line) => `Missed: ${line}.`);
  return `${machine}\n\n${lines.join('')}\n${said.map((line) => `${line}\n`).join('')}`;
}

function namesIn(uses: Uses): readonly string[] {
  return [...new Set([...uses.values()].flatMap((each) => [...each.keys()]))];
}

function seconds(milliseconds: number | null): string {
  return milliseconds === null ? '–' : (milliseconds / 1000).toFixed(2);
}

function mebibytes(memory: number | null): string {
  return memory === null ? '–' : memory.toFixed(0);
}

function thousands(count: number): string {
  return count.toLocaleString('en');
}
