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

/** Whether flags choose several targets, or workers. */
export function isForSeveral(flags: SeveralFlags): boolean {
  const { target = [], label, all, changedSince } = flags;
  const { on, detach }: WorkersFlags = flags as OptionValues;
  return (
    [all, label, changedSince, detach].some((given) => given !== undefined) ||
    on === ON_POSTGRES ||
    target.length > 1 ||
    target[0]?.includes('*') === true
  );
}

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
    const isOne = !isForSeveral(flags);
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

/** Carries out an operation, on one target or on several. */
type Operate = <Options, Value>(asked: Asked<Options, Value>) => Promise<Result>;

/** A command that is one operation, or another one by its flags: on one target, or on several, with every output. */
export function operationsCommand<Args extends unknown[], Flags extends OptionValues & SeveralFlags>(
  declare: (program: Command) => Command<Args, Flags>,
  body: (flags: Flags, terminal: Terminal, operate: Operate, ...args: Args) => Promise<Result>,
): AddCommand {
  return command(declare, async (flags, terminal, ...args) => {
    const { operateOn, operateOnMany } = await import('./operate.ts');
    const { target, label, all, changedSince, parallel, ...others } = flags;
    const isOne = !isForSeveral(flags);
    const one = { ...others, ...(target?.[0] === undefined ? {} : { target: target[0] }) };
    return body(
      flags,
      terminal,
      (asked) => (isOne ? operateOn(asked, one, terminal) : operateOnMany(asked, flags, terminal)),
      ...args,
    );
  });
}

/** A command that is one operation. `load` is called when it runs. */
export function operationCommand<Args extends unknown[], Flags extends OptionValues & SeveralFlags, Options, Value>(
  declare: (program: Command) => Command<Args, Flags>,
  load: (flags: Flags, ...args: Args) => Promise<Asked<Options, Value>>,
): AddCommand {
  return operationsCommand(declare, async (flags, _terminal, operate, ...args) => operate(await load(flags, ...args)));
}
