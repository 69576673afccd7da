// `chatform ui`: the page of a license on this machine, which follows the files. Reads only.

import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { milliseconds } from '../../base/duration.ts';
import { thousands } from '../../base/text.ts';
import {
  command,
  duration,
  type FlagsOf,
  given,
  PARTS,
  TARGET,
  VAR,
  VAR_FILE,
  wholeNumber,
} from '../../command/flags.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A license takes seconds to read, and each request is billed. */
function refreshEach(value: string): string {
  const each = milliseconds(duration(value)) ?? 0;
  if (each >= MINUTE && each <= DAY) return value;
  throw new InvalidArgumentError('write a duration from 1m to 24h');
}

const declare = (program: Command) =>
  program
    .command('ui')
    .description('show the page of the license in a browser on this machine, and follow the files as they are saved')
    .addOption(TARGET)
    .optionsGroup(PARTS.how)
    .option('--port <port>', 'port of 127.0.0.1 to listen on (default: a free one)', wholeNumber(0, 65_535))
    .addOption(
      new Option(
        '--refresh <time>',
        'also read the license every so often while a page is open, such as 10m (default: only when a person asks)',
      ).argParser(refreshEach),
    )
    .option(
      '--demand <days>',
      'with the chats of so many days, such as 28d; requests to the reports for each group, each is billed',
    )
    .option('--no-open', 'do not open a browser')
    .option('--without-people', 'without names of people')
    .addOption(VAR)
    .addOption(VAR_FILE);

type Flags = FlagsOf<typeof declare>;

export const uiCommand = command(declare, serve);

async function serve(flags: Flags, terminal: Terminal): Promise<Result> {
  const {
    target,
    port = 0,
    refresh: each,
    demand,
    open,
    withoutPeople: isNameless = false,
    var: vars,
    varFile,
  } = flags;
  const [{ openBrowser, openPage }, { showRemark }] = await Promise.all([
    import('./operation.ts'),
    import('../../command/result.ts'),
  ]);
  const refresh = each === undefined ? null : milliseconds(each);
  const choice = given({ target, var: vars, varFile });
  const page = await openPage({ choice, port, refresh, isNameless, ...given({ demand }) }, terminal);
  terminal.out(`${page.address}\n`);
  const billed = page.isEmulator ? '' : ', each of which is billed';
  const often =
    refresh === null
      ? `A reading of the license sends ${page.requests} requests${billed}. Only a person who asks for one on the page has it read again.`
      : `While a page is open, the license is read every ${each}: ${page.requests} requests, ${thousands(Math.round((page.requests * DAY) / refresh))} a day${billed}.`;
  showRemark(`${often}\nWho has the address sees the page. Press Ctrl-C to end it.\n`, terminal);
  if (open) await openBrowser(page.once, process.platform);
  const { signal } = terminal;
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
  await page.close();
  return { code: 0, document: null, text: null };
}
