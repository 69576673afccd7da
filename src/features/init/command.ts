// `chatform init`: a first project, for the emulator or for a license that exists. Overwrites nothing.

import { Option } from '@commander-js/extra-typings';
import { command } from '../../command/flags.ts';
import type { WrittenFile } from '../../project/gitignore.ts';

const existing = (flags: string, about: string) =>
  new Option(flags, about).helpGroup('An existing license:').implies({ existing: true });

export const initCommand = command(
  (program) =>
    program
      .command('init')
      .description('write a first project; overwrites nothing')
      .addOption(
        new Option('--existing', 'for a license that was set up by hand: asks which, imports it, and plans').helpGroup(
          'An existing license:',
        ),
      )
      .addOption(existing('--base-url <url>', 'address of the service: an https:// URL, or emulator:FILE'))
      .addOption(existing('--api-version <version>', 'version of the Configuration API'))
      .addOption(existing('--token-env <name>', 'environment variable with the access token'))
      .addOption(existing('--account-id <id>', 'account of a personal access token'))
      .addOption(existing('-t, --target <name>', 'name of the license in the files')),
  async ({ existing: isExisting, ...license }, terminal) => {
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
