// The JSON Schema (2020-12) of a snapshot, for anyone's tools; our own reader holds files against it. A test holds the published one against it.

import {
  flag,
  formatVersion,
  list,
  map,
  oneOf,
  orNull,
  record,
  type Schema,
  sha256,
  text,
  time,
  whole,
} from '../../base/documents.ts';
import { VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';

const address: Schema = { type: 'string', pattern: '^[a-z_]+/.+$', description: 'Address of a resource.' };
const id: Schema = {
  type: ['string', 'integer'],
  description: "The service's id; `withheld:<number>` for a person whom the files do not name.",
};
const spec = map('Field -> value, as a manifest would spell it; references are bare ids.', {
  description: 'The value.',
});
const onlyTrue = (description: string): Schema => ({ const: true, description });
const fields = (description: string): Schema => list(description, text('Name of the field.'));

const object = record(
  'One object, as far as it is shown.',
  { id, name: text('What a person calls it; its id where that must not be seen.'), spec },
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
    masked: fields('Fields whose value has `withheld` in the place of what must not be seen.'),
  },
);

export function snapshotSchema(): Schema {
  const listed = list('Objects, sorted by id.', object);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform snapshot',
    ...record(
      'What a plan needs of a license and of its ledger. What is in none of the lists of an object is left out.',
      {
        format_version: formatVersion,
        chatform_version: text('Version of chatform that made it.'),
        created_at: time('When the license was read.'),
        target: text('Name of the target.'),
        api_version: oneOf('Version of the Configuration API.', VERSIONS),
        service: sha256('Digest of the base_url.'),
        project_version: whole('`version:` of chatform.yaml.'),
        full: flag('Nothing was left out.'),
        namespaces: list('The owner clients that were looked at.', text('Id of the client.')),
        scopes: list('What a token needed for this reading.', text('Scope.')),
        objects: {
          type: 'object',
          description: 'Kind -> objects. A kind that is not there was not looked at.',
          properties: Object.fromEntries(KIND_NAMES.map((kind) => [kind, listed])),
        },
        rule_order: list('Ids of the rules, first match first.', text('Id.')),
        own: orNull(
          record('Whose the token is that the license is changed with, where its account said so.', {
            type: oneOf('Kind.', KIND_NAMES),
            id,
          }),
        ),
        nameless: map('Kind -> how many objects stand here under a number.', whole('Objects.')),
        ledger: record('What the ledger says.', {
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
        }),
        digest: sha256('Of everything but `created_at` and `chatform_version`.'),
      },
    ),
  };
}
