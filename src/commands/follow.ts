// `chatform follow`: what changed in the chats of the groups that an apply touched, since that apply. Changes nothing.

import type { ExitCode } from '../many/operation.ts';
import type { FollowReport } from '../tasks/follow/schema.ts';
import { command, TIMEOUT, targetCommand } from './flags.ts';

export const followCommand = command(
  (program) =>
    targetCommand(
      program,
      'follow',
      'compare the chats since an apply with the same hours of the four weeks before; changes nothing',
    )
      .argument('[group...]', 'only these of the groups that it touched, by key, id or name')
      .option('-q, --quiet', 'only what changed, and no progress')
      .option('--run <id>', 'a run of `history`, or how its id begins (default: the last that changed something)')
      .option(
        '--for <time>',
        'wait until the reports show so many whole hours since, such as 4h (default: compare what they show now)',
      )
      .addOption(TIMEOUT),
  async (flags, terminal, groups) => {
    const [{ prepareTarget }, { followTarget, hoursMeant }, { readingDocument }, { followText }, { refused }] =
      await Promise.all([
        import('../run/choice.ts'),
        import('../run/follow.ts'),
        import('../render/documents.ts'),
        import('../render/text/follow.ts'),
        import('./result.ts'),
      ]);
    const { settings, diagnostics } = await prepareTarget(flags, terminal);
    if (settings === null) return refused(diagnostics);
    const hours = flags.for === undefined ? null : hoursMeant('--for', flags.for);
    const options = { run: flags.run ?? null, groups, hours };
    const { report, requests } = await followTarget(settings, options, terminal);
    return {
      code: followCode(report),
      diagnostics,
      document: () => readingDocument(report, false, requests, diagnostics),
      text: (paint) => followText(report, requests, { quiet: flags.quiet === true }, paint),
    };
  },
);

/** What was interrupted is not complete, whatever it found. */
export function followCode({ interrupted, summary }: FollowReport): ExitCode {
  if (interrupted) return 130;
  return summary.changed > 0 ? 2 : 0;
}
