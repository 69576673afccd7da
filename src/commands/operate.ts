// An operation as a command: its outcomes, of one target or of several, become stdout, stderr, report files and the exit code.

import { assertNever, UsageError } from '../base/errors.ts';
import { sumOf } from '../base/grouped.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { FORMATS } from '../many/formats.ts';
import type { Context, Outcome, Problem } from '../many/operation.ts';
import {
  type Asked,
  documentOf,
  findingsOf,
  isErrored,
  rowOf,
  viewOf,
  type Written,
  withFindings,
  writeFormat,
  writtenOf,
} from '../many/outputs.ts';
import { notBegun, runMany, runOne } from '../many/run.ts';
import { alikeOf, alikeSections, answerText, manyFrame, targetsTable } from '../many/view.ts';
import { type OutputFile, parseReports, type ReportFile, reportsWith, unwritten } from '../outlets/report-files.ts';
import { pathsInRepository } from '../outlets/repository.ts';
import { commandDocument } from '../render/documents.ts';
import { prepareTarget, type TargetChoice } from '../run/choice.ts';
import { findings, summaryOf, worstCode } from '../tasks/targets/report.ts';
import type { TargetAnswer, TargetsReport } from '../tasks/targets/schema.ts';
import type { Table, View } from '../view/blocks.ts';
import type { Paint } from '../view/paint.ts';
import { plain } from '../view/plain.ts';
import { targetLine } from '../view/terminal/layout.ts';
import { tableCsv } from '../view/writers/csv.ts';
import { blocksText, terminalText } from '../view/writers/terminal.ts';
import { told } from '../yaml/diagnostics.ts';
import { type ChosenTargets, type CommonFlags, chosenTargets } from './chosen-targets.ts';
import { ON_POSTGRES, type SeveralFlags } from './flags.ts';
import { type Result, showRemark, warningLine } from './result.ts';
import type { Terminal } from './terminal.ts';

/** Flags about what is shown, and where. */
export interface OutputFlags {
  readonly json?: true;
  readonly csv?: true;
  readonly quiet?: true;
  readonly details?: true;
  readonly report?: readonly string[];
  /** Each question is answered before it is asked. */
  readonly yes?: true;
}

const CHOICE = [
  'project',
  'opened',
  'target',
  'file',
  'baseUrl',
  'accountsUrl',
  'apiVersion',
  'var',
  'varFile',
  'secretsFile',
  'timeout',
] as const satisfies readonly (keyof TargetChoice)[];

/** Of all that a command was given, which target is meant. */
function choiceIn(flags: TargetChoice): TargetChoice {
  return Object.fromEntries(CHOICE.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));
}

/** A person is asked about one target; of several, only --yes answers. */
function contextOf(terminal: Terminal, { yes }: OutputFlags, isOne: boolean): Omit<Context, 'afterwards'> {
  const { err, paintErr } = terminal;
  return {
    ...terminal,
    ask: async ({ word, so = 'go ahead', about }) => {
      if (yes === true) return 'yes';
      if (!isOne) return 'nobody';
      const asked = blocksText(about, paintErr);
      const answer = await terminal.ask(
        `${asked === '' ? '' : `\n${asked}`}\nType ${paintErr('strong', word)} to ${plain(so)}: `,
      );
      if (answer !== null && answer.trim() !== '' && answer.trim() !== word) err(`The answer was not ${word}.\n`);
      return answer === null ? 'nobody' : answer.trim() === word ? 'yes' : 'no';
    },
  };
}

/** The formats of an operation. */
function formatsOf<Options, Value>({ operation }: Asked<Options, Value>): readonly string[] {
  return [...FORMATS, ...Object.keys(operation.formats ?? {})];
}

