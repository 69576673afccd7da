// `undo`: takes back what a run changed, by an ordinary plan. Reads no manifest, and changes none.

import { UsageError } from '../../base/errors.ts';
import type { ExitCode, Operation } from '../../many/operation.ts';
import { stopError } from '../../many/stopped.ts';
import { reviewed } from '../../plan/review/plan-result.ts';
import type { PlanningChoice } from '../../planning/planning.ts';
import { reasonOf } from '../../planning/reason.ts';
import { prepareTarget } from '../../target/choice.ts';
import { undoMember } from '../../view/documents.ts';
import { agreed } from '../apply/operation.ts';
import { applyFindings, applyMembers, applyRow, applyTable } from '../apply/outputs.ts';
import { endedApply } from '../apply/report.ts';
import { planFindings } from '../plan/findings.ts';
import { planTable } from '../plan/table.ts';
import { type PlannedUndo, planUndoOf, type Undone as UndoneRun, undoTarget } from './read-undo.ts';
import { type PlannedUndoing, type ShownUndo, undoPreview, undoView } from './view.ts';

export interface UndoOptions extends PlanningChoice {
  /** The run, as the person named it; null for the last. */
  readonly run: string | null;
  /** Why, for the ledger; what the job of CI runs for by default. */
  readonly reason?: string;
  /** It is only planned. */
  readonly isPlan: boolean;
}

export const undoing: Operation<UndoOptions, ShownUndo> = {
  name: 'undo',
  changes: 'license',
  showsTarget: true,
  run: async (target, { run, isPlan, reason, ...choice }, context) => {
    const why = await reasonOf(reason, context);
    const { settings, clients, diagnostics } = await prepareTarget(target, context);
    if (settings === null) throw new UsageError('the files have errors', diagnostics);
    const subject = { settings, clients, wanted: run };
    const reported = (planned: PlannedUndo): PlannedUndoing => {
      const of = undoingOf(planned);
      context.report({ type: 'planned', plan: of.plan, diagnostics: [], view: () => undoPreview(of) });
      return of;
    };
    if (isPlan) {
      const of = reported(await planUndoOf(subject, choice, context));
      return { value: { ...of, end: { type: 'planned' } }, diagnostics: [], requests: null };
    }
    let of: PlannedUndoing | null = null;
    const undone = await undoTarget(
      subject,
      choice,
      {
        onPlanned: (planned) => {
          of = reported(planned);
        },
        agree: async (plan) => {
          const about = of;
          return about === null ? null : agreed('undo', plan, () => undoPreview(about), context);
        },
        onEvent: context.report,
        ...(why === null ? {} : { reason: why }),
      },
      context,
    );
    const requests = undone.outcome === 'applied' ? undone.requests : null;
    return { value: { ...undoingOf(undone), end: endOf(undone) }, diagnostics: [], requests };
  },
  row: ({ end, ...of }, _about, { isPlan }) => {
    if (end.type === 'planned') {
      const { add, change, destroy } = of.plan.summary;
      const code = isPlan ? 0 : completeness(of);
      return { state: of.plan.steps.length === 0 ? 'in sync' : 'changes', code, figures: { add, change, destroy } };
    }
    const row = applyRow({ plan: of.plan, end, customers: null });
    return row.code === 0 ? { ...row, code: completeness(of) } : row;
  },
  view: undoView,
  document: (undone) => {
    const { end, plan } = undone;
    const undo = undoMember(undone);
    return end.type === 'planned' ? { ...plan, undo } : { undo, ...applyMembers({ plan, end, customers: null }) };
  },
  findings: ({ end, plan }, about) =>
    end.type === 'planned'
      ? planFindings(reviewed(plan, [], null), about.at)
      : applyFindings('undo', { plan, end, customers: null }, about),
  table: ({ end, plan }) => (end.type === 'planned' ? planTable(plan) : applyTable({ plan, end, customers: null })),
};

/** An undo says nothing of objects that no run changed. */
function undoingOf({ run, begun, next, undoing: of }: PlannedUndo): PlannedUndoing {
  const { resources, orderChangedSince, plan } = of;
  return { run, begun, next, resources, orderChangedSince, plan: { ...plan, unmanaged: [] } };
}

/** @throws LeaseLost and UsageError where nothing was changed */
function endOf(undone: UndoneRun): ShownUndo['end'] {
  switch (undone.outcome) {
    case 'idle':
      return { type: 'planned' };
    case 'stopped':
      if (undone.stop.reason === 'withheld') return { type: 'withheld' };
      throw stopError(undone.stop);
    case 'applied': {
      const { runId, report, sent } = undone;
      return { type: 'ended', run: runId, report: endedApply(report), sent };
    }
  }
}

/** An undo is one in part when something was left out because it changed since the run. */
function completeness({ resources, orderChangedSince, plan }: PlannedUndoing): ExitCode {
  const isInPart = orderChangedSince || resources.some(({ outcome }) => outcome === 'left_out');
  if (!isInPart) return 0;
  return plan.steps.length === 0 ? 1 : 6;
}
