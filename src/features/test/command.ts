// `chatform test`: the routing tests on the rules of the files or of the license, or the license as its customers see it. Changes nothing by itself.

import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import {
  ACCOUNTS_URL,
  DETACH,
  type FlagsOf,
  flagsGiven,
  PARTS,
  QUIET,
  REPORT,
  TIMEOUT,
  targetsCommand,
  VISITOR,
  WORKERS,
} from '../../command/flags.ts';
import { operationsCommand } from '../../command/one-or-many.ts';

const declare = (program: Command) =>
  targetsCommand(program, 'test', 'run routing tests, or see the license as its customers do')
    .addOption(
      new Option(
        '--on <side>',
        'the rules of the files; those of the license (live); or what customers see: routes, pages, languages, properties',
      )
        .choices(['files', 'live', 'customer'] as const)
        .default('files' as const)
        .helpGroup(PARTS.how),
    )
    .addOption(QUIET)
    .addOption(REPORT)
    .addOption(VISITOR)
    .option('--predict', 'of customers: ask who would answer; leaves a visitor in the list of visitors')
    .option(
      '--chat <route>',
      'of customers: rehearse the chat of this route, by its name or page; asks first, and leaves a chat behind',
    )
    .option('-y, --yes', 'rehearse the chat without asking')
    .option('--after-apply', 'of customers: ask what differs again until it shows, at most for propagation_timeout')
    .addOption(ACCOUNTS_URL)
    .addOption(WORKERS)
    .addOption(DETACH)
    .addOption(TIMEOUT);

type Flags = FlagsOf<typeof declare>;

export const testCommand = operationsCommand(declare, async (flags, _terminal, operate) => {
  const { on, predict, chat, afterApply, visitor } = flags;
  if (on === 'customer') {
    const { customerTesting } = await import('./customer/operation.ts');
    const acting = { predict: predict === true, chat: chat ?? null, afterApply: afterApply === true };
    const options = { ...acting, ...(visitor === true ? { visitor } : {}) };
    return operate({ operation: customerTesting, options });
  }
  requireNoCustomer(flags);
  const { testing } = await import('./operation.ts');
  return operate({ operation: testing, options: { on } });
});

function requireNoCustomer({ predict, chat, yes, afterApply, visitor, accountsUrl }: Flags): void {
  const ofCustomers = {
    '--visitor': visitor,
    '--predict': predict,
    '--chat': chat,
    '--yes': yes,
    '--after-apply': afterApply,
  };
  const [flag] = flagsGiven({ ...ofCustomers, '--accounts-url': accountsUrl });
  if (flag !== undefined) throw new UsageError(`${flag} is about what customers see: add --on customer`);
}
