// Webhooks of random wishes.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type Json, type Spec, VERSIONS } from '../../../src/base/model.ts';
import { type Entry, entry, maybe, partly, slots, text } from '../slots.ts';
import { type Drawing, pick, type Recorded, UPHEAVAL_CLIENT } from './drawing.ts';

/** Where each is. Three are all that there can be of one action and client. */
const WEBHOOKS = [
  { owner_client_id: 'client-1', type: 'license', action: 'chat_deactivated', url: 'https://a.example/ended' },
  { owner_client_id: 'client-1', type: 'license', action: 'chat_deactivated', url: 'https://b.example/ended' },
  { owner_client_id: 'client-1', type: 'license', action: 'chat_deactivated', url: 'https://c.example/ended' },
  { owner_client_id: 'client-1', type: 'bot', action: 'incoming_chat', url: 'https://a.example/bot' },
  { owner_client_id: 'client-2', type: 'license', action: 'thread_tagged', url: 'https://a.example/tagged' },
] as const;
/** Of an action that no wish has, so that it takes no room from one. */
const BY_HAND = { ...WEBHOOKS[0], action: 'chat_transferred', url: 'https://hand.example/' };

/** What a webhook of chats may say beyond its place. */
const more = partly({
  description: text,
  additional_data: fc.shuffledSubarray(['chat_properties', 'chat_presence_user_ids']),
  // Few, because each digest of a secret is slow.
  secret_key: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom({ env: 'HOOK_SECRET' }, { env: 'OTHER_HOOK_SECRET' }) },
  ),
  filters: fc
    .record(
      {
        only_my_chats: fc.boolean(),
        chat_presence: fc.record({
          user_ids: fc.record({ values: fc.shuffledSubarray(['a', 'b'], { minLength: 1 }) }),
        }),
      },
      { requiredKeys: [] },
    )
    .map((members): Json => JSON.parse(JSON.stringify(members))),
});

type Wish = readonly (Entry | null)[];

type Edit =
  /** Registers one of the slots, which replaces the one that is there, as a console does. */
  | { readonly does: 'register'; readonly slot: number; readonly fields: Spec }
  | { readonly does: 'register-another' }
  | { readonly does: 'unregister'; readonly at: number };

/** Which variable a secret is from, by its digest; the values are those of world.ts. */
const VARIABLES = new Map(
  Object.entries({ HOOK_SECRET: 'one', OTHER_HOOK_SECRET: 'other' }).map(([env, secret]) => [
    createHash('sha256').update(secret).digest('hex'),
    env,
  ]),
);

const placeOf = ({ owner_client_id, type, action, url }: (typeof WEBHOOKS)[number] | typeof BY_HAND) =>
  `${owner_client_id} ${type} ${action} ${url}`;

const hook = (name: string, action: string, description: string): Json => ({
  owner_client_id: UPHEAVAL_CLIENT,
  type: 'license',
  action,
  url: `https://hooks.example/${name}`,
  description,
});

export const webhookDrawing: Drawing<Wish, Edit> = {
  kind: 'webhook',
  versions: VERSIONS,
  spec: more,
  wish: slots(WEBHOOKS.length, (slot) =>
    maybe(fc.record({ ...entry([]), spec: more.map((spec): Spec => ({ ...WEBHOOKS[slot], ...spec })) })),
  ),
  declared: (wish, { entry: declare }) =>
    // An `id:` would be that of a webhook that a change makes again.
    wish.flatMap((webhook, slot) =>
      webhook === null ? [] : [declare('webhook', `w${slot}`, webhook.spec, { ...webhook, withId: false })],
    ),
  edit: fc.oneof(
    fc.record({ does: fc.constant('register' as const), slot: fc.nat(WEBHOOKS.length - 1), fields: more }),
    fc.record({ does: fc.constant('register-another' as const) }),
    fc.record({ does: fc.constant('unregister' as const), at: fc.nat(20) }),
  ),
  calls: (edit, { webhooks }) => {
    const gone = (found: (typeof webhooks)[number]) => ({
      action: 'unregister_webhook',
      body: { id: found.id, owner_client_id: found.owner_client_id },
    });
    switch (edit.does) {
      case 'register': {
        const place = WEBHOOKS[edit.slot] ?? WEBHOOKS[0];
        const { secret_key: _, ...fields } = edit.fields;
        const there = webhooks.filter((each) => placeOf(each as typeof place) === placeOf(place));
        const body = { ...place, ...fields, secret_key: 'by hand' };
        return [...there.map(gone), { action: 'register_webhook', body }];
      }
      case 'register-another':
        return [{ action: 'register_webhook', body: { ...BY_HAND, secret_key: 'by hand' } }];
      case 'unregister': {
        const found = pick(webhooks, edit.at);
        return found === undefined ? [] : [gone(found)];
      }
    }
  },
  recorded: ({ webhooks }) =>
    webhooks.map(({ secret_digest: digest = '', ...webhook }): Recorded => {
      const env = VARIABLES.get(digest);
      const empty = { description: '', filters: {}, additional_data: [] };
      const fields = { ...empty, ...webhook, ...(env === undefined ? {} : { secret_key: { env } }) };
      const name = `${placeOf(webhook as (typeof WEBHOOKS)[number])} ${webhook.description ?? ''}`;
      return { id: webhook.id, name, fields: JSON.parse(JSON.stringify(fields)), client: webhook.owner_client_id };
    }),
  upheaval: {
    before: {
      ended: hook('ended', 'chat_deactivated', 'before'),
      first: hook('first', 'thread_tagged', 'one of three'),
      second: hook('second', 'thread_tagged', 'one of three'),
      third: hook('third', 'thread_tagged', 'one of three'),
      gone: hook('gone', 'incoming_chat', ''),
    },
    after: {
      ended: hook('ended', 'chat_deactivated', 'after'),
      first: hook('first', 'thread_tagged', 'one of three'),
      second: hook('second', 'thread_tagged', 'changed'),
      third: hook('moved', 'thread_tagged', 'one of three'),
      fresh: hook('fresh', 'chat_transferred', ''),
    },
  },
};
