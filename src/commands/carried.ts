// Results of `apply`, `destroy` and `undo`: a plan that was carried out, or was stopped before.

import type { ApplyReport } from '../apply/apply.ts';
import type { ApplyEvent } from '../apply/input.ts';
import { sumOf } from '../base/grouped.ts';
import type { Diagnostic } from '../base/model.ts';
import { few } from '../base/text.ts';
import { withheldSection } from '../features/plan/dangers.ts';
import type { ExitCode } from '../many/operation.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { applyDocument, type DocumentMembers, notAppliedDocument } from '../render/documents.ts';
import { applyEvents, diagnosticEvents, failureEvent, planEvents, summaryEvent } from '../render/events.ts';
import { type ApplyCommand, causeText, progressLines, reportText } from '../render/text/apply.ts';
import { type ApplyOptions, type Carried, hasChanges, type Stop, workOf } from '../run/apply.ts';
import { inSync, isNothing } from '../tasks/targets/plans.ts';
import type { TargetState } from '../tasks/targets/schema.ts';
import type { Paint } from '../view/paint.ts';
import { plain } from '../view/plain.ts';
import { blocksText } from '../view/writers/terminal.ts';
import type { Events } from './events-file.ts';
import type { PlanView } from './plan-view.ts';
import { confirm, EXIT_CODES, type Result, type ResultRow, showDiagnostics, showRemark, showText } from './result.ts';
import type { Terminal } from './terminal.ts';

interface Flags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly details?: boolean;
  readonly verify?: boolean;
}

/** How a command carries out plans, and its words for that. */
export interface Carrier {
  /** The word that confirms it. */
  readonly command: ApplyCommand;
  /** What saying the word does. */
  readonly so: (plan: Plan) => string;
  /** Go ahead without asking. */
  readonly yes: boolean;
  /** What a person reads before. */
  readonly preview: (plan: Plan, diagnostics: readonly Diagnostic[]) => PlanView;
  readonly events: Events;
}

/** Writes with a line each; of more, only their number is told while they are made. */
const MOST_LINES = 50;

/** Shows the plan, asks, and reports progress while it is carried out. */
export function carryOptions(carrier: Carrier, flags: Flags, terminal: Terminal): ApplyOptions {
  const { events, command, so, yes } = carrier;
  let ended = 0;
  let failed = 0;
  let work = workOf([]);
  return {
    verify: flags.verify !== false,
    agree: async (plan, diagnostics) => {
      work = workOf(plan.steps);
      events.tell(() => [...diagnosticEvents(diagnostics), ...planEvents(plan)]);
      const isShown = flags.json !== true && flags.quiet !== true;
      const asks = !yes && plan.withheld.length === 0 && hasChanges(plan);
      const { body, closing, findings } = carrier.preview(plan, diagnostics);
      showDiagnostics(isShown || asks ? findings : diagnostics, terminal);
      if (isShown) showText(body(terminal.paintOut) + closing(terminal.paintOut), terminal);
      if (!asks) return null;
      // Who has not just read it on this terminal reads it in the question.
      const isRead = isShown && terminal.paintOut.width !== undefined;
      const question = isRead ? '' : closing(terminal.paintErr).trimEnd();
      return confirm({ question, word: command, so: so(plan), yes: false }, terminal);
    },
    onEvent: (event: ApplyEvent) => {
      if (event.type === 'ended') ended += event.results.length;
      events.tell(() => applyEvents(event, { ended, total: work.total }));
      if (flags.quiet === true && event.type !== 'waiting') return;
      if (event.type !== 'ended' || work.total <= MOST_LINES) {
        for (const line of progressLines(event, terminal.paintErr)) showRemark(`${line}\n`, terminal);
        return;
      }
      // The report at the end has all of them.
      const results = event.results.filter(({ outcome }) => outcome.status === 'failed').slice(0, MOST_LINES - failed);
      failed += results.length;
      for (const line of progressLines({ ...event, results }, terminal.paintErr)) showRemark(`${line}\n`, terminal);
      terminal.notice({ ...work, done: ended });
    },
  };
}

/** What the document has in addition to the plan. */
interface About {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly members?: DocumentMembers;
}

