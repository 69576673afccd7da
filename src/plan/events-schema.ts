// The JSON Schema (2020-12) of one line of a file of events (`--events FILE`), for anyone's tools: one alternative for each type of event.

import { flag, formatVersion, list, orNull, place, record, type Schema, text, whole } from '../base/documents.ts';
import { VERSIONS } from '../base/model.ts';
import { KIND_NAMES } from '../kinds/index.ts';

const address = text('Address of a resource, or of what is deleted.');
const id: Schema = { type: ['string', 'integer'], description: "The service's id." };

function event(type: string, description: string, members: { readonly [name: string]: Schema }): Schema {
  return record(description, {
    '@level': { enum: ['info', 'warn', 'error'], description: 'How much it matters.' },
    '@message': text('For a person: one line.'),
    '@timestamp': { type: 'string', format: 'date-time', description: 'When it was written, RFC 3339 in UTC.' },
    type: { const: type },
    ...members,
  });
}

const resource = record('What is written.', {
  addr: orNull(address),
  resource_type: { enum: KIND_NAMES, description: 'Its kind.' },
  id: orNull(id),
});

const hook = record('One write.', {
  step: text('Id of the step in the plan.'),
  resource,
  action: { enum: ['create', 'update', 'delete', 'transition'], description: 'What the write does.' },
  serves: list('The resources whose change it makes true.', address),
});

const EVENTS: readonly Schema[] = [
  event('version', 'Always the first line.', {
    format_version: formatVersion,
    chatform: text('Version of chatform.'),
    command: text('The command: plan, apply or undo.'),
    target: text('Name of the target.'),
    api_version: { enum: VERSIONS, description: 'Version of the Configuration API.' },
  }),
  event('diagnostic', 'Something is wrong with the files, or odd.', {
    diagnostic: record('What.', {
      code: text('Its code.'),
      severity: { enum: ['error', 'warning'], description: 'Whether it stops the command.' },
      summary: text('What is wrong.'),
      detail: orNull(text('What would be right.')),
      place: record('Where.', {
        file: text('File.'),
        line: whole('Line, first is 1.'),
        column: whole('Column, first is 1.'),
        length: whole('Characters.'),
      }),
    }),
  }),
  event('planned_change', 'What would happen to one resource; a no-op only where something is to be said.', {
    change: record('The change.', {
      resource: record('The resource.', {
        addr: address,
        resource_type: { enum: KIND_NAMES, description: 'Its kind.' },
        name: text('What a person calls it.'),
      }),
      action: text('The actions in one word, such as `delete,create`.'),
      actions: list("Terraform's words.", { enum: ['no-op', 'create', 'update', 'delete'] }),
      moved: orNull(record('Places among the rules.', { from: whole('Before.'), to: whole('After.') })),
      adopting: flag('It exists and becomes ours.'),
      danger: list('Why it deserves a second look.', text('Danger.')),
      source: orNull(place('Where it is declared.')),
    }),
  }),
  event('change_summary', 'The counts of the plan.', {
    changes: record('The counts.', {
      add: whole('Created.'),
      change: whole('Changed.'),
      remove: whole('Destroyed.'),
      adopt: whole('Adopted.'),
      operation: { const: 'plan' },
    }),
    requests: whole('Requests that an apply would send.'),
  }),
  event('withheld', 'A guard or a policy that withholds the plan.', {
    guard: text('Which.'),
    addresses: list('What it concerns.', address),
    remedy: text('What would let it go.'),
  }),
  event('rehearsal', 'How the plan did on a copy of the license; with `--rehearse` only.', {
    outcome: { enum: ['passed', 'failed', 'withheld'], description: 'Withheld: nothing was tried.' },
    passed: flag('Nothing was refused, left or wrong.'),
    withheld: flag('Nothing was tried, because the plan is withheld.'),
    failed: list(
      'Writes that were refused, or not sent because of that.',
      record('One.', { step: text('Which.'), reason: text('Why.') }),
    ),
    left: orNull(list('Steps of the plan after it; null when none can be made.', text('Step.'))),
    problems: list(
      'What would be wrong afterwards.',
      record('One.', { code: text('Kind of finding.'), message: text('What.') }),
    ),
    requests: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'How many requests of each action it took on the copy.',
    },
  }),
  event('apply_start', 'A write leaves.', { hook }),
  event('apply_complete', 'A write is done.', { hook }),
  event('apply_errored', 'A write failed.', {
    hook,
    error: record('Why.', {
      type: text('Type of the error.'),
      message: text('What the service said, or what happened.'),
      debug_id: orNull(text('What the service can be asked with.')),
      ambiguous: flag('Nobody knows whether it took effect.'),
    }),
  }),
  event('apply_skipped', 'A write did not leave.', {
    hook,
    because: orNull(text('The step that failed before it; null when the run was stopped.')),
  }),
  event('apply_progress', 'How far the writes are.', { ended: whole('Ended.'), total: whole('Of so many.') }),
  event('waiting', 'What was written does not show yet.', {
    elapsed_seconds: whole('For so long.'),
    unsettled: list('What is waited for.', address),
  }),
  event('summary', 'How an apply or undo ended; the last line then.', {
    outcome: text('done, partial, failed, unsettled or interrupted.'),
    exit_code: whole('Exit code.'),
    steps: record('The writes.', {
      done: whole('Done.'),
      failed: whole('Failed.'),
      skipped: whole('Skipped.'),
      not_sent: whole('Not sent.'),
    }),
    unsettled: list('What never showed.', address),
    duration_seconds: { type: 'number', description: 'From the first request to the last look.' },
  }),
  event('failure', 'What ended the command before its end; the last line then.', { message: text('What.') }),
];

export function eventsSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform event',
    description: 'One line of the file that `--events` writes.',
    oneOf: EVENTS,
  };
}
