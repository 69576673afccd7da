#!/usr/bin/env node
// argv in, a command and its exit code out. Knows flags and nothing of what they do; commands are loaded when they are called.

import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { addLeaseCommands } from './cli-lease.ts';
import { addLedgerCommands } from './cli-ledger.ts';
import { addSecretsCommands } from './cli-secrets.ts';
import type { TargetFlags } from './commands/prepare.ts';
import type { ExitCode, Terminal } from './commands/terminal.ts';
import { SEVERITIES } from './model.ts';
import { failureDocument } from './render/documents.ts';

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
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

function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65535)
    throw new InvalidArgumentError('a port is a number up to 65535');
  return number;
}

/** A command line that cannot be run; whoever asked for a document gets one all the same. */
function refused(quoted: string, write: (text: string) => void): void {
  // A flag that is not known may come with a token.
  const message = quoted.replace(/^(error: unknown option '--[^'=]*)=.*?'(?=\n|$)/s, "$1'");
  write(message);
  if (process.argv.includes('--json'))
    process.stdout.write(failureDocument(message.trim().replace(/^error: /, ''), []));
}

/** Written as in chatform.yaml; looked at by the command, which has the reader of durations. */
function duration(value: string): string {
  if (!/^\d+(\.\d+)?(ms|s|m|h)$/.test(value)) throw new InvalidArgumentError('write it as 500ms, 30s, 10m or 1h');
  return value;
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

async function startIn(directory: string): Promise<void> {
  try {
    process.chdir(directory);
  } catch {
    const { UsageError } = await import('./errors.ts');
    throw new UsageError(`-C ${directory}: there is no such folder`);
  }
}

/** Runs a command with a terminal; its result is the exit code. */
async function run(
  flags: { readonly json?: boolean },
  command: (terminal: Terminal) => Promise<ExitCode>,
): Promise<void> {
  const { color, directory, logLevel = null, logJson = false } = program.opts();
  const { systemTerminal } = await import('./commands/terminal.ts');
  const { guarded } = await import('./commands/report.ts');
  const terminal = await systemTerminal(color, { level: logLevel, json: logJson });
  process.exitCode = await guarded(
    async () => {
      if (directory !== undefined) await startIn(directory);
      return command(terminal);
    },
    terminal,
    flags.json === true,
  );
}

const EXIT_CODES = `Exit codes: 0 done, 1 error, 2 differences (drift, plan --detailed-exitcode), 3 withheld by a guard or policy,
  4 locked by another run, 6 applied in part or not settled, 130 interrupted.`;

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

function targetCommand(name: string, description: string) {
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

function planningCommand(name: string, description: string, quiet: string) {
  return targetCommand(name, description)
    .option('-q, --quiet', quiet)
    .option(
      '--only <glob>',
      'only these addresses, such as group/sales, agent/* or a bare kind; may be repeated',
      collect,
    )
    .option('--except <glob>', 'all but these addresses; may be repeated', collect)
    .option(
      '--acknowledge <address>',
      'acknowledge a withheld change, `deletes` or `empty-manifest`; may be repeated',
      collect,
    )
    .option('--secrets-file <file>', 'where secrets of new bots and templates go')
    .option('--timeout <time>', 'how long the whole run may take, such as 10m (default: run_timeout)', duration);
}

targetCommand('validate', 'check the files: everything wrong, at its place, in one run; asks nobody')
  .option('-q, --quiet', 'say nothing when nothing is wrong')
  .action((flags) =>
    run(flags, async (terminal) =>
      (await import('./commands/validate.ts')).validate(flags satisfies TargetFlags, terminal),
    ),
  );

planningCommand('plan', 'show what would change on the license; changes nothing', 'no progress')
  .option('--detailed-exitcode', 'exit 2 when there are differences')
  .action((flags) => run(flags, async (terminal) => (await import('./commands/plan.ts')).plan(flags, terminal)));

planningCommand(
  'apply',
  'make the license as the manifest says, and prove that it took effect',
  'no plan and no progress: only what came of it',
)
  .option('-y, --yes', 'apply without asking')
  .option('--assume-settled', 'with a new ledger, do not wait for what another run may just have created')
  .action((flags) => run(flags, async (terminal) => (await import('./commands/apply.ts')).apply(flags, terminal)));

planningCommand(
  'undo',
  'take back what a run changed: plan it, show how far each change can be taken back, ask, do it',
  'no plan and no progress: only what came of it',
)
  .argument('[run]', 'a run of `ledger history`, or how its id begins (default: the last that changed something)')
  .option('--plan', 'only show what it would do; changes nothing')
  .option('-y, --yes', 'undo without asking')
  .action((id, flags) =>
    run(flags, async (terminal) => (await import('./commands/undo.ts')).undo(id ?? null, flags, terminal)),
  );

targetCommand('import', 'make manifest files of what the license has and no file declares; changes nothing there')
  .option('-q, --quiet', 'no progress')
  .option(
    '--only <glob>',
    'only these addresses, such as group/sales, agent/* or a bare kind; may be repeated',
    collect,
  )
  .addOption(
    new Option(
      '--split <how>',
      'new sections: a file for each kind, or none of them (default: as `manifest:` names a folder, or a file)',
    ).choices(['kind', 'none'] as const),
  )
  .option('--with-ids', 'write `id:` into the files, and leave the ledger alone')
  .option('--plan', 'only print what would be written; writes nothing')
  .option('--timeout <time>', 'how long the whole run may take, such as 10m (default: run_timeout)', duration)
  .action((flags) =>
    run(flags, async (terminal) => (await import('./commands/import.ts')).importLicense(flags, terminal)),
  );

targetCommand(
  'drift',
  'say which side moved since the last apply, the license or the repository; changes nothing on the license',
)
  .option('-q, --quiet', 'no progress')
  .option(
    '--only <glob>',
    'only these addresses, such as group/sales, agent/* or a bare kind; may be repeated',
    collect,
  )
  .option('--except <glob>', 'all but these addresses; may be repeated', collect)
  .addOption(
    new Option('--fail-on <severity>', 'the least severity that counts, instead of what chatform.yaml says').choices(
      SEVERITIES,
    ),
  )
  .option(
    '--report <format=file>',
    'write a report: text, json, markdown, junit, sarif or prometheus; may be repeated',
    collect,
  )
  .addOption(
    new Option('--notify <when>', 'tell those whom chatform.yaml names (default: on-change)').choices([
      'on-change',
      'always',
      'never',
    ] as const),
  )
  .option('--sightings <file>', 'remember what was seen in this file (default: beside the ledger)')
  .option('--no-sightings', 'remember nothing')
  .option(
    '--accept [address...]',
    'edit the files so that they say what the license says: all that it moved, or what is named',
  )
  .option('--watch', 'look again and again, until a signal')
  .option('--every <time>', 'with --watch: how often, such as 15m', duration)
  .option('--cron <expression>', 'with --watch: when, such as "*/15 * * * *"')
  .option('--timeout <time>', 'how long one look may take, such as 10m (default: run_timeout)', duration)
  .action((flags) =>
    run(flags, async (terminal) => (await import('./commands/drift/drift.ts')).drift(flags, terminal)),
  );

targetCommand('doctor', 'check a target before anyone needs it: files, connection, token, limits; changes nothing')
  .option('--secrets-file <file>', 'where secrets of new bots and templates go')
  .action((flags) => run(flags, async (terminal) => (await import('./commands/doctor.ts')).doctor(flags, terminal)));

targetCommand(
  'show',
  'show what the license has: all of it by kind, one kind, or one resource in full; changes nothing',
)
  .argument('[what]', 'a kind, such as group, or a resource by address, id or name, such as group/sales')
  .option('-q, --quiet', 'no progress')
  .action((what, flags) =>
    run(flags, async (terminal) => (await import('./commands/show.ts')).show(what ?? null, flags, terminal)),
  );

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

addSecretsCommands(program.command('secrets').description('the secrets of bots and bot templates'), duration, run);

program
  .command('init')
  .description('write a first chatform.yaml, manifest.yaml and .gitignore; overwrites nothing')
  .action(() => run({}, async (terminal) => (await import('./commands/init.ts')).init(terminal)));

program
  .command('emulate')
  .description('serve the Configuration API from this machine; prints one line with its URL when it is ready')
  .option('--port <port>', 'port to listen on; 0 takes a free one', port, 8080)
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option('--state <file>', 'keep the license in this file')
  .option('--seed <file>', 'begin with the license that this JSON file describes, unless the state file has one')
  .option('--settings <file>', 'where the specification is silent, behave as this JSON file says')
  .option('--faults <file>', 'play the faults of this JSON file: errors, lost connections, stale reads and others')
  .option('--control', 'serve /_emulator/ as well: statistics, log, reset, seed, snapshot, clock, faults')
  .option('--https', 'serve HTTPS, with a certificate that it signs itself')
  .addOption(
    new Option(
      '--certificate <file>',
      'serve HTTPS, and write the certificate to this file, for clients to trust',
    ).implies({ https: true }),
  )
  .option('--propagation-delay <delay>', 'how long readings lag behind writes: 5s, or 0s..120s for a random lag', '0s')
  .action((flags) =>
    run({}, async (terminal) => {
      const [{ emulate }, { delayRange }] = await Promise.all([
        import('./commands/emulate.ts'),
        import('./project/duration.ts'),
      ]);
      const propagationDelay = delayRange(flags.propagationDelay);
      if (propagationDelay === null || propagationDelay.to > 120_000) {
        return program.error(
          'error: --propagation-delay is a duration up to 120s such as 5s, or a range such as 0s..120s',
        );
      }
      const { https = false, certificate = null, state = null, seed = null } = flags;
      const { settings = null, faults = null, control = false } = flags;
      return emulate(
        { ...flags, https, certificate, state, seed, settings, faults, control, propagationDelay },
        terminal,
      );
    }),
  );

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
