// `undo`: takes back what a run changed, by an ordinary plan. Reads no manifest, and changes none.

import { digest } from '../../base/digest.ts';
import { UsageError } from '../../base/errors.ts';
import type { ExitCode, Operation } from '../../many/operation.ts';
import { likeness, planAnswer, sameness } from '../../many/plans/plans.ts';
import { stopError } from '../../many/stopped.ts';
import { reviewed } from '../../plan/review/plan-result.ts';
import { reasonOf } from '../../planning/reason.ts';
import { prepareTarget } from '../../target/choice.ts';
import { undoMember } from '../../view/documents.ts';
import { agreed } from '../apply/operation.ts';
import { applyFindings, applyMembers, applyRow, applyTable, newsIn } from '../apply/outputs.ts';
import { endedApply } from '../apply/report.ts';
import { planFindings } from '../plan/findings.ts';
import { planTable } from '../plan/table.ts';
import type { UndoOptions } from './options.ts';
import { type PlannedUndo, planUndoOf, type Undone as UndoneRun, undoTarget } from './read-undo.ts';
import { amongBlocks, type PlannedUndoing, type ShownUndo, shortfallText, undoPreview, undoView } from './view.ts';

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
  row: (undone, _about, { isPlan }) => {
    const { end, plan, resources, orderChangedSince } = undone;
    const said = shortfallText(undone);
    const isQuiet = said === null;
    const short = isQuiet ? {} : { message: said };
    const code = completeness(undone);
    if (end.type !== 'planned') {
      const row = applyRow({ plan, end, customers: null });
      if (row.code !== 0) return row;
      return { ...row, ...short, ...(code === 0 ? {} : { state: 'in part' }), code, isDone: true, isQuiet };
    }
    const of = reviewed(plan, [], null);
    const { state, message, ...counts } = planAnswer(of);
    const isIdle = plan.steps.length + plan.withheld.length === 0;
    const changed = new Set<string>(plan.resource_changes.map(({ address }) => address));
    const notes = plan.notes.filter(({ address }) => address === null || changed.has(address));
    return {
      ...counts,
      state: isIdle ? (code === 0 ? 'in sync' : 'outdated') : state,
      code: isPlan ? 0 : code,
      isDone: true,
      isQuiet: isIdle && isQuiet,
      same: () => digest([sameness({ ...plan, notes }), resources, orderChangedSince]),
      likeness: () => digest([likeness(of), orderChangedSince]),
      ...(isIdle || message === null ? short : { message }),
    };
  },
  news: {
    about: 'apply',
    says: ({ end, plan }) => (end.type === 'planned' ? null : newsIn({ plan, end, customers: null })),
  },
  among: (undone) => amongBlocks(undone),
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
