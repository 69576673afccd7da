// The plan, as schema and types. Plain JSON with Terraform's names where it has one, so that saving a plan is printing
// it.

import {
  address as addressOf,
  anyOf,
  anything,
  flag,
  formatVersion,
  list,
  map,
  objectId,
  oneOf,
  only,
  orNull,
  place,
  published,
  record,
  sha256,
  text,
  time,
  typed,
  type ValueOf,
  whole,
} from '../base/documents.ts';
import { type Address, type KindName, type Spec, VERSIONS } from '../base/model.ts';
import { KIND_NAMES } from '../kinds/index.ts';
import { CAUSES } from '../routing/compare.ts';

const address = addressOf(
  'Address of a resource: `<kind>/<key>`. An unmanaged object that is deleted is `<kind>/<id>`.',
);
const reference = text(
  'Address of a declared resource, or the bare id of an object that the manifest does not declare.',
);
const type = oneOf('Kind of the resource.', KIND_NAMES);
const name = text('Name of the object, for people.');
const id = objectId("The service's id.");
const spec = typed<Spec>({ type: 'object', description: 'Managed fields, normalised.' });

export const reach = oneOf(
  'How the difference is closed: by a write, by an action of its own, by replacing the object, by a write that is made because the field cannot be read back (`unverified`), not at all because no request can (`unreachable`), or not at all because whether it differs is unknown (`unreadable`).',
  ['write', 'transition', 'replace', 'unverified', 'unreachable', 'unreadable'],
);
export type Reach = ValueOf<typeof reach>;

const fieldChange = record('One field that is not, or may not be, as desired.', {
  field: text('Name of the field.'),
  before: anything('Live value; null when there is none or it cannot be read.'),
  after: anything('Desired value.'),
  reach,
  reason: orNull(text('Why the field is not simply written, and what the user can do; null when a write closes it.')),
});
export type FieldChange = ValueOf<typeof fieldChange>;

/** What happens to one resource, in Terraform's words; `["delete", "create"]` is a replace. */
export type Actions =
  | readonly ['no-op']
  | readonly ['create']
  | readonly ['update']
  | readonly ['delete']
  | readonly ['delete', 'create'];

const danger = oneOf('Why a change deserves a second look before it is made.', [
  'irreversible',
  'other-licenses',
  'data-loss',
  'destroy',
]);
export type Danger = ValueOf<typeof danger>;

const referrer = record('An object that refers to this one: a rule that routes to a group, an agent in it.', {
  type,
  reference,
  name,
});
export type Referrer = ValueOf<typeof referrer>;

const source = place('Where the manifest declares it; null when it no longer does.');
export type SourcePlace = ValueOf<typeof source>;

const resourceChange = record('What would happen to one resource.', {
  address,
  type,
  name,
  id: orNull(id),
  change: record("The change, in Terraform's words.", {
    actions: typed<Actions>({
      enum: [['no-op'], ['create'], ['update'], ['delete'], ['delete', 'create']],
      description: '`["delete", "create"]` is a replace.',
    }),
    before: orNull(spec),
    after: orNull(spec),
    after_unknown: map('Fields whose value the service will choose.', only(true)),
  }),
  fields: list('Differences, field by field.', fieldChange),
  moved: orNull(
    record('Positions in the list of rules, first is 1; null when the resource does not move.', {
      from: whole('Live position.'),
      to: whole('Desired position.'),
    }),
  ),
  adopting: flag('The object exists, was found by its natural key, and becomes owned.'),
  recreating: flag('The ledger knows an object that no longer exists.'),
  danger: list('Why the change deserves a second look before it is made.', danger),
  referred_by: list('Of a dangerous change: what refers to the object on the license, declared or not.', referrer),
  source: orNull(source),
});
export type ResourceChange = ValueOf<typeof resourceChange>;

const resourceDrift = record('What was changed on the license since the last apply, and the plan replaces.', {
  address: text('Address of the resource; the bare kind for the order of its list, which is `order` then.'),
  type,
  name,
  id: orNull(id),
  change: record('The change on the license.', {
    actions: typed<readonly ['update'] | readonly ['delete']>({
      enum: [['update'], ['delete']],
      description: "In Terraform's words.",
    }),
    before: { ...spec, description: 'Applied values of the fields that differ now.' },
    after: orNull({ ...spec, description: 'Present values; null for an object that no longer exists.' }),
  }),
  applied_at: orNull(text('When it was applied, RFC 3339; null when the ledger does not know.')),
});
export type ResourceDrift = ValueOf<typeof resourceDrift>;

