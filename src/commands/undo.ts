// `chatform undo`: takes back what a run changed, by an ordinary plan. Reads no manifest, and changes none.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../base/errors.ts';
import type { ExitCode } from '../many/operation.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlannedUndo } from '../run/undo.ts';
import { command, type FlagsOf, planningCommand } from './flags.ts';
import type { PlanView } from './plan-view.ts';
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

export const undoCommand = command(declare, undo);

async function undo(flags: FlagsOf<typeof declare>, terminal: Terminal, id: string | undefined): Promise<Result> {
  const [{ prepareTarget }, { planUndoOf, undoTarget }, carried, text, render, results] = await Promise.all([
    import('../run/choice.ts'),
    import('../run/undo.ts'),
    import('./carried.ts'),
    import('../render/text/undo.ts'),
    import('../render/events.ts'),
    import('./result.ts'),
  ]);
  const [{ planDocument, undoMembers }, { planView }, { targetLine }, { withEvents }] = await Promise.all([
    import('../render/documents.ts'),
    import('./plan-view.ts'),
    import('../view/terminal/layout.ts'),
    import('./events-file.ts'),
  ]);
  if (flags.list === true) return listed(flags, terminal, id);
  if (flags.var !== undefined || flags.varFile !== undefined)
    throw new UsageError('undo reads no manifest, so it does not take --var or --var-file');
  const { settings, clients, diagnostics } = await prepareTarget(flags, terminal);
  if (settings === null) return results.refused(diagnostics);
  const subject = { settings, clients, wanted: id ?? null };
  const viewOf = ({ undoing, ...request }: PlannedUndo): PlanView => {
    const { body, closing, findings } = planView(text.withoutUnmanaged(undoing.plan), [], flags);
    const isIdle = undoing.plan.steps.length === 0;
    return {
      body: (paint) =>
        [
          targetLine(settings, paint),
          text.undoText(request, undoing, paint, flags.details === true),
          ...(isIdle ? [] : [body(paint)]),
        ].join(''),
      closing: (paint) => (isIdle ? '' : closing(paint)),
      findings,
    };
  };
  const shown = ({ undoing, ...request }: PlannedUndo, code: ExitCode): Result => ({
    code,
    document: () => planDocument(text.withoutUnmanaged(undoing.plan), [], undoMembers(request, undoing)),
    text: (paint) => {
      const { body, closing } = viewOf({ undoing, ...request });
      return body(paint) + closing(paint);
    },
  });
  return withEvents('undo', { settings, choice: flags }, flags.events, terminal, async (events) => {
    if (flags.plan === true) {
      const planned = await planUndoOf(subject, flags, terminal);
      events.tell(() => render.planEvents(text.withoutUnmanaged(planned.undoing.plan)));
      return shown(planned, 0);
    }
    let preview: PlanView | null = null;
    const carrier = {
      command: 'undo',
      so: () => `take it back on ${settings.name}`,
      yes: flags.yes === true,
      preview: (plan: Plan) => preview ?? planView(plan, [], flags),
      events,
    } as const;
    const onPlanned = (planned: PlannedUndo): void => {
      preview = viewOf(planned);
    };
    const options = { ...carried.carryOptions(carrier, flags, terminal), onPlanned };
    const undone = await undoTarget(subject, flags, options, terminal);
    const { undoing } = undone;
    const about = { plan: undoing.plan, diagnostics: [], members: undoMembers(undone, undoing) };
    switch (undone.outcome) {
      case 'idle':
        events.tell(() => render.planEvents(text.withoutUnmanaged(undoing.plan)));
        return shown(undone, completeness(undoing));
      case 'stopped':
        return carried.stoppedResult(undone.stop, about, events, flags, terminal);
      case 'applied': {
        const end = { closing: () => text.afterUndoText(undoing), done: completeness(undoing) };
        return carried.carriedResult(undone, about, carrier, flags, end);
      }
    }
  });
}

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

/** An undo is one in part when something was left out because it changed since the run. */
function completeness({ rulings, orderChangedSince, plan }: PlannedUndo['undoing']): ExitCode {
  const isInPart = orderChangedSince || rulings.some(({ verdict }) => verdict === 'left_out');
  if (!isInPart) return 0;
  return plan.steps.length === 0 ? 1 : 6;
}
