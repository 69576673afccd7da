// A command for several targets: it runs once for each, some at a time, and answers once. A target that fails stops no other.

import { setMaxListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import pLimit from 'p-limit';
import type { Json } from '../base/model.ts';
import { counted, findingCounts } from '../base/text.ts';
import { keptFiles, parseReports, reportsWith } from '../outlets/report-files.ts';
import { pathsInRepository } from '../outlets/repository.ts';
import { commandDocument, type DocumentMembers } from '../render/documents.ts';
import { uncoloured } from '../render/paint.ts';
import { plain } from '../render/plain.ts';
import { TARGETS_REPORTS, targetsRenderers } from '../render/reports/targets.ts';
import { noticeText } from '../render/text/notice.ts';
import { answerLine, MOST_SHOWN, type ShownResult, targetsText } from '../render/text/targets.ts';
import { USUAL_PARALLEL } from '../run/selected.ts';
import { findings, inOrder, shelf, summaryOf, worstCode } from '../tasks/targets/report.ts';
import type { TargetAnswer, TargetState, TargetsReport } from '../tasks/targets/schema.ts';
import { told } from '../yaml/diagnostics.ts';
import { type ChosenTargets, type CommonFlags, chosenTargets, type KnownTargets } from './chosen-targets.ts';
import type { FlagsOfOne, Several, SeveralFlags } from './flags.ts';
import { type ExitCode, type Result, type ResultRow, resultOf, saved } from './result.ts';
import type { Terminal } from './terminal.ts';

/** How a command runs for several targets. */
export interface Together<Flags extends SeveralFlags> extends KnownTargets {
  /** Flags of the run for one target, in place of those of the command. */
  readonly own?: (target: string) => Partial<FlagsOfOne<Flags>>;
  /** The command writes files that targets share: it runs for one target at a time, and each run reads what the last one wrote. */
  readonly writesFiles?: true;
  /** A run that was begun is finished also after a signal. */
  readonly isFinished?: true;
  /** The digest of all saved plans, from those of each. */
  readonly digestOf?: (digests: ReadonlyMap<string, string>) => string;
}

/** Runs a command once for each target that its flags choose. */
export async function forEachTarget<Flags extends CommonFlags, Args extends unknown[]>(
  command: string,
  several: Several<Flags, Args>,
  together: Together<Flags> = {},
): Promise<Result> {
  const gathered = await gathering(command, several, together);
  if ('code' in gathered) return gathered;
  const { flags, terminal } = several;
  return runAll(gathered, { flags: together.writesFiles === true ? { ...flags, parallel: 1 } : flags, terminal });
}

/** From so many targets on, less memory is worth a tenth more processor time. */
const MANY = 100;

/** Runs the command for all targets, some at a time. */
export async function runAll(
  { targets, run, skip, result }: Gathering,
  { flags, terminal }: { readonly flags: SeveralFlags; readonly terminal: Terminal },
): Promise<Result> {
  // What is read of a license is soon garbage, and the heap would grow to four times of what is kept.
  if (targets.length > MANY) setFlagsFromString('--heap-growing-percent=100');
  const limited = pLimit(flags.parallel ?? USUAL_PARALLEL);
  await Promise.all(
    targets.map((target) => limited(async () => (terminal.signal.aborted ? skip(target) : run(target)))),
  );
  return result();
}

/** Runs for the targets that were chosen, and the result of all of them. */
export interface Gathering extends Pick<ChosenTargets, 'opened' | 'terminal'> {
  /** By name. */
  readonly targets: readonly string[];
  readonly run: (target: string) => Promise<TargetAnswer>;
  /** Records a target for which the command was not run. */
  readonly skip: (target: string) => TargetAnswer;
  /** Records an answer that is known from before. */
  readonly restore: (answer: TargetAnswer) => void;
  readonly answers: ReadonlyMap<string, TargetAnswer>;
  /** `more`: further members of the document. */
  readonly result: (more?: DocumentMembers) => Result;
}

/** Chooses the targets of a command, and makes what runs it for each of them. A project with errors is the result. */
export async function gathering<Flags extends CommonFlags, Args extends unknown[]>(
  command: string,
  { flags, terminal: asked, one }: Pick<Several<Flags, Args>, 'flags' | 'terminal' | 'one'>,
  { own = () => ({}), digestOf, isFinished, writesFiles, ...known }: Together<Flags>,
): Promise<Gathering | Result> {
  const chosen = await chosenTargets(command, { flags, terminal: asked }, known);
  if ('code' in chosen) return chosen;
  const { opened, scope, terminal } = chosen;
  const { targets: settings, since, orphaned } = scope;
  const { table } = opened.project;
  const reports = await parseReports(flags.report ?? [], TARGETS_REPORTS, [
    ...(table === null ? [] : [table]),
    ...settings.flatMap((each) => keptFiles(each)),
  ]);
  setMaxListeners(0, NEVER);
  const pathOf = await pathsInRepository(terminal.env);
  const wantsDocuments = flags.json === true || reports.some(({ format }) => format === 'json');
  const shown = shelf<Shown>();
  const found = findings();
  const answers = new Map<string, TargetAnswer>();
  const digests = new Map<string, string>();
  /** Why there is nothing of the name that was asked for, on the first target without it. */
  let absence: Result | null = null;

  function record(target: string, result: Result, seconds: number): TargetAnswer {
    const row = rowOf(result);
    const { diagnostics = [], code, document } = result;
    found.add(target, diagnostics);
    if (row.digest !== undefined) digests.set(target, row.digest);
    const read = row.shown;
    const ended = row.code ?? code;
    const isTold = shown.groups.length < MOST_SHOWN && !(flags.quiet === true && (ended === 0 || ended === 2));
    const place =
      read === null
        ? null
        : shown.put(target, row.alike ?? null, () => ({
            text: isTold ? read(terminal.paintOut) : '',
            likeness: row.likeness ?? null,
            plain: reports.length > 0 ? read(uncoloured) : '',
            document: wantsDocuments ? (JSON.parse(document?.() ?? 'null') as Json) : null,
          }));
    const message = row.message ?? (row.code === undefined ? (result.error ?? null) : null);
    const { state, figures, requests } = row;
    if (state === 'absent') absence ??= result;
    const answer = { target, state, exit_code: ended, figures, requests, seconds, message, alike: place };
    answers.set(target, answer);
    if (flags.quiet !== true) tell(answer);
    return answer;
  }

  function tell(answer: TargetAnswer): void {
    const { paintErr, notice, err } = terminal;
    if (paintErr.width === undefined) err(answerLine(answer, paintErr));
    else notice({ type: 'working', verb: command, done: answers.size, total: settings.length, noun: 'targets' });
  }

  return {
    opened,
    terminal,
    targets: settings.map(({ name }) => name),
    run: async (target) => {
      const begun = terminal.clock.now();
      const { target: _, label, all, changedSince, parallel, report: __, ...others } = flags;
      const shared = writesFiles === true ? {} : { opened };
      const flagsOfOne = { ...others, target, ...shared, ...own(target) } as unknown as FlagsOfOne<Flags>;
      const signal = isFinished === true ? NEVER : terminal.signal;
      const seat = { ...seatOf(target, terminal), signal };
      const result = await one(flagsOfOne, seat)
        .then(saved)
        .catch((error: unknown) => resultOf(error, terminal));
      return record(target, result, (terminal.clock.now() - begun) / 1000);
    },
    skip: (target) => record(target, terminal.signal.aborted ? { ...NOT_BEGUN, code: 130 } : NOT_BEGUN, 0),
    restore: (answer) => {
      answers.set(answer.target, { ...answer, alike: null });
    },
    answers,
    result: (more = {}) => {
      // A name that no target has is probably misspelt.
      if (absence !== null && [...answers.values()].every(({ state }) => state === 'absent')) return absence;
      const { groups, placeOf } = inOrder(shown);
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
      const reading = {
        report: whole,
        texts: groups.map((group) => group.shown.plain),
        diagnostics,
        errored,
        at,
        pathOf,
      };
      return {
        code: terminal.signal.aborted ? 130 : code,
        diagnostics,
        document: () => commandDocument({ ...whole, ...more }, diagnostics, errored),
        text: (paint) =>
          targetsText(
            whole,
            groups.map((group) => group.shown),
            paint,
          ),
        files: reportsWith(reports, (format) => targetsRenderers[format](reading)),
      };
    },
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

function rowOf({ row, code, text, diagnostics = [] }: Result): ResultRow {
  if (row !== undefined) return row;
  const { errors } = findingCounts(diagnostics);
  const message = code === 1 && errors > 0 ? { message: counted(errors, 'error') } : {};
  return { state: STATES[code], figures: {}, requests: null, shown: text, ...message };
}

const NEVER = new AbortController().signal;

const NOT_BEGUN: Result = {
  code: 1,
  row: { state: 'not begun', figures: {}, requests: null, shown: null },
  document: null,
  text: null,
};

/** The terminal of one of several targets: notices name the target, and progress and questions are not shown. */
function seatOf(target: string, terminal: Terminal): Terminal {
  const { err, log, notice, paintErr } = terminal;
  const mute = (): void => {};
  return {
    ...terminal,
    out: mute,
    err: mute,
    tellRunner: mute,
    ask: async () => null,
    log: (level, message, fields = {}) => log(level, message, { target, ...fields }),
    notice: (what) => {
      if (what.type === 'working' || what.type === 'retry') return;
      if (what.type === 'certificates-checked') notice(what);
      else err(`${plain(target)}: ${noticeText(what, paintErr)}\n`);
    },
  };
}
