// The document for webhooks and the message for chats, of every event, at their limits.

import { createHmac } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type Notification, notificationSchema } from '../../../../src/features/drift/notify/schema.ts';
import { type NotificationContext, notificationOf } from '../../../../src/features/drift/notify/send-notifications.ts';
import {
  type ChannelState,
  knownAfter,
  type NotifyMode,
  noticeOf,
} from '../../../../src/features/drift/notify/transition.ts';
import { newsOf } from '../../../../src/features/drift/notify/words.ts';
import type { DriftCheck, DriftItem } from '../../../../src/features/drift/schema.ts';
import { messageTo, slackMessage } from '../../../../src/outlets/notify/message.ts';
import { CALM, FAILED, ITEMS, REPORT, SEEN } from '../example.ts';

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  notificationSchema,
);

function notify(
  look: DriftCheck,
  told: ChannelState | null = null,
  mode: NotifyMode = 'on-change',
  more: Partial<NotificationContext> = {},
) {
  const notice = noticeOf(look, told, mode);
  if (notice === null) throw new Error('nothing to tell');
  return notificationOf(notice, look, {
    target: 'production',
    page: null,
    channel: 'webhook:URL',
    told,
    mode,
    ...more,
  });
}

const DRIFTED = knownAfter(SEEN, null);

const EVERY: readonly (readonly [string, Notification])[] = [
  ['drift', notify(SEEN)],
  ['resolved', notify(CALM, DRIFTED)],
  ['failed', notify(FAILED, DRIFTED)],
  ['recovered', notify(SEEN, knownAfter(FAILED, null))],
  ['unchanged', notify(SEEN, DRIFTED, 'always')],
  ['unchanged', notify(CALM, null, 'always')],
  ['unchanged', notify(FAILED, knownAfter(FAILED, null), 'always')],
];

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(notificationSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../schemas/notification.schema.json');
});

test.each(EVERY)('A notification of %s fits the schema', (event, notification) => {
  expect(notification.event).toBe(event);
  expect(fits(JSON.parse(JSON.stringify(notification))) ? [] : fits.errors).toEqual([]);
});

test('It has what counts, the news first, and says of each what became of it', () => {
  const { items } = notify(SEEN, { ...DRIFTED, items: new Map([...DRIFTED.items].slice(1)) });
  expect(items.map(({ severity }) => severity)).not.toContain('info');
  expect(items.map(({ change }) => change)).toEqual(['new', 'known', 'known', 'known', 'known', 'known']);
});

test('It is never longer than a receiver can take: what is cut is said', () => {
  const many = Array.from(
    { length: 1_000 },
    (_, nth): DriftItem => ({
      ...(ITEMS[1] as DriftItem),
      fingerprint: nth.toString(16).padStart(32, '0'),
      live: 'x'.repeat(nth === 0 ? 5_000 : 10),
    }),
  );
  const notification = notify({ outcome: 'seen', report: { ...REPORT, items: many } });
  expect([notification.items.length, notification.omitted]).toEqual([100, 900]);
  expect(notification.items.map(({ values }) => values === null).slice(0, 2)).toEqual([true, false]);
});

