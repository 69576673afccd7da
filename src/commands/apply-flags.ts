// The flags of `chatform apply`, of one target and of several.

import { type Command, Option } from '@commander-js/extra-typings';
import type { JsonObject } from '../base/model.ts';
import { ACCOUNTS_URL, collect, DETACH, type FlagsOf, NEW_LICENSE, ON, planningTargetsCommand } from './flags.ts';

export const declareApply = (program: Command) =>
  planningTargetsCommand(
    program,
    'apply',
    'make the license as the manifest says, and prove that it took effect',
    'no plan and no progress: only the result',
  )
    .argument(
      '[plan]',
      'a plan that `plan --out` saved, or a folder of them: only what they do is done, and nothing is asked',
    )
    .option('-y, --yes', 'apply without asking')
    .option('--no-verify', 'do not check that it took effect: fewer requests, and no proof')
    .option('--verify-as-customer', 'also verify the license as its customers see it; exit 2 if something differs')
    .option(
      '--report <format=file>',
      'where it is verified as customers see it, write a report of that: json, junit, sarif or markdown; may be repeated',
      collect,
    )
    .option(
      '--follow <time>',
      'then wait until the reports show so many whole hours since, such as 4h, and compare the chats; exit 2 if something changed',
    )
    // Refused with the reason: `plan` has this flag, so people look for it here.
    .addOption(new Option('--date <day>').hideHelp())
    .option(
      '--approved <name=value>',
      'with a plan: what the host says of the approved one: commit, base, workflow, request, run or digest; may be repeated',
      collect,
    )
    .addOption(ACCOUNTS_URL)
    .option('--assume-settled', 'with a new ledger, do not wait for what another run may just have created')
    .option('--resume <run>', 'go on with a run over several targets that stopped; `chatform fleet list` has their ids')
    .addOption(
      new Option(
        '--retry <state>',
        'with --resume: also apply again where it failed, or could not be asked; may be repeated',
      )
        .choices(['failed', 'unreachable'])
        .argParser(collect),
    )
    .option('--through-freeze <reason>', 'of several targets: apply also while `fleet: freeze` says not to')
    .addOption(ON)
    .addOption(DETACH)
    .addOption(NEW_LICENSE);

export type ApplyFlags = FlagsOf<typeof declareApply>;

/** Flags that each process of a run over several targets has for itself. */
const OF_PROCESS: readonly string[] = [
  'resume',
  'retry',
  'throughFreeze',
  'json',
  'quiet',
  'report',
  'yes',
  'on',
  'detach',
] satisfies readonly (keyof ApplyFlags)[];

/** The flags of this process, and those that belong to the run, for every process that goes on with it. */
export function divided(flags: ApplyFlags): { readonly ofProcess: Partial<ApplyFlags>; readonly ofRun: JsonObject } {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const isOfProcess = ([name]: readonly [string, unknown]): boolean => OF_PROCESS.includes(name);
  return {
    ofProcess: Object.fromEntries(given.filter(isOfProcess)),
    ofRun: Object.fromEntries(given.filter((entry) => !isOfProcess(entry))) as JsonObject,
  };
}
