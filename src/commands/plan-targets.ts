// `chatform plan` of several targets: one table, each plan that differs in full, and with --out a folder of saved plans under one digest.

import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { explained } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { few } from '../base/text.ts';
import { digestOfPlans } from '../tasks/targets/plans.ts';
import type { FlagsOfOne, Several, SeveralFlags } from './flags.ts';
import type { Result } from './result.ts';
import { type CommonFlags, gathering, runAll } from './targets.ts';

interface PlanFlags extends CommonFlags {
  readonly out?: string;
  readonly against?: string;
}

export async function planTargets<Flags extends PlanFlags & SeveralFlags, Args extends unknown[]>(
  several: Several<Flags, Args>,
): Promise<Result> {
  const { flags } = several;
  const { out, against } = flags;
  if (against !== undefined) throw new UsageError('--against is about the license of one target: name it with -t');
  const gathered = await gathering('plan', several, {
    own: (target) => (out === undefined ? {} : { out: join(out, planFile(target)) }) as Partial<FlagsOfOne<Flags>>,
    digestOf: digestOfPlans,
  });
  if ('code' in gathered) return gathered;
  if (out !== undefined) await prepareFolder(out, gathered.targets);
  return runAll(gathered, several);
}

/** Name of the file of a saved plan in a folder of several. */
export function planFile(target: string): string {
  return `${target}.json`;
}

/** A plan of an earlier run would be applied with those of this one, so it is not left there. */
async function prepareFolder(folder: string, targets: readonly string[]): Promise<void> {
  const flag = `--out ${folder}`;
  await explained(`${flag}: it`, 'written', () => mkdir(folder, { recursive: true }));
  const names = await explained(`${flag}: it`, 'read', () => readdir(folder));
  const own = new Set(targets.map(planFile));
  const others = names.filter((name) => !own.has(name));
  if (others.length > 0)
    throw new UsageError(
      `${flag}: the folder also has ${few(others)}; name a new folder, or delete ${others.length === 1 ? 'that' : 'those'} first, because the folder is applied as a whole`,
    );
}
