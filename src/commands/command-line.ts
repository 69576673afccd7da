// argv in, a command and its exit code out. Knows which commands there are; what each of them takes stands in cli-*.ts.

import { Command, Option } from '@commander-js/extra-typings';
import { packageVersion } from '../base/version.ts';
import { addCommentCommand } from '../cli-comment.ts';
import { addEmulateCommand } from '../cli-emulate.ts';
import { addLeaseCommands } from '../cli-lease.ts';
import { addLedgerCommands } from '../cli-ledger.ts';
import { addLicenseCommands } from '../cli-license.ts';
import { addPlanningCommands } from '../cli-planning.ts';
import { addRoutingCommands } from '../cli-routing.ts';
import { addSecretsCommands } from '../cli-secrets.ts';
import { failureDocument } from '../render/documents.ts';
import { EXIT_CODES, type Run } from './flags.ts';

/** A command line that cannot be run; whoever asked for a document gets one all the same. */
function refused(quoted: string, write: (text: string) => void): void {
  // A flag that is not known may come with a token.
  const message = quoted.replace(/^(error: unknown option '--[^'=]*)=.*?'(?=\n|$)/s, "$1'");
  write(message);
  if (process.argv.includes('--json'))
    process.stdout.write(failureDocument(message.trim().replace(/^error: /, ''), []));
}

async function startIn(directory: string): Promise<void> {
  try {
    process.chdir(directory);
  } catch {
    const { UsageError } = await import('../base/errors.ts');
    throw new UsageError(`-C ${directory}: there is no such folder`);
  }
}

const run: Run = async (flags, command) => {
  const { color, directory, logLevel = null, logJson = false } = program.opts();
  const { systemTerminal } = await import('./terminal.ts');
  const { guarded } = await import('./report.ts');
  const terminal = await systemTerminal(color, { level: logLevel, json: logJson });
  process.exitCode = await guarded(
    async () => {
      if (directory !== undefined) await startIn(directory);
      return command(terminal);
    },
    terminal,
    flags.json === true,
  );
};

const program = new Command('chatform')
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
  .configureOutput({ outputError: refused })
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(chatform --help lists commands, chatform <command> --help its flags)')
  .addHelpText(
    'after',
    `
A first project:
  chatform init            write chatform.yaml, manifest.yaml and .gitignore
  chatform plan            show what would change, without changing it
  chatform apply           show it, ask, make it so, and prove that it took effect
  chatform import          or begin with what a license has already, as files

${EXIT_CODES}`,
  );

addPlanningCommands(program, run);
addLicenseCommands(program, run);
addRoutingCommands(program, run);
addCommentCommand(program, run);

addLedgerCommands(
  program
    .command('ledger')
    .description('look after the ledger, which remembers what is ours; needs no network and no token'),
  run,
);

addLeaseCommands(
  program.command('lease').description('the lease that keeps two runs from writing to one target at a time'),
  run,
);

addSecretsCommands(program.command('secrets').description('the secrets of bots and bot templates'), run);

program
  .command('init')
  .description('write a first chatform.yaml, manifest.yaml and .gitignore; overwrites nothing')
  .action(() => run({}, async (terminal) => (await import('./init.ts')).init(terminal)));

addEmulateCommand(program, run);

/** Runs what argv asks for; how it ended is in `process.exitCode`. */
export async function commandLine(): Promise<void> {
  // Completion loads a library of its own, so only for those who ask for it; everybody else just sees that it is there.
  if (process.argv[2] === 'completion' || process.argv[2] === 'complete') {
    const { default: tab } = await import('@bomb.sh/tab/commander');
    // The library knows commander's own types only; the typed commands are the same objects.
    tab(program as unknown as Parameters<typeof tab>[0], { completionCommandName: 'completion' });
  } else {
    program
      .command('completion')
      .argument('<shell>', 'bash, zsh, fish or powershell')
      .description('print the completion script of a shell');
  }
  await program.parseAsync();
}
