// Results of a command for several targets: each is recorded and told as it comes, and all of them together are one result.

import type { Json } from '../base/model.ts';
import { counted, findingCounts } from '../base/text.ts';
import type { ExitCode } from '../many/operation.ts';
import { parseReports, reportsWith } from '../outlets/report-files.ts';
import { pathsInRepository } from '../outlets/repository.ts';
import { commandDocument, type DocumentMembers } from '../render/documents.ts';
import { TARGETS_REPORTS, targetsRenderers } from '../render/reports/targets.ts';
import { answerLine, MOST_SHOWN, type ShownResult, targetsText } from '../render/text/targets.ts';
import { findings, inOrder, shelf, summaryOf, worstCode } from '../tasks/targets/report.ts';
import type { TargetAnswer, TargetState, TargetsReport } from '../tasks/targets/schema.ts';
import { uncoloured } from '../view/paint.ts';
import { told } from '../yaml/diagnostics.ts';
import type { ChosenTargets, CommonFlags } from './chosen-targets.ts';
import type { Result, ResultRow } from './result.ts';
import type { Terminal } from './terminal.ts';

export interface TargetResults {
  readonly record: (target: string, performed: Performed) => TargetAnswer;
  /** Records a target for which the command was not run. */
  readonly skip: (target: string) => TargetAnswer;
  /** Records an answer that is known from before. */
  readonly restore: (answer: TargetAnswer) => void;
  readonly answers: ReadonlyMap<string, TargetAnswer>;
  /** `more`: further members of the document. */
  readonly result: (more?: DocumentMembers) => Result;
}

/** What the command did for one target. */
export interface Performed {
  readonly result: Result;
  readonly seconds: number;
}

/** Runs for the targets that were chosen, and the result of all of them. */
export interface Gathering
  extends Pick<ChosenTargets, 'opened' | 'terminal'>,
    Pick<TargetResults, 'record' | 'skip' | 'restore' | 'answers' | 'result'> {
  /** By name. */
  readonly targets: readonly string[];
  /** Runs the command for a target, and records nothing. Rejects with NotBegun where the work of a run was not begun. */
  readonly perform: (target: string, around?: Pick<Terminal, 'job'>) => Promise<Performed>;
  /** Runs the command for a target, and records its result. */
  readonly run: (target: string, around?: Pick<Terminal, 'job'>) => Promise<TargetAnswer>;
}

/** The digest of all saved plans, from those of each. */
export type DigestOfTargets = (digests: ReadonlyMap<string, string>) => string;

