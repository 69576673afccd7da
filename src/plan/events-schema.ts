// Lines of a file of events (`--events FILE`), as schema and types: one alternative for each type of event.

import {
  flag,
  formatVersion,
  list,
  type Members,
  map,
  objectId,
  oneOf,
  only,
  orNull,
  place,
  published,
  record,
  type Schema,
  text,
  typed,
  type ValueOf,
  whole,
} from '../base/documents.ts';
import { VERSIONS } from '../base/model.ts';
import { KIND_NAMES } from '../kinds/index.ts';

const address = text('Address of a resource, or of what is deleted.');
const type = oneOf('Its kind.', KIND_NAMES);

function event<T extends string, M extends Members>(name: T, description: string, members: M) {
  return record(description, {
    '@level': oneOf('Severity.', ['info', 'warn', 'error']),
    '@message': text('One line for people.'),
    '@timestamp': typed<string>({
      type: 'string',
      format: 'date-time',
      description: 'When it was written, RFC 3339 in UTC.',
    }),
    type: only(name),
    ...members,
  });
}

const resource = record('What is written.', {
  addr: orNull(address),
  resource_type: type,
  id: orNull(objectId("The service's id.")),
});

const hook = record('One write.', {
  step: text('Id of the step in the plan.'),
  resource,
  action: oneOf('What the write does.', ['create', 'update', 'delete', 'transition']),
  serves: list('The resources whose change it makes true.', address),
});

const EVENTS = {
  version: event('version', 'Always the first line.', {
    format_version: formatVersion,
    chatform: text('Version of chatform.'),
    command: text('The command: plan, apply or undo.'),
    target: text('Name of the target.'),
    api_version: oneOf('Version of the Configuration API.', VERSIONS),
  }),
  diagnostic: event('diagnostic', 'A finding in the files.', {
    diagnostic: record('The finding.', {
      code: text('Its code.'),
      severity: oneOf('Whether it stops the command.', ['error', 'warning']),
      summary: text('What is wrong.'),
      detail: orNull(text('What to do.')),
      place: record('Its place.', {
        file: text('File.'),
        line: whole('Line, first is 1.'),
        column: whole('Column, first is 1.'),
        length: whole('Characters.'),
      }),
    }),
  }),
  planned_change: event(
    'planned_change',
    'What would happen to one resource; a no-op only when it has something to show.',
    {
      change: record('The change.', {
        resource: record('The resource.', {
          addr: address,
          resource_type: type,
          name: text('Its name, for people.'),
        }),
        action: text('The actions in one word, such as `delete,create`.'),
        actions: list("Terraform's words.", oneOf('One word.', ['no-op', 'create', 'update', 'delete'])),
        moved: orNull(record('Places among the rules.', { from: whole('Before.'), to: whole('After.') })),
        adopting: flag('It exists and becomes owned.'),
        danger: list('Why the change deserves a second look.', text('Danger.')),
        source: orNull(place('Where it is declared.')),
      }),
    },
  ),
  change_summary: event('change_summary', 'The counts of the plan.', {
    changes: record('The counts.', {
      add: whole('Created.'),
      change: whole('Changed.'),
      remove: whole('Destroyed.'),
      adopt: whole('Adopted.'),
      operation: only('plan'),
    }),
    requests: whole('Requests that an apply would send.'),
  }),
  withheld: event('withheld', 'A guard or a policy that withholds the plan.', {
    guard: text('Name of the guard.'),
    addresses: list('What it concerns.', address),
    remedy: text('How to end the veto.'),
  }),
  rehearsal: event('rehearsal', 'The result of the plan on a copy of the license; with `--rehearse` only.', {
    outcome: oneOf('Its result; `withheld` means that nothing was tried.', ['passed', 'failed', 'withheld']),
    passed: flag('No write was refused, no step is left, and no problem was found.'),
    withheld: flag('Nothing was tried, because the plan is withheld.'),
    failed: list(
      'Writes that were refused, or not sent because of that.',
      record('One write.', { step: text('Id of its step.'), reason: text('Why.') }),
    ),
    left: orNull(list('Steps of the plan that follows it; null when no plan can be made.', text('Step.'))),
    problems: list(
      'Problems afterwards.',
      record('One problem.', { code: text('Its code.'), message: text('What is wrong.') }),
    ),
    requests: map('How many requests of each action it took on the copy.', typed<number>({ type: 'integer' })),
  }),
  apply_start: event('apply_start', 'A write is sent.', { hook }),
  apply_complete: event('apply_complete', 'A write is done.', { hook }),
  apply_errored: event('apply_errored', 'A write failed.', {
    hook,
    error: record('Why.', {
      type: text('Type of the error.'),
      message: text('Message of the service, or of chatform.'),
      debug_id: orNull(text('Id to give to the support of the service.')),
      ambiguous: flag('Whether it took effect is not known.'),
    }),
  }),
  apply_skipped: event('apply_skipped', 'A write was not sent.', {
    hook,
    because: orNull(text('The step that failed before it; null when the run was stopped.')),
  }),
  apply_progress: event('apply_progress', 'How far the writes are.', {
    ended: whole('Writes that have ended.'),
    total: whole('All writes.'),
  }),
  waiting: event('waiting', 'A write does not show yet.', {
    elapsed_seconds: whole('Seconds since the wait began.'),
    unsettled: list('Resources that do not show yet.', address),
  }),
  summary: event('summary', 'How an apply or undo ended; the last line then.', {
    outcome: text('done, partial, failed, unsettled or interrupted.'),
    exit_code: whole('Exit code.'),
    steps: record('The writes.', {
      done: whole('Done.'),
      failed: whole('Failed.'),
      skipped: whole('Skipped.'),
      not_sent: whole('Not sent.'),
    }),
    unsettled: list('Resources that never showed.', address),
    duration_seconds: typed<number>({ type: 'number', description: 'From the first request to the last reading.' }),
  }),
  failure: event('failure', 'An error that ended the command early; the last line then.', {
    message: text('What is wrong.'),
  }),
};

type WithoutTime<E> = E extends unknown ? Omit<E, '@timestamp'> : never;

/** Without the time, which the file adds. */
export type EventLine = WithoutTime<ValueOf<(typeof EVENTS)[keyof typeof EVENTS]>>;

export const eventsSchema = published(
  'chatform event',
  typed<EventLine>({
    description: 'One line of the file that `--events` writes.',
    oneOf: Object.values<Schema>(EVENTS),
  }),
);
