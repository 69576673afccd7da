// The JSON Schema (2020-12) of what `drift --json` prints, for anyone's tools. A test holds documents against it, with no member to spare.

import {
  flag,
  formatVersion,
  list,
  oneOf,
  orNull,
  place,
  record,
  type Schema,
  text,
  time,
  whole,
} from '../../base/documents.ts';
import { SEVERITIES, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { reach } from '../../plan/plan.ts';
import { DRIFT_KINDS, STATUSES } from '../../project/drift-settings.ts';
import { WAYS_OUT } from './report.ts';

const counts = (description: string, names: readonly string[]): { readonly [name: string]: Schema } =>
  Object.fromEntries(names.map((name) => [name, whole(description)]));

const source = orNull(place('Where the files say it; null for what they do not.'));

/** Members of one difference. */
export const ITEM: { readonly [name: string]: Schema } = {
  status: oneOf(
    'Which side moved since the last apply. drift: the license. pending: the repository. conflict: both, not to the same. converged: both, to the same. unknown: nobody can tell.',
    STATUSES,
  ),
  kind: oneOf('What is different.', DRIFT_KINDS),
  address: text(
    'Address of the resource; `<kind>/<id>` of an object that nothing declares; the bare kind for the order of its list.',
  ),
  type: oneOf('Kind of the resource.', KIND_NAMES),
  name: text('What a person calls the object.'),
  id: { type: ['string', 'integer', 'null'], description: "The service's id; null for an object that does not exist." },
  path: list('The field, and in a map the member; empty for a whole object, and for an order.', text('A name.')),
  base: { description: 'What was last applied; null where there is none, or nobody knows it.' },
  live: { description: 'What the license has; null where there is none, or nobody knows it.' },
  desired: { description: 'What the manifest says; null where it says nothing.' },
  reach: orNull({
    ...reach,
    description: 'How an apply would close it; null when there is nothing to write, or nothing but a whole object.',
  }),
  reason: orNull(text('What a person has to know beside the values.')),
  applied_at: orNull(time('When the base was applied; null without a base.')),
  source,
  ways_out: list('How to end it.', oneOf('One way.', WAYS_OUT)),
  fingerprint: {
    type: 'string',
    pattern: '^[0-9a-f]{32}$',
    description: 'The same for the same difference of the same target, whatever the values are.',
  },
  severity: oneOf('How much it matters.', SEVERITIES),
  first_seen: time('Of this uninterrupted stretch of looks that saw it.'),
  seen_count: whole('Looks of that stretch, this one included.'),
  returned: whole('After how many applies that had closed it it came back.'),
  fight: flag('It keeps coming back: somebody else writes the same thing.'),
  ignored: orNull(
    record('Why the project does not want to be told; null for what counts.', {
      reason: text('Why.'),
      until: orNull(text('The last day of the rule, YYYY-MM-DD; null for a rule without an end.')),
    }),
  ),
};

const item = record('One difference, about one field, one object or one order.', ITEM);

export const SUMMARY = record('The counts.', {
  ...counts('Items of this status.', STATUSES),
  total: whole('Items, without ignored ones.'),
  ignored: whole('Ignored ones.'),
  fights: whole('Items that keep coming back.'),
  by_severity: record('Items by severity.', counts('Items of this severity.', SEVERITIES)),
});

export function driftSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform drift',
    ...record('What one look at a license found.', {
      format_version: formatVersion,
      errored: {
        const: false,
        description: 'A look that failed is another document: `errored` is true, and `message` says why.',
      },
      api_version: oneOf('Version of the Configuration API.', VERSIONS),
      target: text('Name of the target.'),
      at: time('When the license was read.'),
      in_sync: flag('No item is as severe as `fail_on`: exit code 0, else 2.'),
      fail_on: oneOf('From which severity on the look is not in sync.', SEVERITIES),
      items: list('The most severe first, then as people read a license.', item),
      ignored: list('What an ignore rule covers, in the same order.', item),
      notes: list(
        'What a person should know beside the items.',
        record('One note.', {
          kind: oneOf('What about.', ['ignore-expired', 'ignore-idle', 'ledger-new', 'secret-lost', 'sightings-lost']),
          message: text('One line.'),
          source,
        }),
      ),
      summary: SUMMARY,
      requests: whole('Reading requests that the look took.'),
      diagnostics: list('Warnings about the files.', { type: 'object' }),
    }),
  };
}
