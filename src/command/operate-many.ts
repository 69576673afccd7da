// An operation as a command for several targets: its outcomes become one table, what there is to read of them, report files and the exit code.

import { UsageError } from '../base/errors.ts';
import { sumOf } from '../base/grouped.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { type Pieces, textOf } from '../base/pieces.ts';
import type { Outcome } from '../many/operation.ts';
import { type Asked, documentOf, findingsOf, isErrored, pageOf, rowOf, withFindings } from '../many/outputs.ts';
import { digestOfPlans } from '../many/plans/plans.ts';
import { findings, summaryOf, worstCode } from '../many/report.ts';
import { notBegun, runMany } from '../many/run.ts';
import type { TargetAnswer, TargetsReport } from '../many/schema.ts';
import { outcomeIn } from '../many/stored.ts';
import { alikeOf, alikeSections, answerText, manyFrame, type RowOfOutcome, targetsTable } from '../many/view.ts';
import { parseReports, type ReportFile } from '../outlets/report-files.ts';
import type { TargetChoice } from '../target/choice.ts';
import type { Table } from '../view/blocks.ts';
import { type DocumentMembers, documentPieces } from '../view/documents.ts';
import { plain } from '../view/plain.ts';
import type { Outputs } from '../view/report.ts';
import { tableCsv } from '../view/writers/csv.ts';
import { blocksText } from '../view/writers/terminal.ts';
import { limitFindings } from '../yaml/diagnostics.ts';
import { type ChosenTargets, type CommonFlags, chosenTargets, type KnownTargets } from './chosen-targets.ts';
import type { TargetsFlags, WorkersFlags } from './flags.ts';
import { tellNews } from './news.ts';
import { choiceIn, contextOf, filesOf, type OutputFlags, problemLine, shown, writersOf } from './operate.ts';
import { type Result, showRemark, showWarning } from './result.ts';
import type { Terminal } from './terminal.ts';

/** What a command adds to its operation on several targets. */
export interface OnMany<Value> {
  /** Called once the targets are chosen. @throws UsageError where nothing is to begin */
  readonly begin?: (chosen: ChosenTargets) => Promise<void>;
  /** Further lines on stderr. */
  readonly note?: (chosen: ChosenTargets) => string;
  /** A warning about all outcomes; null for none. */
  readonly warning?: (outcomes: Iterable<Outcome<Value>>, chosen: ChosenTargets) => string | null;
}

/** An operation on the targets that were chosen, whose outcomes come one by one. */
export interface ManyRun<Options, Value> {
  readonly asked: Asked<Options, Value>;
  readonly chosen: ChosenTargets;
  /** By name. */
  readonly names: readonly string[];
  /** Of each target but its name. */
  readonly choice: TargetChoice;
  readonly outcomes: ReadonlyMap<string, Outcome<Value>>;
  /** Adds an outcome that is known from before. */
  readonly restore: (outcome: Outcome<Value>) => void;
  /** Adds an outcome, and tells it. */
  readonly record: (outcome: Outcome<Value>) => void;
  /** Of all targets; one without an outcome was not begun. */
  readonly result: (more?: DocumentMembers) => Promise<Result>;
}

/** Flags of a command for several targets. */
type ManyFlags = CommonFlags & OutputFlags & TargetsFlags;

/** Chooses the targets. A project with errors is the result. @throws UsageError for a choice that no target fits, and for a report that is not known */
export async function openManyRun<Options, Value>(
  asked: Asked<Options, Value>,
  flags: ManyFlags,
  given: Terminal,
  known: KnownTargets = {},
): Promise<ManyRun<Options, Value> | Result> {
  const { operation } = asked;
  const chosen = await chosenTargets(operation.name, { flags, terminal: given }, known);
  if ('code' in chosen) return chosen;
  const { opened, scope, terminal } = chosen;
  const names = scope.targets.map(({ name }) => name);
  const kept = { choice: { ...flags, opened }, environment: terminal };
  const index = operation.index?.(asked.options) ?? null;
  const reports = await parseReports(flags.report ?? [], writersOf(asked), kept, index === null ? [] : names);
  const { target: _, ...about } = flags;
  const outcomes = new Map<string, Outcome<Value>>();
  return {
    asked,
    chosen,
    names,
    choice: choiceIn(about),
    outcomes,
    restore: (outcome) => {
      outcomes.set(outcome.target, outcome);
    },
    record: (outcome) => {
      outcomes.set(outcome.target, outcome);
      for (const problem of outcome.problems)
        if (problem.level !== 'note')
          showRemark(`${plain(outcome.target)}: ${problemLine(problem, terminal.paintErr)}`, terminal);
      if (flags.quiet !== true) tell(asked, outcome, { ended: outcomes.size, total: names.length }, terminal);
    },
    result: (more) => {
      const all = names.map((name) => outcomes.get(name) ?? notBegun(operation.name, name, terminal));
      return manyResult(asked, all, chosen, reports, flags, more);
    },
  };
}

