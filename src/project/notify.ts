// Who is told of drift, as chatform.yaml says it: the schema of `notify` and `heartbeat`, and their typed values. Knows the names of environment
// variables, and never what is in them.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { driftOf } from './drift-settings.ts';
import { VARIABLE_NAME } from './secrets-in-text.ts';

/** `urlEnv` and `secretEnv` are names of environment variables: whoever knows the URL can write there. */
export type ChannelSettings =
  | { readonly type: 'webhook'; readonly urlEnv: string; readonly secretEnv: string }
  | { readonly type: 'slack'; readonly urlEnv: string };

const variable = (description: string): Schema => ({
  type: 'string',
  minLength: 1,
  pattern: VARIABLE_NAME.source,
  description: `Name of the environment variable that holds ${description}`,
});

const URL_ENV = variable('its URL. The URL itself is never written here.');

const members = (description: string, properties: { readonly [name: string]: Schema }): Schema => ({
  type: 'object',
  description,
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});

/** Members of a target's `drift`. */
export const NOTIFY: { readonly [name: string]: Schema } = {
  notify: {
    type: 'array',
    description: 'Who is told when something drifts, comes back, gets worse or is resolved.',
    items: {
      type: 'object',
      description: 'One channel: `{ webhook: { url_env, secret_env } }` or `{ slack: { url_env } }`.',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: {
        webhook: members('Gets JSON, signed with HMAC-SHA256.', {
          url_env: URL_ENV,
          secret_env: variable('the secret that signs, of at least 16 characters.'),
        }),
        slack: members('An incoming webhook of Slack, or of a chat that understands the same.', { url_env: URL_ENV }),
      },
    },
  },
  heartbeat: members('Asked for after every look that succeeded, whatever it found: silence is the alarm.', {
    url_env: URL_ENV,
  }),
};

export interface NotifySettings {
  readonly channels: readonly ChannelSettings[];
  /** Name of the environment variable with the URL; null when there is no heartbeat. */
  readonly heartbeat: string | null;
}

/** Of settings that fit the schema: what a target says itself, it says instead of all. */
export function notifySettings(target: Json, defaults: Json | undefined): NotifySettings {
  const { notify, heartbeat } = { ...driftOf(defaults), ...driftOf(target) };
  return {
    channels: channelsOf(notify),
    heartbeat: isObject(heartbeat) ? String(heartbeat['url_env']) : null,
  };
}

function channelsOf(value: Json | undefined): readonly ChannelSettings[] {
  if (!isList(value)) return [];
  return value.flatMap((channel): readonly ChannelSettings[] => {
    if (!isObject(channel)) return [];
    const { webhook, slack } = channel;
    if (isObject(webhook))
      return [{ type: 'webhook', urlEnv: String(webhook['url_env']), secretEnv: String(webhook['secret_env']) }];
    return isObject(slack) ? [{ type: 'slack', urlEnv: String(slack['url_env']) }] : [];
  });
}
