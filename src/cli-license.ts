// The commands that look at what a license has, and their flags. Knows nothing of what they do; each is loaded when it is called.

import { type Command, Option } from '@commander-js/extra-typings';
import { SEVERITIES } from './base/model.ts';
import { collect, duration, EXCEPT, ONLY, type Run, TIMEOUT, targetCommand } from './commands/flags.ts';

export function addLicenseCommands(program: Command, run: Run): void {
  targetCommand(
    program,
    'import',
    'make manifest files of what the license has and no file declares; changes nothing there',
  )
    .option('-q, --quiet', 'no progress')
    .addOption(ONLY)
    .addOption(
      new Option(
        '--split <how>',
        'new sections: a file for each kind, or none of them (default: as `manifest:` names a folder, or a file)',
      ).choices(['kind', 'none'] as const),
    )
    .option('--externals', 'make entries of what the files only look up as `external`, too')
    .option('--with-ids', 'write `id:` into the files, and leave the ledger alone')
    .option('--plan', 'only print what would be written; writes nothing')
    .addOption(TIMEOUT)
    .action((flags) =>
      run(flags, async (terminal) => (await import('./commands/import.ts')).importLicense(flags, terminal)),
    );

  targetCommand(
    program,
    'drift',
    'say which side moved since the last apply, the license or the repository; changes nothing on the license',
  )
    .option('-q, --quiet', 'no progress')
    .addOption(ONLY)
    .addOption(EXCEPT)
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

  targetCommand(
    program,
    'snapshot',
    'write what a plan needs of the license and the ledger into a file, for `plan --against FILE`; changes nothing else',
  )
    .requiredOption('--out <file>', 'the file that it goes into')
    .option('--full', 'leave nothing out: whoever sees the file sees all of the license')
    .option('-q, --quiet', 'no progress')
    .addOption(TIMEOUT)
    .action((flags) =>
      run(flags, async (terminal) => (await import('./commands/snapshot.ts')).snapshot(flags, terminal)),
    );

  targetCommand(
    program,
    'doctor',
    'check a target before anyone needs it: files, connection, token, limits; changes nothing',
  )
    .option('--secrets-file <file>', 'where secrets of new bots and templates go')
    .action((flags) => run(flags, async (terminal) => (await import('./commands/doctor.ts')).doctor(flags, terminal)));

  targetCommand(
    program,
    'show',
    'show what the license has: all of it by kind, one kind, or one resource in full; or a saved plan; changes nothing',
  )
    .argument(
      '[what]',
      'a kind, such as group; a resource by address, id or name, such as group/sales; or the file of a saved plan',
    )
    .option('-q, --quiet', 'no progress')
    .option(
      '--report <format=file>',
      'of a saved plan: write a report, as `plan --report` does; may be repeated',
      collect,
    )
    .action((what, flags) =>
      run(flags, async (terminal) => (await import('./commands/show.ts')).show(what ?? null, flags, terminal)),
    );
}
