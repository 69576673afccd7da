// Flags that several commands take, and how their values are read. Imports nothing heavy: every start of the command line loads it.

import { type Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { durationMistake, milliseconds } from '../base/duration.ts';
import { VERSIONS } from '../base/model.ts';
import { FORMATS } from '../many/formats.ts';
import type { TargetChoice } from '../target/choice.ts';
import type { Result } from './result.ts';
import type { Terminal } from './terminal.ts';

/** Runs the body of a command with a terminal, and feeds its result to every output. */
export type RunBody = (
  flags: { readonly json?: boolean; readonly quiet?: boolean },
  body: (terminal: Terminal) => Promise<Result>,
) => Promise<void>;

/** What the typed command line infers of the flags of a declaration. */
export type FlagsOf<Declare extends (program: Command) => { readonly opts: () => unknown }> = ReturnType<
  ReturnType<Declare>['opts']
>;

/** Adds a command to the program. */
export type AddCommand = (program: Command, run: RunBody) => void;

/**
 * A command: its flags, and the body that is called with them. The types of the flags are what the declaration infers. A body loads what it needs when
 * it is called, so that a start of the command line loads no other command's.
 */
export function command<Args extends unknown[], Flags extends OptionValues>(
  declare: (program: Command) => Command<Args, Flags>,
  body: (flags: Flags, terminal: Terminal, ...args: Args) => Promise<Result>,
): AddCommand {
  return (program, run) => {
    declare(program).action((...given) => {
      // The types say so too, but TypeScript cannot split a list of unknown length.
      const args = given.slice(0, -2) as Args;
      const flags = given.at(-2) as Flags;
      return run(flags, (terminal) => body(flags, terminal, ...args));
    });
  };
}

/** Flags that choose several targets. */
export interface TargetsFlags {
  readonly target?: readonly string[];
  readonly label?: readonly string[];
  readonly all?: true;
  readonly changedSince?: string;
  readonly parallel?: number;
}

/** Flags of every command that plans. */
export interface PlanningFlags {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly acknowledge?: readonly string[];
  readonly demand?: string;
  readonly people?: true;
}

/** Flags that leave several targets to workers. */
export interface WorkersFlags {
  readonly workers?: true;
  readonly detach?: true;
}

/** The parts of a help, in its order. What is in the last one is shown with `--all` only. */
export const PARTS = {
  licenses: 'Which licenses:',
  objects: 'Which objects:',
  output: 'Output:',
  how: 'How:',
  more: 'More:',
} as const;

/** The flags of a run for one target. */
export type FlagsOfOne<Flags extends TargetsFlags> = Omit<Flags, keyof TargetsFlags> &
  Pick<TargetChoice, 'target' | 'opened'>;

export const EXIT_CODES = `Exit codes: 0 done, 1 error, 2 differences (drift, plan --detailed-exitcode),
  3 withheld by a guard or policy, 4 locked by another run,
  5 the approved plan no longer matches, 6 applied in part or not settled,
  130 interrupted.`;

export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

function variable(
  value: string,
  previous: { readonly [name: string]: string } | undefined,
): { readonly [name: string]: string } {
  const equals = value.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('write it as name=value');
  return { ...previous, [value.slice(0, equals)]: value.slice(equals + 1) };
}

/** Calls `work` with a command and all below it. */
export function eachCommand(command: Command, work: (command: Command) => void): void {
  work(command);
  for (const below of command.commands) eachCommand(below as Command, work);
}

/** Path of a command below the program, such as `secrets rotate`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent === undefined ? '' : `${pathOf(parent as Command)} ${command.name()}`.trim();
}

/** Flags that take one value: given twice, the second would silently win. A flag whose value was forgotten would take the flag after it. */
export function refuseMisread(command: Pick<Command, 'options' | 'on' | 'error'>): void {
  const isFlag = (value: unknown): boolean =>
    command.options.some(({ short, long }) => value === short || value === long);
  for (const option of command.options) {
    const { parseArg, variadic } = option;
    const takesMany = variadic || parseArg === collect || parseArg === variable;
    if (!(option.required || option.optional)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (isFlag(value)) command.error(`error: ${option.flags} needs a value, and the flag ${value} follows it`);
      if (isGiven && !takesMany)
        command.error(`error: ${option.flags} takes one value, and was given twice: give it once`);
      isGiven = true;
    });
  }
}

/** Written as in chatform.yaml, and with its bound. */
export function duration(value: string): string {
  if (milliseconds(value) === null) throw new InvalidArgumentError('write it as 500ms, 30s, 10m or 1h');
  const wrong = durationMistake(value, { canBeZero: true });
  if (wrong !== null) throw new InvalidArgumentError(wrong.remedy);
  return value;
}

