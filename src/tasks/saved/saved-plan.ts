// The saved plan, as schema and types: a plan with what is needed to apply it later, on another machine, or to read it.

import {
  address as addressOf,
  anyOf,
  anything,
  formatVersion,
  list,
  map,
  oneOf,
  only,
  orNull,
  published,
  record,
  sha256,
  text,
  time,
  typed,
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import { type DiagnosticCode, type Json, type ObjectId, type Reference, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { guard, plan } from '../../plan/plan.ts';

const address = addressOf('Address of a resource.');
const reference = text(
  'Address of a declared resource, or the bare id of an object that the manifest does not declare.',
);
const id = typed<ObjectId | null>({
  type: ['string', 'integer', 'null'],
  description: "The service's id; null for the object that the address stands for then, such as one that is made.",
});

const position = record('A place in a file, first is 1.', {
  file: text('File.'),
  line: whole('Line.'),
  column: whole('Column.'),
  length: whole('Characters that are meant.'),
});

export const diagnostics = list(
  'Findings in the files.',
  record('One finding.', {
    code: typed<DiagnosticCode>(text('What kind of finding it is.')),
    severity: oneOf('How much it matters.', ['error', 'warning']),
    place: position,
    message: text('What is wrong.'),
    remedy: orNull(text('What would be right.')),
    excerpt: orNull(text('The line that the place is in.')),
    related: list('Other places that take part.', record('One of them.', { place: position, message: text('How.') })),
  }),
);

const effect = anyOf('Something that is true of the license when the plan is carried out, and was not before.', [
  record('An object exists (there), is gone, is deleted and made again (renewed), or is ours from now on.', {
    effect: oneOf('Which.', ['there', 'gone', 'renewed', 'ours']),
    address,
    id,
  }),
  record('A field has this value.', {
    effect: only('value'),
    address,
    id,
    field: text('Name of the field.'),
    value: anything('The value.'),
  }),
  record('An agent belongs to a group, or does not.', {
    effect: only('edge'),
    ends: typed<readonly [Reference, Reference]>(list('The agent, then the group.', reference)),
    value: typed<Json>(orNull(text('The priority; null for not at all.'))),
  }),
  record('The list is in this order.', {
    effect: only('order'),
    type: oneOf('Kind of the list.', KIND_NAMES),
    order: list('First match first, also those that the manifest does not declare.', reference),
  }),
  record('What is ours has another address.', { effect: only('renamed'), from: address, to: address }),
]);
export type Effect = ValueOf<typeof effect>;

const veto = record('A veto that `--acknowledge` ended.', {
  guard,
  addresses: list('What it concerned.', address),
});
export type Veto = ValueOf<typeof veto>;

const savedPlan = record('A plan to be read, or applied, later.', {
  format_version: formatVersion,
  chatform_version: text('Version of chatform that made it.'),
  created_at: time('When it was made.'),
  target: text('Name of the target.'),
  api_version: oneOf('Version of the Configuration API.', VERSIONS),
  service: sha256('Digest of the base_url.'),
  manifest: sha256('Digest of what the files declared.'),
  selection: record('What the plan was narrowed to.', {
    only: list('`--only`.', text('Glob.')),
    except: list('`--except`.', text('Glob.')),
  }),
  acknowledged: record('What was acknowledged on the command line.', {
    given: list('`--acknowledge`.', text('Address, or word.')),
    vetoes: list('The vetoes that this ended; it ends no others.', veto),
  }),
  plan: { ...plan, description: 'As `plan --json` prints it.' },
  diagnostics: { ...diagnostics, description: 'Warnings about the files.' },
  read: map('`<kind>/<id>` -> digest of the object as it was read.', sha256('Digest.')),
  effects: list('What has to be true in the end; an apply may have no other effect.', effect),
  digest: sha256('Of everything but `created_at` and `chatform_version`: the same plan has the same digest.'),
});
export type SavedPlan = ValueOf<typeof savedPlan>;

export const savedPlanSchema = published('chatform saved plan', savedPlan);

/** What `plan --json` prints when no plan could be made. */
export const failure = record('Why no plan could be made.', {
  format_version: typed<string>({ type: 'string', pattern: '^1\\.', description: 'Version of this format.' }),
  errored: only(true),
  message: text('Why.'),
  diagnostics,
});
