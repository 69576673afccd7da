// The flags of `chatform apply`, of one target and of several.

import { type Command, Option } from '@commander-js/extra-typings';
import {
  ACCOUNTS_URL,
  collect,
  DETACH,
  type FlagsOf,
  given,
  LOCK_TIMEOUT,
  NEW_LICENSE,
  NOT_BEFORE,
  PARTS,
  planningOptions,
  planningTargetsCommand,
  REASON,
  REPORT,
  type TargetsFlags,
  THROUGH_FREEZE,
  WORKERS,
} from '../../command/flags.ts';
import type { ApplyOptions } from './options.ts';

export const declareApply = (program: Command) =>
  planningTargetsCommand(program, 'apply', 'change the license to match the files, and check it')
    .argument(
      '[plan]',
      'a plan that `plan --out` saved, or a folder of them: only what they do is done, and nothing is asked',
    )
    .addOption(REPORT)
    .option('-y, --yes', 'apply without asking')
    .addOption(LOCK_TIMEOUT)
    .addOption(REASON)
    .option('--no-verify', 'do not check that it took effect: fewer requests, and no proof')
    .option('--test-on-customer', 'then also test the license as its customers see it; exit 2 if something differs')
    .addOption(
      new Option(
        '--visitor',
        'the same, and first visit the pages of routes on the real-time interface; leaves a visitor in the list of visitors',
      ).implies({ testOnCustomer: true }),
    )
    .option(
      '--report-after <time>',
      'then wait until the reports show so many whole hours since, such as 4h, and compare the chats; exit 2 if something changed',
    )
    .option('--resume <run>', 'go on with a run over several targets that stopped; `chatform fleet list` has their ids')
    .optionsGroup(PARTS.more)
    .addOption(
      new Option(
        '--retry <state>',
        'with --resume: also apply again where it failed, or could not be asked; may be repeated',
      )
        .choices(['failed', 'unreachable'])
        .argParser(collect),
    )
    .addOption(
      new Option('--approve-wave <name>', 'with --resume: begin this wave, which a person has to approve').argParser(
        collect,
      ),
    )
    .addOption(THROUGH_FREEZE)
    .addOption(NOT_BEFORE)
    .option(
      '--approved <name=value>',
      'with a plan: what the host says of the approved one: commit, base, workflow, request, run or digest; may be repeated',
      collect,
    )
    .option('--assume-settled', 'with a new ledger, do not wait for what another run may just have created')
    .addOption(NEW_LICENSE)
    .option('--plan', 'with --new-license: only show what it would do')
    .option('--out <file>', 'with --plan: save it, for `apply FILE`')
    // Refused with the reason: `plan` has this flag, so people look for it here.
    .addOption(new Option('--date <day>').hideHelp())
    .addOption(ACCOUNTS_URL)
    .addOption(WORKERS)
    .addOption(DETACH);

export type ApplyFlags = FlagsOf<typeof declareApply>;

export function applyOptions(
  flags: Omit<Partial<ApplyFlags>, keyof TargetsFlags> & { readonly destroys?: ApplyOptions['destroys'] },
): ApplyOptions {
  const { newLicense, destroys, approved, assumeSettled, testOnCustomer, visitor, reason } = flags;
  const verify = flags.verify === false ? false : undefined;
  return {
    ...planningOptions(flags),
    ...given({ newLicense, destroys, approved, assumeSettled, verify, testOnCustomer, visitor, reason }),
  };
}
