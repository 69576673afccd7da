// The plan, as schema and types. Plain JSON with Terraform's names where it has one, so that saving a plan is printing
// it.

import * as s from '../base/documents.ts';
import { type Address, type KindName, type Spec, VERSIONS } from '../base/model.ts';
import { LICENSE_API, REQUEST_NAMES } from '../kinds/actions.ts';
import { KIND_NAMES } from '../kinds/index.ts';
import { CAUSES } from '../routing/compare.ts';
import { allScopes } from '../service/scopes.ts';
import { coming, hours } from './hours-schema.ts';
import { impact } from './impact.ts';

const address = s.address(
  'Address of a resource: `<kind>/<key>`. An unmanaged object that is deleted is `<kind>/<id>`.',
);
const reference = s.text(
  'Address of a declared resource, or the bare id of an object that the manifest does not declare.',
);
const type = s.oneOf('Kind of the resource.', KIND_NAMES);
const name = s.text('Name of the object, for people.');
const id = s.objectId("The service's id.");
const spec = s.typed<Spec>({ type: 'object', description: 'Managed fields, normalised.' });

export const reach = s.oneOf(
  'How the difference is closed: by a write, by an action of its own, by replacing the object, by a write that is made because the field cannot be read back (`unverified`), not at all because no request can (`unreachable`), or not at all because whether it differs is unknown (`unreadable`).',
  ['write', 'transition', 'replace', 'unverified', 'unreachable', 'unreadable'],
);
export type Reach = s.ValueOf<typeof reach>;

const fieldChange = s.record('One field that is not, or may not be, as desired.', {
  field: s.text('Name of the field.'),
  before: s.anything('Live value; null when there is none or it cannot be read.'),
  after: s.anything('Desired value.'),
  reach,
  reason: s.orNull(
    s.text('Why the field is not simply written, and what the user can do; null when a write closes it.'),
  ),
});
export type FieldChange = s.ValueOf<typeof fieldChange>;

/** What happens to one resource, in Terraform's words; `["delete", "create"]` is a replace. */
export type Actions =
  | readonly ['no-op']
  | readonly ['create']
  | readonly ['update']
  | readonly ['delete']
  | readonly ['delete', 'create'];

const danger = s.oneOf('Why a change deserves a second look before it is made.', [
  'irreversible',
  'other-licenses',
  'data-loss',
  'restriction',
  'destroy',
  'leaver',
]);
export type Danger = s.ValueOf<typeof danger>;

const referrer = s.record('An object that refers to this one: a rule that routes to a group, an agent in it.', {
  type,
  reference,
  name,
});
export type Referrer = s.ValueOf<typeof referrer>;

const source = s.place('Where the manifest declares it; null when it no longer does.');
export type SourcePlace = s.ValueOf<typeof source>;

const resourceChange = s.record('What would happen to one resource.', {
  address,
  type,
  name,
  id: s.orNull(id),
  change: s.record("The change, in Terraform's words.", {
    actions: s.typed<Actions>({
      enum: [['no-op'], ['create'], ['update'], ['delete'], ['delete', 'create']],
      description: '`["delete", "create"]` is a replace.',
    }),
    before: s.orNull(spec),
    after: s.orNull(spec),
    after_unknown: s.map('Fields whose value the service will choose.', s.only(true)),
  }),
  fields: s.list('Differences, field by field.', fieldChange),
  moved: s.orNull(
    s.record('Positions in the list of rules, first is 1; null when the resource does not move.', {
      from: s.whole('Live position.'),
      to: s.whole('Desired position.'),
    }),
  ),
  adopting: s.flag('The object exists, was found by its natural key, and becomes owned.'),
  recreating: s.flag('The ledger knows an object that no longer exists.'),
  danger: s.list('Why the change deserves a second look before it is made.', danger),
  referred_by: s.list('Of a dangerous change: what refers to the object on the license, declared or not.', referrer),
  source: s.orNull(source),
});
export type ResourceChange = s.ValueOf<typeof resourceChange>;

