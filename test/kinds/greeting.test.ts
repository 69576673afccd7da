import { expect, test } from 'vitest';
import type { Json, Spec } from '../../src/base/model.ts';
import { ruleWords } from '../../src/kinds/greeting-rules.ts';
import { declare, desiredOf } from '../desired.ts';
import { type World, world } from '../world.ts';

const button = (text: string, postback_id: string): Json => ({ text, type: 'message', value: 'v', postback_id });
const message = (title: string, buttons: readonly Json[]): Json => ({
  template_id: 'cards',
  elements: [{ title, subtitle: 'S', image: { url: 'https://a/i.png' }, buttons }],
});
const general = { address: 'group/general', kind: 'group', id: 0, name: null } as const;
const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
const wish = (spec: Spec) =>
  desiredOf(
    [declare('greeting', 'help', { name: 'Help', group: 'group/general', rules: [], ...spec })],
    [{ ...general, place }],
  );

async function applied(license: World, spec: Spec): Promise<void> {
  const report = await license.apply(await license.plan(wish(spec)), wish(spec));
  expect(report.outcome).toBe('done');
  expect((await license.plan(wish(spec))).resource_changes).toEqual([]);
}

const recordOf = ({ emulator }: World) => emulator.snapshot().tables.greetings[0]?.at(-1)?.value;
const idsIn = (license: World) =>
  recordOf(license)?.rich_message?.elements?.flatMap(({ buttons = [] }) => buttons.map(({ button_id: id }) => id));

test('A changed message keeps the ids of the buttons that stay in their places', async () => {
  const license = world({ version: '3.6' });
  await applied(license, { rich_message: message('T', [button('Go', 'go'), button('No', 'no')]) });
  const [go, no] = idsIn(license) ?? [];
  await applied(license, { rich_message: message('New', [button('Go on', 'go'), button('Other', 'other')]) });
  const [kept, made] = idsIn(license) ?? [];
  expect(kept).toBe(go);
  expect([go, no]).not.toContain(made);
});

test('A write of properties keeps those that no page names', async () => {
  const license = world({
    version: '3.6',
    seed: { greetings: [{ name: 'Help', properties: { text: 'Old', is_exit_intent: 'true' } }] },
  });
  await applied(license, { properties: { 'greeting-message_text': 'Hi' } });
  expect(recordOf(license)?.properties).toEqual({ text: 'Old', 'greeting-message_text': 'Hi' });
});

test('All pages are read, and what the list does not show is asked for by its id before it counts as gone', async () => {
  const greetings = Array.from({ length: 201 }, (_, index) => ({ id: index + 1, name: `G${index}` }));
  const license = world({ version: '3.6', seed: { greetings } });
  const desired = desiredOf(
    [{ ...declare('greeting', 'last', { name: 'G200', group: 'group/general', rules: [] }), id: 201 }],
    [{ ...general, place }],
  );
  const before = license.emulator.stats();
  await license.apply(await license.plan(desired), desired);
  const asked = license.emulator.stats();
  expect((asked['list_greetings'] ?? 0) - (before['list_greetings'] ?? 0)).toBe(3);
  expect(asked['get_greeting']).toBeUndefined();
  await license.client.call('delete_greeting', { id: 201 });
  const { problems } = await license.planned(desired);
  expect(problems.map(({ message: said }) => said)).toEqual(['there is no greeting with id 201 on the license']);
  expect(license.emulator.stats()['get_greeting']).toBe(1);
});

test('A date that is cleared is null, and one that a service does not clear is told after the apply', async () => {
  const license = world({ version: '3.6', settings: { clearedDates: 'nothing' } });
  await applied(license, { active_until: '2030-01-01T00:00:00Z' });
  const cleared = wish({ active_until: '' });
  const report = await license.apply(await license.plan(cleared), cleared);
  expect(report.outcome).not.toBe('done');
});

test.each([
  [{ type: 'visit_time_page', operator: 'greater_or_equal', value: '30' }, 'time on the page at least 30 s'],
  [{ type: 'url_current', operator: 'doesnt_contain', value: '/cart' }, 'URL does not contain /cart'],
  [{ type: 'custom_variable', session_field: { tier: 'gold' } }, 'custom variable tier is gold'],
  [
    {
      type: 'url_funnel',
      urls: [
        { url: '/a', operator: 'equals' },
        { url: '/b', operator: 'contains' },
      ],
    },
    'visited pages in this order (is /a, contains /b)',
  ],
  [
    { type: 'url_match_page_view_number', operator: 'equals', value: '2', urls: [{ url: '/a', operator: 'equals' }] },
    'views of one of these pages is 2 (is /a)',
  ],
])('A rule says in words what it asks', (rule, words) => {
  expect(ruleWords(rule)).toBe(words);
});
