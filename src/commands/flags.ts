// What several commands take on the command line: flags and how their values are read. Knows nothing of what any command does.

import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { ExitCode, Terminal } from './terminal.ts';

/** Runs a command with a terminal; its result is the exit code. */
export type Run = (
  flags: { readonly json?: boolean },
  command: (terminal: Terminal) => Promise<ExitCode>,
) => Promise<void>;

export const EXIT_CODES = `Exit codes: 0 done, 1 error, 2 differences (drift, plan --detailed-exitcode), 3 withheld by a guard or policy,
  4 locked by another run, 5 the approved plan no longer matches, 6 applied in part or not settled, 130 interrupted.`;

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

/** Written as in chatform.yaml; looked at by the command, which has the reader of durations. */
export function duration(value: string): string {
  if (!/^\d+(\.\d+)?(ms|s|m|h)$/.test(value)) throw new InvalidArgumentError('write it as 500ms, 30s, 10m or 1h');
  return value;
}

export const ONLY = new Option(
  '--only <glob>',
  'only these addresses, such as group/sales, agent/* or a bare kind; may be repeated',
).argParser(collect);

export const EXCEPT = new Option('--except <glob>', 'all but these addresses; may be repeated').argParser(collect);

export const TIMEOUT = new Option(
  '--timeout <time>',
  'how long the whole run may take, such as 10m (default: run_timeout)',
).argParser(duration);

/** A command about one target of chatform.yaml. */
export function targetCommand(program: Command, name: string, description: string) {
  return program
    .command(name)
    .description(description)
    .addHelpText('after', `\n${EXIT_CODES}`)
    .option('-t, --target <name>', 'target of chatform.yaml (default: its default_target)')
    .option(
      '-f, --file <file>',
      'manifest file or folder; with --base-url, instead of chatform.yaml; may be repeated',
      collect,
    )
    .option('--base-url <url>', 'the service: an https:// URL, or emulator:FILE')
    .addOption(
      new Option('--api-version <version>', 'version of the Configuration API').choices(['3.3', '3.6'] as const),
    )
    .option('--var <name=value>', 'value of ${var.name}; may be repeated', variable)
    .option('--json', 'print one JSON document instead of text');
}
