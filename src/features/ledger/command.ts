// `chatform ledger`: looks after the ledger, which remembers what is owned. Needs no network and no token.

import { Option } from '@commander-js/extra-typings';
import { MOST, milliseconds } from '../../base/duration.ts';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/model.ts';
import { type AddCommand, command, duration, ledgerCommandBelow, wholeNumber } from '../../command/flags.ts';
import { migrate, move } from './ledger-store.ts';

const show = command(
  (ledger) =>
    ledgerCommandBelow(ledger, 'show', 'what is owned: address, id, origin, since when, and when it was last applied'),
  async (flags, terminal) => {
    const { ledgerPath, ledgerAt, holdingsOf, openIntentsOf, commandDocument, text } = await load();
    const path = await ledgerPath(flags, terminal);
    const events = await ledgerAt(path, terminal).read();
    const [resources, intents] = [holdingsOf(events), openIntentsOf(events)];
    return {
      code: 0,
      document: () => commandDocument({ ledger: path, resources, intents }),
      text: (paint) => text.holdingsText(path, resources, intents, paint),
    };
  },
);

const log = command(
  (ledger) =>
    ledgerCommandBelow(ledger, 'log', 'every event of the ledger, oldest first: time, run and event')
      .argument('[address]', 'only this address, under its earlier names as well; * stands for anything')
      .option('--limit <n>', 'only the latest <n> events', wholeNumber(1, MOST)),
  async (flags, terminal, address) => {
    const { ledgerPath, ledgerAt, historyOf, outcomesOf, commandDocument, text } = await load();
    const [{ covers }, { writeEvent }] = await Promise.all([
      import('../../kinds/selection.ts'),
      import('../../ledger/lines.ts'),
    ]);
    const path = await ledgerPath(flags, terminal);
    const all = historyOf(await ledgerAt(path, terminal).read(), address === undefined ? null : covers([address]));
    if (address !== undefined && all.length === 0)
      throw new UsageError(`the ledger ${path} has no event of ${address}; addresses look like group/sales or agent/*`);
    const latest = (happenings: typeof all): typeof all =>
      flags.limit === undefined ? happenings : happenings.slice(-flags.limit);
    const written = ({ run, event }: (typeof all)[number]) => ({
      run,
      event: event.type === 'killed' ? { ...event } : (JSON.parse(writeEvent(event)) as Json),
    });
    return {
      code: 0,
      document: () => commandDocument({ ledger: path, events: latest(all).map(written) }),
      text: (paint) => text.logText(path, latest(outcomesOf(all)), paint),
    };
  },
);

const forget = command(
  (ledger) =>
    ledgerCommandBelow(ledger, 'forget', 'stop owning: the objects stay on the license, and are unmanaged from now on')
      .argument('<address...>', 'such as group/sales, agent/* or a bare kind')
      .option('-y, --yes', 'forget without asking'),
  async (flags, terminal, addresses) => {
    const { forgetOwned, ledgerPath, commandDocument, confirm, notDone, text } = await load();
    const path = await ledgerPath(flags, terminal);
    const result = await forgetOwned(
      path,
      addresses,
      ({ released, intents }) =>
        confirm(
          {
            question: text.forgetQuestion(released, intents, terminal.paintErr),
            word: 'forget',
            yes: flags.yes === true,
          },
          terminal,
        ),
      terminal,
    );
    if ('stopped' in result) return notDone(result.stopped, terminal);
    const { released, intents } = result;
    return {
      code: 0,
      document: () => commandDocument({ ledger: path, forgotten: released, intents }),
      text: () => text.forgottenText(released.length, intents.length),
    };
  },
);

const DAY = 86_400_000;
const KEPT_DAYS = 30;

const compact = command(
  (ledger) =>
    ledgerCommandBelow(ledger, 'compact', 'make the log shorter; what is owned stays the same').option(
      '--keep-days <n>',
      'leave all events of so many days as they are (default: those of the newest runs in 30 days, up to 1 MB)',
      wholeNumber(1, MOST),
    ),
  async (flags, terminal) => {
    const { compactLedger, ledgerPath, commandDocument, text } = await load();
    const path = await ledgerPath(flags, terminal);
    const since = terminal.clock.now() - (flags.keepDays ?? KEPT_DAYS) * DAY;
    const result = await compactLedger(path, { since, all: flags.keepDays !== undefined }, terminal);
    return {
      code: 0,
      document: () => commandDocument({ ledger: path, ...result }),
      text: () => text.compactedText(path, result),
    };
  },
);

