// The JSON Schema (2020-12) of a saved plan, for anyone's tools; our own reader holds files against it. A test holds the published one against it.

import {
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
import { guard, plan } from '../../plan/plan.ts';

const address: Schema = { type: 'string', pattern: '^[a-z_]+/.+$', description: 'Address of a resource.' };
const reference = text('Address of a declared resource, or the bare id of an object that nothing declares.');
const id: Schema = {
  type: ['string', 'integer', 'null'],
  description: "The service's id; null for whatever object the address stands for.",
};
const place = record('A place in a file, first is 1.', {
  file: text('File.'),
  line: whole('Line.'),
  column: whole('Column.'),
  length: whole('Characters that are meant.'),
});

export const diagnosticSchema = record('One finding.', {
  code: text('What kind of finding it is.'),
  severity: oneOf('How much it matters.', ['error', 'warning']),
  place,
  message: text('What is wrong.'),
  remedy: orNull(text('What would be right.')),
  excerpt: orNull(text('The line that the place is in.')),
  related: list('Other places that take part.', record('One of them.', { place, message: text('How.') })),
});

const effect: Schema = {
  description: 'Something that is true of the license when the plan is carried out, and was not before.',
  anyOf: [
    record('An object is there, gone, made again, or ours from now on.', {
      effect: oneOf('Which.', ['there', 'gone', 'renewed', 'ours']),
      address,
      id,
    }),
    record('A field has this value.', {
      effect: { const: 'value' },
      address,
      id,
      field: text('Name of the field.'),
      value: { description: 'The value.' },
    }),
    record('An agent belongs to a group, or does not.', {
      effect: { const: 'edge' },
      ends: list('The agent, then the group.', reference),
      value: orNull(text('The priority; null for not at all.')),
    }),
    record('The list is in this order.', {
      effect: { const: 'order' },
      type: oneOf('Kind of the list.', KIND_NAMES),
      order: list('First match first, also those that nothing declares.', reference),
    }),
    record('What is ours has another address.', { effect: { const: 'renamed' }, from: address, to: address }),
  ],
};

export function savedPlanSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform saved plan',
    ...record('A plan to be read, or applied, later.', {
      format_version: formatVersion,
      chatform_version: text('Version of chatform that made it.'),
      created_at: time('When it was made.'),
      target: text('Name of the target.'),
      api_version: oneOf('Version of the Configuration API.', VERSIONS),
      service: sha256('Digest of the base_url.'),
      manifest: sha256('Digest of what the files declared.'),
      selection: record('What the plan was narrowed to.', {
        only: list('`--only`.', text('Glob.')),
        except: list('`--except`.', text('Glob.')),
      }),
      acknowledged: record('What was acknowledged on the command line.', {
        given: list('`--acknowledge`.', text('Address, or word.')),
        vetoes: list(
          'What it let go, and speaks for: nothing else.',
          record('One veto.', { guard, addresses: list('What it concerned.', address) }),
        ),
      }),
      plan,
      diagnostics: list('Warnings about the files.', diagnosticSchema),
      read: map('`<kind>/<id>` -> digest of the object as it was read.', sha256('Digest.')),
      effects: list('What has to be true in the end; an apply may have no other.', effect),
      digest: sha256('Of everything but `created_at` and `chatform_version`.'),
    }),
  };
}
