// `chatform report`: one report of the service as a table, a picture, CSV or a document. Changes nothing.

import type { Command } from '@commander-js/extra-typings';
import { SHORT_NAMES } from '../tasks/reports/forms.ts';
import { BASE_URL, CSV, collect, command, EXIT_CODES, type FlagsOf, TARGET, TIMEOUT } from './flags.ts';
import type { Result } from './result.ts';
import type { Terminal } from './terminal.ts';

const declare = (program: Command) =>
  program
    .command('report')
    .description('show one report of the service: chats, ratings, tags, response times and others; changes nothing')
    .addHelpText('after', `\n${EXIT_CODES}`)
    .usage('[options] <name>')
    // Without a name, the error has more to say than that there is none.
    .argument('[name]', `one of ${SHORT_NAMES.join(', ')}`)
    .option('--group <group>', 'only this group, by key, address, id or name; may be repeated', collect)
    .option(
      '--agent <agent>',
      'only this agent or bot; needs --people; may be repeated where each agent has a row',
      collect,
    )
    .option('--tag <tag>', 'only chats with this tag; may be repeated', collect)
    .option('--last <time>', 'the last whole days, weeks or hours: 28d, 4w or 24h (default: 7d)')
    .option('--from <time>', 'a day or a time, in the place of --last')
    .option('--to <time>', 'a day, which counts as a whole, or a time (default: now)')
    .option('--distribution <unit>', 'one row for each hour, day, day-hours, month or year (default: day)')
    .option('--timezone <zone>', 'the zone of days and hours (default: routing.timezone, or UTC)')
    .option('--people', 'also show figures of persons, where they stand on five chats or more')
    .addOption(TARGET)
    .addOption(BASE_URL)
    .option('--json', 'print one JSON document instead of text')
    .addOption(CSV)
    .option('--report <format=file>', 'write a report: html or csv; may be repeated', collect)
    .option('-q, --quiet', 'the table alone')
    .addOption(TIMEOUT);

type Flags = FlagsOf<typeof declare>;

export const reportCommand = command(declare, report);

async function report(flags: Flags, terminal: Terminal, name: string | undefined): Promise<Result> {
  const [files, { prepareBare }, { readReport }, { commandDocument }, formats, { reportTableText }] = await Promise.all(
    [
      import('../outlets/report-files.ts'),
      import('../run/choice.ts'),
      import('../run/report.ts'),
      import('../render/documents.ts'),
      import('../render/reports/report.ts'),
      import('../render/text/report.ts'),
    ],
  );
  const { settings, diagnostics } = await prepareBare(flags, terminal);
  const places = await files.parseReports(flags.report ?? [], formats.REPORT_FORMATS, {
    choice: flags,
    environment: terminal,
  });
  const { report: read, requests } = await readReport(name, flags, settings, terminal);
  const at = new Date(terminal.clock.now()).toISOString();
  return {
    code: 0,
    diagnostics,
    document: () => commandDocument({ ...read, requests_sent: requests }, diagnostics),
    text: (paint) =>
      flags.csv === true
        ? formats.reportRenderers.csv(read, at)
        : reportTableText(read, requests, { quiet: flags.quiet === true }, paint),
    files: files.reportsWith(places, (format) => formats.reportRenderers[format](read, at)),
  };
}
