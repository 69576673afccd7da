// The view of an import: what was written or would be, what was left out, and what comes next.

import { groupedBy } from '../../base/grouped.ts';
import { counted, few } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Block, Item, Mark, Section, Span, Table, Text, View } from '../../view/blocks.ts';
import { ACTIONS } from '../../view/words/actions.ts';
import type { ImportResult } from './schema.ts';

type ImportedFile = ImportResult['files'][number];
type Counts = ImportedFile['counts'];

const NOTHING: Mark = { sign: '=', word: 'nothing to import', tone: 'calm' };
const PREVIEW: Mark = { sign: '+', word: 'nothing was written', tone: 'add' };

export function importedView(result: ImportResult): View {
  const { target, files, preview } = result;
  return {
    title: ['Import of ', { text: target, as: 'name' }],
    mark: files.length === 0 ? NOTHING : preview ? PREVIEW : ACTIONS.imported,
    result: resultText(result),
    about: [],
    body: [...filesBlocks(result), ...remarks(result)],
  };
}

function resultText(result: ImportResult): Text {
  const { target, files, preview, adoptable, not_read: notRead, imported } = result;
  if (files.length === 0) {
    const all = notRead === null ? 'everything that can be declared' : 'everything that was read and can be declared';
    return [`Nothing to import from ${target}: ${all} is declared.`, ...adoption(adoptable)];
  }
  const what = countsText(countsIn(imported));
  if (preview) return `${what} would be imported from ${target}. Nothing was written.`;
  return [{ text: `Imported ${what} from ${target}.`, tone: 'strong' }, ' ', ...nextStep(result)];
}

function nextStep({ ids_in: place, pending }: ImportResult): readonly Span[] {
  const outcome =
    place === 'files'
      ? ', which adopts the objects by their ids and sends nothing.'
      : `, which finds nothing to do${pending.length === 0 ? '' : ' for the imported objects'}.`;
  return ['Next: review the files, then run ', { text: 'chatform plan', as: 'command' }, outcome];
}

/** After an import that was cut off before the ledger was written. */
function adoption(count: number): readonly Span[] {
  if (count === 0) return [];
  const what = counted(count, 'declared object is', 'declared objects are');
  return [
    ` ${what} not in the ledger yet: `,
    { text: 'chatform apply', as: 'command' },
    ' adopts what exists, without a request.',
  ];
}

/** Each new file as it would be, and of the other files the lines that would be added, with their numbers. */
function filesBlocks({ files, preview, gitignore }: ImportResult): readonly Block[] {
  if (preview)
    return files.map(
      (file, index): Section => ({
        type: 'section',
        id: `file-${index + 1}`,
        title: `${file.path} would be ${file.change}, ${contentText(file)}`,
        body: [{ type: 'code', lines: codeOf(file) }],
      }),
    );
  const items = files.map(
    (file): Item => ({
      mark: file.change === 'created' ? ACTIONS.created : { ...ACTIONS.changed, word: file.change },
      label: { text: file.path, as: 'file' },
      about: contentText(file),
    }),
  );
  const ignored: readonly Item[] =
    gitignore === null || gitignore === 'kept'
      ? []
      : [
          {
            mark: gitignore === 'created' ? ACTIONS.created : { ...ACTIONS.changed, word: gitignore },
            label: { text: '.gitignore', as: 'file' },
            about: 'what must not be committed',
          },
        ];
  return items.length === 0 ? [] : [{ type: 'items', sides: [], items: [...items, ...ignored], isOpen: true }];
}

function codeOf({ text, added }: ImportedFile): readonly string[] {
  if (added !== null) return added.map(({ line, text: said }) => `${String(line).padStart(5)} | ${said}`);
  return (text ?? '').trimEnd().split('\n');
}

function contentText({ counts, looked_up: lookedUp, setting }: ImportedFile): string {
  if (setting !== null) return setting;
  const others = lookedUp === 0 ? [] : [`${lookedUp} only looked up`];
  return [...(counts.length === 0 ? [] : [countsText(counts)]), ...others].join(', ');
}

