// The JSON Schema (2020-12) of a plan, for anyone's tools. A test holds every plan of the golden cases against it, with no member to spare.

import {
  flag,
  formatVersion,
  list,
  map,
  oneOf,
  orNull,
  record,
  type Schema,
  sha256,
  sourceOrNull,
  text,
  time,
  whole,
} from '../base/documents.ts';
import { VERSIONS } from '../base/model.ts';
import { KIND_NAMES } from '../kinds/index.ts';
import { CAUSES } from '../routing/compare.ts';
import { REACHES } from './reach.ts';

const address: Schema = {
  type: 'string',
  description: 'Address of a resource: `<kind>/<key>`. A stranger that is deleted is `<kind>/<id>`.',
  pattern: '^[a-z_]+/.+$',
};
const reference: Schema = {
  type: 'string',
  description: 'Address of a declared resource, or the bare id of an object that nothing declares.',
};
const type = oneOf('Kind of the resource.', KIND_NAMES);
const id: Schema = { type: ['string', 'integer'], description: "The service's id." };
const spec: Schema = { type: 'object', description: 'Managed fields, normalised.' };
const ANYTHING: Schema = {};

const fieldChange = record('One field that is not, or may not be, as desired.', {
  field: text('Name of the field.'),
  before: { ...ANYTHING, description: 'Live value; null when there is none or it cannot be read.' },
  after: { ...ANYTHING, description: 'Desired value.' },
  reach: oneOf('How the difference is closed; `unreachable` and `unreadable` are not.', REACHES),
  reason: orNull(text('Why it is not simply written, and what can be done.')),
});

const resourceChange = record('What would happen to one resource.', {
  address,
  type,
  name: text('What a person calls the object.'),
  id: orNull(id),
  change: record("The change, in Terraform's words.", {
    actions: {
      enum: [['no-op'], ['create'], ['update'], ['delete'], ['delete', 'create']],
      description: '`["delete", "create"]` is a replace.',
    },
    before: orNull(spec),
    after: orNull(spec),
    after_unknown: map('What the service will choose.', { const: true }),
  }),
  fields: list('Differences, field by field.', fieldChange),
  moved: orNull(
    record('Places in the list of rules, first is 1.', { from: whole('Live place.'), to: whole('Desired place.') }),
  ),
  adopting: flag('The object exists, was recognised, and becomes ours.'),
  recreating: flag('The ledger knew an object that is no longer there.'),
  danger: list('Why it deserves a second look.', { enum: ['irreversible', 'other-licenses', 'data-loss', 'destroy'] }),
  referred_by: list(
    'Of a dangerous change: what refers to the object on the license, declared or not.',
    record('One of them.', { type, reference, name: text('What a person calls it.') }),
  ),
  source: sourceOrNull('Where the manifest declares it.'),
});

const resourceDrift = record('What somebody changed since the last apply, and the plan replaces.', {
  address: text('Address of the resource; the bare kind for the order of its list.'),
  type,
  name: text('What a person calls it.'),
  id: orNull(id),
  change: record('What somebody did.', {
    actions: { enum: [['update'], ['delete']], description: "In Terraform's words." },
    before: { ...spec, description: 'As it was applied: only what is different now.' },
    after: orNull({ ...spec, description: 'As it is; null for an object that is gone.' }),
  }),
  applied_at: orNull(text('When it was applied, RFC 3339; null when the ledger does not know.')),
});

const position: Schema = {
  anyOf: [
    record('Before another rule.', { before: reference }),
    record('At the end of the list.', { last: { const: true } }),
    { type: 'null' },
  ],
  description: 'Place in the ordered list; null leaves the order alone.',
};

const step = record('One write on one object.', {
  id: text('Unique in the plan.'),
  operation: oneOf('What it does.', ['create', 'update', 'delete', 'transition']),
  type,
  address: orNull(address),
  object: orNull(id),
  chosen_id: orNull(id),
  fields: spec,
  position,
  serves: list('The resources whose change it makes true.', address),
  after: list('Steps that must have succeeded before.', text('Id of a step.')),
});

const request = record('One request.', {
  action: text('Name of the action in the URL.'),
  form: oneOf('One call, a batch of calls, or several calls joined into one.', ['single', 'batch', 'joined']),
  steps: list('The steps it carries.', text('Id of a step.')),
  wave: whole('Requests of one wave do not wait for each other.'),
});

const visitor: Schema = {
  type: 'object',
  description: 'Somebody who is on a page, and perhaps somewhere.',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: text('URL of the page.'),
    country: text('Country.'),
    country_code: text('Code of the country.'),
    region: text('Region.'),
    city: text('City.'),
  },
};

const decision = record('What decides where the chats go.', {
  rule: orNull(reference),
  groups: list('The groups; empty where no rule decides.', reference),
});

