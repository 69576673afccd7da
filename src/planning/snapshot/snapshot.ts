// Schema and types of the snapshot: what a plan needs of a license and its ledger where neither can be reached.

import * as s from '../../base/documents.ts';
import { type KindName, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';

const address = s.address('Address of a resource.');
const id = s.objectId("The service's id; `withheld:<number>` for a person whom the files do not name.");
const spec = s.map('Field -> value, as a manifest would spell it; references are bare ids.', s.anything('The value.'));
const onlyTrue = (description: string) => s.only(true, { description });
const fields = (description: string) => s.list(description, s.text('Name of the field.'));

const object = s.record(
  'One object, as far as it is shown. A field that none of its lists names, and that has no value, is left out.',
  { id, name: s.text('What a person calls it; its id where the name must not be seen.'), spec },
  {
    owner: onlyTrue('The owner of the license.'),
    derived: onlyTrue('Made by a bot template.'),
    builtin: onlyTrue('Came with the license.'),
    pending_approval: onlyTrue('Waits for approval.'),
    possibly_unset: onlyTrue('Reads the same as the default, so it may be set or not.'),
    members: s.map('Id -> priority.', s.text('Priority.')),
    spared: s.text('Why it stays where everything undeclared goes.'),
    unread: fields('Fields that the service did not return.'),
    unset: fields('Fields that have no value.'),
    masked: fields('Fields whose value has `withheld` in the place of a secret.'),
  },
);
export type SeenObject = s.ValueOf<typeof object>;

const ledger = s.record('What the ledger says, as far as it is shown.', {
  bindings: s.list(
    'What is owned.',
    s.record('One of them.', {
      address,
      id,
      origin: s.oneOf('How it came to be owned.', ['created', 'adopted', 'imported']),
    }),
  ),
  applied: s.list(
    'What was applied last.',
    s.record(
      'To one of them.',
      {
        address,
        spec,
        digests: s.map('Field that cannot be read -> digest of its value.', s.text('SHA-256.')),
        at: s.time('When.'),
      },
      { reads: spec },
    ),
  ),
  secrets: s.list(
    'Where one-time secrets are.',
    s.record('One of them.', { address, state: s.oneOf('Where.', ['kept', 'rescued', 'lost']) }),
  ),
});
export type SeenLedger = s.ValueOf<typeof ledger>;

const snapshot = s.record('What a plan needs of a license and of its ledger.', {
  format_version: s.formatVersion,
  chatform_version: s.text('Version of chatform that made it.'),
  created_at: s.time('When the license was read.'),
  target: s.text('Name of the target.'),
  api_version: s.oneOf('Version of the Configuration API.', VERSIONS),
  service: s.sha256('Digest of the base_url.'),
  project_version: s.whole('`version:` of chatform.yaml.'),
  full: s.flag('The snapshot is complete.'),
  namespaces: s.list('The owner clients that were looked at.', s.text('Id of the client.')),
  scopes: s.list('What a token needed for this reading.', s.text('Scope.')),
  objects: s.typed<{ readonly [kind in KindName]?: readonly SeenObject[] }>({
    type: 'object',
    description: 'Kind -> objects. A kind that is absent was not looked at.',
    properties: Object.fromEntries(KIND_NAMES.map((kind) => [kind, s.list('Objects, sorted by id.', object)])),
  }),
  rule_order: s.list('Ids of the rules, first match first.', s.text('Id.')),
  own: s.orNull(
    s.record('Owner of the token that the license is changed with, where its account said so.', {
      type: s.oneOf('Kind.', KIND_NAMES),
      id,
    }),
  ),
  nameless: s.typed<{ readonly [kind in KindName]?: number }>(
    s.map('Kind -> how many objects stand here under a number instead of their id.', s.whole('Objects.')),
  ),
  ledger,
  digest: s.sha256('Of everything but `created_at` and `chatform_version`: the same license has the same digest.'),
});
export type Snapshot = s.ValueOf<typeof snapshot>;

export const snapshotSchema = s.published('chatform ci snapshot', snapshot);
