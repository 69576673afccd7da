// The JSON Schema (2020-12) of what `show --json` prints, for anyone's tools. A test holds documents against it, with no member to spare.

import { flag, formatVersion, list, map, orNull, record, type Schema, text, whole } from '../../base/documents.ts';
import { VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { OWNERSHIPS } from './catalogue.ts';

const type: Schema = { enum: KIND_NAMES, description: 'Kind of the resource.' };

const pointers = (description: string): Schema =>
  orNull(
    list(
      description,
      record('One reference.', {
        field: orNull(text('The field it stands in; null for a value of the object.')),
        address: text('The other end.'),
        name: orNull(text('What a person calls it; null when it was not read, or has no name but its id.')),
      }),
    ),
  );

const resource = record('One object of the license.', {
  address: text('`<kind>/<key>`; `<kind>/<id>` of an object that is unmanaged.'),
  type,
  id: { type: ['string', 'integer'], description: "The service's id." },
  name: text('What a person calls it.'),
  ownership: {
    enum: OWNERSHIPS,
    description: 'declared: the manifest has it. owned: only the ledger does. unmanaged: neither.',
  },
  origin: orNull({ enum: ['created', 'adopted', 'imported'], description: 'How it became ours.' }),
  last_applied: orNull(text('RFC 3339; null when nothing was applied to it.')),
  source: orNull(
    record('Where the manifest declares it.', {
      file: text('File.'),
      line: whole('Line, first is 1.'),
      column: whole('Column, first is 1.'),
    }),
  ),
  spec: { type: 'object', description: 'As it is on the license; references are addresses.' },
  unread: list('Fields that were not read, or cannot be.', text('Name of a field.')),
});

export function showSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform show',
    ...record('What a license has.', {
      format_version: formatVersion,
      errored: flag('Something could not be read: exit code 1.'),
      target: text('Name of the target.'),
      api_version: { enum: VERSIONS, description: 'Version of the Configuration API.' },
      manifest_read: flag('False: the manifest has errors or is not there, and nothing counts as declared.'),
      kinds: list(
        'The kinds that were asked for.',
        record('One of them.', {
          type,
          read: flag('False: it could not be read, or only per owner client, and none is known.'),
          total: whole('Objects on the license.'),
          ...Object.fromEntries(OWNERSHIPS.map((each) => [each, whole('Of these.')])),
        }),
      ),
      resources: orNull(list('Null for the license as a whole.', resource)),
      refers_to: pointers('Of one resource; null otherwise.'),
      referred_to_by: pointers('Of one resource, as far as it could be read; null otherwise.'),
      differences: orNull(
        list(
          'Of one that is declared, from what was applied and what is declared, as `drift --json` has them; null when nobody can tell.',
          {
            type: 'object',
          },
        ),
      ),
      requests_sent: map('Requests by action: each is billed.', whole('How many.')),
      diagnostics: list('What is wrong with the files.', { type: 'object' }),
    }),
  };
}
