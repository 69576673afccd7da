// The document of a command for several targets, as schema and types.

import * as s from '../base/documents.ts';
import type { Diagnostic } from '../base/model.ts';
import { diagnostics } from '../plan/saved/saved-plan.ts';

/** From the best to the worst, as a table counts them. */
export const TARGET_STATES = [
  'valid',
  'in sync',
  'done',
  'absent',
  'applied',
  'changes',
  'drift',
  'differs',
  'not begun',
  'locked',
  'outdated',
  'withheld',
  'unreachable',
  'in part',
  'failed',
  'interrupted',
] as const;

const state = s.oneOf('What became of the target.', TARGET_STATES);
export type TargetState = s.ValueOf<typeof state>;

const answer = s.record('Result for one target.', {
  target: s.text('Name of the target.'),
  state,
  exit_code: s.whole('Exit code that the command would have for this target alone.'),
  figures: s.map('Counts, by the name of their column.', s.whole('Count.')),
  requests: s.orNull(
    s.whole('Requests: of a plan, those of its apply; otherwise those that were sent. Null when they are not known.'),
  ),
  seconds: s.typed<number>({ type: 'number', minimum: 0, description: 'How long it took.' }),
  message: s.orNull(s.text('Why it is in this state; null when there is nothing to say.')),
  alike: s.orNull(s.whole('Its place in `alike`, from 0; null where there is nothing to show.')),
});
export type TargetAnswer = s.ValueOf<typeof answer>;

const since = s.orNull(
  s.record('What `--changed-since` was given; null without it.', {
    ref: s.text('The commit, as it was named.'),
    commit: s.text('The commit that it has in common with this one.'),
    untouched: s.whole('Targets that were left out, because nothing that changed can touch them.'),
  }),
);
const orphaned = s.list(
  'Former targets that chatform.yaml has no more: their licenses and ledgers stay as they are.',
  s.text('Name of a former target.'),
);
const targets = s.list('One for each target, by name.', answer);
const digest = s.orNull(s.sha256('Digest of all saved plans together; null where none was saved.'));

const report = s.record('Results of one command for several targets.', {
  format_version: s.formatVersion,
  errored: s.flag('Whether the command failed for one of them.'),
  command: s.text('Name of the command.'),
  targets,
  since,
  orphaned,
  alike: s.list(
    'What there is to show. Targets for which it is the same share one.',
    s.record('One of them.', {
      targets: s.list('The targets that it stands for.', s.text('Name of a target.')),
      document: s.anything('What `--json` prints for the first of them alone.'),
    }),
  ),
  summary: s.record('Counts over all targets.', {
    targets: s.whole('Targets.'),
    states: s.map('State -> number of targets.', s.whole('Targets.')),
    figures: s.map('Sums of the counts, by the name of their column.', s.whole('Count.')),
    requests: s.whole('Requests of all of them.'),
    digest,
  }),
  diagnostics: s.list(
    'Findings, each once, with the targets that it concerns unless it concerns all.',
    s.typed<Diagnostic>({ type: 'object' }),
  ),
});
export type TargetsReport = s.ContentOf<typeof report>;

export const targetsSchema = s.published('chatform for several targets', report);

/** What a comment takes from the results of `plan` and `apply`. */
export const resultsSchema = s.record('Results of `plan` or `apply`, for a comment.', {
  command: s.oneOf('Name of the command.', ['plan', 'apply']),
  targets,
  since,
  orphaned,
  summary: s.record('Of all targets.', { digest }),
  diagnostics,
});
export type TargetsResults = s.ValueOf<typeof resultsSchema>;
