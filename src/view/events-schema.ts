// Lines of a file of events (`--events FILE`), as schema and types: one alternative for each type of event.

import * as s from '../base/documents.ts';
import { VERSIONS } from '../base/model.ts';
import { KIND_NAMES } from '../kinds/index.ts';

const address = s.text('Address of a resource, or of what is deleted.');
const type = s.oneOf('Its kind.', KIND_NAMES);

function event<T extends string, M extends s.Members>(name: T, description: string, members: M) {
  return s.record(description, {
    '@level': s.oneOf('Severity.', ['info', 'warn', 'error']),
    '@message': s.text('One line for people.'),
    '@timestamp': s.typed<string>({
      type: 'string',
      format: 'date-time',
      description: 'When it was written, RFC 3339 in UTC.',
    }),
    type: s.only(name),
    ...members,
  });
}

const resource = s.record('What is written.', {
  addr: s.orNull(address),
  resource_type: type,
  id: s.orNull(s.objectId("The service's id.")),
});

const hook = s.record('One write.', {
  step: s.text('Id of the step in the plan.'),
  resource,
  action: s.oneOf('What the write does.', ['create', 'update', 'delete', 'transition']),
  serves: s.list('The resources whose change it makes true.', address),
});

const EVENTS = {
  version: event('version', 'Always the first line.', {
    format_version: s.formatVersion,
    chatform: s.text('Version of chatform.'),
    command: s.text('The command: plan, apply, destroy or undo.'),
    target: s.text('Name of the target.'),
    api_version: s.oneOf('Version of the Configuration API.', VERSIONS),
  }),
  diagnostic: event('diagnostic', 'A finding in the files.', {
    diagnostic: s.record('The finding.', {
      code: s.text('Its code.'),
      severity: s.oneOf('Whether it stops the command.', ['error', 'warning']),
      summary: s.text('What is wrong.'),
      detail: s.orNull(s.text('What to do.')),
      place: s.record('Its place.', {
        file: s.text('File.'),
        line: s.whole('Line, first is 1.'),
        column: s.whole('Column, first is 1.'),
        length: s.whole('Characters.'),
      }),
    }),
  }),
  planned_change: event(
    'planned_change',
    'What would happen to one resource; a no-op only when it has something to show.',
    {
      change: s.record('The change.', {
        resource: s.record('The resource.', {
          addr: address,
          resource_type: type,
          name: s.text('Its name, for people.'),
        }),
        action: s.text('The actions in one word, such as `delete,create`.'),
        actions: s.list("Terraform's words.", s.oneOf('One word.', ['no-op', 'create', 'update', 'delete'])),
        moved: s.orNull(s.record('Places among the rules.', { from: s.whole('Before.'), to: s.whole('After.') })),
        adopting: s.flag('It exists and becomes owned.'),
        danger: s.list('Why the change deserves a second look.', s.text('Danger.')),
        source: s.orNull(s.place('Where it is declared.')),
      }),
    },
  ),
  change_summary: event('change_summary', 'The counts of the plan.', {
    changes: s.record('The counts.', {
      add: s.whole('Created.'),
      change: s.whole('Changed.'),
      remove: s.whole('Destroyed.'),
      adopt: s.whole('Adopted.'),
      operation: s.only('plan'),
    }),
    requests: s.whole('Requests that an apply would send.'),
  }),
  withheld: event('withheld', 'A guard or a policy that withholds the plan.', {
    guard: s.text('Name of the guard.'),
    addresses: s.list('What it concerns.', address),
    remedy: s.text('How to end the veto.'),
  }),
  apply_start: event('apply_start', 'A write is sent.', { hook }),
  apply_complete: event('apply_complete', 'A write is done.', { hook }),
  apply_errored: event('apply_errored', 'A write failed.', {
    hook,
    error: s.record('Why.', {
      type: s.text('Type of the error.'),
      message: s.text('Message of the service, or of chatform.'),
      debug_id: s.orNull(s.text('Id to give to the support of the service.')),
      ambiguous: s.flag('Whether it took effect is not known.'),
    }),
  }),
  apply_skipped: event('apply_skipped', 'A write was not sent.', {
    hook,
    because: s.orNull(s.text('The step that failed before it; null when the run was stopped.')),
  }),
  apply_progress: event('apply_progress', 'How far the writes are.', {
    ended: s.whole('Writes that have ended.'),
    total: s.whole('All writes.'),
  }),
  waiting: event('waiting', 'A write does not show yet.', {
    elapsed_seconds: s.whole('Seconds since the wait began.'),
    unsettled: s.list('Resources that do not show yet.', address),
  }),
  summary: event('summary', 'How an apply or undo ended; the last line then.', {
    outcome: s.text('done, partial, failed, unsettled or interrupted.'),
    exit_code: s.whole('Exit code.'),
    steps: s.record('The writes.', {
      done: s.whole('Done.'),
      failed: s.whole('Failed.'),
      skipped: s.whole('Skipped.'),
      not_sent: s.whole('Not sent.'),
    }),
    unsettled: s.list('Resources that never showed.', address),
    duration_seconds: s.typed<number>({ type: 'number', description: 'From the first request to the last reading.' }),
  }),
  failure: event('failure', 'An error that ended the command early; the last line then.', {
    message: s.text('What is wrong.'),
  }),
};

type WithoutTime<E> = E extends unknown ? Omit<E, '@timestamp'> : never;

/** Without the time, which the file adds. */
export type EventLine = WithoutTime<s.ValueOf<(typeof EVENTS)[keyof typeof EVENTS]>>;

export const eventsSchema = s.published(
  'chatform event',
  s.typed<EventLine>({
    description: 'One line of the file that `--events` writes.',
    oneOf: Object.values<s.Schema>(EVENTS),
  }),
);
