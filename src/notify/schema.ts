// The JSON Schema (2020-12) of what a webhook gets, for anyone's tools. A test holds notifications against it, with no member to spare.

import { DRIFT_KINDS, STATUSES } from '../drift/report.ts';
import { KIND_NAMES } from '../kinds/index.ts';
import type { Schema } from '../kinds/kind.ts';
import { SEVERITIES } from '../model.ts';
import { list, orNull, record } from '../plan/schema.ts';
import { CHANGES, EVENTS } from './transition.ts';

const text = (description: string): Schema => ({ type: 'string', description });
const time = (description: string): Schema => text(`${description} RFC 3339.`);
const whole = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const yesOrNo = (description: string): Schema => ({ type: 'boolean', description });
const one = (names: readonly string[], description: string): Schema => ({ enum: names, description });

const item = record('One difference.', {
  change: one(CHANGES, 'What became of it since this channel was told.'),
  fingerprint: {
    type: 'string',
    pattern: '^[0-9a-f]{32}$',
    description: 'The same for as long as it is the same difference.',
  },
  status: one(STATUSES, 'Which side moved since the last apply.'),
  kind: one(DRIFT_KINDS, 'What is different.'),
  severity: one(SEVERITIES, 'How much it matters.'),
  address: text('Address of the resource.'),
  type: one(KIND_NAMES, 'Kind of the resource.'),
  name: text('What a person calls it.'),
  id: orNull({ type: ['string', 'integer'], description: 'Id of the object; null for one that does not exist.' }),
  path: list('The field, and in a map the member.', text('A name.')),
  values: orNull(
    record('The value on each side, in any JSON type. Null when they are too long.', {
      base: { description: 'What was last applied.' },
      live: { description: 'What the license has.' },
      desired: { description: 'What the repository says.' },
    }),
  ),
  reason: orNull(text('What a person has to know beside the values.')),
  source: orNull(
    record('Where the manifest says it.', {
      file: text('A path.'),
      line: whole('From one.'),
      column: whole('From one.'),
    }),
  ),
  ways_out: list('How it can be ended.', one(['apply', 'accept', 'ignore'], 'One way.')),
  first_seen: time('Since when each look has seen it.'),
  seen_count: whole('How many looks have seen it since.'),
  returned: whole('After how many applies it came back.'),
  fight: yesOrNo('It keeps coming back: somebody else writes the same thing.'),
});

const summary = record('How many differences there are, whether they count here or not.', {
  ...Object.fromEntries(STATUSES.map((status) => [status, whole(`With status \`${status}\`.`)])),
  total: whole('Without what is ignored.'),
  ignored: whole('What an ignore rule covers.'),
  fights: whole('That keep coming back.'),
  by_severity: record('By severity.', Object.fromEntries(SEVERITIES.map((severity) => [severity, whole('How many.')]))),
});

export function notificationSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform drift notification',
    ...record('What a webhook is told of a look at a license.', {
      format_version: { type: 'string', pattern: '^1\\.\\d+$', description: 'Version of this format.' },
      event: one(EVENTS, 'Why it is told.'),
      delivery: {
        type: 'string',
        pattern: '^[0-9a-f]{32}$',
        description: 'The same for each attempt to tell the same, as in the header X-Chatform-Delivery.',
      },
      target: text('Name of the target.'),
      at: time('When the license was looked at.'),
      in_sync: orNull(yesOrNo('Nothing is as severe as `fail_on`; null when the look failed.')),
      fail_on: orNull(one(SEVERITIES, 'The least severity that counts; null when the look failed.')),
      message: orNull(text('Why the look failed; null when it did not.')),
      summary: orNull(summary),
      items: list('What counts: as severe as `fail_on` or more; the news first.', item),
      omitted: whole('How many more there are.'),
    }),
  };
}