function countsText(counts: Counts): string {
  return counts.map(({ type, count }) => counted(count, KINDS[type].noun.one, KINDS[type].noun.many)).join(', ');
}

function countsIn(imported: ImportResult['imported']): Counts {
  const types = [...new Set(imported.map(({ type }) => type))];
  return types.map((type) => ({ type, count: imported.filter((each) => each.type === type).length }));
}

/** Pending changes that are listed; a plan shows all of them. */
const MOST_PENDING = 10;

function remarks(result: ImportResult): readonly Section[] {
  const { taken_back: taken, left_out: left, omitted, unread, not_read: notRead, pending } = result;
  const out = [
    ...leftOutTexts(left),
    ...unread.map(
      ({ type, count, fields }) =>
        `of ${countsText([{ type, count }])}: ${fields.join(', ')}, which the service does not return`,
    ),
    ...omitted.map(({ address, field, reason }) => `${address}, its ${field}: ${reason}`),
  ];
  const more = pending.length - MOST_PENDING;
  const listed = pending.slice(0, MOST_PENDING).map(({ action, address }) => `${action} ${address}`);
  return [
    ...sectionOf('taken-back', 'Declared again, because the ledger owns them and no file declared them', taken),
    ...sectionOf('left-out', 'Left out', out),
    ...(notRead === null ? [] : [notReadSection(notRead)]),
    ...sectionOf('pending', 'Still pending; chatform apply would', [
      ...listed,
      ...(more > 0 ? [`and ${more} more; chatform plan shows them`] : []),
    ]),
  ];
}

function sectionOf(id: string, title: string, texts: readonly Text[]): readonly Section[] {
  return texts.length === 0 ? [] : [{ type: 'section', id, title, body: [{ type: 'list', texts }] }];
}

/** Which kinds were not read, why, and the line of chatform.yaml that has them read. */
function notReadSection({
  kinds,
  clients_read: asked,
  clients_met: met,
  setting,
}: NonNullable<ImportResult['not_read']>): Section {
  const nouns = kinds.map((type) => KINDS[type].noun.many).join(', ');
  const of = asked.length === 0 ? '' : ` of ${counted(met.length, 'other client')}`;
  const why = 'The service lists them for one owner client at a time, and `clients:` in chatform.yaml names';
  const said = (text: Text): Block => ({ type: 'text', text });
  const body: readonly Block[] =
    met.length === 0
      ? [said(`${why} none. Name the clients of your applications there, and import again.`)]
      : [
          said(`${why} ${asked.length === 0 ? 'none' : 'not all'}. Bots belong to:`),
          { type: 'facts', facts: met.map(({ client, owns }) => [client, few(owns, 3)]) },
          said('To read what these clients own, write into chatform.yaml, and import again:'),
          { type: 'code', lines: [setting] },
        ];
  return { type: 'section', id: 'not-read', title: `Not read: ${nouns}${of}`, tone: 'warning', body };
}

/** Objects left out of one kind for one reason: more than that share a line. */
const MOST_ALIKE = 5;

function leftOutTexts(left: ImportResult['left_out']): readonly string[] {
  const alike = groupedBy(left, ({ type, reason }) => `${type} ${reason}`);
  return [...alike.values()].flatMap((those) => {
    const [first] = those;
    if (first === undefined) return [];
    const { one } = KINDS[first.type].noun;
    if (those.length <= MOST_ALIKE) return those.map(({ id, name, reason }) => `${one} ${id} (${name}): ${reason}`);
    const named = those.slice(0, MOST_ALIKE).map(({ id }) => String(id));
    return [`${one} ${named.join(', ')}, and ${those.length - MOST_ALIKE} more: ${first.reason}`];
  });
}

/** A row for each object. */
export function importedTable({ imported, left_out: left }: ImportResult): Table {
  return {
    type: 'table',
    columns: ['result', 'type', 'address', 'id', 'file', 'reason'].map((title) => ({ title })),
    rows: [
      ...imported.map(({ address, type, id, file }) => ({ cells: ['imported', type, address, String(id), file, ''] })),
      ...left.map(({ type, id, reason }) => ({ cells: ['left out', type, '', String(id), '', reason] })),
    ],
  };
}
