// `chatform fleet`: the runs over several targets on this machine: which there are, how far one is, and its end.

import { type AddCommand, command, duration, wholeNumber } from '../../command/flags.ts';
import { fleetStatus } from './status-command.ts';

const JSON_FLAG = ['--json', 'print one JSON document instead of text'] as const;

/** Runs that a list has by default: each log is read whole. */
const NEWEST = 20;

const list = command(
  (fleet) =>
    fleet
      .command('list')
      .description('the runs over several targets, newest first')
      .option('--all', `also those that are older than ${NEWEST} others`)
      .option(...JSON_FLAG),
  async ({ all }, terminal) => {
    const [{ newestRuns, runMember }, { runsBlocks }, { blocksText }, { commandDocument }] = await Promise.all([
      import('../../many/log/fleet-runs.ts'),
      import('./view.ts'),
      import('../../view/writers/terminal.ts'),
      import('../../view/documents.ts'),
    ]);
    const { runs: found, older } = await newestRuns(terminal, all === true ? {} : { most: NEWEST });
    const runs = found.map(({ run, results }) => ({ begun_at: results.run.at, ...runMember(run, results) }));
    return {
      code: 0,
      document: () => commandDocument({ runs, older }),
      text: (paint) => blocksText(runsBlocks(found, older), paint),
    };
  },
);

const cancel = command(
  (fleet) =>
    fleet
      .command('cancel')
      .description('begin no target of a run any more; what is under way ends')
      .argument('[run]', 'id of a run, or how it begins (default: the newest that workers did not begin by themselves)')
      .option(...JSON_FLAG),
  async (_, terminal, id) => {
    const { user, host, pid } = terminal.self;
    const [{ timeOf }, { runWithResults, isOver }, { shortId }, { commandDocument }] = await Promise.all([
      import('../../many/local.ts'),
      import('../../many/log/fleet-runs.ts'),
      import('../../view/plain.ts'),
      import('../../view/documents.ts'),
    ]);
    const { run, results } = await runWithResults(id, terminal);
    const isLate = isOver(run, results);
    const at = new Date(await timeOf(run.log, terminal)).toISOString();
    if (!isLate) await run.store.cancel({ v: 1, type: 'cancel', at, by: { user, host, pid } });
    return {
      code: 0,
      document: () => commandDocument({ id: run.id, cancelled: !isLate }),
      text: () =>
        isLate
          ? `Run ${shortId(run.id)} is over: there is nothing to cancel.\n`
          : `Run ${shortId(run.id)} begins no other target. What is under way ends; \`chatform fleet status ${shortId(run.id)}\` says when.\n`,
    };
  },
);

const worker = command(
  (fleet) =>
    fleet
      .command('worker')
      .description('do what `--workers` asks for, with the files of the commit of each run, until a signal')
      .option('--parallel <number>', 'how many targets at a time (default: 16)', wholeNumber(1, 256))
      .option('--port <number>', 'answer /health and /metrics on this port of this machine', wholeNumber(0, 65_535))
      .option('--ttl <time>', 'after how much silence others take over its work, such as 30s (default: 15s)', duration)
      .option(...JSON_FLAG),
  async (flags, terminal) => (await import('./worker-command.ts')).work(flags, terminal),
);

export const fleetCommand: AddCommand = (program, run) => {
  const fleet = program.command('fleet').description('runs over several targets, and the workers that do them');
  for (const add of [list, fleetStatus, cancel, worker]) add(fleet, run);
};
