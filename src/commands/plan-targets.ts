// `chatform plan` of several targets: one table, each plan that differs in full, and with --out a folder of saved plans under one digest.

import { fleetSpec } from '../fleet/spec.ts';
import { wavesText } from '../render/text/fleet.ts';
import { planFile, prepareFolder } from '../run/plan-folder.ts';
import { digestOfPlans } from '../tasks/targets/plans.ts';
import { plain } from '../view/plain.ts';
import { type CommonFlags, requireAbsent } from './chosen-targets.ts';
import type { FlagsOfOne, Several, SeveralFlags } from './flags.ts';
import type { Result } from './result.ts';
import { gathering, runAll } from './targets.ts';

interface PlanFlags extends CommonFlags {
  readonly out?: string;
  readonly against?: string;
  readonly events?: string;
  readonly secretsFile?: string;
}

export async function planTargets<Flags extends PlanFlags & SeveralFlags, Args extends unknown[]>(
  several: Several<Flags, Args>,
): Promise<Result> {
  const { flags } = several;
  const { out, against, events, secretsFile } = flags;
  requireAbsent({ '--against': against, '--events': events, '--secrets-file': secretsFile });
  if (flags.on !== undefined) requireAbsent({ '--out': out });
  const gathered = await gathering('plan', several, {
    own: (target) => (out === undefined ? {} : { out: planFile(out, target) }) as Partial<FlagsOfOne<Flags>>,
    digestOf: digestOfPlans,
  });
  if ('code' in gathered) return gathered;
  if (out !== undefined) await prepareFolder(out, gathered.targets);
  const { opened, targets } = gathered;
  const settings = targets.flatMap((name) => opened.project.targets.get(name) ?? []);
  const spec = fleetSpec(opened.project.fleet, settings);
  const result = await runAll('plan', gathered, several);
  if (flags.quiet === true || result.code === 130 || targets.length === 0) return result;
  const waves = spec.waves.length > 1 || out !== undefined ? wavesText(spec) : '';
  const saved =
    out === undefined ? '' : `Saved in ${plain(out)}: \`chatform apply ${plain(out)}\` does what these plans do.\n`;
  return { ...result, note: () => waves + saved };
}