/** Tells channels of all targets of a run, once. `run`: its id; null for one without. */
export async function tellOfAll<Options, Value>(
  { asked, chosen, names, outcomes }: Pick<ManyRun<Options, Value>, 'asked' | 'chosen' | 'names' | 'outcomes'>,
  run: string | null,
): Promise<void> {
  const { opened, terminal } = chosen;
  const all = names.map((name) => outcomes.get(name) ?? notBegun(asked.operation.name, name, terminal));
  const problems = await tellNews(asked, all, (name) => opened.project.targets.get(name), { run }, terminal);
  for (const { message } of problems) showWarning(message, terminal);
}

/** What a run keeps of what it was asked, for another process that goes on with it. */
export function requestOf<Options, Value>(
  { asked, choice }: Pick<ManyRun<Options, Value>, 'asked' | 'choice'>,
  { yes }: OutputFlags,
): JsonObject {
  const { opened: _, ...own } = choice;
  const request = { ...own, options: asked.options, ...(yes === true ? { yes } : {}) };
  return JSON.parse(JSON.stringify(request)) as JsonObject;
}

/** Several targets: the outcome of each is told as it comes, and all of them are one result. */
export async function operateOnMany<Options, Value>(
  asked: Asked<Options, Value>,
  flags: ManyFlags,
  given: Terminal,
  { begin = async () => {}, note, warning = () => null }: OnMany<Value> = {},
): Promise<Result> {
  const { operation, options } = asked;
  const all = await openManyRun(asked, flags, given);
  if ('code' in all) return all;
  const { chosen, names, choice } = all;
  const { opened, terminal } = chosen;
  await begin(chosen);
  const result = async (): Promise<Result> => {
    const made = await all.result();
    const said = warning(all.outcomes.values(), chosen);
    if (said !== null) showWarning(said, terminal);
    return note === undefined || flags.quiet === true || made.code === 130
      ? made
      : { ...made, note: () => note(chosen) };
  };
  requireWorkers(flags);
  if (flags.workers === true) {
    const { everyTarget, onWorkers } = await import('./on-workers.ts');
    return onWorkers(
      {
        command: operation.name,
        project: opened.project,
        request: requestOf(all, flags),
        recorder: (_, summary) => all.record(outcomeIn(summary)),
        spec: everyTarget(names, flags),
        digest: null,
        plans: null,
        finish: result,
      },
      { flags, terminal },
    );
  }
  await runMany(operation, { opened, names }, choice, options, contextOf(terminal, flags, false), {
    ...(flags.parallel === undefined ? {} : { parallel: flags.parallel }),
    onEnded: all.record,
  });
  await tellOfAll(all, null);
  return result();
}

/** @throws UsageError for `--detach` without workers */
export function requireWorkers({ workers, detach }: WorkersFlags): void {
  if (detach === true && workers !== true)
    throw new UsageError('--detach leaves a run to workers: give it with `--workers`');
}

/** While others are under way. */
function tell<Options, Value>(
  asked: Asked<Options, Value>,
  outcome: Outcome<Value>,
  { ended, total }: { readonly ended: number; readonly total: number },
  { err, notice, paintErr }: Terminal,
): void {
  if (paintErr.width !== undefined)
    notice({ type: 'working', verb: asked.operation.name, done: ended, total, noun: 'targets' });
  else
    err(blocksText([{ type: 'text', text: answerText(answerOf({ outcome, row: rowOf(asked, outcome) })) }], paintErr));
}

function answerOf({ outcome, row }: RowOfOutcome<unknown>): TargetAnswer {
  const { state, code, figures, requests, message } = row;
  const sent = outcome.requests === null ? null : sumOf(outcome.requests);
  return {
    target: outcome.target,
    state,
    exit_code: code,
    figures,
    requests: requests === undefined ? sent : requests,
    seconds: outcome.seconds,
    message: message ?? null,
    alike: null,
  };
}

