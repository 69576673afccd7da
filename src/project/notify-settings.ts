// The `notify:` setting: the channels, and what each is told. Holds the names of environment variables, never their values.

import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { itemsOf } from './drift-settings.ts';

/** What a channel can be told of. `apply`: every run that changes a license. */
export const NEWS_TOPICS = ['drift', 'plan', 'apply'] as const;
export type NewsTopic = (typeof NEWS_TOPICS)[number];

/** `urlEnv` and `secretEnv` are names of environment variables: anyone with the URL can write to the channel. */
export type ChannelSettings = { readonly urlEnv: string; readonly about: readonly NewsTopic[] } & (
  | { readonly type: 'webhook'; readonly secretEnv: string }
  | { readonly type: 'slack' }
);

export interface NotifySettings {
  readonly channels: readonly ChannelSettings[];
  /** Name of the environment variable with the URL; null without a heartbeat. */
  readonly heartbeat: string | null;
  /** Address of the page of the license; null without one. */
  readonly page: string | null;
}

/** From settings that fit the schema. */
export function notifySettings(notify: Json | undefined, drift: JsonObject, page: string | null): NotifySettings {
  const channels = itemsOf(notify).flatMap(({ webhook, slack }): readonly ChannelSettings[] => {
    if (isObject(webhook)) return [{ type: 'webhook', ...toldIn(webhook), secretEnv: String(webhook['secret_env']) }];
    return isObject(slack) ? [{ type: 'slack', ...toldIn(slack) }] : [];
  });
  const { heartbeat } = drift;
  return { channels, heartbeat: isObject(heartbeat) ? String(heartbeat['url_env']) : null, page };
}

function toldIn({ url_env: url, about }: JsonObject): Pick<ChannelSettings, 'urlEnv' | 'about'> {
  const topics = isList(about) ? about : ['drift'];
  return { urlEnv: String(url), about: NEWS_TOPICS.filter((topic) => topics.includes(topic)) };
}

/** Warns of a list without channels that takes none back. */
export function checkNotify(notify: Json | undefined, inherited: Json | undefined, path: Path, emit: Emit): void {
  if (!isList(notify) || notify.length > 0 || inherited !== undefined) return;
  const remedy = 'add one such as `{ slack: { url_env: SLACK_URL } }`, or remove `notify`';
  const message = 'the list is empty, so no channel is notified';
  emit({ ...at(path, 'value', 'too-short', message, remedy), severity: 'warning' });
}
