// `chatform ledger migrate` and `ledger move`: the database in which a project keeps its ledgers.

import { Option } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { ALL, command, TARGETS } from '../../command/flags.ts';
import type { MovedLedger } from './move-operation.ts';

export const migrate = command(
  (ledger) =>
    ledger
      .command('migrate')
      .description('make the tables in the database of ledger_store, or bring them up to date')
      .option('--json', 'print one JSON document instead of text'),
  async (_, terminal) => {
    const [{ storeOf }, { migrateDatabase }, { isInstalled }, { commandDocument }, text] = await Promise.all([
      import('./operation.ts'),
      import('../../ledger/postgres/migrate.ts'),
      import('../../many/workers/dbos.ts'),
      import('../../view/documents.ts'),
      import('./view.ts'),
    ]);
    const { variable } = (await storeOf(terminal)).store;
    const { env, clock, signal, notice, log } = terminal;
    // Only runs on workers need its tables.
    const hasEngine = await isInstalled();
    const engine = async (address: string): Promise<void> =>
      (await import('../../many/workers/migrate.ts')).migrateEngine(address, log);
    const migrated = await migrateDatabase(
      { variable, env },
      {
        clock,
        signal,
        onWait: (server) => notice({ type: 'waiting-for-migration', server }),
        ...(hasEngine ? { further: engine } : {}),
      },
    );
    return {
      code: 0,
      document: () => commandDocument({ database: variable, ...migrated, engine: hasEngine }),
      text: () => text.migratedText(variable, migrated, hasEngine),
    };
  },
);

export const move = command(
  (ledger) =>
    ledger
      .command('move')
      .description('move ledgers between files and the database of ledger_store, and prove that they say the same')
      .addOption(
        new Option('--to <place>', 'where they are from now on')
          .choices(['postgres', 'file'] as const)
          .makeOptionMandatory(),
      )
      .addOption(TARGETS)
      .addOption(ALL)
      .option('--json', 'print one JSON document instead of text'),
  async ({ to, target, all }, terminal) => {
    const [{ storeOf }, { moveLedger }, { selected }, { commandDocument }, text, { resultOf }] = await Promise.all([
      import('./operation.ts'),
      import('./move-operation.ts'),
      import('../../many/selected.ts'),
      import('../../view/documents.ts'),
      import('./view.ts'),
      import('../../command/result.ts'),
    ]);
    const { store, targets } = await storeOf(terminal);
    if (all !== true && target === undefined && targets.length > 1)
      throw new UsageError('chatform.yaml has several targets: choose with -t, or all of them with --all');
    const moved: MovedLedger[] = [];
    const document = () => commandDocument({ moved });
    for (const settings of selected(targets, { all: all === true, ...(target === undefined ? {} : { target }) })) {
      const result = await moveLedger(settings, to, store, terminal).catch((error: unknown) =>
        resultOf(error, terminal),
      );
      if ('code' in result) return { ...result, text: () => text.movedText(moved) };
      moved.push(result);
    }
    return { code: 0, document, text: () => text.movedText(moved) };
  },
);
