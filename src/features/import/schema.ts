// Schema and type of the document that `import` prints.

import * as s from '../../base/documents.ts';
import type { Diagnostic, ObjectId } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';

const address = s.address('Address of a resource.');
const type = s.oneOf('Kind.', KIND_NAMES);
const id = s.typed<ObjectId>({ type: ['string', 'integer'], description: "The service's id." });
const count = s.whole('Objects.');

const file = s.record('A file that the import makes or extends.', {
  path: s.text('File.'),
  change: s.oneOf('What becomes of it.', ['created', 'extended']),
  counts: s.list('Objects that it declares, by kind.', s.record('Of one kind.', { type, count })),
  looked_up: s.whole('Objects that it only looks up.'),
  setting: s.orNull(s.text('The setting that chatform.yaml gets: the time zone of all hours; null in other files.')),
  text: s.orNull(s.text('The whole file as it would be; null where it was written.')),
  added: s.orNull(
    s.list(
      'Lines that would be added to a file that is there; null for a new file, and where other lines change as well.',
      s.record('A line.', { line: s.whole('Its number, first is 1.'), text: s.text('What it says.') }),
    ),
  ),
});

const notRead = s.record('Kinds that the service lists for one owner client at a time.', {
  kinds: s.list('Those that were not read, or not for all clients.', type),
  clients_read: s.list('Clients that were asked.', s.text('Client id.')),
  clients_met: s.list(
    'Clients that own something and were not asked.',
    s.record('A client.', { client: s.text('Client id.'), owns: s.list('Names of what it owns.', s.text('Name.')) }),
  ),
  setting: s.text('The line of chatform.yaml that has all of them asked.'),
});

const imported = s.record('What an import found on a license and wrote into files, or would write.', {
  format_version: s.formatVersion,
  target: s.text('Name of the target.'),
  written: s.flag('Files were written.'),
  preview: s.flag('It was only asked what would be written.'),
  ids_in: s.oneOf('Where the ids of the objects are kept.', ['files', 'ledger']),
  imported: s.list(
    'Objects that the files declare now.',
    s.record('One of them.', { address, type, id, file: s.text('The file.') }),
  ),
  files: s.list('Files.', file),
  adoptable: s.whole('Declared objects that the next apply adopts.'),
  taken_back: s.list('Owned objects that no file declared any more.', address),
  left_out: s.list(
    'Objects that no file can declare.',
    s.record('One of them.', { type, id, name: s.text('Name.'), reason: s.text('Why not.') }),
  ),
  omitted: s.list(
    'Fields that the files leave out.',
    s.record('One of them.', { address, field: s.text('Field.'), reason: s.text('Why.') }),
  ),
  unread: s.list(
    'Fields that the service does not return.',
    s.record('Of one kind.', { type, count, fields: s.list('Fields.', s.text('Field.')) }),
  ),
  not_read: s.orNull(notRead),
  pending: s.list(
    'Changes that an apply would make with or without the import.',
    s.record('One of them.', {
      address,
      type,
      action: s.text('create, update, move, replace or delete.'),
    }),
  ),
  gitignore: s.orNull(s.oneOf('What became of .gitignore.', ['created', 'kept', 'extended'])),
  errored: s.flag('Always false: a failure has a document of its own.'),
  diagnostics: s.list('Findings in the files.', s.typed<Diagnostic>({ type: 'object' })),
});
export type ImportResult = s.ContentOf<typeof imported>;

export const importSchema = s.published('chatform import', imported);
