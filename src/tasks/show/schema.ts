// What `show --json` prints, as schema and types.

import {
  type ContentOf,
  counts,
  flag,
  formatVersion,
  list,
  map,
  objectId,
  oneOf,
  orNull,
  place,
  published,
  record,
  text,
  typed,
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import { type Diagnostic, type Spec, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import type { Difference } from '../drift/report.ts';

const OWNERSHIPS = ['declared', 'owned', 'unmanaged'] as const;

const type = oneOf('Kind of the resource.', KIND_NAMES);

const reference = record('One reference.', {
  field: orNull(text('The field it stands in; null where the id itself says whose value it is.')),
  address: text('The other end.'),
  name: orNull(text('What a person calls it; null when it was not read, or has no name but its id.')),
});
export type ShownReference = ValueOf<typeof reference>;

const object = record('One object of the license.', {
  address: text('`<kind>/<key>`; `<kind>/<id>` of an object that is unmanaged.'),
  type,
  id: objectId("The service's id."),
  name: text('What a person calls it.'),
  ownership: oneOf('declared: the manifest has it. owned: only the ledger does. unmanaged: neither.', OWNERSHIPS),
  origin: orNull(oneOf('How it became ours; null when it is not, or not yet.', ['created', 'adopted', 'imported'])),
  last_applied: orNull(text('RFC 3339; null when nothing was applied to it.')),
  source: orNull(place('Where the manifest declares it.')),
  spec: typed<Spec>({ type: 'object', description: 'As it is on the license; references are addresses.' }),
  unread: list('Fields that were not read, or cannot be.', text('Name of a field.')),
});
export type ShownObject = ValueOf<typeof object>;

const kindCount = record('One kind.', {
  type,
  read: flag('False: it could not be read, or only per owner client, and none is known.'),
  total: whole('Objects on the license.'),
  ...counts('Of these.', OWNERSHIPS),
});
export type KindCount = ValueOf<typeof kindCount>;

const shown = record('What a license has.', {
  format_version: formatVersion,
  errored: flag('Something could not be read: exit code 1.'),
  target: text('Name of the target.'),
  api_version: oneOf('Version of the Configuration API.', VERSIONS),
  manifest_read: flag('False: the manifest has errors or is missing, and nothing counts as declared.'),
  kinds: list('The kinds that were asked for.', kindCount),
  resources: orNull(list('Null for the license as a whole.', object)),
  refers_to: orNull(list('References of one resource; null otherwise.', reference)),
  referred_to_by: orNull(list('References to one resource, as far as they could be read; null otherwise.', reference)),
  differences: orNull(
    list(
      'Of one that is declared: between what was applied, live and declared, as `drift --json` has them; null when they are not known.',
      typed<Difference>({ type: 'object' }),
    ),
  ),
  requests_sent: map('Requests by action: each is billed.', whole('How many.')),
  diagnostics: list('What is wrong with the files.', typed<Diagnostic>({ type: 'object' })),
});
export type Shown = ContentOf<typeof shown>;

export const showSchema = published('chatform show', shown);
