// Schema and types of `history --json` and `undo --list --json`.

import * as s from '../../base/documents.ts';
import type { Diagnostic } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { RUN_ACTIONS } from '../../ledger/changes.ts';
import { starter } from '../../ledger/events.ts';

const action = s.oneOf(
  'added, changed, replaced, destroyed: on the license. unknown: a request that may have arrived. failed: a request that did not succeed. applied: by a run whose earlier values a compaction removed. The others concern the ledger: a secret, one that the next apply makes another of (secret_due), a token that was issued, an object that is owned from then on (adopted, imported), has another address (renamed) or is no longer owned (released).',
  RUN_ACTIONS,
);

const field = s.record('One field that the run wrote.', {
  field: s.text('Name of the field.'),
  before: s.anything('Its value before the run; null where it had none.'),
  after: s.anything('Its value after the run; null where it has none.'),
  unknown: s.list(
    'Sides that the ledger does not know: a secret value, one that the service never returns, or the result of a run that was killed.',
    s.oneOf('Side.', ['before', 'after']),
  ),
});
export type FieldOfRun = s.ValueOf<typeof field>;

const object = s.record(
  'One object of the run.',
  {
    address: s.text('Its address of today.'),
    type: s.oneOf('Kind of the object.', KIND_NAMES),
    action,
    from: s.orNull(s.text('The address before, of a renamed one; null otherwise.')),
    fields: s.list('In the order of the kind; empty where none is known.', field),
  },
  {
    members: s.list(
      'Of an object that `--only` or `--find` does not mean, but whose memberships of what it means may have changed: these members. The fields have nothing else.',
      s.text('Key in the values of the fields: an address, or the id of what is unmanaged.'),
    ),
  },
);
export type ObjectOfRun = s.ValueOf<typeof object>;

const undo = s.record('Whether `undo` can take it back, as far as the ledger knows.', {
  possible: s.oneOf('in_part: something of it was changed again.', ['yes', 'in_part', 'no']),
  reason: s.orNull(s.text('Why not, or what not; null for `yes`.')),
});

const run = s.record(
  'One run.',
  {
    id: s.text('Id of the run.'),
    at: s.text('RFC 3339: when it first wrote to the ledger.'),
    ended_at: s.orNull(s.text('RFC 3339: when it ended; null for a run that was killed.')),
    command: s.orNull(s.text('The command; null for a run that was killed before it changed something.')),
    target: s.orNull(s.text('Name of the target; null where the ledger does not say.')),
    by: s.orNull(starter),
    fleet_run: s.orNull(
      s.text('Id of the run over several targets that it is a part of; null for a run of one target.'),
    ),
    reason: s.orNull(s.text('Why, as `--reason` says, or the pull request; null where neither does.')),
    outcome: s.oneOf(
      'done: complete. failed: nothing was changed. partial: some objects failed or were skipped. unsettled: all was sent, and did not show in time. killed: it has no end.',
      ['done', 'failed', 'partial', 'unsettled', 'interrupted', 'killed'],
    ),
    changes: s.map('How many objects, by what was done to them.', s.whole('Objects.')),
    values: s.oneOf(
      'Whether the ledger has the values before and after. none: it changed nothing, or recorded none. reduced: a compaction removed them.',
      ['recorded', 'none', 'reduced'],
    ),
    undoes: s.orNull(s.text('Id of the run that it takes back; null when it is no undo.')),
    finished_by: s.orNull(
      s.text(
        'Id of the run that ended it after it was killed or interrupted: it read, or made, everything as declared. Null otherwise.',
      ),
    ),
    undo,
  },
  {
    objects: s.list(
      'With a run, `--only` or `--find`: what it did to each object; of `--find` those that have the text.',
      object,
    ),
    order: s.record(
      'With a run, `--only` or `--find`: the order of the rules that chatform owns, where the run changed it.',
      {
        before: s.list('First match first.', s.text('Address.')),
        after: s.orNull(s.list('First match first; null where it is not known.', s.text('Address.'))),
      },
    ),
  },
);
export type RunEntry = s.ValueOf<typeof run>;

const history = s.record('Runs of a ledger.', {
  format_version: s.formatVersion,
  errored: s.flag('Always false: a failure has a document of its own.'),
  ledger: s.text('Path of the ledger.'),
  target: s.orNull(s.text('Name of the target; null with `--ledger`.')),
  runs: s.list('Newest first.', run),
  older: s.whole('Runs that `--limit` leaves out.'),
  compacted: s.orNull(
    s.record('The last compaction; null when the ledger is whole.', {
      at: s.orNull(s.text('RFC 3339; null where the ledger does not say.')),
      by: s.orNull(starter),
      before: s.orNull(s.text('RFC 3339: values from before this time are gone; null where the ledger does not say.')),
      hidden: s.whole(
        'With `--only` or `--find`: runs that are left out, and that may have changed it: their objects are gone as well.',
      ),
    }),
  ),
  diagnostics: s.list('Findings in chatform.yaml.', s.typed<Diagnostic>({ type: 'object' })),
});
export type RunHistory = s.ContentOf<typeof history>;

export const historySchema = s.published('chatform history', history);
