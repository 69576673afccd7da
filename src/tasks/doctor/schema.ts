// What `doctor --json` prints, as schema and types.

import {
  counts,
  flag,
  formatVersion,
  list,
  map,
  oneOf,
  orNull,
  published,
  record,
  text,
  typed,
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import { type Diagnostic, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';

const STATUSES = ['ok', 'warning', 'problem', 'unchecked'] as const;

const finding = record('The result of one check.', {
  /** Stable: people filter by it. */
  check: oneOf('Name of the check.', [
    'project',
    'manifest',
    'ledger',
    'secrets',
    'address',
    'encryption',
    'version',
    'region',
    'clock',
    'credential',
    'read_scopes',
    'plan',
    'write_scopes',
    'limits',
  ]),
  status: oneOf('`unchecked`: it could not be tried, or only by writing; the message says why.', STATUSES),
  message: text('One sentence without a full stop.'),
  remedy: orNull(text('What to do; null when nothing is to be done.')),
});
export type Finding = ValueOf<typeof finding>;
export type Check = Finding['check'];
export type CheckStatus = Finding['status'];

const scope = text('A scope.');

const scopes = record('What is known of the scopes of the token; null when nothing could be asked.', {
  needed: orNull(list('To plan and to apply; null when there is no plan.', scope)),
  granted: list('Reads that need these were allowed.', scope),
  missing_to_read: list('Reads that need these were refused.', scope),
  missing_to_write: list('Needed, and a token with these could have read what was refused.', scope),
  untried: list('Needed, and only a write can try them.', scope),
});

const limit = record('What the license allows of one kind.', {
  resource: text('Its name in the license namespace `limits`.'),
  type: oneOf('Kind of the resource.', KIND_NAMES),
  limit: orNull(whole('Base and additional, at most hard; null for unlimited.')),
  present: orNull(whole('How many there are; null when they were not listed.')),
  to_add: whole('How many the plan creates.'),
  to_destroy: whole('How many the plan deletes.'),
});

const doctor = record('The results of the checks of a target.', {
  format_version: formatVersion,
  errored: flag('A check found a problem: exit code 1.'),
  target: orNull(text('Name of the target; null when it is not known.')),
  api_version: orNull(oneOf('Version of the Configuration API.', VERSIONS)),
  checks: list('Every check, always in the same order.', finding),
  summary: record('How many checks have which status.', counts('How many.', STATUSES)),
  scopes: orNull(scopes),
  limits: orNull(list('What the license says; null when it could not be read.', limit)),
  clock_skew_ms: orNull(
    typed<number>({
      type: 'integer',
      description: "Milliseconds by which the service's clock is ahead at least; null when no reply contained a time.",
    }),
  ),
  requests_sent: map('Requests by action: each is billed.', whole('How many.')),
  diagnostics: list('Everything that is wrong with the files.', typed<Diagnostic>({ type: 'object' })),
});
export type DoctorDocument = ValueOf<typeof doctor>;

export const doctorSchema = published('chatform doctor', doctor);