const resourceDrift = s.record('What was changed on the license since the last apply, and the plan replaces.', {
  address: s.text('Address of the resource; the bare kind for the order of its list, which is `order` then.'),
  type,
  name,
  id: s.orNull(id),
  change: s.record('The change on the license.', {
    actions: s.typed<readonly ['update'] | readonly ['delete']>({
      enum: [['update'], ['delete']],
      description: "In Terraform's words.",
    }),
    before: { ...spec, description: 'Applied values of the fields that differ now.' },
    after: s.orNull({ ...spec, description: 'Present values; null for an object that no longer exists.' }),
  }),
  applied_at: s.orNull(s.text('When it was applied, RFC 3339; null when the ledger does not know.')),
});
export type ResourceDrift = s.ValueOf<typeof resourceDrift>;

const reorder = s.record('The order of the rules, and the proof that no shorter list of moves exists.', {
  before: s.list('Managed rules in live order.', reference),
  after: s.list('Managed rules in desired order.', reference),
  kept: s.list('Rules that stay: the heaviest subsequence that can.', reference),
  moved: s.list('Rules that move.', reference),
});
export type Reorder = s.ValueOf<typeof reorder>;

const step = s.record('One write on one object. Its fields hold references, which become ids when the step is sent.', {
  id: s.text('Unique in the plan, and readable: `create group/sales`.'),
  operation: s.oneOf('What it does.', ['create', 'update', 'delete', 'transition']),
  type,
  address: s.orNull({
    ...address,
    description: 'What is written; null for an undeclared object that stays, such as an agent that leaves a group.',
  }),
  object: s.orNull({ ...id, description: 'Id of the object; null for one that the step creates.' }),
  chosen_id: s.orNull({ ...id, description: 'The `id:` to create it with; null when the service chooses.' }),
  fields: spec,
  position: s.anyOf('Place in the ordered list; null leaves the order as it is.', [
    s.record('Before another rule.', { before: reference }),
    s.record('At the end of the list.', { last: s.only(true) }),
    s.typed<null>({ type: 'null' }),
  ]),
  serves: s.list('The resources whose change it makes true.', address),
  after: s.list('Steps that must have succeeded before it is sent.', s.text('Id of a step.')),
});
export type Step = s.ValueOf<typeof step>;

const requestName = s.oneOf<string>('Name of the action in the URL.', REQUEST_NAMES);

const request = s.record('One request.', {
  action: requestName,
  form: s.oneOf('One call, a batch of calls of one action, or several calls joined into one.', [
    'single',
    'batch',
    'joined',
  ]),
  steps: s.list('The steps it carries.', s.text('Id of a step.')),
  wave: s.whole('Requests of one wave do not wait for each other.'),
});
export type Request = s.ValueOf<typeof request>;

export const visitor = s.record(
  'A visitor: the page, and the place where it matters.',
  { url: s.text('URL of the page.') },
  {
    country: s.text('Country.'),
    country_code: s.text('Code of the country.'),
    region: s.text('Region.'),
    city: s.text('City.'),
    variables: s.map('Custom variables, which greetings look at.', s.text('The value.')),
  },
);

const decision = s.record('The rule that decides where the chats go.', {
  rule: s.orNull(reference),
  groups: s.list('The groups; empty where no rule decides.', reference),
});

