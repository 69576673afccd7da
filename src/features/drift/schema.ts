// Schema and types of the drift report: what one check of a license found. `drift --json` prints it, and every other report is made from it.

import { STATUSES } from '../../base/difference.ts';
import * as s from '../../base/documents.ts';
import { type Diagnostic, SEVERITIES, VERSIONS } from '../../base/model.ts';
import { starter } from '../../ledger/events.ts';
import { difference, kinds, source, whereKnown } from '../../plan/differences/difference.ts';
import { scope } from '../../plan/plan.ts';

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
const itemRecord = s.record('One difference, about one field, one object or one order.', item, whereKnown);
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
  kind: s.oneOf('What about.', [
    'ignore-expired',
    'ignore-idle',
    'ledger-new',
    'secret-lost',
    'sightings-lost',
    'suspended',
  ]),
  message: s.text('One line.'),
  source,
});
export type DriftNote = s.ValueOf<typeof note>;

export const lastRun = s.record('The last run that changed the license, as the ledger knows it.', {
  id: s.text('Id of the run.'),
  at: s.text('When it ended, RFC 3339.'),
  command: s.text('The command.'),
  by: s.orNull(starter),
  reason: s.orNull(s.text('Why, as `--reason` says, or the pull request.')),
});

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
  { scope, last_run: lastRun },
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
