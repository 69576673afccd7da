// `chatform verify`: looks at the license as its visitors and customers do. Changes nothing, unless a prediction or a chat is asked for.

import type { Command } from '@commander-js/extra-typings';
import type { CustomerView } from '../tasks/verify/schema.ts';
import { ACCOUNTS_URL, collect, DETACH, type FlagsOf, type FlagsOfOne, ON, TIMEOUT, targetsCommand } from './flags.ts';
import type { Result } from './result.ts';
import { commandForTargets } from './several.ts';
import type { Terminal } from './terminal.ts';

const declare = (program: Command) =>
  targetsCommand(
    program,
    'verify',
    'see the license as its customers do: routes, pages, languages, properties; changes nothing by itself',
  )
    .addOption(ON)
    .addOption(DETACH)
    .addOption(ACCOUNTS_URL)
    .option('-q, --quiet', 'no list and no progress: only what differs')
    .option('--predict', 'ask who would answer; leaves a visitor in the list of visitors')
    .option(
      '--chat <route>',
      'rehearse the chat of this route, by its name or page; asks first, and leaves a chat behind',
    )
    .option('--after-apply', 'ask what differs again until it shows, at most for propagation_timeout')
    .option('-y, --yes', 'rehearse the chat without asking')
    .option('--report <format=file>', 'write a report: json, junit, sarif or markdown; may be repeated', collect)
    .addOption(TIMEOUT);

type Flags = FlagsOfOne<FlagsOf<typeof declare>>;

export const verifyCommand = commandForTargets('verify', declare, verifyOne);

/** A chat that was not ended is an error, whatever it showed. */
function codeOf({ summary, chat }: CustomerView): 0 | 1 | 2 {
  if (chat?.ended === false) return 1;
  return summary.differs > 0 ? 2 : 0;
}

export async function verifyOne(flags: Flags, terminal: Terminal): Promise<Result> {
  const [files, { pathsInRepository }, { prepareDeclared }, { verifyActing }, { CHAT_LEAVES }] = await Promise.all([
    import('../outlets/report-files.ts'),
    import('../outlets/repository.ts'),
    import('../run/prepare.ts'),
    import('../run/verify.ts'),
    import('../tasks/verify/chat.ts'),
  ]);
  const [{ VERIFY_REPORTS, verifyRenderers }, text, results] = await Promise.all([
    import('../render/reports/verify.ts'),
    import('../render/text/verify.ts'),
    import('./result.ts'),
  ]);
  const { predict, chat, afterApply, quiet = false, report = [] } = flags;
  const declared = await prepareDeclared(flags, terminal);
  const { settings, diagnostics } = declared;
  const reports = await files.parseReports(report, VERIFY_REPORTS, { choice: flags, environment: terminal });
  const verified = await verifyActing(
    declared,
    {
      predict: predict === true,
      afterApply: afterApply === true,
      ...(chat === undefined ? {} : { chat }),
      agree: (rehearsal) => {
        const about = { target: settings.name, leaves: CHAT_LEAVES };
        const question = text.rehearsalQuestion(rehearsal, about, terminal.paintErr);
        return results.confirm({ question, word: 'chat', so: 'begin and end it', yes: flags.yes === true }, terminal);
      },
    },
    terminal,
  );
  if ('stopped' in verified) return results.notDone(verified.stopped, terminal, diagnostics);
  const { view } = verified;
  const seen = { ...verified, diagnostics };
  const pathOf = await pathsInRepository(terminal.env);
  return {
    code: codeOf(view),
    diagnostics,
    row: {
      state: view.summary.differs > 0 ? 'differs' : 'done',
      figures: { differs: view.summary.differs },
      requests: null,
      shown: (paint) => text.verifyText(view, { quiet }, paint),
    },
    document: () => verifyRenderers.json(seen),
    text: (paint) => text.verifyText(view, { quiet }, paint),
    files: files.reportsWith(reports, (format) => verifyRenderers[format](seen, pathOf)),
  };
}
