// Commands that run for one target or for several. Imports nothing heavy: every start of the command line loads it.

import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Asked } from '../many/outputs.ts';
import {
  type AddCommand,
  command,
  type FlagsOfOne,
  ON_POSTGRES,
  type RunOfOne,
  type Several,
  type SeveralFlags,
  type WorkersFlags,
} from './flags.ts';
import type { Result } from './result.ts';
import type { Terminal } from './terminal.ts';

/** A command that runs for one target, or `together` for several; by default once for each, with one table. */
export function commandForTargets<Args extends unknown[], Flags extends OptionValues & SeveralFlags>(
  name: string,
  declare: (program: Command) => Command<Args, Flags>,
  body: (flags: FlagsOfOne<Flags>, terminal: Terminal, ...args: Args) => Promise<Result>,
  together?: (several: Several<Flags, Args>) => Promise<Result>,
  /** Whether the command is for several targets although no flag that chooses them says so. */
  isSeveral: (flags: Flags, ...args: Args) => Promise<boolean> = async () => false,
): AddCommand {
  return command(declare, async (flags, terminal, ...args) => {
    const { target, label, all, changedSince, parallel, ...others } = flags;
    const { on, detach }: WorkersFlags = flags as OptionValues;
    const isOne =
      [all, label, changedSince, detach].every((given) => given === undefined) &&
      on !== ON_POSTGRES &&
      (target ?? []).length < 2 &&
      target?.[0]?.includes('*') !== true;
    const one: RunOfOne<Flags> = (own, seat) => body(own, seat, ...args);
    // The types say so too, but TypeScript cannot take members from a type that it does not know.
    const ofOne = { ...others, ...(target?.[0] === undefined ? {} : { target: target[0] }) } as FlagsOfOne<Flags>;
    if (isOne && !(await isSeveral(flags, ...args))) return one(ofOne, terminal);
    const several = { flags, args, terminal, one };
    if (together !== undefined) return together(several);
    const { forEachTarget } = await import('./targets.ts');
    return forEachTarget(name, several);
  });
}

/** A command that is an operation: on one target, or on several, with every output. `load` is called when the command runs. */
export function operationCommand<Args extends unknown[], Flags extends OptionValues & SeveralFlags, Options, Value>(
  declare: (program: Command) => Command<Args, Flags>,
  load: (flags: Flags, ...args: Args) => Promise<Asked<Options, Value>>,
): AddCommand {
  return command(declare, async (flags, terminal, ...args) => {
    const [{ operateOn, operateOnMany }, asked] = await Promise.all([import('./operate.ts'), load(flags, ...args)]);
    const { target, label, all, changedSince, parallel, ...others } = flags;
    const isOne =
      [all, label, changedSince].every((given) => given === undefined) &&
      (target ?? []).length < 2 &&
      target?.[0]?.includes('*') !== true;
    if (!isOne) return operateOnMany(asked, flags, terminal);
    return operateOn(asked, { ...others, ...(target?.[0] === undefined ? {} : { target: target[0] }) }, terminal);
  });
}
