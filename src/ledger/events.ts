// Schemas and types of what a ledger's folder holds: the events of a log, and the record of a lease.

import {
  anyOf,
  list,
  type Members,
  map,
  oneOf,
  only,
  record,
  text,
  typed,
  type ValueOf,
  whole,
} from '../base/documents.ts';
import type { Address, JsonObject, KindName, ObjectId, Spec } from '../base/model.ts';
import { KIND_NAMES } from '../kinds/index.ts';

const stamp = {
  /** Version of the format of a log. */
  v: only(1),
  at: typed<string>({ type: 'string', format: 'timestamp', description: 'RFC 3339.' }),
  run: typed<string>({ type: 'string', pattern: '[^]', description: 'Id of the run that wrote the event.' }),
};

function event<T extends string, R extends Members, O extends Members = Record<never, never>>(
  type: T,
  description: string,
  required: R,
  optional?: O,
) {
  return record(description, { ...stamp, type: only(type), ...required }, optional);
}

const LIKE_ADDRESS = '^[a-z_]+/[^]';
const addressLike = (pattern: string) => typed<Address>({ type: 'string', pattern, description: 'Address.' });
const id = typed<ObjectId>({ type: ['string', 'number'], description: "The service's id." });
const name = (description: string) => typed<string>({ type: 'string', pattern: '[^]', description });
const spec = (description: string) => typed<Spec>({ type: 'object', description });

/** Members that are unknown are left out. */
export const starter = record(
  'Who started a run, as the environment says. No member has a secret or a path of the machine.',
  {},
  {
    user: text('Account on the machine, outside of a job.'),
    host: text('Name of the machine, outside of a job.'),
    ci: text('The service that runs the job, such as `GitHub Actions`.'),
    actor: text('The person who started the job.'),
    repository: text('Repository of the job.'),
    request: text('Number of the pull request or merge request.'),
    commit: text('Commit of the job.'),
    job: text('Address of the job, for a browser.'),
  },
);
const by = starter;
const reason = text('Why the run was made, in one line: as `--reason` says, or the pull request.');

const fleetRun = typed<string>({
  type: 'string',
  pattern: '[^]',
  description: 'Id of the run over several targets that it is a part of; left out by a run of one target.',
});

const compacted = record(
  'What a compaction keeps of the run, whose other events are only what is still true.',
  {
    began: typed<string>({ type: 'string', format: 'timestamp', description: 'When it first wrote, RFC 3339.' }),
    changes: map('How many objects it changed, by what it did to them.', whole('Objects.')),
    values: typed<boolean>({ type: 'boolean', description: 'Whether it had recorded what was there before it.' }),
  },
  { undoes: name('Id of the run that it takes back, when it is an undo.') },
);
export type CompactedRun = ValueOf<typeof compacted>;

