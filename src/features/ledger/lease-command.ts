// `chatform lease`: who holds a target, and the end of a lease whose run is dead.

import { type AddCommand, command, ledgerCommandBelow } from '../../command/flags.ts';

const status = command(
  (lease) => ledgerCommandBelow(lease, 'status', 'show who holds the target, since when and until when'),
  async (flags, terminal) => {
    const [{ leaseOf }, text, { leaseDocument }] = await load();
    const found = await leaseOf(flags, terminal);
    return { code: 0, document: () => leaseDocument(found), text: () => `${text.leaseText(found)}\n` };
  },
);

const release = command(
  (lease) =>
    ledgerCommandBelow(
      lease,
      'release',
      'end the lease of a run that is dead; one that lives sends nothing more',
    ).option('-y, --yes', 'release without asking'),
  async (flags, terminal) => {
    const [{ releaseLease }, text, { leaseDocument }] = await load();
    const { confirm, notDone } = await import('../../command/result.ts');
    const result = await releaseLease(
      flags,
      (found) => {
        const question = `${text.leaseText(found)}\nIf that run lives, it stops in the middle: release the lease only if the run is dead.`;
        return confirm({ question, word: 'release', yes: flags.yes === true }, terminal);
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

function load() {
  return Promise.all([import('./operation.ts'), import('./view.ts'), import('../../view/documents.ts')]);
}

export const leaseCommand: AddCommand = (program, run) => {
  const lease = program
    .command('lease')
    .description('the lease that keeps two runs from writing to one target at a time');
  for (const add of [status, release]) add(lease, run);
};
