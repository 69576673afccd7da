// Runs over twenty licenses whose workers are killed, suspended and stopped, and whose server dies, at many moments: npm run test:faults -- [PART ...] [--moments N]
// Each license must be as after a run that nothing harmed. `SEED=N` harms at the same moments again.

import { parseArgs } from 'node:util';
import { HARMS } from '../test/faults/harms.ts';
import { type Lane, openLane, type Trial } from '../test/faults/trial.ts';

/** Most trials wait for leases to end, so more go on at once than there are cores. */
const LANES = 3;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { moments: { type: 'string' } } });
const parts = positionals.length === 0 ? Object.keys(HARMS) : positionals;
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** A share from 0 to 1, by mulberry32. */
function randomly(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Evenly spaced; those of a server by chance. */
function shareOf(part: string, moment: number, moments: number): number {
  return part === 'server' ? randomly(seed + moment * 0x6d2b79f5) : moment / (moments + 1);
}

function summary(numbers: readonly (number | null)[]): string {
  const sorted = numbers.filter((each) => each !== null).toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return `median ${at(0.5)} s, most ${at(1)} s`;
}

async function harmed(part: string, lanes: readonly Lane[]): Promise<boolean> {
  const moments = Number(values.moments ?? HARMS[part]?.moments);
  const trials: Trial[] = [];
  const began = Date.now();
  let next = 0;
  const inLane = async ({ trial }: Lane): Promise<void> => {
    while (next < moments) {
      next += 1;
      const share = shareOf(part, next, moments);
      const done = await trial(part, share);
      trials.push(done);
      if (done.wrong.length > 0) console.log(`  ${part} at ${share.toFixed(2)}: ${done.wrong.join('\n    ')}`);
    }
  };
  await Promise.all(lanes.map(inLane));
  const good = trials.filter(({ wrong }) => wrong.length === 0);
  const late = trials.filter(({ ends }) => ends === null).length;
  const hit = (what: keyof Trial['hit']): number => trials.reduce((sum, { hit: { [what]: count } }) => sum + count, 0);
  console.log(
    `${part}: ${good.length} of ${moments} good${late === 0 ? '' : `, ${late} harmed after their end`}; ${hit('taken')} licenses taken over, ${hit('doubts')} creations in doubt; next target ends: ${summary(trials.map(({ moves }) => moves))}; run ends: ${summary(trials.map(({ ends }) => ends))}; took ${((Date.now() - began) / 1_000).toFixed(0)} s`,
  );
  return good.length === moments;
}

const lanes: Lane[] = [];
let isGood = true;
try {
  while (lanes.length < LANES) lanes.push(await openLane());
  console.log(`Seed ${seed}; runs that nothing harms: ${lanes.map(({ seconds }) => seconds.toFixed(1)).join(', ')} s`);
  for (const part of parts) isGood = (await harmed(part, lanes)) && isGood;
} finally {
  await Promise.all(lanes.map(({ close }) => close()));
}
process.exitCode = isGood ? 0 : 1;