const routing = record('What the plan does to the ways of visitors to groups; null when no rule is written.', {
  rerouted: list(
    "Whose chats go to other groups afterwards; empty when nobody's do.",
    record('Visitors for whom one rule decided and another one does.', {
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
  exact: flag('No more of them than are listed; false when not every pair of rules could be decided.'),
  way: oneOf('Whether chats go astray while the rules are written; unknown when there are too many rules to tell.', [
    'safe',
    'exposed',
    'unknown',
  ]),
  exposed: list(
    "Whose chats go astray on the way, one for each list on which somebody's do.",
    record('One of them.', {
      visitor,
      before: decision,
      meanwhile: decision,
      after: decision,
      writes: whole('After how many writes of rules.'),
    }),
  ),
  longer: orNull(
    record('What would expose nobody; null when nobody is exposed, or nothing was found.', {
      requests: whole('How many requests more.'),
      anew: list('Rules that need new keys for it; `reorder: safe` does it when there are none.', reference),
    }),
  ),
});

/** There only where the plan was not made from the license itself. */
const against = record('The snapshot that it was made from: such a plan cannot be applied.', {
  taken_at: time,
  age_seconds: orNull(
    whole('How old it was when the plan was made; null when by the clock there it had not been taken yet.'),
  ),
  digest: sha256('Its digest.'),
  full: flag('Nothing was left out of it.'),
  nameless: map('Kind -> how many objects it has under a number instead of their id.', whole('Objects.')),
});

export function planSchema(): Schema {
  const plan = wholePlan();
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform plan',
    ...plan,
    properties: { ...plan.properties, against },
  };
}

function wholePlan() {
  return record('What an apply would do to one license, complete.', {
    format_version: formatVersion,
    api_version: oneOf('Version of the Configuration API.', VERSIONS),
    target: text('Name of the target.'),
    resource_changes: list('By kind, then by address, rules in their desired order.', resourceChange),
    resource_drift: list('Of what the plan replaces: what it was before somebody changed it.', resourceDrift),
    reorder: orNull(
      record('The order of the rules, and the proof that no shorter list of moves exists.', {
        before: list('Managed rules in live order.', reference),
        after: list('Managed rules in desired order.', reference),
        kept: list('The heaviest subsequence that can stay.', reference),
        moved: list('The rest.', reference),
      }),
    ),
    routing: orNull(routing),
    steps: list('The writes.', step),
    requests: record('What it costs.', {
      total: whole('Number of requests.'),
      by_action: map('Number of requests by action.', whole('Requests.')),
      plan: list('The requests in the order of their waves.', request),
    }),
    scopes: list('Scopes the token needs, to read and to write.', text('Scope.')),
    unmanaged: list(
      'Live objects that are not touched.',
      record('One of them.', {
        type,
        id,
        name: text('What a person calls it.'),
        released: orNull({ ...address, description: 'Its address in the ledger; null for a stranger.' }),
        reason: orNull(text('Why it stays although it is ours, or nothing undeclared is to be there.')),
      }),
    ),
    withheld: list(
      "Guards' vetoes: nothing is applied while one stands.",
      record('One veto.', {
        guard: oneOf('Which guard.', [
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
        ]),
        addresses: list('What it concerns; empty for a policy.', address),
        message: text('Why.'),
        remedy: text('What would let it go.'),
      }),
    ),
    policies: list(
      'What the policies of the project say of this plan.',
      record('One of them.', {
        name: text('Its name.'),
        level: oneOf('Whether a plan that it does not allow is withheld, or only remarked on.', ['deny', 'warn']),
        passed: flag('Its rule is true of this plan.'),
        message: text('What the project says about it.'),
        failure: orNull(text('Why the rule gave no yes or no.')),
      }),
    ),
    notes: list(
      'What a person should know beside the changes.',
      record('One note.', {
        address: reference,
        kind: oneOf('What about.', [
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
        message: text('One line: why, and what can be done.'),
      }),
    ),
    bindings: record('What an apply writes into the ledger without a request.', {
      recover: list(
        'Objects that an earlier run made and did not live to record.',
        record('One of them.', {
          intent: text('Id of the intent in the ledger.'),
          address,
          id,
          secret: orNull(oneOf('Where its one-time secret is.', ['kept', 'rescued', 'lost'])),
        }),
      ),
      absent: list('Intents that have made nothing.', text('Id of the intent in the ledger.')),
      move: list('Renamed keys.', record('One of them.', { from: address, to: address })),
      adopt: list('Objects that become ours.', record('One of them.', { address, id })),
      forget: list('Addresses whose object is gone.', address),
    }),
    live_order: list('The rules as they are, first match first.', reference),
    references: map('Address -> id of everything declared that exists.', id),
    summary: record('The counts of the last line.', {
      add: whole('Created.'),
      change: whole('Changed.'),
      destroy: whole('Destroyed.'),
      adopt: whole('Adopted.'),
    }),
  });
}