const reorder = record('The order of the rules, and the proof that no shorter list of moves exists.', {
  before: list('Managed rules in live order.', reference),
  after: list('Managed rules in desired order.', reference),
  kept: list('Rules that stay: the heaviest subsequence that can.', reference),
  moved: list('Rules that move.', reference),
});
export type Reorder = ValueOf<typeof reorder>;

const step = record('One write on one object. Its fields hold references, which become ids when the step is sent.', {
  id: text('Unique in the plan, and readable: `create group/sales`.'),
  operation: oneOf('What it does.', ['create', 'update', 'delete', 'transition']),
  type,
  address: orNull({
    ...address,
    description: 'What is written; null for an undeclared object that stays, such as an agent that leaves a group.',
  }),
  object: orNull({ ...id, description: 'Id of the object; null for one that the step creates.' }),
  chosen_id: orNull({ ...id, description: 'The `id:` to create it with; null when the service chooses.' }),
  fields: spec,
  position: anyOf('Place in the ordered list; null leaves the order as it is.', [
    record('Before another rule.', { before: reference }),
    record('At the end of the list.', { last: only(true) }),
    typed<null>({ type: 'null' }),
  ]),
  serves: list('The resources whose change it makes true.', address),
  after: list('Steps that must have succeeded before it is sent.', text('Id of a step.')),
});
export type Step = ValueOf<typeof step>;

const request = record('One request.', {
  action: text('Name of the action in the URL.'),
  form: oneOf('One call, a batch of calls of one action, or several calls joined into one.', [
    'single',
    'batch',
    'joined',
  ]),
  steps: list('The steps it carries.', text('Id of a step.')),
  wave: whole('Requests of one wave do not wait for each other.'),
});
export type Request = ValueOf<typeof request>;

export const visitor = record(
  'A visitor: the page, and the place where it matters.',
  { url: text('URL of the page.') },
  {
    country: text('Country.'),
    country_code: text('Code of the country.'),
    region: text('Region.'),
    city: text('City.'),
  },
);

const decision = record('The rule that decides where the chats go.', {
  rule: orNull(reference),
  groups: list('The groups; empty where no rule decides.', reference),
});

const routing = record('How the plan changes which visitors reach which groups; null when no rule is written.', {
  rerouted: list(
    'Visitors whose chats go to other groups afterwards.',
    record('Visitors whose chats another rule decides afterwards.', {
      before: decision,
      after: decision,
      cause: record('Why, seen from the rules that decide.', {
        what: oneOf('The rule precedes the other now, is new, is gone, or changed.', CAUSES),
        rule: reference,
      }),
      examples: list(
        'Some of these visitors, at least one.',
        record('One of them.', {
          visitor,
          on: list('The texts in the URL that make it so; empty when any page will do.', text('Text.')),
        }),
      ),
    }),
  ),
  exact: flag('Whether the list is complete; false when not every pair of rules could be compared.'),
  way: oneOf(
    'Whether chats go to wrong groups while the rules are written; unknown when there are too many rules to decide.',
    ['safe', 'exposed', 'unknown'],
  ),
  exposed: list(
    'Visitors whose chats go to wrong groups meanwhile, one for each intermediate list on which that happens.',
    record('One of them.', {
      visitor,
      before: decision,
      meanwhile: decision,
      after: decision,
      writes: whole('After how many writes of rules.'),
    }),
  ),
  longer: orNull(
    record(
      'A longer order of writes that exposes no visitor; null when no visitor is exposed, or no such order was found.',
      {
        requests: whole('Additional requests; `reorder: safe` sends them.'),
        anew: list(
          'Rules that need new keys for it, so that new rules are created before the old ones are deleted; empty when none does.',
          reference,
        ),
      },
    ),
  ),
});
export type PlannedRouting = ValueOf<typeof routing>;

const unmanaged = record('A live object that the manifest does not declare and that stays.', {
  type,
  id,
  name,
  released: orNull({ ...address, description: 'Its address in the ledger; null for an object that is not owned.' }),
  reason: orNull(text('Why it stays although it is owned, or although everything undeclared is deleted.')),
});
export type Unmanaged = ValueOf<typeof unmanaged>;

