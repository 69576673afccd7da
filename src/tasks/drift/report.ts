// Schema and types of the drift report: what one check of a license found. `drift --json` prints it, and every other report is made from it.

import { DRIFT_KINDS, STATUSES, WAYS_OUT } from '../../base/difference.ts';
import * as s from '../../base/documents.ts';
import { type Diagnostic, type ObjectId, SEVERITIES, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { reach, scope } from '../../plan/plan.ts';

const source = s.orNull(s.place('Where the files say it; null for what they do not.'));

const wayOut = s.oneOf(
  "A way to end a difference: apply the repository's value, accept the license's, import an owned object again, or ignore it.",
  WAYS_OUT,
);

const difference = {
  status: s.oneOf(
    'Which side changed since the last apply. drift: the license. pending: the repository. conflict: both, to different values. converged: both, to the same value. unknown: it cannot be read.',
    STATUSES,
  ),
  kind: s.oneOf('What is different.', DRIFT_KINDS),
  address: s.text(
    'Address of the resource; `<kind>/<id>` of an object that nothing declares; the bare kind for the order of its list.',
  ),
  type: s.oneOf('Kind of the resource.', KIND_NAMES),
  name: s.text('What a person calls the object.'),
  id: s.typed<ObjectId | null>({
    type: ['string', 'integer', 'null'],
    description: "The service's id; null for an object that does not exist.",
  }),
  path: s.list('The field, and in a map the member; empty for a whole object, and for an order.', s.text('A name.')),
  base: s.anything('What was last applied, in the terms of a plan; null where there is none, or it is not known.'),
  live: s.anything('What the license has; null where there is none, or it is not known.'),
  desired: s.anything('What the manifest says; null where it says nothing.'),
  reach: s.orNull({
    ...reach,
    description: 'How an apply would close it; null when there is nothing to write, or only a whole object.',
  }),
  reason: s.orNull(s.text('What a person has to know in addition to the values.')),
  applied_at: s.orNull(s.time('When the base was applied; null without a base.')),
  usual: s.flag(
    'About an unmanaged object that is usual on a license managed in part: an agent, a group, a bot, or what belongs to it. Not an agent who administers the license and did not at the last apply.',
  ),
  source,
  ways_out: s.list('How to end it.', wayOut),
};
const ofUndeclared = {
  in_words: s.text('An object that the manifest does not declare, in one line, as a plan says it.'),
};
const differenceRecord = s.record('One difference between base, live and desired.', difference, ofUndeclared);
export type Difference = s.ValueOf<typeof differenceRecord>;

/** Members of an item; a notification repeats most of them. */
export const item = {
  ...difference,
  fingerprint: s.hex(32, 'The same for the same difference of the same target, whatever the values are.'),
  severity: s.oneOf('How much it matters.', SEVERITIES),
  first_seen: s.time('When it was first seen, of the uninterrupted sequence of checks that saw it.'),
  ignored: s.orNull(
    s.record('Why the project ignores it; null for what counts.', {
      reason: s.text('Why.'),
      until: s.orNull(s.text('The last day of the rule, YYYY-MM-DD; null for a rule without an end.')),
    }),
  ),
};
const itemRecord = s.record('One difference, about one field, one object or one order.', item, ofUndeclared);
export type DriftItem = s.ValueOf<typeof itemRecord>;

export const summary = s.record('The counts.', {
  ...s.counts('Items of this status.', STATUSES),
  total: s.whole('Items, without ignored ones.'),
  failing: s.whole('Items as severe as `fail_on`, which make the check fail.'),
  unmanaged: s.whole(
    'Items of status drift that are about an object that nothing declares: it may have been there at the last apply.',
  ),
  ignored: s.whole('Ignored ones.'),
  by_severity: s.record('Items by severity.', s.counts('Items of this severity.', SEVERITIES)),
});

const note = s.record('One note, such as an ignore rule that has expired.', {
  kind: s.oneOf('What about.', ['ignore-expired', 'ignore-idle', 'ledger-new', 'secret-lost', 'sightings-lost']),
  message: s.text('One line.'),
  source,
});
export type DriftNote = s.ValueOf<typeof note>;

const comparedKind = s.record('A kind, and whether the check compared its objects.', {
  type: s.oneOf('Kind.', KIND_NAMES),
  noun: s.text('One of its objects, for a person.'),
  nouns: s.text('Several of its objects, for a person.'),
  left_out: s.orNull(
    s.oneOf(
      'Why its objects were not compared; null where they were. undeclared: the manifest declares none, and the ledger owns none. no-client: they are listed for one owner client at a time, and no client is named. not-selected: `--only` or `--except` leaves them out.',
      ['undeclared', 'no-client', 'not-selected'],
    ),
  ),
});
export type ComparedKind = s.ValueOf<typeof comparedKind>;
export const kinds = s.list('The kinds of this version of the API, and which of them were compared.', comparedKind);

const report = s.record(
  'What one check of a license found.',
  {
    format_version: s.formatVersion,
    errored: s.only(false, {
      description: 'A check that failed is another document: `errored` is true, and `message` says why.',
    }),
    api_version: s.oneOf('Version of the Configuration API.', VERSIONS),
    target: s.text('Name of the target.'),
    at: s.time('When the license was read.'),
    in_sync: s.flag('No item is as severe as `fail_on`: exit code 0, else 2.'),
    fail_on: s.oneOf('The least severity at which the license is not in sync.', SEVERITIES),
    items: s.list('The most severe first, then as people read a license.', itemRecord),
    ignored: s.list('What an ignore rule covers, in the same order.', itemRecord),
    notes: s.list('What a person should know in addition to the items.', note),
    kinds,
    summary,
    requests: s.whole('Reading requests that the check took.'),
    diagnostics: s.list('Warnings about the files.', s.typed<Diagnostic>({ type: 'object' })),
  },
  { scope },
);
export type DriftReport = Omit<s.ValueOf<typeof report>, 'errored' | 'diagnostics'>;

export const driftSchema = s.published('chatform drift', report);

const instant = (description: string) => s.typed<string>({ type: 'string', format: 'instant', description });

export const sighting = s.record('What is remembered of one difference.', {
  address: s.text('Its address.'),
  first_seen: instant('When it was first seen, of the last uninterrupted sequence of checks that saw it.'),
  closed_at: s.typed<string | null>({
    type: ['string', 'null'],
    format: 'instant',
    description: 'When a check no longer saw it; null while it exists.',
  }),
});
export type Sighting = s.ValueOf<typeof sighting>;

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