export function stoppedResult(
  { reason, message }: Stop,
  { plan, diagnostics, members = {} }: About,
  events: Events,
  flags: Flags,
  { signal }: Terminal,
): Result {
  const said = plain(message);
  const document = (text: string) => () => notAppliedDocument(plan, text, diagnostics, members);
  // The events of the plan have what withholds it.
  if (reason !== 'withheld') events.tell(() => [failureEvent(said)]);
  switch (reason) {
    case 'withheld':
      return {
        code: 3,
        row: {
          state: 'withheld',
          figures: plan.summary,
          requests: null,
          message: few(plan.withheld.map(({ guard }) => guard)),
          shown: (paint) => blocksText(withheldSection(plan), paint),
        },
        note: (paint) => {
          // Without --json, stdout shows the plan with what withholds it.
          if (flags.json === true) return `${paint('error', 'Withheld:')} ${said}\n`;
          return `${flags.quiet === true ? blocksText(withheldSection(plan), paint) : ''}Nothing was changed.\n`;
        },
        document: document(`withheld: ${said}`),
        text: null,
      };
    case 'declined':
      return { code: signal.aborted ? 130 : 1, document: document(said), text: null };
    case 'lease-lost':
      return { code: 4, error: said, document: document(said), text: null };
  }
}

export function carriedResult(
  { runId, report, requests, sent }: Carried,
  { plan, diagnostics, members = {} }: About,
  { command, events }: Carrier,
  flags: Flags,
  /** What a person reads after it, the exit code when all of it was done, and members of the document that are known when it is made. */
  {
    closing = () => '',
    done = 0,
    later = () => ({}),
  }: {
    readonly closing?: (paint: Paint) => string;
    readonly done?: ExitCode;
    readonly later?: () => DocumentMembers;
  } = {},
): Result {
  const code = exitCode(report) || done;
  events.tell(() => [summaryEvent(report, code)]);
  const reported = (paint: Paint): string =>
    reportText(plan, report, sent, paint, { command, run: runId, details: flags.details === true });
  return {
    code,
    row: carriedRow(plan, { report, requests }, code, reported),
    document: () => applyDocument(plan, report, requests, diagnostics, { ...members, ...later() }),
    text: (paint) => {
      if (!hasChanges(plan) && report.outcome === 'done') return `${adoptedText(plan)}${closing(paint)}`;
      return `${flags.quiet === true ? '' : '\n'}${reported(paint)}${closing(paint)}`;
    },
  };
}

const CARRIED: { readonly [outcome in ApplyReport['outcome']]: TargetState } = {
  done: 'applied',
  failed: 'failed',
  partial: 'in part',
  unsettled: 'in part',
  interrupted: 'interrupted',
};

/** The result among those of other targets: what was done as asked is a line of the table. */
function carriedRow(
  plan: Plan,
  { report, requests }: Pick<Carried, 'report' | 'requests'>,
  code: ExitCode,
  reported: (paint: Paint) => string,
): ResultRow {
  const { add, change, destroy } = plan.summary;
  const sent = sumOf(requests);
  const about = { figures: { add, change, destroy }, requests: sent };
  if (code === 0) return { ...about, ...(isNothing(plan) ? inSync(plan) : { state: 'applied' }), shown: null };
  if (report.outcome === 'done') return { ...about, state: 'differs', shown: reported };
  const cause = { message: causeText(report) };
  if (code === 4) return { ...about, ...cause, state: 'locked', shown: null };
  return { ...about, ...cause, figures: doneIn(report), state: CARRIED[report.outcome], shown: reported };
}

/** What was done of a plan that was not done as a whole. */
function doneIn({ results }: ApplyReport): ResultRow['figures'] {
  const done = results.filter(({ outcome }) => outcome.status === 'done').map(({ step }) => step.operation);
  const of = (...operations: readonly Step['operation'][]): number =>
    done.filter((each) => operations.includes(each)).length;
  return { add: of('create'), change: of('update', 'transition'), destroy: of('delete') };
}

/** A run that lost the lease before its first request was locked out. */
function exitCode({ outcome, refused, failure, results }: ApplyReport): ExitCode {
  const isUntouched = failure === null && results.every((result) => result.outcome.status === 'not-sent');
  return outcome === 'failed' && refused !== null && isUntouched ? 4 : EXIT_CODES[outcome];
}

function adoptedText({ summary, target }: Plan): string {
  return summary.adopt === 0
    ? ''
    : `Adopted ${summary.adopt} on ${plain(target)} without a request: from now on they are owned.\n`;
}
