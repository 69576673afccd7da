// The snapshot, as schema and types: what a plan needs of a license and of its ledger where neither can be reached.

import {
  address as addressOf,
  anything,
  flag,
  formatVersion,
  list,
  map,
  objectId,
  oneOf,
  only,
  orNull,
  published,
  record,
  sha256,
  text,
  time,
  typed,
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import { type KindName, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';

const address = addressOf('Address of a resource.');
const id = objectId("The service's id; `withheld:<number>` for a person whom the files do not name.");
const spec = map('Field -> value, as a manifest would spell it; references are bare ids.', anything('The value.'));
const onlyTrue = (description: string) => only(true, { description });
const fields = (description: string) => list(description, text('Name of the field.'));

const object = record(
  'One object, as far as it is shown. A field that none of its lists names, and that has no value, is left out.',
  { id, name: text('What a person calls it; its id where the name must not be seen.'), spec },
  {
    owner: onlyTrue('The owner of the license.'),
    derived: onlyTrue('Made by a bot template.'),
    builtin: onlyTrue('Came with the license.'),
    pending_approval: onlyTrue('Waits for an approval.'),
    possibly_unset: onlyTrue('Reads the same as the default, so it may be set or not.'),
    members: map('Id -> priority.', text('Priority.')),
    spared: text('Why it stays where everything undeclared goes.'),
    unread: fields('Fields that the service did not return.'),
    unset: fields('Fields that have no value.'),
    masked: fields('Fields whose value has `withheld` in the place of a secret.'),
  },
);
export type SeenObject = ValueOf<typeof object>;

const ledger = record('What the ledger says, as far as it is shown.', {
  bindings: list(
    'What is ours.',
    record('One of them.', {
      address,
      id,
      origin: oneOf('How it came to be ours.', ['created', 'adopted', 'imported']),
    }),
  ),
  applied: list(
    'What was applied last.',
    record('To one of them.', {
      address,
      spec,
      digests: map('Field that cannot be read -> digest of its value.', text('SHA-256.')),
      at: time('When.'),
    }),
  ),
  secrets: list(
    'Where one-time secrets are.',
    record('One of them.', { address, state: oneOf('Where.', ['kept', 'rescued', 'lost']) }),
  ),
});
export type SeenLedger = ValueOf<typeof ledger>;

const snapshot = record('What a plan needs of a license and of its ledger.', {
  format_version: formatVersion,
  chatform_version: text('Version of chatform that made it.'),
  created_at: time('When the license was read.'),
  target: text('Name of the target.'),
  api_version: oneOf('Version of the Configuration API.', VERSIONS),
  service: sha256('Digest of the base_url.'),
  project_version: whole('`version:` of chatform.yaml.'),
  full: flag('The snapshot is complete.'),
  namespaces: list('The owner clients that were looked at.', text('Id of the client.')),
  scopes: list('What a token needed for this reading.', text('Scope.')),
  objects: typed<{ readonly [kind in KindName]?: readonly SeenObject[] }>({
    type: 'object',
    description: 'Kind -> objects. A kind that is absent was not looked at.',
    properties: Object.fromEntries(KIND_NAMES.map((kind) => [kind, list('Objects, sorted by id.', object)])),
  }),
  rule_order: list('Ids of the rules, first match first.', text('Id.')),
  own: orNull(
    record('Owner of the token that the license is changed with, where its account said so.', {
      type: oneOf('Kind.', KIND_NAMES),
      id,
    }),
  ),
  nameless: typed<{ readonly [kind in KindName]?: number }>(
    map('Kind -> how many objects stand here under a number instead of their id.', whole('Objects.')),
  ),
  ledger,
  digest: sha256('Of everything but `created_at` and `chatform_version`: the same license has the same digest.'),
});
export type Snapshot = ValueOf<typeof snapshot>;

export const snapshotSchema = published('chatform snapshot', snapshot);
