// The JSON Schema of `drift:`, and of the channels of `notify:`.

import { DRIFT_KINDS, STATUSES } from '../../base/difference.ts';
import { record, type Schema, typed } from '../../base/documents.ts';
import { SEVERITIES } from '../../base/model.ts';
import { NEWS_TOPICS } from '../notify-settings.ts';
import { ADDRESS, text, variable } from './member.ts';

const URL_ENV = variable('its URL. The URL itself is never written here.');

const ABOUT: Schema = {
  type: 'array',
  description:
    'What the channel is told of: `drift`, when a difference appears, gets worse or is resolved; `plan`, when one is withheld or has dangers; `apply`, when a run changed a license, or could not.',
  default: ['drift'],
  minItems: 1,
  items: { enum: NEWS_TOPICS, description: 'What it is told of.' },
};

export const NOTIFY: Schema = {
  type: 'array',
  description: 'The channels that are notified: of drift, and of plans and runs where `about` says so.',
  items: {
    type: 'object',
    description: 'One channel: `{ webhook: { url_env, secret_env } }` or `{ slack: { url_env } }`.',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: {
      webhook: record(
        'Gets JSON, signed with HMAC-SHA256.',
        { url_env: URL_ENV, secret_env: variable('the secret that signs, of at least 16 characters.') },
        { about: typed(ABOUT) },
      ),
      slack: record(
        'An incoming webhook of Slack, or of a compatible chat.',
        { url_env: URL_ENV },
        { about: typed(ABOUT) },
      ),
    },
  },
};

export const DRIFT: Schema = {
  type: 'object',
  description: 'How `chatform drift` treats differences. The rules of a target come before those of `defaults`.',
  additionalProperties: false,
  properties: {
    fail_on: {
      enum: SEVERITIES,
      default: 'warning',
      description: 'The least severity that counts: with such a difference, the exit code is 2.',
    },
    severity: {
      type: 'array',
      description: 'How severe differences are; the first rule that matches decides.',
      items: {
        type: 'object',
        description: 'One rule. A member that is left out matches every difference.',
        additionalProperties: false,
        required: ['severity'],
        properties: {
          address: ADDRESS,
          kind: { enum: DRIFT_KINDS, description: 'What is different.' },
          status: { enum: STATUSES, description: 'Which side changed.' },
          severity: { enum: SEVERITIES, description: 'How severe it is.' },
        },
      },
    },
    ignore: {
      type: 'array',
      description: 'Intended differences, which are not reported. An apply still removes them.',
      items: {
        type: 'object',
        description: 'One rule: `{ address, path, reason, until }`.',
        additionalProperties: false,
        required: ['address', 'reason'],
        properties: {
          address: ADDRESS,
          path: text('The field, or a member such as `agent_priorities.ann@example.com`; `*` stands for any text.'),
          reason: text('Why the difference is intended.'),
          until: text(
            'The last day on which the rule holds, such as `2027-01-31`. Later, the difference is reported again.',
            { pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2027-01-31'] },
          ),
        },
      },
    },
    heartbeat: record('A URL that is requested after every successful check, so that a missing request is an alarm.', {
      url_env: URL_ENV,
    }),
  },
};