/** By type. `known`: with the words of this version. `any`: also with those that a newer version may add. */
function eventsWith(words: 'known' | 'any') {
  const address = addressLike(words === 'any' ? LIKE_ADDRESS : `^(?:${KIND_NAMES.join('|')})/[^]`);
  const word = <const V extends string>(description: string, values: readonly V[]) =>
    words === 'any' ? typed<V>(text(description)) : oneOf(description, values);
  return {
    begun: event(
      'begun',
      'The run is about to change the license. A run that is killed has no other event that says what it was.',
      { command: text('The command; empty where a compaction did not find it.') },
      {
        undoes: name('Id of the run that this run takes back, when it is an undo.'),
        by,
        reason,
        fleet_run: fleetRun,
        compacted,
      },
    ),
    bound: event('bound', 'From now on the address is this object. Comes before its `applied`.', {
      address,
      id,
      origin: oneOf('How it came to be owned.', ['created', 'adopted', 'imported']),
    }),
    applied: event(
      'applied',
      'What was written to the object of the address.',
      {
        address,
        spec: spec('The spec, as far as it can be read back.'),
        digests: map('Field that cannot be read back -> SHA-256 of its value.', text('Digest.')),
      },
      {
        reads: spec(
          'Of the fields that the service keeps in another form than they were written: what was read after the write.',
        ),
        applied_at: text('RFC 3339: when it was applied, where the run only took a deleted object out of it.'),
      },
    ),
    forgotten: event(
      'forgotten',
      'The address owns nothing any more: its object is deleted, or is not managed from now on.',
      { address },
      { because: text('`deleted`: by us, so a list that still shows it lags.') },
    ),
    moved: event('moved', 'What `from` owned is owned by `to`, with all that is known of it.', {
      from: address,
      to: address,
    }),
    intent: event(
      'intent',
      'A request that must not be sent twice is about to leave. Whether it arrives is unknown until its `done`.',
      {
        id: name('Id of the intent.'),
        address,
        kind: typed<KindName>(text('Kind of the address.')),
        operation: word('What the request does.', ['create', 'update', 'delete', 'transition']),
        identity: text('What identifies the object, as JSON text.'),
        seen: list("Ids of the kind's objects that existed before: none of them is the new one.", id),
      },
    ),
    done: anyOf('What became of an intent. Comes after the `bound` of what was created.', [
      event('done', 'It made an object.', {
        intent: name('Id of the intent.'),
        outcome: only('created'),
        created: id,
      }),
      event('done', 'It made none; or a person said that this cannot be found out (unknown).', {
        intent: name('Id of the intent.'),
        outcome:
          words === 'any'
            ? typed<'refused' | 'unknown'>({ type: 'string', not: { const: 'created' } })
            : oneOf('Outcome.', ['refused', 'unknown']),
      }),
    ]),
    before: event(
      'before',
      'A request that changes the object of the address is about to leave. Whether it arrives is unknown until a later event.',
      {
        address,
        id: typed<ObjectId | null>({ type: ['string', 'number', 'null'], description: 'Null when there was none.' }),
        spec: typed<Spec | null>({
          type: ['object', 'null'],
          description: 'The object before, as far as it was compared or is deleted; null when there was none.',
        }),
      },
      { account: text('Id of the account of an agent, where the service tells it: an id can be used again.') },
    ),
    remaking: event(
      'remaking',
      'The object of the address is about to be deleted and made again. Ends with the next `bound`.',
      { address, spec: spec('The new object. No other place has its undeclared fields.') },
    ),
    order: event('order', 'The order of a list.', {
      moment: word('Before the run changed it, or as it was applied.', ['before', 'applied']),
      kind: word('Kind of the list.', KIND_NAMES),
      order: list('The owned objects, first match first.', addressLike(LIKE_ADDRESS)),
      ids: list('All objects of the list, unmanaged ones too, first match first.', id),
    }),
    secret: event('secret', 'What became of the one-time secret of the object.', {
      address,
      id,
      state: word('Where the secret is.', ['kept', 'rescued', 'lost']),
    }),
    token: event(
      'token',
      'A token of the bot. Before its request `asked`, and after it the answer, with the same `until`.',
      {
        address,
        id,
        state: word(
          'asked: a request for it is about to leave; whether it is issued is unknown until the answer. kept, lost: issued, and in the sink or not. refused: not issued.',
          ['asked', 'kept', 'lost', 'refused'],
        ),
        until: typed<string>({ type: 'string', format: 'timestamp', description: 'When it ends, RFC 3339.' }),
      },
    ),
    license: event(
      'license',
      'The license that the ledger belongs to, as an apply found it. What it did not read is what was known before.',
      {
        base_url: text('A URL, or `emulator:FILE`.'),
        identity: typed<string | null>({
          type: ['string', 'null'],
          description: 'What the state file of an emulator is told by; null for a service.',
        }),
        owner: typed<string | null>({ type: ['string', 'null'], description: 'Id of the agent who is the owner.' }),
        groups: map('Id -> name, without those that every license has.', text('Name.')),
      },
      {
        administrators: list(
          'Agents whose role lets them administer the license, the owner included; left out until agents were read.',
          id,
        ),
      },
    ),
    warned: event('warned', 'The warnings of lints that an apply gave: the next run shows only the others whole.', {
      lints: list(
        'All of them.',
        record('One of them.', { code: text('Its code.'), message: text('What is wrong, without its place.') }),
      ),
    }),
    customer: event('customer', 'The customer whose eyes this project uses, as the accounts service gave it.', {
      client_id: name('Client whose customer it is.'),
      entity_id: name('Id of the customer.'),
    }),
    run: event(
      'run',
      'A command that wrote, or tried to, has ended.',
      {
        command: text('The command.'),
        outcome: word(
          'failed: nothing was changed. partial: some resources failed or were skipped. unsettled: all was sent, and did not become readable in time.',
          ['done', 'failed', 'partial', 'unsettled', 'interrupted'],
        ),
      },
      {
        unsure: list(
          'Written in part, or perhaps: a reading that shows it as before may lag.',
          addressLike(LIKE_ADDRESS),
        ),
        ahead: typed<number>({
          type: 'integer',
          description:
            "Milliseconds by which the service's clock was ahead of the one that wrote `at`. Left out where both agreed.",
        }),
        ends: list(
          'Runs that were killed or interrupted, and that this run ended: it read everything that they could have changed as it is declared.',
          name('Id of a run.'),
        ),
        accounts: map(
          'Address -> account, of agents that the run created, where the service tells it.',
          text('Account.'),
        ),
        by,
        reason,
        fleet_run: fleetRun,
        target: text('Name of the target.'),
        names: map(
          'Names of objects that the changes refer to, as the plan had them: those that the ledger does not know otherwise.',
          text('The name.'),
        ),
        compacted,
        moved_to: text('Of a move: where the ledger is from now on. It is the only event that stays.'),
        reduced: typed<string>({
          type: 'string',
          format: 'timestamp',
          description: 'Of a compaction: events before this time are reduced to what was still true.',
        }),
      },
    ),
  };
}