/** A whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`write a whole number from ${least} to ${most}`);
  };
}

export const ONLY = new Option(
  '--only <glob>',
  'only these addresses, such as group/sales, agent/* or a bare kind; may be repeated',
)
  .helpGroup(PARTS.objects)
  .argParser(collect);

export const EXCEPT = new Option('--except <glob>', 'all but these addresses; may be repeated')
  .helpGroup(PARTS.objects)
  .argParser(collect);

export const JSON_DOCUMENT = new Option('--json', 'print one JSON document instead of text').helpGroup(PARTS.output);

export const CSV = new Option('--csv', 'print CSV instead of text').helpGroup(PARTS.output).conflicts('json');

export const QUIET = new Option('-q, --quiet', 'only the result').helpGroup(PARTS.output);

/** `what` it shows besides. */
export function detailsOption(what: string): Option<'--details'> {
  return new Option('--details', what).helpGroup(PARTS.output);
}

/** Options without those that were not given. */
export function given<Options extends object>(
  options: Options,
): { [name in keyof Options]?: Exclude<Options[name], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [name in keyof Options]?: Exclude<Options[name], undefined> };
}

/** A shell offers the formats. `parseReports` reads the values. */
export function reportOption(formats: readonly string[], about = '') {
  return new Option('--report <format=file>', `write a report${about}; may be repeated`)
    .helpGroup(PARTS.output)
    .choices(formats.map((format) => `${format}=`))
    .argParser(collect);
}

/** Of an operation. */
export const REPORT = reportOption(FORMATS);

/** The names of those that were given. */
export function flagsGiven(values: { readonly [flag: string]: unknown }): readonly string[] {
  return Object.keys(given(values));
}

/** The day whose hours are desired, for a command that does `what` with them. */
export function dateOption(what: string): Option<'--date <day>'> {
  return new Option(
    '--date <day>',
    `${what} the working hours of this day, such as 2026-12-24, where they depend on the date (default: today)`,
  ).helpGroup(PARTS.how);
}

export const TARGET = new Option(
  '-t, --target <name>',
  'target of chatform.yaml (default: its default_target)',
).helpGroup(PARTS.licenses);

export const TARGETS = new Option(
  '-t, --target <name>',
  'target of chatform.yaml, in which * stands for any text; may be repeated (default: its default_target)',
)
  .helpGroup(PARTS.licenses)
  .argParser(collect);

const LABEL = new Option('-l, --label <name=value>', 'the targets with this label; may be repeated')
  .helpGroup(PARTS.licenses)
  .argParser(collect);

export const ALL = new Option('--all', 'every target of chatform.yaml').helpGroup(PARTS.licenses);

const CHANGED_SINCE = new Option(
  '--changed-since <ref>',
  'the targets that what changed since this commit of git can touch, such as origin/main',
).helpGroup(PARTS.more);

const PARALLEL = new Option(
  '--parallel <number>',
  'of several targets: how many at a time (default: 16; of an apply, `parallel` of `fleet`)',
)
  .helpGroup(PARTS.more)
  .argParser(wholeNumber(1, 1000));

export const VAR = new Option('--var <name=value>', 'value of ${var.name}; may be repeated')
  .helpGroup(PARTS.how)
  .argParser(variable);

export const VAR_FILE = new Option('--var-file <file>', 'YAML file of values of variables; may be repeated')
  .helpGroup(PARTS.more)
  .argParser(collect);

export const LEDGER = new Option(
  '--ledger <file>',
  'a ledger, instead of a target; in a database postgres:VARIABLE/PROJECT/TARGET',
).helpGroup(PARTS.licenses);

export const BASE_URL = new Option('--base-url <url>', 'the service: an https:// URL, or emulator:FILE').helpGroup(
  PARTS.more,
);

export const ACCOUNTS_URL = new Option(
  '--accounts-url <url>',
  'the accounts service; next to --base-url, that of chatform.yaml is not used',
).helpGroup(PARTS.more);

export const VISITOR = new Option(
  '--visitor',
  'of customers: first visit the pages of routes on the real-time interface; leaves a visitor in the list of visitors',
);

export const TIMEOUT = new Option(
  '--timeout <time>',
  'how long the whole run may take, such as 10m (default: run_timeout)',
)
  .helpGroup(PARTS.more)
  .argParser(duration);

export const LOCK_TIMEOUT = new Option(
  '--lock-timeout <time>',
  'how long to wait while another run has the target locked, such as 5m (default: lock_timeout)',
)
  .helpGroup(PARTS.more)
  .argParser(duration);

