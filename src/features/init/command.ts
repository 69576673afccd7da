// `chatform init`: a first project, for the emulator or for a license that exists; with --ci the workflows of a project. Overwrites nothing unseen.

import { Option } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import { command, flagsGiven, given } from '../../command/flags.ts';
import type { WrittenFile } from '../../project/gitignore.ts';

const existing = (flags: string, about: string) =>
  new Option(flags, about).helpGroup('An existing license:').implies({ existing: true });

const JOBS = 'Jobs at a code host:';

export const initCommand = command(
  (program) =>
    program
      .command('init')
      .description('write a first project, or the jobs of one; overwrites nothing unseen')
      .addOption(
        new Option('--existing', 'for a license that was set up by hand: asks which, imports it, and plans').helpGroup(
          'An existing license:',
        ),
      )
      .addOption(existing('--base-url <url>', 'address of the service: an https:// URL, or emulator:FILE'))
      .addOption(existing('--api-version <version>', 'version of the Configuration API'))
      .addOption(existing('--token-env <name>', 'environment variable with the access token'))
      .addOption(existing('--account-id <id>', 'account of a personal access token'))
      .addOption(existing('-t, --target <name>', 'name of the license in the files'))
      .addOption(
        new Option('--ci <host>', 'write the jobs that plan, apply and watch all targets')
          .choices(['github', 'gitlab'] as const)
          .conflicts('existing')
          .helpGroup(JOBS),
      )
      .optionsGroup(JOBS)
      .option('--from <owner/chatform@commit>', 'with --ci: the release that they pin (default: that of this version)')
      .option('-y, --yes', 'with --ci: replace files, and push the branch of the ledgers, without asking'),
  async ({ existing: isExisting, ci, from, yes, ...license }, terminal) => {
    if (ci !== undefined) {
      const { writePipeline } = await import('./write-pipeline.ts');
      return writePipeline({ host: ci, ...given({ from, yes }) }, terminal);
    }
    const absent = flagsGiven({ '--from': from, '--yes': yes });
    if (absent.length > 0) throw new UsageError(`${few(absent)}: only with --ci`);
    if (isExisting === true) return (await import('./write-existing.ts')).initExisting(license, terminal);
    const [{ ignoreLocalFiles, writeNew }, { MANIFEST, PROJECT }] = await Promise.all([
      import('../../project/gitignore.ts'),
      import('./sample.ts'),
    ]);
    // Refuses a link, so it comes first.
    const ignored = await ignoreLocalFiles();
    const made: readonly (readonly [string, WrittenFile])[] = [
      ['chatform.yaml', await writeNew('chatform.yaml', PROJECT)],
      ['manifest.yaml', await writeNew('manifest.yaml', MANIFEST)],
      ['.gitignore', ignored],
    ];
    const lines = made.map(([path, what]) => `${what.padEnd(8)} ${path}\n`).join('');
    const next = 'Next: chatform plan, then chatform apply. Both work on an emulator until you add a real target.';
    return { code: 0, document: null, text: () => `${lines}\n${next}\n` };
  },
);
