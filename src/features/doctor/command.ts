// `chatform doctor`: checks everything that an apply will need of a target, before it is needed. Writes nothing, anywhere.

import { Option } from '@commander-js/extra-typings';
import { ACCOUNTS_URL, QUIET, REPORT, targetsCommand } from '../../command/flags.ts';
import { operationsCommand } from '../../command/one-or-many.ts';

export const doctorCommand = operationsCommand(
  (program) =>
    targetsCommand(program, 'doctor', 'check files, connection, token and limits of a target')
      .addOption(QUIET)
      .addOption(ACCOUNTS_URL)
      .option('--secrets-file <file>', 'where secrets of new bots and templates go')
      .option('--reports', 'also ask one report, to see whether the token may read reports')
      .addOption(
        new Option('--ci <host>', 'check the jobs that `init --ci` writes, and the tokens that are set here').choices([
          'github',
          'gitlab',
        ] as const),
      )
      .addOption(REPORT),
  async ({ reports, ci }, terminal, operate) => {
    if (ci === undefined) {
      const { doctoring } = await import('./operation.ts');
      return operate({ operation: doctoring, options: { reports: reports === true } });
    }
    const [{ checkJobs }, { resultsTable }, { commandDocument }, { blocksText }] = await Promise.all([
      import('./read-ci.ts'),
      import('./view.ts'),
      import('../../view/documents.ts'),
      import('../../view/writers/terminal.ts'),
    ]);
    const checks = await checkJobs(ci, terminal);
    return {
      code: checks.some(({ status }) => status === 'problem') ? 1 : 0,
      document: () => commandDocument({ checks }),
      text: (paint) => blocksText([resultsTable(checks)], paint),
    };
  },
);
