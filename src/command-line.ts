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
import { addCompletion } from './features/completion/command.ts';
import type { ExitCode } from './many/operation.ts';

/** In the order of `--help`. A start loads and makes the one that it is about, and the help all. */
const COMMANDS: { readonly [group in keyof typeof GROUPS]: { readonly [name: string]: () => Promise<AddCommand> } } = {
  begin: {
    init: async () => (await import('./features/init/command.ts')).initCommand,
    import: async () => (await import('./features/import/command.ts')).importCommand,
    doctor: async () => (await import('./features/doctor/command.ts')).doctorCommand,
  },
  change: {
    validate: async () => (await import('./features/validate/command.ts')).validateCommand,
    plan: async () => (await import('./features/plan/command.ts')).planCommand,
    apply: async () => (await import('./features/apply/command.ts')).applyCommand,
    undo: async () => (await import('./features/undo/command.ts')).undoCommand,
    destroy: async () => (await import('./features/apply/destroy-command.ts')).destroyCommand,
  },
  look: {
    show: async () => (await import('./features/show/command.ts')).showCommand,
    ui: async () => (await import('./features/ui/command.ts')).uiCommand,
    diff: async () => (await import('./features/diff/command.ts')).diffCommand,
    explain: async () => (await import('./features/explain/command.ts')).explainCommand,
    coverage: async () => (await import('./features/coverage/command.ts')).coverageCommand,
    report: async () => (await import('./features/report/command.ts')).reportCommand,
    history: async () => (await import('./features/history/command.ts')).historyCommand,
  },
  watch: {
    drift: async () => (await import('./features/drift/command.ts')).driftCommand,
    test: async () => (await import('./features/test/command.ts')).testCommand,
  },
  many: {
    fleet: async () => (await import('./features/fleet/command.ts')).fleetCommand,
  },
  pipeline: {
    ci: async () => (await import('./features/ci/command.ts')).ciCommand,
  },
  more: {
    ledger: async () => (await import('./features/ledger/command.ts')).ledgerCommand,
    secrets: async () => (await import('./features/secrets/command.ts')).secretsCommand,
    api: async () => (await import('./features/api/command.ts')).apiCommand,
    emulate: async () => (await import('./features/emulate/command.ts')).emulateCommand,
  },
};

/** Flags of the program that take a value, and the others. */
const FLAGS = {
  valued: /^(?:-C|--directory|--log-level)$/,
  whole: /^(?:-C.+|--(?:directory|log-level)=.*|--no-color|--log-json)$/,
};

/** The command that is run, if nothing else can be meant; otherwise all are needed, also to say what is wrong. */
function commandIn(argv: readonly string[]): string | null {
  const at = argv.findIndex(
    (word, index) => !FLAGS.whole.test(word) && !FLAGS.valued.test(word) && !FLAGS.valued.test(argv[index - 1] ?? ''),
  );
  const word = argv[at] ?? '';
  return Object.values(COMMANDS).some((commands) => Object.hasOwn(commands, word)) ? word : null;
}

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

interface Shown {
  /** Whether help shows every command and flag. */
  readonly all: boolean;
  /** The only command that is made; null for all. */
  readonly only: string | null;
  readonly onRefusal: (message: string) => void;
}

/** The command tree. */
export async function program(run: RunBody, outside: Outside, { all: showsAll, only, onRefusal }: Shown) {
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
    for (const [name, load] of Object.entries(COMMANDS[group]))
      if (only === null || name === only) (await load())(untyped, run);
  }
  eachCommand(untyped, (command) => {
    refuseMisread(command);
    if (!showsAll && command !== untyped)
      command.addHelpText('after', () => moreFlags(pathOf(command), command.options));
  });
  refuseFormer(untyped, only === null);
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
  const only = commandIn(argv);
  const all = await program(run, outside, { all: asksForAll(argv), only, onRefusal });
  if (only === null) await addCompletion(all as unknown as Command, argv, outside.out);
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