async function manyResult<Options, Value>(
  asked: Asked<Options, Value>,
  outcomes: readonly Outcome<Value>[],
  { scope, terminal }: ChosenTargets,
  reports: readonly ReportFile<Outcome<Value>>[],
  flags: OutputFlags,
  more: DocumentMembers = {},
): Promise<Result> {
  // A name that no target has is probably misspelt.
  const absent = outcomes.filter(({ state }) => state === 'absent');
  const [first] = absent;
  if (first !== undefined && absent.length === outcomes.length)
    return {
      code: 1,
      error: 'message' in first ? first.message : '',
      document: () => documentOf(asked, first),
      text: null,
    };
  const each = flags.details === true;
  const rows = outcomes.map((outcome) => ({ outcome, row: rowOf(asked, outcome) }));
  const alike = alikeOf(asked, rows, { each });
  const digests = new Map(
    rows.flatMap(({ outcome, row: { digest } }) => (digest === undefined ? [] : [[outcome.target, digest] as const])),
  );
  const places = new Map(alike.flatMap(({ targets }, place) => targets.map((target) => [target, place] as const)));
  const answers = rows.map(
    (each): TargetAnswer => ({ ...answerOf(each), alike: places.get(each.outcome.target) ?? null }),
  );
  const found = findings();
  for (const { target, diagnostics } of outcomes) found.add(target, diagnostics);
  const diagnostics = limitFindings([...scope.diagnostics, ...found.all(outcomes.length)]);
  const report: Omit<TargetsReport, 'alike'> = {
    command: asked.operation.name,
    targets: answers,
    since: scope.since,
    orphaned: scope.orphaned,
    summary: summaryOf(answers, digests.size === 0 ? null : digestOfPlans(digests)),
  };
  const code = terminal.signal.aborted ? 130 : (worstCode(answers.map(({ exit_code }) => exit_code)) as Result['code']);
  const document = (): Pieces => {
    const { summary, ...members } = report;
    const documents: TargetsReport['alike'] = alike.map(({ targets, outcome }) => ({
      targets,
      document: JSON.parse(textOf(documentOf(asked, outcome))) as Json,
    }));
    return documentPieces({ ...members, ...more, alike: documents, summary }, diagnostics, isErrored(code));
  };
  const labels = new Map(scope.targets.map((target) => [target.name, target.labels]));
  const entries = rows.map((each) => ({ ...each, labels: labels.get(each.outcome.target) ?? new Map() }));
  const { blocks, isAll } = asked.operation.together?.(entries, asked.options) ?? { blocks: [], isAll: false };
  const isShown = !isAll || each;
  const listed = isShown ? report : { ...report, targets: answers.map((answer) => ({ ...answer, alike: null })) };
  const body = [...blocks, ...(isShown ? alikeSections(asked, alike, { each }) : [])];
  const view = { ...manyFrame(report), urgent: targetsTable(listed), body };
  const page = withFindings(view, diagnostics);
  const index = asked.operation.index?.(asked.options) ?? null;
  const outputs = (): Outputs<Outcome<Value>> => ({
    outcomes,
    view: index === null ? page : withFindings(index(entries), scope.diagnostics),
    ...(index === null
      ? {}
      : { pages: new Map(outcomes.map((outcome) => [outcome.target, () => pageOf(asked, outcome, 'page')])) }),
    comment: () => page,
    findings: outcomes.map((outcome) => findingsOf(asked, outcome)),
    table: tableOfMany(asked, outcomes),
    document,
  });
  return {
    code,
    diagnostics,
    document,
    text: (paint) => (flags.csv === true ? tableCsv(tableOfMany(asked, outcomes)) : shown(view, flags, paint)),
    ...(flags.csv === true ? { verbatim: true as const } : {}),
    files: await filesOf(reports, outputs, terminal),
  };
}

/** The table of each target with its name in front, and a row for each that failed. */
function tableOfMany<Options, Value>(asked: Asked<Options, Value>, outcomes: readonly Outcome<Value>[]): Table {
  const { operation, options } = asked;
  const tables = outcomes.map((outcome) => ({
    outcome,
    table: outcome.state === 'known' ? operation.table(outcome.value, outcome, options) : null,
  }));
  const columns = tables.flatMap(({ table }) => (table === null ? [] : [table.columns]))[0] ?? [];
  return {
    type: 'table',
    columns: [{ title: 'target' }, { title: 'problem' }, ...columns],
    rows: tables.flatMap(({ outcome, table }) =>
      table === null
        ? [{ cells: [outcome.target, rowOf(asked, outcome).message ?? outcome.state, ...columns.map(() => '')] }]
        : table.rows.map((row) => ({ ...row, cells: [outcome.target, '', ...row.cells] })),
    ),
  };
}