describe('The id of a delivery', () => {
  const later: DriftCheck = { outcome: 'seen', report: { ...REPORT, at: '2026-11-21T12:15:00.000Z' } };

  test('is the same when a later look tells what could not be delivered', () => {
    const told = knownAfter(CALM, null);
    expect(notify(later, told).delivery).toBe(notify(SEEN, told).delivery);
  });

  test('is another for other news, another channel, another target, the same news another time, and each look of all', () => {
    const told = knownAfter(CALM, null);
    const fewer: DriftCheck = { outcome: 'seen', report: { ...REPORT, items: ITEMS.slice(1) } };
    const ids = [
      notify(SEEN, told),
      notify(fewer, told),
      notify(SEEN, told, 'on-change', { channel: 'webhook:OTHER' }),
      notify(SEEN, told, 'on-change', { target: 'staging' }),
      notify(SEEN, { ...told, at: later.outcome === 'seen' ? later.report.at : '' }),
      notify(SEEN, DRIFTED, 'always'),
      notify(later, DRIFTED, 'always'),
    ].map(({ delivery }) => delivery);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('A webhook can check the signature of the time and the body', () => {
  const channel = {
    type: 'webhook',
    name: 'webhook:URL',
    url: 'https://example.com/',
    secret: 'k'.repeat(32),
  } as const;
  const notification = notify(SEEN);
  const { body, headers } = messageTo(channel, newsOf(notification));
  const { 'x-chatform-timestamp': timestamp, ...rest } = headers(Date.UTC(2026, 10, 21, 12, 0, 0, 999));
  expect(timestamp).toBe('1795262400');
  expect(rest).toMatchObject({
    'x-chatform-delivery': notification.delivery,
    'x-chatform-signature': `sha256=${createHmac('sha256', channel.secret).update(`1795262400.${body}`).digest('hex')}`,
  });
  expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(notification)));
});

describe('The message for a chat', () => {
  const textsOf = (notification: Notification): readonly string[] => {
    const { text, blocks } = slackMessage(newsOf(notification));
    const told = blocks.flatMap(({ text: own, elements = [] }) => [own, ...elements]);
    return [text, ...told.flatMap((each) => (each !== undefined && 'text' in each ? [String(each.text)] : []))];
  };

  test.each(EVERY)('of %s says what happened, and where', (_, notification) => {
    expect(slackMessage(newsOf(notification)).text).toContain('production');
    expect(slackMessage(newsOf(notification)).blocks[0]).toMatchObject({ type: 'header' });
  });

  test('says which sides differ, and since when where an earlier look saw it', () => {
    const lines = textsOf(notify(SEEN)).filter((text) => !text.startsWith('*chat'));
    const line = lines.find((text) => text.includes('agent_priorities'));
    expect(line).toContain('ann@example.com in Sales');
    expect(line).toContain('seen since 2026-11-21T06:00:00Z');
    expect(lines.find((text) => text.includes('auto_access/q2w3e4'))).not.toContain('seen since');
  });

  test('keeps the limits, whatever names and values are', () => {
    const wild = '&<>`'.repeat(2_000);
    const many = Array.from(
      { length: 200 },
      (_, nth): DriftItem => ({
        ...(ITEMS[1] as DriftItem),
        fingerprint: nth.toString(16).padStart(32, '0'),
        path: [wild],
        live: wild.slice(0, 1_000),
        desired: wild.slice(0, 1_000),
      }),
    );
    for (const look of [
      { outcome: 'seen', report: { ...REPORT, items: many } },
      { outcome: 'failed', target: 'production', at: REPORT.at, message: wild },
    ] satisfies readonly DriftCheck[]) {
      const notification = notify(look, null, 'on-change', { target: 'p'.repeat(400) });
      const { blocks } = slackMessage(newsOf(notification));
      expect(blocks.length).toBeLessThanOrEqual(50);
      for (const text of textsOf(notification).slice(1)) expect(text.length).toBeLessThanOrEqual(3_000);
      expect(textsOf(notification)[1]?.length).toBeLessThanOrEqual(150);
    }
    expect(textsOf(notify({ outcome: 'seen', report: { ...REPORT, items: many } })).at(-1)).toContain('and 152 more');
  });

  test('says which run was the last to change the license, by whom and why', () => {
    const last_run = {
      id: 'r',
      at: '2026-11-20T09:00:00.000Z',
      command: 'apply',
      by: { ci: 'GitHub Actions', actor: 'bob', request: '12' },
      reason: 'Hours of <!channel> (#12)',
    };
    const { blocks } = slackMessage(newsOf(notify({ outcome: 'seen', report: { ...REPORT, last_run } })));
    expect(JSON.stringify(blocks.at(-1))).toContain(
      'last apply 2026-11-20T09:00:00Z by `bob, #12`: `Hours of &lt;!channel&gt; (#12)`',
    );
    expect(JSON.stringify(slackMessage(newsOf(notify(SEEN))).blocks.at(-1))).not.toContain('last ');
  });

  test('leads to the page of the license, whose address ends no link, and says once that nobody is named', () => {
    const page = 'https://desk.example.com/a|b>/production.html?x=1&y=2';
    const closing = (look: DriftCheck, more: Partial<NotificationContext> = {}): string =>
      textsOf(notify(look, null, 'on-change', more)).at(-1) ?? '';
    expect(closing(SEEN, { page })).toContain(
      ' · <https://desk.example.com/a%7Cb&gt;/production.html?x=1&amp;y=2|page of the license>',
    );
    expect(notify(SEEN, null, 'on-change', { page })).toMatchObject({ page });
    expect(closing(SEEN)).toContain(' · changes without a name: the service does not say who made them');
    const named = REPORT.items.map((item) => ({ ...item, changed_by: 'bob@example.com' }));
    const report = { ...REPORT, items: named };
    expect(closing({ outcome: 'seen', report })).not.toContain('changes without a name');
    expect(JSON.stringify(slackMessage(newsOf(notify({ outcome: 'seen', report }))))).toContain('by bob@example.com');
  });

  test('calls nobody, links nowhere and formats nothing, whatever a license says', () => {
    const item: DriftItem = {
      ...(ITEMS[1] as DriftItem),
      path: ['<!channel> @here *bold* `code` <https://evil.example|click>\u202e'],
      live: '<@U1> `@channel`',
    };
    for (const text of textsOf(notify({ outcome: 'seen', report: { ...REPORT, items: [item] } }))) {
      expect(text).not.toMatch(/[<>]|\u202e/);
      const outside = text.split('`').filter((_, nth) => nth % 2 === 0);
      expect(outside.join('')).not.toMatch(/@|evil|bold/);
    }
  });
});