export const guard = oneOf('Name of the guard.', [
  'max_deletes',
  'max_delete_percent',
  'empty-manifest',
  'protected',
  'own-agent',
  'last-administrator',
  'last-member',
  'still-routed',
  'irreversible',
  'other-licenses',
  'data-loss',
  'secrets-sink',
  'policy',
]);

const withheld = record("A guard's veto: nothing is applied while it stands.", {
  guard,
  addresses: list('What it concerns; empty for a policy, which is about the whole plan.', address),
  message: text('Why.'),
  remedy: text('How to end the veto.'),
});
export type Withheld = ValueOf<typeof withheld>;

const note = record('One note.', {
  address: typed<Address>(reference),
  kind: oneOf('Subject of the note.', [
    'irreversible',
    'other-licenses',
    'data-loss',
    'unreachable',
    'unreadable',
    'unverified',
    'manual-step',
    'pending-approval',
    'left-out',
    'recreating',
    'recovered',
    'secret-lost',
    'own-agent',
    'stranger',
    'rebinding',
    'rename',
    'not-in-snapshot',
  ]),
  message: text('One line: why, and after a semicolon or colon what the user can do.'),
});
export type Note = ValueOf<typeof note>;

const against = record('The snapshot that the plan was made from: such a plan cannot be applied.', {
  taken_at: time('When the snapshot was taken.'),
  age_seconds: orNull(whole('Its age when the plan was made; null when it is newer than the clock of that machine.')),
  digest: sha256('Its digest.'),
  full: flag('The snapshot is complete.'),
  nameless: typed<{ readonly [kind in KindName]?: number }>(
    map('Kind -> how many objects it has under a number instead of their id.', whole('Objects.')),
  ),
});
export type Against = ValueOf<typeof against>;

export const plan = record(
  'What an apply would do to one license, complete.',
  {
    format_version: formatVersion,
    api_version: oneOf('Version of the Configuration API.', VERSIONS),
    target: text('Name of the target.'),
    resource_changes: list(
      'By kind, then by address, rules in their desired order. A no-op is listed when it adopts, has differences that no request closes, or is not known to have been applied.',
      resourceChange,
    ),
    resource_drift: list(
      'Of what the plan overwrites: what was applied before the change on the license.',
      resourceDrift,
    ),
    reorder: orNull(reorder),
    routing: orNull(routing),
    steps: list('The writes.', step),
    requests: record('What it costs.', {
      total: whole('Number of requests.'),
      by_action: map('Number of requests by action.', whole('Requests.')),
      plan: list('The requests in the order of their waves.', request),
    }),
    scopes: list('Scopes the token needs, to read and to write.', text('Scope.')),
    unmanaged: list('Live objects that are not changed.', unmanaged),
    withheld: list("Guards' vetoes: nothing is applied while one stands.", withheld),
    policies: list(
      'Result of each policy of the project for this plan, in the order of the project.',
      record('One of them.', {
        name: text('Its name.'),
        level: oneOf('Whether a plan that it does not allow is withheld, or only remarked on.', ['deny', 'warn']),
        passed: flag('Its rule is true of this plan.'),
        message: text('Message of the policy.'),
        failure: orNull(text('Why the rule has no result; null when it has one.')),
      }),
    ),
    notes: list('What a user should know in addition to the changes.', note),
    bindings: record('What an apply writes into the ledger without a request.', {
      recover: list(
        'Objects that an interrupted run created and did not record.',
        record('One of them.', {
          intent: text('Id of the intent in the ledger.'),
          address,
          id,
          secret: orNull(oneOf('Where its one-time secret is.', ['kept', 'rescued', 'lost'])),
        }),
      ),
      absent: list('Intents that have made nothing.', text('Id of the intent in the ledger.')),
      move: list('Renamed keys.', record('One of them.', { from: address, to: address })),
      adopt: list('Objects that become owned.', record('One of them.', { address, id })),
      forget: list('Addresses whose object no longer exists.', address),
    }),
    live_order: list('The live rules, first match first.', reference),
    references: map('Address -> id of everything declared that exists.', id),
    summary: record('The counts of the last line.', {
      add: whole('Created.'),
      change: whole('Changed.'),
      destroy: whole('Destroyed.'),
      adopt: whole('Adopted.'),
    }),
  },
  { against },
);
export type Plan = ValueOf<typeof plan>;

export const planSchema = published('chatform plan', plan);
