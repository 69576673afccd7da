// `chatform import`: what the license has and no file declares becomes entries of the manifest, and owned. Changes nothing on the license.

import { Option } from '@commander-js/extra-typings';
import { UsageError } from '../base/errors.ts';
import { NEW_LICENSE, ONLY, TIMEOUT, targetsCommand } from './flags.ts';
import { commandForTargets } from './several.ts';

export const importCommand = commandForTargets(
  'import',
  (program) =>
    targetsCommand(
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
      .option('--externals', 'also make entries of what the files only look up as `external`')
      .option('--with-ids', 'write `id:` into the files, and leave the ledger unchanged')
      .option('--plan', 'only print what would be written; writes nothing')
      .addOption(NEW_LICENSE)
      .addOption(TIMEOUT),
  async (flags, terminal) => {
    const [{ importLicense }, { commandDocument, importMembers }, { targetLine }, text, results] = await Promise.all([
      import('../run/import.ts'),
      import('../render/documents.ts'),
      import('../view/terminal/layout.ts'),
      import('../render/text/import.ts'),
      import('./result.ts'),
    ]);
    const result = await importLicense(flags, terminal);
    const { diagnostics } = result;
    switch (result.outcome) {
      case 'refused':
        return results.refused(diagnostics);
      case 'lost':
        return { ...results.failed(result.message, { code: 4 }), diagnostics };
      case 'drafted':
      case 'written': {
        const { imported, outcome, settings } = result;
        const say = outcome === 'drafted' ? text.previewText : text.importText;
        return {
          code: 0,
          diagnostics,
          document: () => commandDocument(importMembers(imported), diagnostics),
          text: (paint) => targetLine(settings, paint) + say(imported, paint),
          ...(outcome === 'drafted' ? { verbatim: true } : {}),
        };
      }
    }
  },
  async (several) => {
    const { forEachTarget } = await import('./targets.ts');
    // All targets share the manifest, and what one license has is not what the others should have.
    if (several.flags.plan !== true)
      throw new UsageError(
        'import writes into the files that all targets share: name one target with -t, or add --plan to see what each of them has',
      );
    return forEachTarget('import', several);
  },
);