/** One target. Its reports are written before anyone else is told. */
export async function operateOn<Options, Value>(
  asked: Asked<Options, Value>,
  flags: TargetChoice & OutputFlags,
  terminal: Terminal,
): Promise<Result> {
  const { operation, options } = asked;
  const reports = await parseReports(flags.report ?? [], formatsOf(asked), { choice: flags, environment: terminal });
  let lost: string | null = null;
  const outcome = await runOne(operation, choiceIn(flags), options, contextOf(terminal, flags, true), async (ended) => {
    // An interrupted operation has not failed.
    if (ended.state === 'interrupted') return;
    lost = await unwritten(await filesOf(reports, () => writtenOf(asked, ended), terminal));
  });
  const { code } = rowOf(asked, outcome);
  const { settings } =
    operation.showsTarget === true && outcome.state === 'known'
      ? await prepareTarget(choiceIn(flags), terminal)
      : { settings: null };
  const problems = [...outcome.problems, ...(lost === null ? [] : [{ level: 'error', message: lost } as const])];
  return {
    code: terminal.signal.aborted ? 130 : outcome.state === 'absent' || lost !== null ? 1 : code,
    diagnostics: outcome.diagnostics,
    ...(outcome.state === 'known' || outcome.diagnostics.length > 0 ? {} : { error: outcome.message }),
    note: (paint) => problems.map((problem) => problemLine(problem, paint)).join(''),
    document: () => documentOf(asked, outcome),
    text: (paint) => {
      if (outcome.state !== 'known') return '';
      if (flags.csv === true) return tableCsv(operation.table(outcome.value, outcome, options));
      const head = settings === null || flags.quiet === true ? '' : targetLine(settings, paint);
      return head + shown(viewOf(asked, outcome), flags, paint);
    },
    ...(flags.csv === true ? { verbatim: true as const } : {}),
  };
}

function problemLine({ level, message }: Problem, paint: Paint): string {
  switch (level) {
    case 'error':
      return `${paint('error', 'Error:')} ${plain(message)}\n`;
    case 'warning':
      return warningLine(plain(message), paint);
    case 'note':
      return `${plain(message)}\n`;
    default:
      return assertNever(level);
  }
}

/** A view on a terminal; with `quiet` only its result. */
export function shown(
  view: View,
  { quiet, details }: { readonly quiet?: boolean | undefined; readonly details?: boolean },
  paint: Paint,
): string {
  if (view.body.length === 0 && view.result === '') return '';
  return quiet === true
    ? blocksText([{ type: 'text', text: view.result }], paint)
    : terminalText(view, paint, { details });
}

async function filesOf<Value>(
  reports: readonly ReportFile<string>[],
  written: () => Written<Value>,
  { env }: Terminal,
): Promise<readonly OutputFile[]> {
  if (reports.length === 0) return [];
  const pathOf = await pathsInRepository(env);
  const made = written();
  return reportsWith(reports, (format) => writeFormat(format, made, pathOf));
}

/** Several targets: the outcome of each is told as it comes, and all of them are one result. */
export async function operateOnMany<Options, Value>(
  asked: Asked<Options, Value>,
  flags: CommonFlags & OutputFlags & SeveralFlags,
  given: Terminal,
): Promise<Result> {
  const { operation, options } = asked;
  const chosen = await chosenTargets(operation.name, { flags, terminal: given });
  if ('code' in chosen) return chosen;
  const { opened, scope, terminal } = chosen;
  const names = scope.targets.map(({ name }) => name);
  const kept = { choice: { ...flags, opened }, environment: terminal };
  const reports = await parseReports(flags.report ?? [], formatsOf(asked), kept);
  const { target: _, ...about } = flags;
  const choice = choiceIn(about as TargetChoice);
  let ended = 0;
  const onEnded = (outcome: Outcome<Value>): void => {
    ended += 1;
    for (const problem of outcome.problems)
      if (problem.level !== 'note')
        showRemark(`${plain(outcome.target)}: ${problemLine(problem, terminal.paintErr)}`, terminal);
    if (flags.quiet !== true) tell(asked, outcome, { ended, total: names.length }, terminal);
  };
  if (flags.detach === true && flags.on !== ON_POSTGRES)
    throw new UsageError('--detach leaves a run to workers: give it with `--on postgres`');
  if (flags.on === ON_POSTGRES) {
    const [{ everyTarget, onWorkers }, { outcomeIn }] = await Promise.all([
      import('./on-workers.ts'),
      import('./worker-operations.ts'),
    ]);
    const known = new Map<string, Outcome<Value>>();
    const outcomeOf = (name: string): Outcome<Value> => known.get(name) ?? notBegun(operation.name, name, terminal);
    return onWorkers(
      {
        command: operation.name,
        project: opened.project,
        request: JSON.parse(
          JSON.stringify({ ...choice, options, ...(flags.yes === true ? { yes: true } : {}) }),
        ) as JsonObject,
        recorder: (name, summary) => {
          const outcome = outcomeIn<Value>(summary);
          known.set(name, outcome);
          onEnded(outcome);
        },
        spec: everyTarget(names, flags),
        digest: null,
        plans: null,
        finish: () => manyResult(asked, names.map(outcomeOf), chosen, reports, flags),
      },
      { flags, terminal },
    );
  }
  const outcomes = await runMany(operation, { opened, names }, choice, options, contextOf(terminal, flags, false), {
    ...(flags.parallel === undefined ? {} : { parallel: flags.parallel }),
    onEnded,
  });
  return manyResult(asked, outcomes, chosen, reports, flags);
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
  else err(blocksText([{ type: 'text', text: answerText(answerOf(asked, outcome)) }], paintErr));
}

