// Schema and types of the saved plan: a plan with everything that is needed to apply it later, or on another machine.

import * as s from '../../base/documents.ts';
import { type DiagnosticCode, type Json, type ObjectId, type Reference, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { guard, plan } from '../plan.ts';

const address = s.address('Address of a resource.');
const reference = s.text(
  'Address of a declared resource, or the bare id of an object that the manifest does not declare.',
);
const id = s.typed<ObjectId | null>({
  type: ['string', 'integer', 'null'],
  description: "The service's id; null for the object that the address stands for then, such as one that is made.",
});

const position = s.record('A place in a file, first is 1.', {
  file: s.text('File.'),
  line: s.whole('Line.'),
  column: s.whole('Column.'),
  length: s.whole('Characters that are meant.'),
});

export const diagnostics = s.list(
  'Findings in the files.',
  s.record(
    'One finding.',
    {
      code: s.typed<DiagnosticCode>(s.text('What kind of finding it is.')),
      severity: s.oneOf('How much it matters.', ['error', 'warning']),
      place: position,
      message: s.text('What is wrong.'),
      remedy: s.orNull(s.text('What would be right.')),
      excerpt: s.orNull(s.text('The line that the place is in.')),
      related: s.list(
        'Other places that take part.',
        s.record('One of them.', { place: position, message: s.text('How.') }),
      ),
    },
    {
      known: s.oneOf(
        'The last apply gave the same warning of a lint: whether a check of the files finds it, or only a plan.',
        ['files', 'plan'],
      ),
    },
  ),
);

const effect = s.anyOf('Something that is true of the license when the plan is carried out, and was not before.', [
  s.record('An object exists (there), is gone, is deleted and made again (renewed), or is owned from now on.', {
    effect: s.oneOf('Which.', ['there', 'gone', 'renewed', 'ours']),
    address,
    id,
  }),
  s.record('A field has this value.', {
    effect: s.only('value'),
    address,
    id,
    field: s.text('Name of the field.'),
    value: s.anything('The value.'),
  }),
  s.record('An agent belongs to a group, or does not.', {
    effect: s.only('edge'),
    ends: s.typed<readonly [Reference, Reference]>(s.list('The agent, then the group.', reference)),
    value: s.typed<Json>(s.orNull(s.text('The priority; null for not at all.'))),
  }),
  s.record('The list is in this order.', {
    effect: s.only('order'),
    type: s.oneOf('Kind of the list.', KIND_NAMES),
    order: s.list('First match first, also those that the manifest does not declare.', reference),
  }),
  s.record('An owned object has another address.', { effect: s.only('renamed'), from: address, to: address }),
]);
export type Effect = s.ValueOf<typeof effect>;

const veto = s.record('A veto that `--acknowledge` ended.', {
  guard,
  addresses: s.list('What it concerned.', address),
});
export type Veto = s.ValueOf<typeof veto>;

const origin = s.record(
  'Where in CI it was made. An apply in CI compares it.',
  { ci: s.text('Name of the CI service.') },
  {
    repository: s.text('Repository or project, as the service names it.'),
    commit: s.text('The planned commit; of a request, its head.'),
    base: s.text('Branch that the request is to be merged into, or that was planned.'),
    workflow: s.text('File of the workflow on GitHub; name of the job on GitLab.'),
    request: s.text('Number of the pull or merge request.'),
    run: s.text('Number of the run, or of the pipeline.'),
  },
);
export type PlanOrigin = s.ValueOf<typeof origin>;

const savedPlan = s.record(
  'A plan to be read, or applied, later.',
  {
    format_version: s.formatVersion,
    chatform_version: s.text('Version of chatform that made it.'),
    created_at: s.time('When it was made.'),
    target: s.text('Name of the target.'),
    api_version: s.oneOf('Version of the Configuration API.', VERSIONS),
    service: s.sha256('Digest of the base_url.'),
    manifest: s.sha256('Digest of what the files declared.'),
    selection: s.record('What the plan was narrowed to.', {
      only: s.list('`--only`.', s.text('Glob.')),
      except: s.list('`--except`.', s.text('Glob.')),
    }),
    acknowledged: s.record('What was acknowledged on the command line.', {
      given: s.list('`--acknowledge`.', s.text('Address, or word.')),
      vetoes: s.list('The vetoes that this ended; it ends no others.', veto),
    }),
    plan: { ...plan, description: 'As `plan --json` prints it.' },
    diagnostics: { ...diagnostics, description: 'Warnings about the files.' },
    read: s.map('`<kind>/<id>` -> digest of the object as it was read.', s.sha256('Digest.')),
    effects: s.list('What has to be true in the end; an apply may have no other effect.', effect),
    digest: s.sha256(
      'Of everything but `created_at`, `chatform_version` and the impact: the same plan has the same digest.',
    ),
  },
  {
    test_on_customer: s.only(true, { description: 'An apply tests the license as customers see it.' }),
    origin,
    impact_digest: s.sha256('Of `plan.impact`, which `digest` leaves out.'),
  },
);
export type SavedPlan = s.ValueOf<typeof savedPlan>;

export const savedPlanSchema = s.published('chatform saved plan', savedPlan);

/** What `plan --json` prints when no plan could be made. */
export const failure = s.record('Why no plan could be made.', {
  format_version: s.typed<string>({ type: 'string', pattern: '^1\\.', description: 'Version of this format.' }),
  errored: s.only(true),
  message: s.text('Why.'),
  diagnostics,
});