const repair = command(
  (ledger) =>
    ledgerCommandBelow(ledger, 'repair', 'move damaged lines out of a log that cannot be read').option(
      '-y, --yes',
      'repair without asking',
    ),
  async (flags, terminal) => {
    const { repairLedger, ledgerPath, commandDocument, confirm, notDone, showDiagnostics, text } = await load();
    const { findingOf } = await import('../../ledger/lines.ts');
    const path = await ledgerPath(flags, terminal);
    const result = await repairLedger(
      path,
      ({ kept, damaged, aside }) => {
        showDiagnostics(
          damaged.map((line) => ({ ...findingOf(path, line), remedy: null })),
          terminal,
        );
        const question = text.repairQuestion(kept.length, damaged.length, aside);
        return confirm({ question, word: 'repair', yes: flags.yes === true }, terminal);
      },
      terminal,
    );
    const { kept, damaged, aside } = result.damage;
    if ('stopped' in result) {
      const findings = damaged.map((line) => ({ ...findingOf(path, line), remedy: null }));
      return notDone(result.stopped, terminal, findings);
    }
    const movedTo = result.moved ? aside : null;
    const lines = damaged.map(({ number, bytes }) => ({ line: number, text: bytes.toString() }));
    return {
      code: 0,
      document: () => commandDocument({ ledger: path, damaged: lines, moved_to: movedTo, kept: kept.length }),
      text: () => text.repairedText(path, kept.length, damaged.length, movedTo),
    };
  },
);

/** Of a lock by hand, so that a forgotten one ends. */
const LOCKED_FOR = '1h';

const lock = command(
  (ledger) =>
    ledgerCommandBelow(ledger, 'lock', 'show who holds the target, since when and until when; or hold it')
      .option('--reason <text>', 'keep runs away, and say this to the people who wait; `ledger unlock` ends it')
      .addOption(new Option('--for <time>', `with --reason: for so long (default: ${LOCKED_FOR})`).argParser(duration)),
  async (flags, terminal) => {
    const { leaseOf, holdLease, leaseDocument, text } = await load();
    const { reason, for: lasting } = flags;
    if (reason === undefined && lasting !== undefined) throw new UsageError('--for is for a lock with --reason');
    const found =
      reason === undefined
        ? await leaseOf(flags, terminal)
        : await holdLease(flags, { reason, lasting: milliseconds(lasting ?? LOCKED_FOR) ?? 0 }, terminal);
    return { code: 0, document: () => leaseDocument(found), text: () => `${text.leaseText(found)}\n` };
  },
);

const unlock = command(
  (ledger) =>
    ledgerCommandBelow(
      ledger,
      'unlock',
      'end the lease of a run that is dead, or a lock by hand; a run that lives sends nothing more',
    ).option('-y, --yes', 'unlock without asking'),
  async (flags, terminal) => {
    const { releaseLease, leaseDocument, confirm, notDone, text } = await load();
    const result = await releaseLease(
      flags,
      (found) => {
        const danger =
          found.record?.holder.reason === undefined
            ? 'If that run lives, it stops in the middle: unlock only if the run is dead.'
            : 'Runs may change it again after that.';
        const question = `${text.leaseText(found)}\n${danger}`;
        return confirm({ question, word: 'unlock', yes: flags.yes === true }, terminal);
      },
      terminal,
    );
    if ('stopped' in result) return notDone(result.stopped, terminal);
    const { lease } = result;
    switch (result.outcome) {
      case 'unchanged':
        return {
          code: 0,
          document: () => leaseDocument(lease, { released: false }),
          text: () => `${text.leaseText(lease)}\n`,
        };
      case 'released':
        return {
          code: 0,
          document: () => leaseDocument(lease, { released: true }),
          text: () => text.releasedText(lease, result.from.holder),
        };
    }
  },
);

/** Everything that the commands of a ledger call. */
async function load() {
  const [
    { ledgerPath, forgetOwned, compactLedger, repairLedger, leaseOf, holdLease, releaseLease },
    stores,
    { historyOf, holdingsOf, openIntentsOf, outcomesOf },
    documents,
    text,
    results,
  ] = await Promise.all([
    import('./operation.ts'),
    import('../../target/stores.ts'),
    import('../../ledger/history.ts'),
    import('../../view/documents.ts'),
    import('./view.ts'),
    import('../../command/result.ts'),
  ]);
  const operations = { ledgerPath, forgetOwned, compactLedger, repairLedger, leaseOf, holdLease, releaseLease };
  return { ...operations, ...stores, historyOf, holdingsOf, openIntentsOf, outcomesOf, ...documents, ...results, text };
}

export const ledgerCommand: AddCommand = (program, run) => {
  const ledger = program.command('ledger').description('what is owned, its log and its lock');
  for (const add of [show, log, lock, unlock, forget, compact, repair, migrate, move]) add(ledger, run);
};
