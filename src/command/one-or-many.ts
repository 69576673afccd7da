// Commands that run for one target or for several. Imports nothing heavy: every start of the command line loads it.

import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Asked } from '../many/outputs.ts';
import { type AddCommand, command, type FlagsOfOne, type TargetsFlags, type WorkersFlags } from './flags.ts';
import type { Result } from './result.ts';
import type { Terminal } from './terminal.ts';

/** Whether flags choose several targets, or workers. */
export function isForMany(flags: TargetsFlags): boolean {
  const { target = [], label, all, changedSince } = flags;
  const { workers, detach }: WorkersFlags = flags as OptionValues;
  return (
    [all, label, changedSince, detach].some((given) => given !== undefined) ||
    workers === true ||
    target.length > 1 ||
    target[0]?.includes('*') === true
  );
}

/** The flags of a run for one target. */
export function ofOne<Flags extends TargetsFlags>(flags: Flags): FlagsOfOne<Flags> {
  const { target, label, all, changedSince, parallel, ...others } = flags;
  // The types say so too, but TypeScript cannot take members from a type that it does not know.
  return { ...others, ...(target?.[0] === undefined ? {} : { target: target[0] }) } as FlagsOfOne<Flags>;
}

/** Carries out an operation, on one target or on several. */
type Operate = <Options, Value>(asked: Asked<Options, Value>) => Promise<Result>;

/** A command that is one operation, or another one by its flags: on one target, or on several, with every output. */
export function operationsCommand<Args extends unknown[], Flags extends OptionValues & TargetsFlags>(
  declare: (program: Command) => Command<Args, Flags>,
  body: (flags: Flags, terminal: Terminal, operate: Operate, ...args: Args) => Promise<Result>,
): AddCommand {
  return command(declare, async (flags, terminal, ...args) => {
    const operate: Operate = async (asked) => {
      if (!isForMany(flags)) return (await import('./operate.ts')).operateOn(asked, ofOne(flags), terminal);
      return (await import('./operate-many.ts')).operateOnMany(asked, flags, terminal);
    };
    return body(flags, terminal, operate, ...args);
  });
}

/** A command that is one operation. `load` is called when it runs. */
export function operationCommand<Args extends unknown[], Flags extends OptionValues & TargetsFlags, Options, Value>(
  declare: (program: Command) => Command<Args, Flags>,
  load: (flags: Flags, ...args: Args) => Promise<Asked<Options, Value>>,
): AddCommand {
  return operationsCommand(declare, async (flags, _terminal, operate, ...args) => operate(await load(flags, ...args)));
}
