// An operation as a command: its outcomes, of one target or of several, become stdout, stderr, report files and the exit code.

import { assertNever } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { WRITERS } from '../many/formats.ts';
import type { Context, ExitCode, Outcome, Problem } from '../many/operation.ts';
import { type Asked, besidesOf, documentOf, outputsOf, rowOf, viewOf } from '../many/outputs.ts';
import { runOne } from '../many/run.ts';
import { type OutputFile, parseReports, type ReportFile, reportsWith, unwritten } from '../outlets/report-files.ts';
import { pathsInRepository } from '../outlets/repository.ts';
import { prepareTarget, readableSettings, type TargetChoice } from '../target/choice.ts';
import type { View } from '../view/blocks.ts';
import type { DocumentMembers } from '../view/documents.ts';
import type { Paint } from '../view/paint.ts';
import { plain } from '../view/plain.ts';
import type { Outputs, Writers } from '../view/report.ts';
import { unfolded } from '../view/terminal/diagnostics.ts';
import { ledgerLine, targetLine } from '../view/terminal/layout.ts';
import { tableCsv } from '../view/writers/csv.ts';
import { blocksText, terminalText } from '../view/writers/terminal.ts';
import { tellNews } from './news.ts';
import { type Result, warningLine } from './result.ts';
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
  /** The snapshot that stands in for the license. */
  readonly against?: string;
}

const CHOICE = [
  'project',
  'opened',
  'target',
  'ledger',
  'file',
  'baseUrl',
  'accountsUrl',
  'apiVersion',
  'var',
  'varFile',
  'secretsFile',
  'timeout',
  'lockTimeout',
] as const satisfies readonly (keyof TargetChoice)[];

/** Of all that a command was given, which target is meant. */
export function choiceIn(flags: Partial<TargetChoice>): TargetChoice {
  return Object.fromEntries(CHOICE.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));
}

/** What a command adds to its operation on one target. */
export interface OnOne<Value> {
  readonly report?: Context['report'];
  /** Called with the outcome once all of it is known. */
  readonly onEnded?: (outcome: Outcome<Value>, code: ExitCode) => void;
  /** Whether a person has read what a question is about, and what the view begins with. */
  readonly hasRead?: () => boolean;
  /** What is still to be read of the view; null for nothing. */
  readonly shows?: (value: Value, view: View) => View | null;
  /** Further lines on stderr. */
  readonly note?: (value: Value) => string;
  /** Further members of the document. */
  readonly members?: () => DocumentMembers;
}

/** A person is asked about one target; of several, only --yes answers. */
export function contextOf(
  terminal: Terminal,
  { yes }: OutputFlags,
  isOne: boolean,
  {
    report = () => {},
    hasRead = () => false,
    onDeclined = () => {},
  }: Pick<OnOne<never>, 'report' | 'hasRead'> & { readonly onDeclined?: () => void } = {},
): Omit<Context, 'afterwards'> {
  const { err, paintErr, paintOut } = terminal;
  return {
    ...terminal,
    report,
    ask: async ({ word, so = 'go ahead', about }) => {
      if (yes === true) return 'yes';
      if (!isOne) return 'unattended';
      // Who has not just read it on this terminal reads it in the question.
      const asked = hasRead() && paintOut.width !== undefined ? '' : blocksText(about(), paintErr).trimEnd();
      const answer = await terminal.ask(
        `${asked === '' ? '' : `\n${asked}`}\nType ${paintErr('strong', word)} to ${plain(so)}: `,
      );
      if (answer === null) return 'unattended';
      if (answer.trim() === word) return 'yes';
      err(`Nothing was changed${answer.trim() === '' ? '' : `: the answer was not ${word}`}.\n`);
      onDeclined();
      return 'no';
    },
  };
}

/** The formats of an operation. */
export function writersOf<Options, Value>({ operation }: Asked<Options, Value>): Writers<Outcome<Value>> {
  return { ...WRITERS, ...operation.formats };
}

