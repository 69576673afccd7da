// `chatform ci`: what jobs of a pipeline do besides planning and applying.

import { type AddCommand, command, QUIET, TIMEOUT, targetCommand } from '../../command/flags.ts';
import { ciComment } from './comment-command.ts';

const ciSnapshot = command(
  (program) =>
    targetCommand(program, 'snapshot', 'write what a plan reads of the license into a file, for `plan --against FILE`')
      .requiredOption('--out <file>', 'the file that it goes into')
      .option('--full', 'leave nothing out: a reader of the file sees all of the license')
      .addOption(QUIET)
      .addOption(TIMEOUT)
      .showHelpAfterError(
        '(for example: chatform ci snapshot --out license.json; chatform ci snapshot --help lists its flags)',
      ),
  async (flags, terminal) => {
    const [{ prepareDeclared }, { takeSnapshot }, { savePlace }, { refused }, { KINDS }, { counted }] =
      await Promise.all([
        import('../../target/prepare.ts'),
        import('./snapshot-operation.ts'),
        import('../../outlets/report-files.ts'),
        import('../../command/result.ts'),
        import('../../kinds/index.ts'),
        import('../../base/text.ts'),
      ]);
    const [{ counts }, { snapshotText }, { commandDocument }, { snapshotLine }] = await Promise.all([
      import('./snapshot-shown.ts'),
      import('../../planning/snapshot/text.ts'),
      import('../../view/documents.ts'),
      import('../plan/saved.ts'),
    ]);
    const declared = await prepareDeclared(flags, terminal);
    const place = await savePlace(flags.out, 'snapshot', { choice: flags, environment: terminal });
    const taken = await takeSnapshot(declared, { full: flags.full === true }, terminal);
    if ('refused' in taken) return refused(taken.refused);
    const { content } = taken;
    const { text, digest } = snapshotText(content);
    const { target, created_at, full, nameless } = content;
    const objects = counts(content);
    const named = objects.map(([kind, count]) => counted(count, KINDS[kind].noun.one, KINDS[kind].noun.many));
    return {
      code: 0,
      saves: [{ name: place.file, path: place.path, text: () => text }],
      note: () => (flags.quiet === true ? '' : snapshotLine(place.file, { target, digest, objects: named })),
      document: () =>
        commandDocument({
          file: place.file,
          target,
          created_at,
          digest,
          full,
          objects: Object.fromEntries(objects),
          nameless,
        }),
      text: null,
    };
  },
);

export const ciCommand: AddCommand = (program, run) => {
  const ci = program.command('ci').description('comment on a request, and a snapshot to plan against');
  for (const add of [ciComment, ciSnapshot]) add(ci, run);
};
