// What a person and a file of events are told while a plan is carried out: the plan before it is agreed to, each write, what is waited for.

import { workOf } from '../../apply/target.ts';
import { type Events, eventsOfPlan, withEvents } from '../../command/events-file.ts';
import type { OnOne, OutputFlags } from '../../command/operate.ts';
import { type Result, showDiagnostics, showRemark, showText } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import type { RunEvent } from '../../many/operation.ts';
import type { Plan } from '../../plan/plan.ts';
import { reviewed } from '../../plan/review/plan-result.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { readableSettings, type TargetChoice } from '../../target/choice.ts';
import { applyEvents, failureEvent, summaryEvent } from '../../view/events.ts';
import { plain } from '../../view/plain.ts';
import { unfolded } from '../../view/terminal/diagnostics.ts';
import { targetLine } from '../../view/terminal/layout.ts';
import { blocksText } from '../../view/writers/terminal.ts';
import { besidesDangers } from '../plan/dangers.ts';
import { mismatchLine } from './mismatch.ts';
import { failureIn } from './outputs.ts';
import { progressLines } from './progress.ts';
import type { AppliedTarget, ApplyEnd } from './report.ts';

/** Writes with a line each; of more, only their number is told while they are made. */
const MOST_LINES = 50;

/** A plan, and what became of it. */
interface PlannedRun {
  readonly plan: Plan;
  readonly end: ApplyEnd | { readonly type: 'planned' };
  readonly customers?: AppliedTarget['customers'];
}

type WatchedFlags = OutputFlags & TargetChoice & { readonly events?: string };

interface Subject {
  readonly settings: TargetSettings | null;
  readonly events: Events;
  /** A person is to agree to the plan. */
  readonly asks: boolean;
}

type Watching = Required<Pick<OnOne<PlannedRun>, 'report' | 'onEnded' | 'hasRead' | 'shows' | 'note'>>;

/** Runs a command that carries out a plan, and tells what happens. */
export async function watched<Flags extends WatchedFlags>(
  command: string,
  { flags, asks }: { readonly flags: Flags; readonly asks: boolean },
  terminal: Terminal,
  work: (adds: Watching, settings: TargetSettings | null) => Promise<Result>,
): Promise<Result> {
  const settings = await readableSettings(flags, terminal);
  return withEvents(command, flags, terminal, (events) =>
    work(watching({ settings, events, asks }, flags, terminal), settings),
  );
}

function watching({ settings, events, asks }: Subject, flags: OutputFlags, terminal: Terminal): Watching {
  const isShown = flags.json !== true && flags.quiet !== true;
  const file = eventsOfPlan(events);
  let isRead = false;
  let ended = 0;
  let failed = 0;
  let work = workOf([]);
  const planned = ({ plan, diagnostics, view }: Extract<RunEvent, { readonly type: 'planned' }>): void => {
    work = workOf(plan.steps);
    const isAsked = asks && plan.withheld.length === 0 && plan.steps.length > 0;
    const found = isShown || isAsked ? besidesDangers(reviewed(plan, diagnostics, null)) : diagnostics;
    showDiagnostics(flags.details === true ? unfolded(diagnostics) : found, terminal);
    if (!isShown) return;
    const { body, urgent = [], result } = view();
    const read = blocksText(body, terminal.paintOut, flags);
    const closing = blocksText([...urgent, { type: 'text', text: result }], terminal.paintOut, flags);
    const head = settings === null ? '' : targetLine(settings, terminal.paintOut);
    showText(`${head}${read}${read === '' ? '' : '\n'}${closing}`, terminal);
    isRead = true;
  };
  return {
    onEnded: (outcome, code) => {
      file.onEnded(outcome, code);
      if (outcome.state !== 'known') return;
      const { end } = outcome.value;
      if (end.type === 'ended') events.tell(() => [summaryEvent(end.report, code)]);
      if (end.type === 'mismatch') events.tell(() => [failureEvent(mismatchLine(end.file, end.mismatch))]);
    },
    hasRead: () => isRead,
    // Without a text, it is said here.
    note: ({ plan, end, customers = null }) => {
      const failure = flags.json !== true || end.type === 'planned' ? null : failureIn({ plan, end, customers });
      return failure === null ? '' : `${terminal.paintErr('error', 'Error:')} ${plain(failure)}\n`;
    },
    shows: ({ plan, end }, view) => {
      if (!isRead) return view;
      if (end.type === 'withheld') return { ...view, urgent: [], body: [] };
      const isIdle =
        end.type === 'ended' && plan.steps.length + plan.summary.adopt === 0 && (view.urgent ?? []).length === 0;
      return end.type === 'planned' || isIdle ? null : view;
    },
    report: (event) => {
      switch (event.type) {
        case 'planned':
          file.report(event);
          return planned(event);
        case 'sending':
        case 'waiting':
        case 'ended': {
          if (event.type === 'ended') ended += event.results.length;
          events.tell(() => applyEvents(event, { ended, total: work.total }));
          if (flags.quiet === true && event.type !== 'waiting') return;
          if (event.type !== 'ended' || work.total <= MOST_LINES) {
            for (const line of progressLines(event, terminal.paintErr)) showRemark(`${line}\n`, terminal);
            return;
          }
          // The report at the end has all of them.
          const results = event.results
            .filter(({ outcome }) => outcome.status === 'failed')
            .slice(0, MOST_LINES - failed);
          failed += results.length;
          for (const line of progressLines({ ...event, results }, terminal.paintErr)) showRemark(`${line}\n`, terminal);
          terminal.notice({ ...work, done: ended });
        }
      }
    },
  };
}