const routing = s.record('How the plan changes which visitors reach which groups; null when no rule is written.', {
  rerouted: s.list(
    'Visitors whose chats go to other groups afterwards: the broadest first, and those on pages that are made up last.',
    s.record(
      'Visitors whose chats another rule decides afterwards.',
      {
        before: decision,
        after: decision,
        cause: s.record('Why, seen from the rules that decide.', {
          what: s.oneOf('The rule precedes the other now, is new, is gone, or changed.', CAUSES),
          rule: reference,
        }),
        examples: s.list(
          'Some of these visitors, at least one; the broadest first.',
          s.record('One of them.', {
            visitor,
            on: s.list('The texts in the URL that make it so; empty when any page will do.', s.text('Text.')),
          }),
        ),
      },
      {
        made_up: s.only(true, {
          description:
            'No example is on a page that a rule, a routing test or a setting names, or that is built of what they name.',
        }),
      },
    ),
  ),
  exact: s.flag('Whether the list is complete; false when not every pair of rules could be compared.'),
  way: s.oneOf(
    'Whether chats go to wrong groups while the rules are written; unknown when there are too many rules to decide.',
    ['safe', 'exposed', 'unknown'],
  ),
  exposed: s.list(
    'Visitors whose chats go to wrong groups meanwhile, one for each intermediate list on which that happens.',
    s.record('One of them.', {
      visitor,
      before: decision,
      meanwhile: decision,
      after: decision,
      writes: s.whole('After how many writes of rules.'),
    }),
  ),
  longer: s.orNull(
    s.record(
      'A longer order of writes that exposes no visitor; null when no visitor is exposed, or no such order was found.',
      {
        requests: s.whole('Additional requests; `reorder: safe` sends them.'),
        rekeyed: s.list(
          'Rules that need new keys for it, so that new rules are created before the old ones are deleted; empty when none does.',
          reference,
        ),
      },
    ),
  ),
});
export type PlannedRouting = s.ValueOf<typeof routing>;

const unmanaged = s.record('A live object that the manifest does not declare and that stays.', {
  type,
  id,
  name,
  released: s.orNull({ ...address, description: 'Its address in the ledger; null for an object that is not owned.' }),
  reason: s.orNull(s.text('Why it stays although it is owned, or although everything undeclared is deleted.')),
});
export type Unmanaged = s.ValueOf<typeof unmanaged>;

export const guard = s.oneOf('Name of the guard.', [
  'max_deletes',
  'max_delete_percent',
  'most-of-kind',
  'adopted',
  'empty-manifest',
  'protected',
  'own-agent',
  'last-administrator',
  'last-member',
  'last-cover',
  'still-routed',
  'irreversible',
  'other-licenses',
  'data-loss',
  'restriction',
  'secrets-sink',
  'routing',
  'policy',
]);

const withheld = s.record("A guard's veto: nothing is applied while it stands.", {
  guard,
  addresses: s.list('What it concerns; empty for a policy and for `routing`, which are about the whole plan.', address),
  message: s.text('Why.'),
  remedy: s.text('How to end the veto.'),
});
export type Withheld = s.ValueOf<typeof withheld>;

const note = s.record('One note.', {
  address: s.typed<Address>(reference),
  kind: s.oneOf('Subject of the note.', [
    'irreversible',
    'other-licenses',
    'data-loss',
    'restriction',
    'leaver',
    'unreachable',
    'unreadable',
    'unverified',
    'manual-step',
    'pending-approval',
    'suspended',
    'left-out',
    'shared',
    'gap',
    'recreating',
    'recovered',
    'secret-lost',
    'administrator',
    'own-agent',
    'never-owned',
    'released',
    'rebinding',
    'rename',
    'account',
    'alike',
    'second',
    'not-in-snapshot',
  ]),
  message: s.text('One line: why, and after a semicolon or colon what the user can do.'),
});
export type Note = s.ValueOf<typeof note>;

const against = s.record('The snapshot that the plan was made from: such a plan cannot be applied.', {
  taken_at: s.time('When the snapshot was taken.'),
  age_seconds: s.orNull(
    s.whole('Its age when the plan was made; null when it is newer than the clock of that machine.'),
  ),
  digest: s.sha256('Its digest.'),
  full: s.flag('The snapshot is complete.'),
  nameless: s.typed<{ readonly [kind in KindName]?: number }>(
    s.map('Kind -> how many objects it has under a number instead of their id.', s.whole('Objects.')),
  ),
});
export type Against = s.ValueOf<typeof against>;