export const KNOWN = eventsWith('known');
export const ANY = eventsWith('any');

/** What every event has, also one whose type only a newer version knows. */
export const stamped = record('An event.', { at: stamp.at, run: stamp.run, type: text('Type.') });

type KnownEvents = typeof KNOWN;
export type Stamp = { readonly [member in keyof typeof stamp]: ValueOf<(typeof stamp)[member]> };

/** What each event of a run begins with. `now` in milliseconds since the epoch. */
export function stampOf(run: string, now: number): Stamp {
  return { v: 1, at: new Date(now).toISOString(), run };
}

export type BegunEvent = ValueOf<KnownEvents['begun']>;
export type BoundEvent = ValueOf<KnownEvents['bound']>;
export type ForgottenEvent = ValueOf<KnownEvents['forgotten']>;
export type AppliedEvent = ValueOf<KnownEvents['applied']>;
export type MovedEvent = ValueOf<KnownEvents['moved']>;
export type IntentEvent = ValueOf<KnownEvents['intent']>;
export type BeforeEvent = ValueOf<KnownEvents['before']>;
export type RemakingEvent = ValueOf<KnownEvents['remaking']>;
export type OrderEvent = ValueOf<KnownEvents['order']>;
export type SecretEvent = ValueOf<KnownEvents['secret']>;
export type TokenEvent = ValueOf<KnownEvents['token']>;
export type LicenseEvent = ValueOf<KnownEvents['license']>;
export type CustomerEvent = ValueOf<KnownEvents['customer']>;
export type WarnedEvent = ValueOf<KnownEvents['warned']>;
export type LedgerRunEvent = ValueOf<KnownEvents['run']>;
/** Who started a run, why, and for which target. */
export type RunSigning = Pick<LedgerRunEvent, 'by' | 'reason' | 'target' | 'fleet_run'>;
export type Starter = ValueOf<typeof starter>;
export type RunOutcome = LedgerRunEvent['outcome'];

export type LedgerEvent =
  | ValueOf<KnownEvents[keyof KnownEvents]>
  /** An event that only a newer chatform knows: kept unchanged, and without meaning here. */
  | { readonly type: 'unknown'; readonly event: JsonObject };

const number = (description: string) => typed<number>({ type: 'number', description });
const instant = (description: string) => typed<string>({ type: 'string', format: 'instant', description });

export const holder = record(
  'The run that holds the lease, for a person who finds the target locked.',
  {
    user: text('User.'),
    host: text('Name of the machine.'),
    pid: number('Id of the process.'),
    command: text('The command.'),
  },
  { reason: text('Why a person locked it by hand.') },
);

export const leaseRecord = record('One generation of a lease.', {
  generation: number('One more than the generation before it, whichever run made that.'),
  run: text('The run that holds it: the same in each of its renewals, and different for every run.'),
  holder,
  since: instant('When the run got it.'),
  renewed: instant('When it was renewed last.'),
  until: typed<string | null>({
    type: ['string', 'null'],
    format: 'instant',
    description: 'When it ends unless it is renewed; null when `holder` gave it back.',
  }),
});
