// The drift report, as schema and types: what one check of a license found. `drift --json` prints it, and every other
// report is made from it.

import {
  anything,
  counts,
  flag,
  formatVersion,
  hex,
  list,
  oneOf,
  only,
  orNull,
  place,
  published,
  record,
  text,
  time,
  typed,
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import { type Diagnostic, type ObjectId, SEVERITIES, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { reach } from '../../plan/plan.ts';
import { DRIFT_KINDS, STATUSES } from '../../project/drift-settings.ts';

const source = orNull(place('Where the files say it; null for what they do not.'));

const wayOut = oneOf(
  "A way to end a difference: apply the repository's value, accept the license's, import what is ours again, or ignore it.",
  ['apply', 'accept', 'import', 'ignore'],
);
export type WayOut = ValueOf<typeof wayOut>;

const difference = {
  status: oneOf(
    'Which side changed since the last apply. drift: the license. pending: the repository. conflict: both, to different values. converged: both, to the same value. unknown: it cannot be read.',
    STATUSES,
  ),
  kind: oneOf('What is different.', DRIFT_KINDS),
  address: text(
    'Address of the resource; `<kind>/<id>` of an object that nothing declares; the bare kind for the order of its list.',
  ),
  type: oneOf('Kind of the resource.', KIND_NAMES),
  name: text('What a person calls the object.'),
  id: typed<ObjectId | null>({
    type: ['string', 'integer', 'null'],
    description: "The service's id; null for an object that does not exist.",
  }),
  path: list('The field, and in a map the member; empty for a whole object, and for an order.', text('A name.')),
  base: anything('What was last applied, in the terms of a plan; null where there is none, or it is not known.'),
  live: anything('What the license has; null where there is none, or it is not known.'),
  desired: anything('What the manifest says; null where it says nothing.'),
  reach: orNull({
    ...reach,
    description: 'How an apply would close it; null when there is nothing to write, or only a whole object.',
  }),
  reason: orNull(text('What a person has to know in addition to the values.')),
  applied_at: orNull(time('When the base was applied; null without a base.')),
  source,
  ways_out: list('How to end it.', wayOut),
};
const differenceRecord = record('One difference between base, live and desired.', difference);
export type Difference = ValueOf<typeof differenceRecord>;

/** Members of an item; a notification repeats most of them. */
export const item = {
  ...difference,
  fingerprint: hex(32, 'The same for the same difference of the same target, whatever the values are.'),
  severity: oneOf('How much it matters.', SEVERITIES),
  first_seen: time('When it was first seen, of the uninterrupted sequence of checks that saw it.'),
  seen_count: whole('Checks of that sequence, this one included.'),
  returned: whole('After how many applies that had closed it, it came back.'),
  fight: flag('It keeps coming back: someone else writes the same thing.'),
  ignored: orNull(
    record('Why the project ignores it; null for what counts.', {
      reason: text('Why.'),
      until: orNull(text('The last day of the rule, YYYY-MM-DD; null for a rule without an end.')),
    }),
  ),
};
const itemRecord = record('One difference, about one field, one object or one order.', item);
export type DriftItem = ValueOf<typeof itemRecord>;

export const summary = record('The counts.', {
  ...counts('Items of this status.', STATUSES),
  total: whole('Items, without ignored ones.'),
  ignored: whole('Ignored ones.'),
  fights: whole('Items that keep coming back.'),
  by_severity: record('Items by severity.', counts('Items of this severity.', SEVERITIES)),
});

const note = record('One note, such as an ignore rule that has expired.', {
  kind: oneOf('What about.', ['ignore-expired', 'ignore-idle', 'ledger-new', 'secret-lost', 'sightings-lost']),
  message: text('One line.'),
  source,
});
export type DriftNote = ValueOf<typeof note>;

const report = record('What one check of a license found.', {
  format_version: formatVersion,
  errored: only(false, {
    description: 'A check that failed is another document: `errored` is true, and `message` says why.',
  }),
  api_version: oneOf('Version of the Configuration API.', VERSIONS),
  target: text('Name of the target.'),
  at: time('When the license was read.'),
  in_sync: flag('No item is as severe as `fail_on`: exit code 0, else 2.'),
  fail_on: oneOf('The least severity at which the license is not in sync.', SEVERITIES),
  items: list('The most severe first, then as people read a license.', itemRecord),
  ignored: list('What an ignore rule covers, in the same order.', itemRecord),
  notes: list('What a person should know in addition to the items.', note),
  summary,
  requests: whole('Reading requests that the check took.'),
  diagnostics: list('Warnings about the files.', typed<Diagnostic>({ type: 'object' })),
});
export type DriftReport = Omit<ValueOf<typeof report>, 'errored' | 'diagnostics'>;

export const driftSchema = published('chatform drift', report);

const instant = (description: string) => typed<string>({ type: 'string', format: 'instant', description });

export const sighting = record('What is remembered of one difference.', {
  address: text('Its address.'),
  status: oneOf('Which side had changed when it was last seen.', STATUSES),
  first_seen: instant('When it was first seen, of the last uninterrupted sequence of checks that saw it.'),
  last_seen: instant('When it was last seen.'),
  seen_count: whole('Checks of that sequence.'),
  returned: whole('After how many applies that had closed it, it came back.'),
  closed_at: typed<string | null>({
    type: ['string', 'null'],
    format: 'instant',
    description: 'When a check no longer saw it; null while it exists.',
  }),
});
export type Sighting = ValueOf<typeof sighting>;

/** The outcome of one check: a check that failed is never in sync. */
export type DriftCheck =
  | { readonly outcome: 'seen'; readonly report: DriftReport }
  | {
      readonly outcome: 'failed';
      /** Null when it failed before that was known. */
      readonly target: string | null;
      /** RFC 3339. */
      readonly at: string;
      /** Why, without secrets and without control characters. */
      readonly message: string;
    };
