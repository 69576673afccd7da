// The command line: argv to a command, and its exit code. One line for each command; what a command takes and does is in its own file.

import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import { UsageError } from './base/errors.ts';
import { packageVersion } from './base/version.ts';
import { EXIT_CODES, eachCommand, type RunBody, refuseMisread } from './command/flags.ts';
import type { Terminal, TerminalFlags } from './command/terminal.ts';
import { apiCommand } from './features/api/command.ts';
import { applyCommand } from './features/apply/command.ts';
import { destroyCommand } from './features/apply/destroy-command.ts';
import { commentCommand } from './features/ci/comment-command.ts';
import { snapshotCommand } from './features/ci/snapshot-command.ts';
import { addCompletion } from './features/completion/command.ts';
import { coverageCommand } from './features/coverage/command.ts';
import { doctorCommand } from './features/doctor/command.ts';
import { driftCommand } from './features/drift/command.ts';
import { emulateCommand } from './features/emulate/command.ts';
import { explainCommand } from './features/explain/command.ts';
import { fleetCommand } from './features/fleet/command.ts';
import { historyCommand } from './features/history/command.ts';
import { importCommand } from './features/import/command.ts';
import { initCommand } from './features/init/command.ts';
import { ledgerCommand } from './features/ledger/command.ts';
import { leaseCommand } from './features/ledger/lease-command.ts';
import { planCommand } from './features/plan/command.ts';
import { reportCommand } from './features/report/command.ts';
import { followCommand } from './features/report/since/command.ts';
import { secretsCommand } from './features/secrets/command.ts';
import { showCommand } from './features/show/command.ts';
import { testCommand } from './features/test/command.ts';
import { verifyCommand } from './features/test/customer/command.ts';
import { undoCommand } from './features/undo/command.ts';
import { validateCommand } from './features/validate/command.ts';
import type { ExitCode } from './many/operation.ts';

/** In the order of `--help`. */
const COMMANDS: readonly ((program: Command, run: RunBody) => unknown)[] = [
  validateCommand,
  planCommand,
  applyCommand,
  undoCommand,
  destroyCommand,
  historyCommand,
  importCommand,
  driftCommand,
  snapshotCommand,
  doctorCommand,
  showCommand,
  testCommand,
  verifyCommand,
  followCommand,
  explainCommand,
  coverageCommand,
  reportCommand,
  commentCommand,
  ledgerCommand,
  leaseCommand,
  fleetCommand,
  secretsCommand,
  apiCommand,
  initCommand,
  emulateCommand,
];

const HELP = `
A first project:
  chatform init            write chatform.yaml, manifest.yaml and .gitignore
  chatform plan            show what would change, without changing it
  chatform apply           show it, ask, make it so, and prove that it took effect
  chatform import          or begin with what a license has already, as files

${EXIT_CODES}`;

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

function program(run: RunBody, outside: Outside, onRefusal: (message: string) => void) {
  const all = new Command('chatform')
    .description(
      'Infrastructure as code for a customer-chat service: say in YAML what a license should have, see the difference, make it so.',
    )
    .version(packageVersion())
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
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(chatform --help lists commands, chatform <command> --help its flags)')
    .addHelpText('after', HELP);
  for (const command of COMMANDS) command(all as unknown as Command, run);
  eachCommand(all as unknown as Command, refuseMisread);
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
export async function commandLine(argv: readonly string[], outside: Outside = SYSTEM): Promise<ExitCode> {
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
  const all = program(run, outside, (message) => {
    refusal = message;
  });
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
