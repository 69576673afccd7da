// `chatform undo`: takes back what a run changed, by an ordinary plan. Reads no manifest, and changes none.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../base/errors.ts';
import { command, type FlagsOf, given, planningCommand } from './flags.ts';
import type { Result } from './result.ts';
import type { Terminal } from './terminal.ts';

const declare = (program: Command) =>
  planningCommand(
    program,
    'undo',
    'take back what a run changed: plan it, show how far each change can be taken back, ask, do it',
    'no plan and no progress: only the result',
  )
    .argument(
      '[run]',
      'a run of `history`, or how its id begins (default: the last that changed something and was not taken back)',
    )
    .option('--list', 'only list the runs that can be undone, and why others cannot; sends nothing')
    .option('--plan', 'only show what it would do; changes nothing')
    .option('-y, --yes', 'undo without asking');

export const undoCommand = command(declare, async (flags, terminal, id) => {
  if (flags.list === true) return listed(flags, terminal, id);
  if (flags.var !== undefined || flags.varFile !== undefined)
    throw new UsageError('undo reads no manifest, so it does not take --var or --var-file');
  const [{ undoing }, { operateOn }, { watched }] = await Promise.all([
    import('../features/undo/operation.ts'),
    import('./operate.ts'),
    import('./watching.ts'),
  ]);
  const { only, except, acknowledge, impact, people } = flags;
  const options = { run: id ?? null, isPlan: flags.plan === true };
  const asked = {
    operation: undoing,
    options: { ...options, ...given({ only, except, acknowledge, impact, people }) },
  };
  const asks = flags.yes !== true && flags.plan !== true;
  return watched('undo', { flags, asks }, terminal, (adds) => operateOn(asked, flags, terminal, adds));
});

/** The runs of the ledger, and which of them can be undone as far as it knows. */
async function listed(flags: FlagsOf<typeof declare>, terminal: Terminal, id: string | undefined): Promise<Result> {
  const [
    { prepareTarget },
    { historyOfLedger },
    { undoListBlocks },
    { blocksText },
    { commandDocument },
    { targetLine },
    results,
  ] = await Promise.all([
    import('../run/choice.ts'),
    import('../run/history.ts'),
    import('../render/views/history.ts'),
    import('../view/writers/terminal.ts'),
    import('../render/documents.ts'),
    import('../view/terminal/layout.ts'),
    import('./result.ts'),
  ]);
  const { settings, diagnostics } = await prepareTarget(flags, terminal);
  if (settings === null) return results.refused(diagnostics);
  const question = { run: id ?? null, only: flags.only ?? [], since: null, last: null };
  const { history } = await historyOfLedger({ path: settings.ledger, settings }, question, terminal);
  return {
    code: 0,
    document: () => commandDocument({ ...history }),
    text: (paint) => targetLine(settings, paint) + blocksText(undoListBlocks(history), paint),
  };
}