export const scope = s.record(
  'How much was compared; left out where it is all that the files declare and the ledger owns, and that is something.',
  {
    compared: s.whole('Declared resources, and objects that are owned or in the way.'),
    left_out: s.whole('Those that --only and --except leave out.'),
  },
);

const destroys = s.record('Only of a destroy: what is owned is removed, whatever the manifest declares.', {
  adopted: s.flag('Also what existed before chatform managed it.'),
});

export const plan = s.record(
  'What an apply would do to one license, complete.',
  {
    format_version: s.formatVersion,
    api_version: s.oneOf('Version of the Configuration API.', VERSIONS),
    target: s.text('Name of the target.'),
    resource_changes: s.list(
      'By kind, then by address, rules in their desired order. A no-op is listed when it adopts, has differences that no request closes, or is not known to have been applied.',
      resourceChange,
    ),
    resource_drift: s.list(
      'Of what the plan overwrites: what was applied before the change on the license.',
      resourceDrift,
    ),
    reorder: s.orNull(reorder),
    routing: s.orNull(routing),
    steps: s.list('The writes.', step),
    requests: s.record('What it costs.', {
      total: s.whole('Number of requests.'),
      by_action: s.typed<{ readonly [action: string]: number }>({
        ...s.map('Number of requests by action.', s.whole('Requests.')),
        propertyNames: requestName,
      }),
      plan: s.list('The requests in the order of their waves.', request),
    }),
    scopes: s.list('Scopes the token needs, to read and to write.', s.oneOf<string>('Scope.', allScopes(LICENSE_API))),
    unmanaged: s.list('Live objects that are not changed.', unmanaged),
    withheld: s.list("Guards' vetoes: nothing is applied while one stands.", withheld),
    policies: s.list(
      'Result of each policy of the project for this plan, in the order of the project.',
      s.record('One of them.', {
        name: s.text('Its name.'),
        level: s.oneOf('Whether a plan that it does not allow is withheld, or only remarked on.', ['deny', 'warn']),
        passed: s.flag('Its rule is true of this plan.'),
        message: s.text('Message of the policy.'),
        failure: s.orNull(s.text('Why the rule has no result; null when it has one.')),
      }),
    ),
    notes: s.list('What a user should know in addition to the changes.', note),
    bindings: s.record('What an apply writes into the ledger without a request.', {
      recover: s.list(
        'Objects that an interrupted run created and did not record.',
        s.record(
          'One of them.',
          {
            intent: s.text('Id of the intent in the ledger.'),
            address,
            id,
            secret: s.orNull(s.oneOf('Where its one-time secret is.', ['kept', 'rescued', 'lost'])),
          },
          { former: { ...id, description: 'Id of the object that it replaces, and that is still there.' } },
        ),
      ),
      absent: s.list('Intents that have made nothing.', s.text('Id of the intent in the ledger.')),
      move: s.list('Renamed keys.', s.record('One of them.', { from: address, to: address })),
      adopt: s.list('Objects that become owned.', s.record('One of them.', { address, id })),
      forget: s.list('Addresses whose object no longer exists.', address),
    }),
    live_order: s.list('The live rules, first match first.', reference),
    references: s.map('Address -> id of everything declared that exists.', id),
    summary: s.record('The counts of the last line.', {
      add: s.whole('Created.'),
      change: s.whole('Changed.'),
      destroy: s.whole('Destroyed.'),
      adopt: s.whole('Adopted.'),
    }),
  },
  {
    against,
    hours,
    coming,
    destroys,
    scope,
    impact,
    names: s.typed<{ readonly [reference: string]: string }>(
      s.map(
        'Names of objects that do not change and that changed fields refer to. Left out is a name that several objects have.',
        s.text('The name.'),
      ),
    ),
  },
);
export type Plan = s.ValueOf<typeof plan>;

export const planSchema = s.published('chatform plan', plan);
