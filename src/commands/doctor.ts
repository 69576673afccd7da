// `chatform doctor`: checks everything that an apply will need of a target, before it is needed. Writes nothing, anywhere.

import { ACCOUNTS_URL, targetsCommand } from './flags.ts';
import { commandForTargets } from './several.ts';

export const doctorCommand = commandForTargets(
  'doctor',
  (program) =>
    targetsCommand(
      program,
      'doctor',
      'check a target before anyone needs it: files, connection, token, limits; changes nothing',
    )
      .addOption(ACCOUNTS_URL)
      .option('--secrets-file <file>', 'where secrets of new bots and templates go')
      .option('--reports', 'also ask one report, to see whether the token may read reports'),
  async (flags, terminal) => {
    const [{ checkTarget }, { doctorDocument }, { doctorText }, { sumOf }, { digest }] = await Promise.all([
      import('../run/doctor.ts'),
      import('../render/documents.ts'),
      import('../render/text/doctor.ts'),
      import('../base/grouped.ts'),
      import('../base/digest.ts'),
    ]);
    const { diagnosis, diagnostics, subject, requests } = await checkTarget(flags, terminal);
    const first = diagnosis.findings.find(({ status }) => status === 'problem');
    return {
      code: terminal.signal.aborted ? 130 : diagnosis.summary.problem > 0 ? 1 : 0,
      diagnostics,
      row: {
        state: diagnosis.summary.problem > 0 ? 'failed' : 'done',
        figures: { problems: diagnosis.summary.problem, warnings: diagnosis.summary.warning },
        requests: sumOf(requests),
        shown: (paint) => doctorText(diagnosis, requests, paint),
        likeness: digest(diagnosis.findings.map(({ check, status }) => [check, status])),
        ...(first === undefined ? {} : { message: first.message }),
      },
      document: () => doctorDocument(diagnosis, subject, requests, diagnostics),
      text: (paint) => doctorText(diagnosis, requests, paint),
    };
  },
);
