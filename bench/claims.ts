// Results in; for each thing that is promised, what was measured and whether it holds, out. What was not measured is not judged.

import { FORMER } from './contenders.ts';
import { processor, type Results, ratioIn, samplesOf, tableOf, wall, writing } from './results.ts';
import { LATENCY } from './sections.ts';
import { median } from './stats.ts';

export interface Claim {
  readonly text: string;
  readonly value: number;
  readonly limit: number;
  readonly is: 'at most' | 'at least' | 'exactly';
  readonly unit: string;
}

const OURS = 'chatform';
const UNPROVEN = 'chatform --no-verify';

export function holds({ value, limit, is }: Claim): boolean {
  switch (is) {
    case 'at most':
      return value <= limit;
    case 'at least':
      return value >= limit;
    case 'exactly':
      return value === limit;
  }
}

interface Faster {
  readonly job: string;
  readonly latency: number;
  readonly to: string;
  readonly limit: number;
  readonly of?: string;
}

/** What ours takes in terms of another. */
const TIMES: readonly Faster[] = [
  { job: 'B', latency: 0, to: 'floor', limit: 1.6 },
  { job: 'B', latency: 50, to: 'floor', limit: 1.5 },
  { job: 'A', latency: 0, to: 'floor', limit: 1.6, of: UNPROVEN },
  { job: 'A', latency: 50, to: 'floor', limit: 1.6, of: UNPROVEN },
  { job: 'D-move', latency: 0, to: 'floor', limit: 1.3, of: UNPROVEN },
  { job: 'D-move', latency: 50, to: 'floor', limit: 1.3, of: UNPROVEN },
  { job: 'A', latency: 50, to: 'p-limit script', limit: 1 / 9 },
  { job: 'C', latency: 50, to: 'Ansible', limit: 1 / 50 },
  { job: 'B', latency: 0, to: 'decK', limit: 1 },
  { job: 'B', latency: 50, to: 'decK', limit: 1 },
  { job: 'A', latency: 50, to: 'decK', limit: 0.16 },
  { job: 'C', latency: 50, to: 'decK', limit: 0.8 },
  { job: 'B-10000', latency: 50, to: 'decK', limit: 0.65 },
];

const STARTS = [
  { name: 'chatform --version', limit: 1.05 },
  { name: 'chatform validate', limit: 2.6 },
] as const;

function requestClaims(results: Results): readonly Claim[] {
  return ['A', 'B', 'C', 'D-reverse', 'D-move', 'E'].flatMap((id): readonly Claim[] => {
    const table = results.tables.find((each) => each.id === id);
    const [ours, least] = [samplesOf(table, OURS)[0]?.requests, samplesOf(table, 'floor')[0]?.requests];
    if (ours === undefined || least === undefined) return [];
    const text = `${id}: requests before verification, which has ${ours.verification} more`;
    return [{ text, value: ours.reads + ours.writes, limit: least.reads + least.writes, is: 'exactly', unit: '' }];
  });
}

/** What a plan of an unchanged license costs in terms of the build in the other checkout. */
function formerClaims(results: Results): readonly Claim[] {
  const value = ratioIn(tableOf(results, 'B', LATENCY), OURS, FORMER, processor);
  const text = `B at ${LATENCY} ms: processor time over that of ${FORMER}`;
  return [{ text, value, limit: 0.7, is: 'at most', unit: '' }];
}

function growthClaims(results: Results): readonly Claim[] {
  const [middle, large] = [10_000, 50_000].map((agents) => samplesOf(tableOf(results, `B-${agents}`, LATENCY), OURS));
  if (middle === undefined || large === undefined || middle.length === 0 || large.length === 0) return [];
  const seconds = median(large.map(wall)) / 1000;
  const growth = (seconds * 1000) / (5 * median(middle.map(wall)));
  const memory = Math.max(...large.map((sample) => sample.memory ?? Number.NaN));
  const text = 'plan of 50,000 agents, nothing to do';
  return [
    { text: `${text}: time`, value: seconds, limit: 7, is: 'at most', unit: ' s' },
    { text: `${text}: memory`, value: memory, limit: 600, is: 'at most', unit: ' MiB' },
    { text: `${text}: time over five times that of 10,000`, value: growth, limit: 1.15, is: 'at most', unit: '' },
  ];
}

function batchClaims(results: Results): readonly Claim[] {
  const table = tableOf(results, 'batches');
  const [sample] = samplesOf(table, OURS);
  if (sample === undefined) return [];
  const value = ratioIn(table, OURS, 'one batch of 1,000', writing);
  return [
    { text: 'batches under way together', value: sample.requests.together, limit: 10, is: 'exactly', unit: '' },
    { text: 'writing ten batches of 100 over one of 1,000, 5 ms an item', value, limit: 0.2, is: 'at most', unit: '' },
  ];
}

export function claimsOf(results: Results): readonly Claim[] {
  const times = TIMES.map(({ job, latency, to, limit, of = OURS }): Claim => {
    const value = ratioIn(tableOf(results, job, latency), of, to, wall);
    const part = of === UNPROVEN ? ', verification off' : '';
    return { text: `${job} at ${latency} ms: time over that of ${to}${part}`, value, limit, is: 'at most', unit: '' };
  });
  const starts = STARTS.map(({ name, limit }): Claim => {
    const value = ratioIn(tableOf(results, 'start'), name, 'node -e 0', wall);
    return { text: `${name}: time over that of node -e 0`, value, limit, is: 'at most', unit: '' };
  });
  const rest = [...growthClaims(results), ...batchClaims(results), ...formerClaims(results)];
  const all = [...requestClaims(results), ...times, ...starts, ...rest];
  return all.filter(({ value }) => !Number.isNaN(value));
}
