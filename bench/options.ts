// The flags of `npm run bench` in, what to measure out.

import { parseArgs } from 'node:util';

const SECTIONS = ['start', 'A', 'B', 'C', 'D-reverse', 'D-move', 'E', 'growth', 'batches'] as const;
export type Section = (typeof SECTIONS)[number];

export interface Options {
  readonly sections: readonly Section[];
  readonly latencies: readonly number[];
  readonly rounds: number;
  /** Agents of the jobs A to C. */
  readonly agents: number;
  /** A checkout whose build takes part as well; null for none. */
  readonly before: string | null;
  /** Names of those who take part besides the floor; null for everyone. */
  readonly contenders: readonly string[] | null;
  /** Everything, as docs/performance.md shows it. */
  readonly whole: boolean;
}

export const USAGE = `npm run bench -- [--only A,B,D,growth,...] [--latency 0,50] [--rounds 5] [--agents 1000] [--contenders chatform,decK]
  [--before ../checkout]
--before takes another checkout that was built, whose processor time ours is compared with.
--only takes ${SECTIONS.join(', ')}; D is both of its kind.
A run of everything takes about ten minutes, and writes its tables into docs/performance.md.
`;

function listed(text: string | undefined): readonly string[] | null {
  return text === undefined ? null : text.split(',').filter((part) => part !== '');
}

function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${name} ${text}: a whole number is wanted\n${USAGE}`);
  return Number(text);
}

function sectionsOf(names: readonly string[] | null): readonly Section[] {
  if (names === null) return SECTIONS;
  return names.flatMap((name) => {
    const found = SECTIONS.filter((section) => section === name || section.startsWith(`${name}-`));
    if (found.length === 0) throw new Error(`--only ${name}: there is ${SECTIONS.join(', ')}`);
    return found;
  });
}

/** @throws an Error that says what is wrong with them */
export function optionsOf(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { only: text, latency: text, rounds: text, agents: text, contenders: text, before: text },
  });
  return {
    sections: sectionsOf(listed(values.only)),
    latencies: (listed(values.latency) ?? ['0', '50']).map((each) => whole('--latency', each)),
    rounds: Math.max(1, whole('--rounds', values.rounds ?? '5')),
    agents: Math.max(10, whole('--agents', values.agents ?? '1000')),
    before: values.before ?? null,
    contenders: listed(values.contenders),
    whole: args.every((arg, index) => /^--rounds/.test(arg) || args[index - 1] === '--rounds'),
  };
}