/** One target. Its reports are written before anyone else is told. */
export async function operateOn<Options, Value>(
  asked: Asked<Options, Value>,
  flags: TargetChoice & OutputFlags,
  terminal: Terminal,
  adds: OnOne<Value> = {},
): Promise<Result> {
  const {
    onEnded = () => {},
    hasRead = () => false,
    shows = (_, view) => view,
    note = () => '',
    members = () => ({}),
  } = adds;
  const { operation, options } = asked;
  const reports = await parseReports(flags.report ?? [], writersOf(asked), { choice: flags, environment: terminal });
  let lost: string | null = null;
  let isDeclined = false;
  const onDeclined = (): void => {
    isDeclined = true;
  };
  const context = contextOf(terminal, flags, true, { ...adds, onDeclined });
  const outcome = await runOne(operation, choiceIn(flags), options, context, async (ended) => {
    // An interrupted operation has not failed.
    if (ended.state === 'interrupted') return;
    lost = await unwritten(await filesOf(reports, () => outputsOf(asked, ended), terminal));
  });
  const { code } = rowOf(asked, outcome);
  onEnded(outcome, code);
  const settingsOf = () => readableSettings(choiceIn(flags), terminal);
  const untold = isDeclined ? [] : await tellNews(asked, [outcome], settingsOf, { run: null }, terminal);
  const { settings } =
    operation.showsTarget === true && outcome.state === 'known' && flags.ledger === undefined
      ? await prepareTarget(choiceIn(flags), terminal)
      : { settings: null };
  const problems = [
    ...outcome.problems,
    ...untold,
    ...(lost === null ? [] : [{ level: 'error', message: lost } as const]),
  ];
  return {
    code:
      terminal.signal.aborted && (operation.changes !== 'license' || code === 1)
        ? 130
        : outcome.state === 'absent' || lost !== null
          ? 1
          : code,
    diagnostics: findingsShown(asked, outcome, flags),
    // Who declined knows why.
    ...(outcome.state === 'known' || isDeclined || hasErrors(outcome.diagnostics) ? {} : { error: outcome.message }),
    note: (paint) =>
      [
        ...problems.map((problem) => problemLine(problem, paint)),
        ...(outcome.state === 'known' ? [note(outcome.value)] : []),
      ].join(''),
    document: () => documentOf(asked, outcome, members()),
    text: (paint) => {
      if (outcome.state !== 'known') return '';
      if (flags.csv === true) return tableCsv(operation.table(outcome.value, outcome, options));
      const view = shows(outcome.value, viewOf(asked, outcome));
      if (view === null) return '';
      if (hasRead()) return `\n${shown(view, flags, paint)}`;
      const ledger = flags.ledger === undefined ? '' : ledgerLine(flags.ledger, paint);
      const head = settings === null ? ledger : targetLine(settings, paint, flags.against);
      return (flags.quiet === true ? '' : head) + shown(view, flags, paint);
    },
    ...(flags.csv === true ? { verbatim: true as const } : {}),
  };
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** Where no text is printed, all findings are shown; with details, none counts as known. */
function findingsShown<Options, Value>(
  asked: Asked<Options, Value>,
  outcome: Outcome<Value>,
  { json, details }: OutputFlags,
): readonly Diagnostic[] {
  // What changes a license shows them with its plan.
  if (asked.operation.changes === 'license' && outcome.state === 'known') return [];
  const found = json === true ? outcome.diagnostics : besidesOf(asked, outcome);
  return details === true ? unfolded(found) : found;
}

export function problemLine({ level, message }: Problem, paint: Paint): string {
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
    ? blocksText([...(view.urgent ?? []), { type: 'text', text: view.result }], paint, { details })
    : terminalText(view, paint, { details });
}

export async function filesOf<Value>(
  reports: readonly ReportFile<Outcome<Value>>[],
  outputs: () => Outputs<Outcome<Value>>,
  { env }: Terminal,
): Promise<readonly OutputFile[]> {
  if (reports.length === 0) return [];
  const pathOf = await pathsInRepository(env);
  const made = outputs();
  const ofTargets = reports.flatMap(({ pages, writer }) =>
    Array.from(pages, ([target, path]): OutputFile => {
      const view = made.pages?.get(target);
      const name = `the page of ${target}`;
      return { name, path, text: () => writer.write({ ...made, view: view?.() ?? made.view }, pathOf) };
    }),
  );
  return [...reportsWith(reports, ({ writer }) => writer.write(made, pathOf)), ...ofTargets];
}
