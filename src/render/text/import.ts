// The terminal text of an import: what was written, what was left out, and what comes next.

import { counted, few } from '../../base/text.ts';
import type { ImportResult } from '../../run/import.ts';
import type { Count, ImportReport, NotRead, ReportedFile } from '../../tasks/import/report.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { section } from '../../view/terminal/layout.ts';
import { actionOf } from '../words/plan.ts';

function nothing(target: string, { notRead }: ImportReport): string {
  const all = notRead === null ? 'everything that can be declared' : 'everything that was read and can be declared';
  return `Nothing to import from ${plain(target)}: ${all} is declared.`;
}

export function importText({ target, report, withIds, adoptable, gitignore }: ImportResult, paint: Paint): string {
  const { files, counts } = report;
  if (files.length === 0)
    return [paint('strong', nothing(target, report)), ...adoptionLines(adoptable), ...remarks(report, paint), ''].join(
      '\n',
    );
  const next = withIds
    ? 'chatform plan, which adopts the objects by their ids and sends nothing.'
    : `chatform plan, which finds nothing to do${report.pending.length === 0 ? '' : ' for the imported objects'}.`;
  return [
    paint('strong', `Imported ${countsText(counts)} from ${plain(target)}.`),
    ...files.map((file) => `  ${file.change.padEnd(8)}  ${plain(file.path)}: ${contentText(file)}`),
    ...(gitignore === null || gitignore === 'kept'
      ? []
      : [`  ${gitignore.padEnd(8)}  .gitignore: what must not be committed`]),
    ...remarks(report, paint),
    '',
    `Next: review the files, then run ${next}`,
    '',
  ].join('\n');
}

/** After an import that was cut off before the ledger was written. */
function adoptionLines(count: number): readonly string[] {
  if (count === 0) return [];
  const what = counted(count, 'declared object is', 'declared objects are');
  return [`${what} not in the ledger yet: chatform apply adopts what exists, without a request.`];
}

/** Each new file as it would be, and of the other files the lines that would be added, with their numbers. */
export function previewText({ target, report }: ImportResult, paint: Paint): string {
  const shown = report.files.flatMap((file) => [
    paint('strong', `# ${plain(file.path)} would be ${file.change}: ${contentText(file)}`),
    ...((file.before === null ? null : addedLines(file.before, file.text)) ??
      file.text.trimEnd().split('\n').map(plain)),
    '',
  ]);
  const none = report.files.length === 0 ? [nothing(target, report)] : [];
  // After a file there is an empty line already.
  const rest = remarks(report, paint).slice(shown.length === 0 ? 0 : 1);
  return [...none, ...shown, ...rest, 'Nothing was written.', ''].join('\n');
}

/** Null when a line of the old text is missing in the new one. */
function addedLines(before: string, text: string): readonly string[] | null {
  const old = before.split('\n');
  let next = 0;
  const added = text.split('\n').flatMap((line, index) => {
    if (line === old[next]) {
      next += 1;
      return [];
    }
    return [`${String(index + 1).padStart(5)} | ${plain(line)}`];
  });
  return next === old.length ? added : null;
}

function contentText({ counts, lookedUp }: ReportedFile): string {
  const others = lookedUp === 0 ? [] : [`${lookedUp} only looked up`];
  return [...(counts.length === 0 ? [] : [countsText(counts)]), ...others].join(', ');
}

function countsText(counts: readonly Count[]): string {
  return counts.map(({ count, noun }) => `${count} ${noun}`).join(', ');
}

/** Pending changes that are listed; a plan shows all of them. */
const MOST_PENDING = 10;

function remarks(
  { leftOut, omitted, unread, takenBack, notRead, pending }: ImportReport,
  paint: Paint,
): readonly string[] {
  const out = [
    ...leftOutLines(leftOut),
    ...unread.map(
      ({ count, noun, fields }) => `of ${count} ${noun}: ${fields.join(', ')}, which the service does not return`,
    ),
    ...omitted.map(({ address, field, reason }) => `${address}, its ${field}: ${reason}`),
  ];
  const left = pending.slice(0, MOST_PENDING).map((each) => `${(actionOf(each) ?? '').padEnd(7)} ${each.address}`);
  const more = pending.length - left.length;
  const listed = more === 0 ? left : [...left, `and ${more} more; chatform plan shows them`];
  const titled = (title: string, lines: readonly string[]) => section(title, lines.map(plain), paint);
  return [
    ...titled('Declared again, because the ledger owns them and no file declared them:', takenBack),
    ...titled('Left out:', out),
    ...(notRead === null ? [] : notReadLines(notRead, paint)),
    ...titled('Still pending; chatform apply would:', listed),
  ];
}

/** Which kinds were not read, why, and the line of chatform.yaml that has them read. */
function notReadLines({ kinds, asked, met, setting }: NotRead, paint: Paint): readonly string[] {
  const nouns = kinds.map((kind) => kind.nouns).join(', ');
  const of = asked.length === 0 ? '' : ` of ${counted(met.length, 'other client')}`;
  const why = 'The service lists them for one owner client at a time, and `clients:` in chatform.yaml names';
  const lines =
    met.length === 0
      ? [`${why} none. Name the clients of your applications there, and import again.`]
      : [
          `${why} ${asked.length === 0 ? 'none' : 'not all'}. Bots belong to:`,
          ...met.map(({ client, owns }) => `  ${client}  ${few(owns, 3)}`),
          'To read what these clients own, write into chatform.yaml, and import again:',
          `  ${setting}`,
        ];
  return section(`Not read: ${nouns}${of}.`, lines.map(plain), paint);
}

/** Objects left out of one kind for one reason: more than that share a line. */
const MOST_ALIKE = 5;

function leftOutLines(leftOut: ImportReport['leftOut']): readonly string[] {
  const alike = new Map<string, ImportReport['leftOut'][number][]>();
  for (const each of leftOut) {
    const why = `${each.noun} ${each.reason}`;
    const those = alike.get(why) ?? [];
    those.push(each);
    alike.set(why, those);
  }
  return [...alike.values()].flatMap((those) => {
    const [{ noun, reason } = { noun: '', reason: '' }] = those;
    if (those.length <= MOST_ALIKE) return those.map(({ id, name }) => `${noun} ${String(id)} (${name}): ${reason}`);
    const named = those.slice(0, MOST_ALIKE).map(({ id }) => String(id));
    return [`${noun} ${named.join(', ')}, and ${those.length - MOST_ALIKE} more: ${reason}`];
  });
}
