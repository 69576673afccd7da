// The JSON Schema (2020-12) of what `doctor --json` prints, for anyone's tools. A test holds documents against it, with no member to spare.

import { formatVersion, list, map, orNull, record, type Schema, text, whole } from '../../base/documents.ts';
import { VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { CHECKS, STATUSES } from './finding.ts';

const check = record('What one check came to.', {
  check: { enum: CHECKS, description: 'Name of the check.' },
  status: { enum: STATUSES, description: '`unchecked`: it could not be tried, or not without writing.' },
  message: text('One sentence without a full stop.'),
  remedy: orNull(text('What to do; null when nothing is to be done.')),
});

const scopes = record('What is known of the scopes of the token; null when nothing could be asked.', {
  needed: orNull(list('To plan and to apply; null when there is no plan.', text('A scope.'))),
  granted: list('Reads that need these were allowed.', text('A scope.')),
  missing_to_read: list('Reads that need these were refused.', text('A scope.')),
  missing_to_write: list('Needed, and whoever had these could have read what was refused.', text('A scope.')),
  untried: list('Needed, and nobody can try them without writing.', text('A scope.')),
});

const limit = record('What the license allows of one kind.', {
  resource: text('Its name in the license namespace `limits`.'),
  type: { enum: KIND_NAMES, description: 'Kind of the resource.' },
  limit: orNull(whole('Base and additional, at most hard; null for unlimited.')),
  present: orNull(whole('How many there are; null when they were not listed.')),
  to_add: whole('How many the plan creates.'),
  to_destroy: whole('How many the plan deletes.'),
});

export function doctorSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform doctor',
    ...record('What a look at a target came to.', {
      format_version: formatVersion,
      errored: { type: 'boolean', description: 'Whether a check found a problem: exit code 1.' },
      target: orNull(text('Name of the target; null when it is not known.')),
      api_version: orNull({ enum: VERSIONS, description: 'Version of the Configuration API.' }),
      checks: list('Every check, always in the same order.', check),
      summary: record(
        'How many checks came to what.',
        Object.fromEntries(STATUSES.map((status) => [status, whole('How many.')])),
      ),
      scopes: orNull(scopes),
      limits: orNull(list('What the license says; null when it could not be read.', limit)),
      clock_skew_ms: orNull({
        type: 'integer',
        description:
          "By how many milliseconds the service's clock is ahead at least; null when no reply told the time.",
      }),
      requests_sent: map('Requests by action: each is billed.', whole('How many.')),
      diagnostics: list('Everything that is wrong with the files.', { type: 'object' }),
    }),
  };
}