/** @throws UsageError for a report that is not known, or would replace a file that a target keeps */
export async function targetResults(
  command: string,
  flags: Pick<CommonFlags, 'report' | 'json' | 'quiet' | 'varFile'>,
  { opened, scope, terminal }: ChosenTargets,
  digestOf: DigestOfTargets | undefined,
): Promise<TargetResults> {
  const { targets: settings, since, orphaned } = scope;
  const keeping = { choice: { ...flags, opened }, environment: terminal };
  const reports = await parseReports(flags.report ?? [], TARGETS_REPORTS, keeping);
  const pathOf = await pathsInRepository(terminal.env);
  const wantsDocuments = flags.json === true || reports.some(({ format }) => format === 'json');
  const shown = shelf<Shown>();
  const found = findings();
  const answers = new Map<string, TargetAnswer>();
  const digests = new Map<string, string>();
  /** Why there is nothing of the name that was asked for, on the first target without it. */
  let absence: Result | null = null;

  function record(target: string, performed: Performed): TargetAnswer {
    const { result } = performed;
    const row = rowOf(result);
    const plainly = answerOf(target, performed);
    found.add(target, result.diagnostics ?? []);
    if (row.digest !== undefined) digests.set(target, row.digest);
    const read = row.shown;
    const { state, exit_code: code } = plainly;
    const isTold = shown.groups.length < MOST_SHOWN && !(flags.quiet === true && (code === 0 || code === 2));
    const alike =
      read === null
        ? null
        : shown.put(target, row.alike ?? null, () => ({
            text: isTold ? read(terminal.paintOut) : '',
            likeness: row.likeness ?? null,
            plain: reports.length > 0 ? read(uncoloured) : '',
            document: wantsDocuments ? (JSON.parse(result.document?.() ?? 'null') as Json) : null,
          }));
    if (state === 'absent') absence ??= result;
    const answer = { ...plainly, alike };
    answers.set(target, answer);
    if (flags.quiet !== true) tell(answer);
    return answer;
  }

  function tell(answer: TargetAnswer): void {
    const { paintErr, notice, err } = terminal;
    if (paintErr.width === undefined) err(answerLine(answer, paintErr));
    else notice({ type: 'working', verb: command, done: answers.size, total: settings.length, noun: 'targets' });
  }

  function result(more: DocumentMembers = {}): Result {
    // A name that no target has is probably misspelt.
    if (absence !== null && [...answers.values()].every(({ state }) => state === 'absent')) return absence;
    const { groups, placeOf } = inOrder(shown);
    const all = groups.map((group) => group.shown);
    const answered = settings.flatMap(({ name }): readonly TargetAnswer[] => {
      const answer = answers.get(name);
      if (answer === undefined) return [];
      return [{ ...answer, alike: answer.alike === null ? null : (placeOf.get(answer.alike) ?? null) }];
    });
    const diagnostics = told([...scope.diagnostics, ...found.all(settings.length)]);
    const whole: TargetsReport = {
      command,
      targets: answered,
      since,
      orphaned,
      alike: groups.map((group) => ({ targets: group.targets, document: group.shown.document })),
      summary: summaryOf(answered, digests.size === 0 || digestOf === undefined ? null : digestOf(digests)),
    };
    const code = worstCode(answered.map(({ exit_code }) => exit_code)) as ExitCode;
    const errored = code !== 0 && code !== 2;
    const at = new Date(terminal.clock.now()).toISOString();
    const texts = all.map((each) => each.plain);
    const reading = { report: whole, texts, diagnostics, errored, at, pathOf };
    return {
      code: terminal.signal.aborted ? 130 : code,
      diagnostics,
      document: () => commandDocument({ ...whole, ...more }, diagnostics, errored),
      text: (paint) => targetsText(whole, all, paint),
      files: reportsWith(reports, (format) => targetsRenderers[format](reading)),
    };
  }

  return {
    record,
    skip: (target) =>
      record(target, { result: terminal.signal.aborted ? { ...NOT_BEGUN, code: 130 } : NOT_BEGUN, seconds: 0 }),
    restore: (answer) => {
      answers.set(answer.target, { ...answer, alike: null });
    },
    answers,
    result,
  };
}

interface Shown extends ShownResult {
  /** As reports show it. */
  readonly plain: string;
  readonly document: Json | null;
}

/** States of results that say nothing more than an exit code. */
const STATES: { readonly [code in ExitCode]: TargetState } = {
  0: 'done',
  1: 'failed',
  2: 'differs',
  3: 'withheld',
  4: 'locked',
  5: 'outdated',
  6: 'in part',
  130: 'interrupted',
};

/** The answer of a target, next to no other. */
export function answerOf(target: string, { result, seconds }: Performed): TargetAnswer {
  const { state, code, message, figures, requests } = rowOf(result);
  return {
    target,
    state,
    exit_code: code ?? result.code,
    figures,
    requests,
    seconds,
    message: message ?? (code === undefined ? (result.error ?? null) : null),
    alike: null,
  };
}

export function rowOf({ row, code, text, diagnostics = [] }: Result): ResultRow {
  if (row !== undefined) return row;
  const { errors } = findingCounts(diagnostics);
  const message = code === 1 && errors > 0 ? { message: counted(errors, 'error') } : {};
  return { state: STATES[code], figures: {}, requests: null, shown: text, ...message };
}

const NOT_BEGUN: Result = {
  code: 1,
  row: { state: 'not begun', figures: {}, requests: null, shown: null },
  document: null,
  text: null,
};
