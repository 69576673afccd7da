// Schema and types of `doctor --json`.

import * as s from '../../base/documents.ts';
import { type Diagnostic, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { CHECK_NEEDS } from '../test/customer/needs.ts';
import { CHECKS } from '../test/customer/schema.ts';

const STATUSES = ['ok', 'warning', 'problem', 'unchecked'] as const;

const finding = s.record('The result of one check.', {
  /** Stable: people filter by it. */
  check: s.oneOf('Name of the check.', [
    'project',
    'manifest',
    'ledger',
    'secrets',
    'address',
    'encryption',
    'version',
    'customer_version',
    'reports_version',
    'region',
    'clock',
    'credential',
    'read_scopes',
    'plan',
    'write_scopes',
    'limits',
  ]),
  status: s.oneOf('`unchecked`: it could not be tried, or only by writing; the message says why.', STATUSES),
  message: s.text('One sentence without a full stop.'),
  remedy: s.orNull(s.text('What to do; null when nothing is to be done.')),
});
export type DoctorFinding = s.ValueOf<typeof finding>;
export type Check = DoctorFinding['check'];
export type CheckStatus = DoctorFinding['status'];

const scope = s.text('A scope.');

const scopes = s.record('What is known of the scopes of the token; null when nothing could be asked.', {
  needed: s.orNull(s.list('To plan and to apply; null when there is no plan.', scope)),
  granted: s.list('Reads that need these were allowed.', scope),
  missing_to_read: s.list('Reads that need these were refused.', scope),
  missing_to_write: s.list('Needed, and a token with these could have read what was refused.', scope),
  untried: s.list('Needed, and only a write can try them.', scope),
});

const limit = s.record('What the license allows of one kind.', {
  resource: s.text('Its name in the license namespace `limits`.'),
  type: s.oneOf('Kind of the resource.', KIND_NAMES),
  limit: s.orNull(s.whole('Base and additional, at most hard; null for unlimited.')),
  present: s.orNull(s.whole('How many there are; null when they were not listed.')),
  to_add: s.whole('How many the plan creates.'),
  to_destroy: s.whole('How many the plan deletes.'),
});

const readiness = s.record('One check of `test --on customer`.', {
  check: s.oneOf('Its name.', CHECKS),
  needs: s.list('What it needs.', s.oneOf('One need.', CHECK_NEEDS)),
  missing: s.list('What of that is not there, and what to do.', s.text('One sentence without a full stop.')),
});

const reports = s.record('What `report`, `plan --demand`, `coverage --demand` and `report --since` need.', {
  status: s.oneOf('`untried`: only a report, which is billed, shows it; --reports asks one.', [
    'ready',
    'missing',
    'untried',
  ]),
  scope: s.text('The scope that every report needs.'),
  missing: s.orNull(s.text('What is not there, and what to do; null for nothing.')),
});

const shared = s.record('What all licenses of an owner client share, such as a webhook.', {
  type: s.oneOf('Kind of the object.', KIND_NAMES),
  id: s.text('Its id.'),
  name: s.text('What it tells, and where.'),
  client: s.text('Its owner client.'),
  address: s.orNull(s.text('Where the ledger has it; null where this target does not own it.')),
  writer: s.text('The target that writes those of the client.'),
});

const doctor = s.record('The results of the checks of a target.', {
  format_version: s.formatVersion,
  errored: s.flag('A check found a problem: exit code 1.'),
  target: s.orNull(s.text('Name of the target; null when it is not known.')),
  api_version: s.orNull(s.oneOf('Version of the Configuration API.', VERSIONS)),
  checks: s.list('Every check, always in the same order.', finding),
  summary: s.record('How many checks have which status.', s.counts('How many.', STATUSES)),
  scopes: s.orNull(scopes),
  limits: s.orNull(s.list('What the license says; null when it could not be read.', limit)),
  shared: s.list(
    'Registered on the service for owner clients that a plan reads, or of which chatform.yaml names the writer.',
    shared,
  ),
  customers: s.orNull(
    s.list('What each check of `test --on customer` needs; null when the target is not known.', readiness),
  ),
  reports: s.orNull(reports),
  clock_skew_ms: s.orNull(
    s.typed<number>({
      type: 'integer',
      description: "Milliseconds by which the service's clock is ahead at least; null when no reply contained a time.",
    }),
  ),
  requests_sent: s.map('Requests by action: each is billed.', s.whole('How many.')),
  diagnostics: s.list('Everything that is wrong with the files.', s.typed<Diagnostic>({ type: 'object' })),
});
export type DoctorDocument = s.ValueOf<typeof doctor>;

export const doctorSchema = s.published('chatform doctor', doctor);
