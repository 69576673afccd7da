// What an import found and wrote in; what a person reads of it, and what a document has of it, out. Decides nothing.

import type { ImportResult } from '../run/import.ts';
import type { Count, ImportReport, ReportedFile } from '../tasks/import/report.ts';
import type { Members } from './documents.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';
import { shownAs } from './plan-text.ts';

const NOTHING = 'Nothing to import: all that can be declared is declared.';

/** What was written, what was not, and what comes next. */
export function importText({ target, report, withIds, adoptable }: ImportResult, paint: Paint): string {
  const { files, counts } = report;
  if (files.length === 0)
    return [paint('strong', NOTHING), ...adoptionLines(adoptable), ...remarks(report, paint), ''].join('\n');
  const next = withIds
    ? 'chatform plan, which adopts what the ids name: that sends nothing.'
    : `chatform plan, which finds nothing to do${report.pending.length === 0 ? '' : ' in what was imported'}.`;
  return [
    paint('strong', `Imported ${counted(counts)} from ${plain(target)}.`),
    ...files.map((file) => `  ${file.change.padEnd(8)}  ${fileLine(file)}`),
    ...remarks(report, paint),
    '',
    `Next: look the files through, then ${next}`,
    '',
  ].join('\n');
}

/** As after an import that was cut off before the ledger was told. */
function adoptionLines(count: number): readonly string[] {
  if (count === 0) return [];
  const what = count === 1 ? '1 declared object is' : `${count} declared objects are`;
  return [`${what} not in the ledger yet: chatform apply adopts what is there, without a request.`];
}

/** Each new file as it would be, and of the others the lines that would be added, with their numbers. */
export function previewText({ report }: ImportResult, paint: Paint): string {
  const { files } = report;
  const shown = files.flatMap((file) => [
    paint('strong', `# ${plain(file.path)} would be ${file.change}: ${filled(file)}`),
    ...((file.before === null ? null : addedLines(file.before, file.text)) ??
      file.text.trimEnd().split('\n').map(plain)),
    '',
  ]);
  const nothing = files.length === 0 ? [NOTHING] : [];
  const told = remarks(report, paint);
  return [...nothing, ...shown, ...told.slice(nothing.length === 0 ? 1 : 0), 'Nothing was written.', ''].join('\n');
}

/** Null when a line of the old text is not there any more: else its lines are among those of the new one, in their order. */
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

function fileLine(file: ReportedFile): string {
  return `${plain(file.path)}: ${filled(file)}`;
}

function filled({ counts, lookedUp }: ReportedFile): string {
  const others = lookedUp === 0 ? [] : [`${lookedUp} only looked up`];
  return [...(counts.length === 0 ? [] : [counted(counts)]), ...others].join(', ');
}

function counted(counts: readonly Count[]): string {
  return counts.map(({ count, noun }) => `${count} ${noun}`).join(', ');
}

function remarks({ leftOut, omitted, unread, takenBack, pending }: ImportReport, paint: Paint): readonly string[] {
  const out = [
    ...leftOutLines(leftOut),
    ...unread.map(
      ({ count, noun, fields }) => `of ${count} ${noun}: ${fields.join(', ')}, which the service does not show`,
    ),
    ...omitted.map(({ address, field, reason }) => `${address}, its ${field}: ${reason}`),
  ];
  return [
    ...listed('Taken back, because the ledger knows them and no file declared them any more:', takenBack, paint),
    ...listed('Left out:', out, paint),
    ...listed('Still to do, as before; chatform apply would:', pendingLines(pending), paint),
  ];
}

/** A plan tells all of it. */
const MOST_PENDING = 10;

function pendingLines(pending: ImportReport['pending']): readonly string[] {
  const shown = pending
    .slice(0, MOST_PENDING)
    .map((change) => `${(shownAs(change) ?? '').padEnd(7)} ${change.address}`);
  const more = pending.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`and ${more} more, which chatform plan shows`])];
}

/** Of one sort and for one reason: more than that share a line. */
const MOST_ALIKE = 5;

function leftOutLines(leftOut: ImportReport['leftOut']): readonly string[] {
  const alike = new Map<string, ImportReport['leftOut'][number][]>();
  for (const each of leftOut) {
    const why = `${each.noun} ${each.reason}`;
    alike.set(why, [...(alike.get(why) ?? []), each]);
  }
  return [...alike.values()].flatMap((those) => {
    const [{ noun, reason } = { noun: '', reason: '' }] = those;
    if (those.length <= MOST_ALIKE) return those.map(({ id, name }) => `${noun} ${String(id)} (${name}): ${reason}`);
    const named = those.slice(0, MOST_ALIKE).map(({ id }) => String(id));
    return [`${noun} ${named.join(', ')}, and ${those.length - MOST_ALIKE} more: ${reason}`];
  });
}

function listed(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : ['', paint('strong', title), ...lines.map((line) => `  ${plain(line)}`)];
}

/** The document of `--json`. */
export function importMembers({ target, report, withIds, written }: ImportResult): Members {
  return {
    target,
    written,
    ids_in: withIds ? 'files' : 'ledger',
    imported: report.entries.map(({ address, kind, id, file }) => ({ address, type: kind, id, file })),
    files: report.files.map(({ path, change, text }) => ({ path, change, ...(written ? {} : { text }) })),
    taken_back: report.takenBack,
    left_out: report.leftOut.map(({ type, id, name, reason }) => ({ type, id, name, reason })),
    omitted: report.omitted,
    unread: report.unread.map(({ type, count, fields }) => ({ type, count, fields })),
    pending: report.pending.map(({ address, type, change: { actions } }) => ({ address, type, actions })),
  };
}
