// `chatform apply`: plans, shows the plan, asks, applies it and proves that it took effect. `chatform destroy` is the same without a manifest.

import { UsageError } from '../../base/errors.ts';
import { command, type FlagsOfOne, given, planningOptions } from '../../command/flags.ts';
import { isForMany, ofOne } from '../../command/one-or-many.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { type ApplyFlags, applyOptions, declareApply } from './flags.ts';

export const applyCommand = command(declareApply, async (flags, terminal, file) => {
  if (flags.plan === true) return planNewLicense(flags, terminal);
  if (flags.out !== undefined) throw new UsageError('--out saves a plan: `chatform plan --out FILE` makes one');
  const { isFolder } = await import('../../many/plans/folder.ts');
  if (isForMany(flags) || flags.resume !== undefined || (file !== undefined && (await isFolder(file)))) {
    const { applyTargets } = await import('./targets.ts');
    return applyTargets(flags, terminal, file);
  }
  return applyOne(ofOne(flags), terminal, file);
});

/** `chatform plan` has no such flag: a plan for another license is rare. */
async function planNewLicense(flags: ApplyFlags, terminal: Terminal): Promise<Result> {
  const { newLicense } = flags;
  if (newLicense === undefined || isForMany(flags))
    throw new UsageError('--plan shows what an apply to a new license would do, of one target: add --new-license NAME');
  const { planOne } = await import('../plan/command.ts');
  return planOne(ofOne(flags), { ...planningOptions(flags), newLicense }, terminal);
}

type Flags = FlagsOfOne<ApplyFlags> & { readonly destroys?: { readonly adopted: boolean } };

/** An apply of one target, or with `destroys` a destroy. */
export async function applyOne(flags: Flags, terminal: Terminal, file: string | undefined): Promise<Result> {
  const [
    { reportFlags, requireDistinct },
    { approvedIn, savedPlanIn },
    { applying },
    { operateOn },
    { watched },
    { heldBack, whyOf },
    { reasonOf },
  ] = await Promise.all([
    import('../../outlets/report-files.ts'),
    import('../../planning/approved.ts'),
    import('./operation.ts'),
    import('../../command/operate.ts'),
    import('./watching.ts'),
    import('./waiting.ts'),
    import('../../planning/reason.ts'),
  ]);
  await requireDistinct([
    [String(file), file],
    [`--events ${flags.events}`, flags.events],
    [`--secrets-file ${flags.secretsFile}`, flags.secretsFile],
    ...reportFlags(flags.report),
  ]);
  if (flags.date !== undefined)
    throw new UsageError(
      'an apply makes the hours of today, because the license has them at once: `chatform plan --date` shows those of another day',
    );
  if (file === undefined && flags.approved !== undefined)
    throw new UsageError('--approved is about a saved plan: name its file, as in `chatform apply plan.json`');
  // Before a wait that may take days.
  const reason = (await reasonOf(whyOf(flags), terminal)) ?? undefined;
  const held = await heldBack(flags, terminal);
  if (held !== null) return held;
  const approved = file === undefined ? null : approvedIn(file, await savedPlanIn(file, terminal));
  // A plan says what it is a plan of.
  const target = flags.target ?? (flags.file === undefined ? approved?.saved.target : undefined);
  const choice = { ...flags, ...(target === undefined ? {} : { target }) };
  const verb = flags.destroys === undefined && approved?.saved.plan.destroys === undefined ? 'apply' : 'destroy';
  const asked = {
    operation: applying(verb, async () => approved),
    options: { ...applyOptions(flags), ...given({ reason }) },
  };
  const asks = approved === null && flags.yes !== true;
  const { followedBy } = await import('./follow.ts');
  return watched(verb, { flags: choice, asks }, terminal, (adds, settings) =>
    followedBy({ settings, flags }, terminal, (follow) =>
      operateOn(asked, choice, terminal, {
        ...adds,
        members: follow.members,
        onEnded: (outcome, code) => {
          follow.ended(outcome);
          adds.onEnded(outcome, code);
        },
      }),
    ),
  );
}
