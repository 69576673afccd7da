// `chatform verify`: looks at the license as its visitors and customers do. Changes nothing, unless a prediction or a chat is asked for.

import type { Command } from '@commander-js/extra-typings';
import { ACCOUNTS_URL, DETACH, ON, REPORT, TIMEOUT, targetsCommand } from '../../../command/flags.ts';
import { operationCommand } from '../../../command/several.ts';

const declare = (program: Command) =>
  targetsCommand(
    program,
    'verify',
    'see the license as its customers do: routes, pages, languages, properties; changes nothing by itself',
  )
    .addOption(ON)
    .addOption(DETACH)
    .addOption(ACCOUNTS_URL)
    .option('-q, --quiet', 'only the result, and no progress')
    .option('--predict', 'ask who would answer; leaves a visitor in the list of visitors')
    .option(
      '--chat <route>',
      'rehearse the chat of this route, by its name or page; asks first, and leaves a chat behind',
    )
    .option('--after-apply', 'ask what differs again until it shows, at most for propagation_timeout')
    .option('-y, --yes', 'rehearse the chat without asking')
    .addOption(REPORT)
    .addOption(TIMEOUT);

export const verifyCommand = operationCommand(declare, async ({ predict, chat, afterApply }) => {
  const { customerTesting } = await import('./operation.ts');
  const options = { predict: predict === true, chat: chat ?? null, afterApply: afterApply === true };
  return { operation: customerTesting, options };
});
