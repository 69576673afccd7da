// The command line: argv to a command, and its exit code. One line for each command; what a command takes and does is in its own file.

import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import { UsageError } from './base/errors.ts';
import { packageVersion } from './base/version.ts';
import {
  type AddCommand,
  EXIT_CODES,
  eachCommand,
  PARTS,
  pathOf,
  type RunBody,
  refuseMisread,
} from './command/flags.ts';
import { refuseFormer } from './command/former.ts';
import { asksForAll, GROUPS, helpAsFlag, helpOf, moreCommands, moreFlags } from './command/help.ts';
import type { Terminal, TerminalFlags } from './command/terminal.ts';
import { apiCommand } from './features/api/command.ts';
import { applyCommand } from './features/apply/command.ts';
import { destroyCommand } from './features/apply/destroy-command.ts';
import { ciCommand } from './features/ci/command.ts';
import { addCompletion } from './features/completion/command.ts';
import { coverageCommand } from './features/coverage/command.ts';
import { diffCommand } from './features/diff/command.ts';
import { doctorCommand } from './features/doctor/command.ts';
import { driftCommand } from './features/drift/command.ts';
import { emulateCommand } from './features/emulate/command.ts';
import { explainCommand } from './features/explain/command.ts';
import { fleetCommand } from './features/fleet/command.ts';
import { historyCommand } from './features/history/command.ts';
import { importCommand } from './features/import/command.ts';
import { initCommand } from './features/init/command.ts';
import { ledgerCommand } from './features/ledger/command.ts';
import { planCommand } from './features/plan/command.ts';
import { reportCommand } from './features/report/command.ts';
import { secretsCommand } from './features/secrets/command.ts';
import { showCommand } from './features/show/command.ts';
import { testCommand } from './features/test/command.ts';
import { uiCommand } from './features/ui/command.ts';
import { undoCommand } from './features/undo/command.ts';
import { validateCommand } from './features/validate/command.ts';
import type { ExitCode } from './many/operation.ts';

/** In the order of `--help`. */
const COMMANDS: { readonly [group in keyof typeof GROUPS]: readonly AddCommand[] } = {
  begin: [initCommand, importCommand, doctorCommand],
  change: [validateCommand, planCommand, applyCommand, undoCommand, destroyCommand],
  look: [showCommand, uiCommand, diffCommand, explainCommand, coverageCommand, reportCommand, historyCommand],
  watch: [driftCommand, testCommand],
  many: [fleetCommand],
  pipeline: [ciCommand],
  more: [ledgerCommand, secretsCommand, apiCommand, emulateCommand],
};

/** What the command line reaches of the outside. */
export interface Outside {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly terminal: (flags: TerminalFlags) => Promise<Terminal>;
}

const SYSTEM: Outside = {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
  terminal: async (flags) => (await import('./command/terminal.ts')).systemTerminal(flags),
};

/** The command tree. `all`: whether its help shows every command and flag. */
export function program(
  run: RunBody,
  outside: Outside,
  { all: showsAll, onRefusal }: { readonly all: boolean; readonly onRefusal: (message: string) => void },
) {
  const all = new Command('chatform')
    .description(
      'Infrastructure as code for a customer-chat service: say in YAML what a license should have, see the difference, apply it.',
    )
    .version(packageVersion())
    .optionsGroup(PARTS.more)
    .option('-C, --directory <dir>', 'run as if started in <dir>')
    .option('--no-color', 'never colour the output')
    .addOption(
      new Option('--log-level <level>', 'log to stderr, one line for each request').choices([
        'error',
        'warn',
        'info',
        'debug',
      ] as const),
    )
    .option('--log-json', 'log JSON, and make every line of stderr a JSON object')
    .exitOverride()
    .configureOutput({
      writeOut: outside.out,
      writeErr: outside.err,
      outputError: (quoted, write) => {
        // A flag that is not known may come with a token.
        const message = quoted.replace(/^(error: unknown option '--[^'=]*)=.*?'(?=\n|$)/s, "$1'");
        write(message);
        onRefusal(message.trim().replace(/^error: /, ''));
      },
    })
    .configureHelp(helpOf(showsAll))
    .showHelpAfterError('(chatform --help lists commands, chatform <command> --help its flags)')
    .addHelpText('after', ({ command }) => `${showsAll ? '' : `${moreCommands(command)}\n`}\n${EXIT_CODES}`);
  const untyped = all as unknown as Command;
  for (const group of Object.keys(COMMANDS) as readonly (keyof typeof GROUPS)[]) {
    all.commandsGroup(GROUPS[group]);
    for (const command of COMMANDS[group]) command(untyped, run);
  }
  eachCommand(untyped, (command) => {
    refuseMisread(command);
    if (!showsAll && command !== untyped)
      command.addHelpText('after', () => moreFlags(pathOf(command), command.options));
  });
  refuseFormer(untyped);
  return all;
}

async function startIn(directory: string): Promise<void> {
  try {
    process.chdir(directory);
  } catch {
    throw new UsageError(`-C ${directory}: there is no such folder`);
  }
}

/** Runs what `argv` asks for, without the names of node and of the program. @returns the exit code */
export async function commandLine(given: readonly string[], outside: Outside = SYSTEM): Promise<ExitCode> {
  const argv = helpAsFlag(given);
  let code: ExitCode = 0;
  const run: RunBody = async ({ json = false, quiet = false }, body) => {
    const { color, directory, logLevel = null, logJson = false } = all.opts();
    const terminal = await outside.terminal({ colour: color, logLevel, logJson, quiet });
    const { delivered } = await import('./command/result.ts');
    code = await delivered(
      async () => {
        if (directory !== undefined) await startIn(directory);
        return body(terminal);
      },
      json,
      terminal,
    );
  };
  let refusal: string | null = null;
  const onRefusal = (message: string): void => {
    refusal = message;
  };
  const all = program(run, outside, { all: asksForAll(argv), onRefusal });
  await addCompletion(all as unknown as Command, argv, outside.out);
  try {
    await all.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A caller that asked for a document gets one although the command line cannot be run.
    if (refusal !== null && argv.includes('--json'))
      outside.out((await import('./view/documents.ts')).failureDocument(refusal, []));
    return error.exitCode === 0 ? 0 : 1;
  }
  return code;
}
