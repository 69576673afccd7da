// The flags of `chatform apply`, of one target and of several.

import { type Command, Option } from '@commander-js/extra-typings';
import {
  ACCOUNTS_URL,
  collect,
  DETACH,
  type FlagsOf,
  given,
  NEW_LICENSE,
  ON,
  planningTargetsCommand,
  REPORT,
  type TargetsFlags,
} from '../../command/flags.ts';
import type { ApplyOptions } from './options.ts';

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
    .addOption(REPORT)
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

export function applyOptions(
  flags: Omit<Partial<ApplyFlags>, keyof TargetsFlags> & { readonly destroys?: ApplyOptions['destroys'] },
): ApplyOptions {
  const { only, except, acknowledge, newLicense, impact, people, destroys, approved, assumeSettled } = flags;
  return given({
    ...{ only, except, acknowledge, newLicense, impact, people, destroys, approved, assumeSettled },
    verify: flags.verify === false ? false : undefined,
    asCustomer: flags.verifyAsCustomer,
  });
}