export const ADOPTED = new Option(
  '--adopted',
  'also destroy what existed before chatform managed it; without it, that is kept',
).helpGroup(PARTS.objects);

export const REASON = new Option(
  '--reason <text>',
  'why, for the ledger, `history` and notifications (default: the title of the pull request)',
).helpGroup(PARTS.how);

export const THROUGH_FREEZE = new Option(
  '--through-freeze <reason>',
  'begin also while `fleet: freeze` says not to, and keep why',
).helpGroup(PARTS.more);

export const NOT_BEFORE = new Option(
  '--not-before <time>',
  'wait until then, and then begin: a time with its offset, such as 2026-12-01T06:00+01:00, or a day in UTC',
).helpGroup(PARTS.more);

/** `verb`: the command that carries the plan out. */
export function outOption(verb: 'apply' | 'destroy'): Option<'--out <file>'> {
  return new Option('--out <file>', `save the plan, for \`${verb} FILE\` and \`show FILE\``).helpGroup(PARTS.output);
}

export const NEW_LICENSE = new Option(
  '--new-license <name>',
  'the ledger forgets its former license, and belongs to the one of this name',
).helpGroup(PARTS.more);

export const WORKERS = new Option(
  '--workers',
  'of several targets: let the workers of ledger_store do it, see `chatform fleet worker`',
).helpGroup(PARTS.more);

export const DETACH = new Option(
  '--detach',
  'with --workers: do not wait for the end; `chatform fleet status` has it',
).helpGroup(PARTS.more);

/** A command about one target of chatform.yaml. */
export function targetCommand(program: Command, name: string, description: string) {
  return ofFiles(described(program, name, description).addOption(TARGET));
}

/** A command about one target of chatform.yaml, or about several. */
export function targetsCommand(program: Command, name: string, description: string) {
  return ofFiles(
    described(program, name, description)
      .addOption(TARGETS)
      .addOption(LABEL)
      .addOption(ALL)
      .addOption(CHANGED_SINCE)
      .addOption(PARALLEL),
  );
}

function described(program: Command, name: string, description: string) {
  return program.command(name).description(description).addHelpText('after', `\n${EXIT_CODES}`);
}

function ofFiles<Args extends unknown[], Flags extends OptionValues>(named: Command<Args, Flags>) {
  return named
    .addOption(JSON_DOCUMENT)
    .optionsGroup(PARTS.how)
    .addOption(VAR)
    .addOption(VAR_FILE)
    .optionsGroup(PARTS.more)
    .option(
      '-f, --file <file>',
      'manifest file or folder; with --base-url, instead of chatform.yaml; may be repeated',
      collect,
    )
    .addOption(BASE_URL)
    .addOption(new Option('--api-version <version>', 'version of the Configuration API').choices(VERSIONS))
    .optionsGroup(PARTS.how);
}

/** A command below `ledger`. */
export function ledgerCommandBelow(parent: Command, usage: string, description: string) {
  return parent
    .command(usage)
    .description(description)
    .addOption(TARGET)
    .addOption(LEDGER)
    .addOption(JSON_DOCUMENT)
    .optionsGroup(PARTS.how);
}

/** What the flags of a command that plans say of the plan. */
export function planningOptions({ only, except, acknowledge, demand, people }: PlanningFlags) {
  return given({ only, except, acknowledge, demand, people });
}

/** A command that plans one target. */
export function planningCommand(program: Command, name: string, description: string) {
  return planning(targetCommand(program, name, description));
}

/** A command that plans one target, or several. */
export function planningTargetsCommand(program: Command, name: string, description: string) {
  return planning(targetsCommand(program, name, description));
}

function planning<Args extends unknown[], Flags extends OptionValues>(named: Command<Args, Flags>) {
  return named
    .addOption(QUIET)
    .addOption(detailsOption('show every field of every change, each request and each scope'))
    .addOption(ONLY)
    .addOption(EXCEPT)
    .option(
      '--acknowledge <address>',
      'acknowledge a withheld change, `deletes` or `empty-manifest`; may be repeated',
      collect,
    )
    .option(
      '--demand <days>',
      'also say what each change carries, by the reports of so many days, such as 28d; each request is billed',
    )
    .optionsGroup(PARTS.more)
    .option('--people', 'with --demand: also figures of the persons whose work changes')
    .option('--events <file>', 'write what happens into this file, one JSON object a line')
    .option('--secrets-file <file>', 'where secrets of new bots and templates go')
    .addOption(TIMEOUT)
    .optionsGroup(PARTS.how);
}
