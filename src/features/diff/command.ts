// `chatform diff`: how two licenses differ, by names. Changes nothing.

import { Option } from '@commander-js/extra-typings';
import {
  CSV,
  command,
  detailsOption,
  EXCEPT,
  EXIT_CODES,
  given,
  JSON_DOCUMENT,
  ONLY,
  PARTS,
  QUIET,
  REPORT,
  TIMEOUT,
  VAR,
  VAR_FILE,
} from '../../command/flags.ts';

export const diffCommand = command(
  (program) =>
    program
      .command('diff')
      .description('show how two licenses differ, by names')
      .argument('<target>', 'a target of chatform.yaml')
      .argument('<other>', 'the target that is compared with it')
      .addOption(
        new Option('--on <side>', 'what the files declare, or what the licenses have')
          .choices(['files', 'live'] as const)
          .default('files' as const),
      )
      .addOption(ONLY)
      .addOption(EXCEPT)
      .option('--detailed-exitcode', 'exit 2 when there are differences')
      .addOption(JSON_DOCUMENT)
      .addOption(CSV)
      .addOption(REPORT)
      .addOption(detailsOption('every object and value in full, also where many are one line'))
      .addOption(QUIET)
      .optionsGroup(PARTS.how)
      .addOption(VAR)
      .addOption(VAR_FILE)
      .addOption(TIMEOUT)
      .addHelpText('after', `\n${EXIT_CODES}`),
  async (flags, terminal, target, other) => {
    const [{ differing }, { operateOn }] = await Promise.all([
      import('./operation.ts'),
      import('../../command/operate.ts'),
    ]);
    const { on, only, except, detailedExitcode } = flags;
    const options = { other, on, ...given({ only, except, detailedExitcode }) };
    return operateOn({ operation: differing, options }, { ...flags, target }, terminal);
  },
);