function answerOf<Options, Value>(asked: Asked<Options, Value>, outcome: Outcome<Value>): TargetAnswer {
  const { state, code, figures, requests, message } = rowOf(asked, outcome);
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
  reports: readonly ReportFile<string>[],
  flags: OutputFlags,
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
  const alike = alikeOf(asked, outcomes, { each });
  const places = new Map(alike.flatMap(({ targets }, place) => targets.map((target) => [target, place] as const)));
  const answers = outcomes.map(
    (outcome): TargetAnswer => ({ ...answerOf(asked, outcome), alike: places.get(outcome.target) ?? null }),
  );
  const found = findings();
  for (const { target, diagnostics } of outcomes) found.add(target, diagnostics);
  const diagnostics = told([...scope.diagnostics, ...found.all(outcomes.length)]);
  const report: Omit<TargetsReport, 'alike'> = {
    command: asked.operation.name,
    targets: answers,
    since: scope.since,
    orphaned: scope.orphaned,
    summary: summaryOf(answers, null),
  };
  const code = terminal.signal.aborted ? 130 : (worstCode(answers.map(({ exit_code }) => exit_code)) as Result['code']);
  const document = (): string => {
    const { summary, ...members } = report;
    const documents: TargetsReport['alike'] = alike.map(({ targets, outcome }) => ({
      targets,
      document: JSON.parse(documentOf(asked, outcome)) as Json,
    }));
    return commandDocument({ ...members, alike: documents, summary }, diagnostics, isErrored(code));
  };
  const table = targetsTable(report);
  const sections = alikeSections(asked, alike, { each });
  const frame = manyFrame(report);
  const written = (): Written<Value> => ({
    operation: asked.operation,
    outcomes,
    view: withFindings({ ...frame, body: [...table, ...sections] }, diagnostics),
    findings: outcomes.map((outcome) => findingsOf(asked, outcome)),
    table: tableOfMany(asked, outcomes),
    document,
  });
  return {
    code,
    diagnostics,
    document,
    text: (paint) =>
      flags.csv === true
        ? tableCsv(tableOfMany(asked, outcomes))
        : shown({ ...frame, body: [...sections, ...table] }, flags, paint),
    ...(flags.csv === true ? { verbatim: true as const } : {}),
    files: await filesOf(reports, written, terminal),
  };
}

/** The table of each target with its name in front, and a row for each that failed. */
function tableOfMany<Options, Value>(
  { operation, options }: Asked<Options, Value>,
  outcomes: readonly Outcome<Value>[],
): Table {
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
        ? [{ cells: [outcome.target, 'message' in outcome ? outcome.message : '', ...columns.map(() => '')] }]
        : table.rows.map((row) => ({ ...row, cells: [outcome.target, '', ...row.cells] })),
    ),
  };
}
