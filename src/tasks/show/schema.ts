// Schema and types of `show --json`.

import * as s from '../../base/documents.ts';
import { type Diagnostic, type Spec, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import type { Difference } from '../drift/report.ts';

const OWNERSHIPS = ['declared', 'owned', 'unmanaged'] as const;

const type = s.oneOf('Kind of the resource.', KIND_NAMES);

const reference = s.record('One reference.', {
  field: s.orNull(s.text('The field it stands in; null where the id itself says whose value it is.')),
  address: s.text('The other end.'),
  name: s.orNull(s.text('What a person calls it; null when it was not read, or has no name but its id.')),
});
export type ShownReference = s.ValueOf<typeof reference>;

const object = s.record('One object of the license.', {
  address: s.text('`<kind>/<key>`; `<kind>/<id>` of an object that is unmanaged.'),
  type,
  id: s.objectId("The service's id."),
  name: s.text('What a person calls it.'),
  ownership: s.oneOf('declared: the manifest has it. owned: only the ledger does. unmanaged: neither.', OWNERSHIPS),
  origin: s.orNull(s.oneOf('How it came to be owned; null when it is not.', ['created', 'adopted', 'imported'])),
  last_applied: s.orNull(s.text('RFC 3339; null when nothing was applied to it.')),
  source: s.orNull(s.place('Where the manifest declares it.')),
  spec: s.typed<Spec>({ type: 'object', description: 'As it is on the license; references are addresses.' }),
  unread: s.list('Fields that were not read, or cannot be.', s.text('Name of a field.')),
});
export type ShownObject = s.ValueOf<typeof object>;

const kindCount = s.record('One kind.', {
  type,
  read: s.flag('False: it could not be read, or only per owner client, and none is known.'),
  total: s.whole('Objects on the license.'),
  ...s.counts('Of these.', OWNERSHIPS),
});
export type KindCount = s.ValueOf<typeof kindCount>;

const shown = s.record('What a license has.', {
  format_version: s.formatVersion,
  errored: s.flag('Something could not be read: exit code 1.'),
  target: s.text('Name of the target.'),
  api_version: s.oneOf('Version of the Configuration API.', VERSIONS),
  manifest_read: s.flag('False: the manifest has errors or is missing, and nothing counts as declared.'),
  kinds: s.list('The kinds that were asked for.', kindCount),
  resources: s.orNull(s.list('Null for the license as a whole.', object)),
  refers_to: s.orNull(s.list('References of one resource; null otherwise.', reference)),
  referred_to_by: s.orNull(
    s.list('References to one resource, as far as they could be read; null otherwise.', reference),
  ),
  differences: s.orNull(
    s.list(
      'Of one that is declared: between what was applied, live and declared, as `drift --json` has them; null when they are not known.',
      s.typed<Difference>({ type: 'object' }),
    ),
  ),
  requests_sent: s.map('Requests by action: each is billed.', s.whole('How many.')),
  diagnostics: s.list('What is wrong with the files.', s.typed<Diagnostic>({ type: 'object' })),
});
export type Shown = s.ContentOf<typeof shown>;

export const showSchema = s.published('chatform show', shown);
