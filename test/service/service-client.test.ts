// The typed client of the library: its types by action and version, and its behaviour on an emulator and on a scripted service.

import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  ApiError,
  CONFIGURATION,
  CUSTOMER,
  createInProcessExchange,
  createServiceClient,
  REPORTS,
} from '../../src/client.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import type { ApiAction } from '../../src/service/api.ts';
import type { ConfigurationMessages } from '../../src/service/configuration-messages.ts';
import type { AgentIn33, AgentIn35, ListedAgentIn35 } from '../../src/service/configuration-objects.ts';
import type { CustomerMessages } from '../../src/service/customer-messages.ts';
import type { ChatInfo, ChatSummary, DynamicConfiguration } from '../../src/service/customer-objects.ts';
import type {
  ActionIn,
  ActionTable,
  BatchIn,
  Message,
  PagedIn,
  ReplyOf,
  RequestOf,
} from '../../src/service/messages.ts';
import type { CallResult } from '../../src/service/reply.ts';
import type { ReportsMessages } from '../../src/service/reports-messages.ts';
import type { DurationReport, FormsReport, QueuedVisitorsReport } from '../../src/service/reports-objects.ts';
import type { ServiceClient } from '../../src/service/service-client.ts';
import { served } from '../cli/served.ts';
import { seededRandom, virtualClock } from '../world.ts';
import { HOST, reply, scripted, TOKEN } from './scripted.ts';

const clock = virtualClock();
const bearer = { kind: 'bearer', token: TOKEN } as const;

/** A client of an emulator in this process. */
function onEmulator() {
  const emulator = createEmulator({ now: clock.now, random: seededRandom(7) });
  const client = createServiceClient(CONFIGURATION, {
    baseUrl: 'http://emulator.test',
    version: '3.6',
    credential: bearer,
    exchange: createInProcessExchange(emulator.fetch),
    clock,
  });
  return { emulator, client };
}

function scriptedCustomer<const V extends '3.3' | '3.7'>(version: V, ...replies: readonly ReturnType<typeof reply>[]) {
  const { exchange, requests } = scripted(...replies);
  const settings = { baseUrl: HOST, credential: bearer, account: '7', exchange, clock, random: () => 0 };
  return { client: createServiceClient(CUSTOMER, { ...settings, version }), requests };
}

describe('types', () => {
  type Both = '3.3' | '3.6';

  test('A version has its own actions, and several versions have those that all of them have', () => {
    expectTypeOf<'list_bot_templates'>().toExtend<ActionIn<ConfigurationMessages, '3.6'>>();
    expectTypeOf<'list_bot_templates'>().not.toExtend<ActionIn<ConfigurationMessages, '3.3'>>();
    expectTypeOf<'list_bot_templates'>().not.toExtend<ActionIn<ConfigurationMessages, Both>>();
    expectTypeOf<'list_groups'>().toExtend<ActionIn<ConfigurationMessages, Both>>();
    expectTypeOf<Exclude<ActionIn<CustomerMessages, '3.7'>, ActionIn<CustomerMessages, '3.3'>>>().toEqualTypeOf<
      'delete_event' | 'request_welcome_message' | 'send_greeting_button_clicked'
    >();
    expectTypeOf<
      Exclude<ActionIn<CustomerMessages, '3.3'>, ActionIn<CustomerMessages, '3.7'>>
    >().toEqualTypeOf<'get_predicted_agent'>();
  });

  test('A batch exists where the table says so', () => {
    expectTypeOf<BatchIn<ConfigurationMessages, '3.3'>>().toEqualTypeOf<never>();
    expectTypeOf<BatchIn<CustomerMessages, '3.7'>>().toEqualTypeOf<never>();
    expectTypeOf<'create_agent' | 'delete_bot' | 'request_agent_unsuspension'>().toExtend<
      BatchIn<ConfigurationMessages, '3.6'>
    >();
    expectTypeOf<'create_group'>().not.toExtend<BatchIn<ConfigurationMessages, '3.6'>>();
  });

  test('Lists that answer page by page are those that the table says', () => {
    expectTypeOf<PagedIn<CustomerMessages, '3.7'>>().toEqualTypeOf<'list_chats' | 'list_threads'>();
    expectTypeOf<PagedIn<CustomerMessages, '3.3'>>().toEqualTypeOf<'list_chats' | 'list_threads'>();
    expectTypeOf<PagedIn<ConfigurationMessages, '3.6'>>().toEqualTypeOf<'list_greetings'>();
    expectTypeOf<PagedIn<ConfigurationMessages, '3.7'>>().toEqualTypeOf<'list_greetings' | 'list_canned_responses'>();
    expectTypeOf<PagedIn<ConfigurationMessages, '3.5'>>().toEqualTypeOf<never>();
    const paged = [CONFIGURATION, CUSTOMER, REPORTS].flatMap(({ actions }) =>
      Object.entries<ApiAction>(actions).flatMap(([name, { pages }]) => (pages === undefined ? [] : [name])),
    );
    expect(paged).toEqual(['list_greetings', 'list_canned_responses', 'list_chats', 'list_threads']);
  });

  test('Requests and replies of one action differ by version', () => {
    expectTypeOf<ReplyOf<ConfigurationMessages, 'get_agent', '3.3'>>().toEqualTypeOf<AgentIn33>();
    expectTypeOf<ReplyOf<ConfigurationMessages, 'get_agent', '3.6'>>().toEqualTypeOf<AgentIn35>();
    expectTypeOf<ReplyOf<ConfigurationMessages, 'list_agents', '3.6'>>().toEqualTypeOf<readonly ListedAgentIn35[]>();
    expectTypeOf<RequestOf<ConfigurationMessages, 'update_agent', '3.3'>>().toHaveProperty('name');
    expectTypeOf<RequestOf<ConfigurationMessages, 'update_agent', '3.6'>>().not.toHaveProperty('name');
    expectTypeOf<ReplyOf<ConfigurationMessages, 'create_bot', '3.3'>>().toEqualTypeOf<{ readonly id: string }>();
    expectTypeOf<ReplyOf<ConfigurationMessages, 'create_bot', '3.6'>>().toHaveProperty('secret');
    expectTypeOf<ReplyOf<CustomerMessages, 'list_chats', '3.3'>>()
      .toHaveProperty('chats_summary')
      .toEqualTypeOf<readonly ChatSummary<'3.3'>[]>();
    expectTypeOf<ReplyOf<CustomerMessages, 'list_chats', '3.7'>>()
      .toHaveProperty('chats_info')
      .toEqualTypeOf<readonly ChatInfo[]>();
    expectTypeOf<ReplyOf<CustomerMessages, 'get_dynamic_configuration', '3.7'>>().toEqualTypeOf<
      DynamicConfiguration['3.7']
    >();
    expectTypeOf<RequestOf<CustomerMessages, 'update_customer', '3.7'>>().toHaveProperty('omnichannel');
    expectTypeOf<RequestOf<CustomerMessages, 'update_customer', '3.3'>>().not.toHaveProperty('omnichannel');
  });

  test('A table that lacks an action, has one too many, or states other versions or another batch is no table', () => {
    interface Two {
      readonly a: { readonly '1': Message<object, object>; readonly '2': Message<object, object, 'batch_as'> };
      readonly b: { readonly '2': Message<object, object> };
    }
    type Table = ActionTable<Two, readonly ['1', '2']>;
    type Row<A extends keyof Two> = Pick<Table[A], 'versions' | 'batch'>;
    expectTypeOf<keyof Table>().toEqualTypeOf<'a' | 'b'>();
    expectTypeOf<Row<'a'>>().toEqualTypeOf<{
      readonly versions: readonly ['1', '2'];
      readonly batch: { readonly name: 'batch_as'; readonly versions: readonly ['2'] };
    }>();
    expectTypeOf<Row<'b'>>().toEqualTypeOf<{ readonly versions: readonly ['2']; readonly batch: null }>();
  });

  test('A call takes the request of its action and answers its reply; a request can be left out where all of it can', () => {
    type Call = ServiceClient<ConfigurationMessages, '3.6'>['call'];
    const call: Call = async () => expect.anything();
    expectTypeOf(call('list_groups')).resolves.toHaveProperty('length');
    expectTypeOf(call('list_groups', { fields: ['agent_priorities'] })).resolves.toHaveProperty('length');
    expectTypeOf(call('create_group', { name: 'Sales', agent_priorities: {} })).resolves.toEqualTypeOf<{
      readonly id: number;
    }>();
    // @ts-expect-error a group needs a name
    void call('create_group', { agent_priorities: {} });
    // @ts-expect-error a request with required members cannot be left out
    void call('get_group');
    // @ts-expect-error 3.6 has another action for it
    void call('list_group_properties', { id: 1 });
    // @ts-expect-error 3.6 does not change the name of an agent
    void call('update_agent', { id: 'a', name: 'Ann' });
    // @ts-expect-error a page is named alone
    void ((chats: ServiceClient<CustomerMessages, '3.7'>) => chats.call('list_chats', { page_id: 'x', limit: 5 }));
    void ((customer: ServiceClient<CustomerMessages, '3.5'>) => [
      // @ts-expect-error an address came with 3.6
      customer.call('update_customer', { address: { city: 'Oslo' } }),
      customer.call('update_customer', { avatar: 'https://a' }),
    ]);
    void ((customer: ServiceClient<CustomerMessages, '3.7'>) => [
      // @ts-expect-error the two limits of a list of threads exclude each other
      customer.call('list_threads', { chat_id: 'A', limit: 1, min_events_count: 5 }),
      // @ts-expect-error a customer cannot send a form
      customer.call('send_event', { chat_id: 'A', event: { type: 'form', form_id: 'x' } }),
      // @ts-expect-error either all groups, or these
      customer.call('list_group_statuses', {}),
      // @ts-expect-error something of a customer is changed
      customer.call('update_customer'),
      // @ts-expect-error something of a customer is changed
      customer.call('update_customer', {}),
      customer.call('update_customer', { name: 'Ann' }),
      customer.call('update_customer', { address: { city: 'Oslo' }, email: 'ann@example.com' }),
      // @ts-expect-error a page of chats is asked for by its list
      customer.pages('get_chat', { chat_id: 'A' }),
      // @ts-expect-error the fields of a session have an order
      customer.call('update_customer', { session_fields: { a: 'b' } }),
    ]);
    type Slots = Awaited<ReturnType<ServiceClient<ConfigurationMessages, '3.6'>['batch']>>;
    expectTypeOf<Slots[number]>().toExtend<CallResult<unknown>>();
  });
});

describe('types of reports', () => {
  type Call = ServiceClient<ReportsMessages, '3.4'>['call'];
  const TIMES = { from: '2026-10-01T00:00:00Z', to: '2026-10-02T00:00:00Z' };

  test('every report can be asked without a request, and has its own reply', () => {
    const call: Call = async () => expect.anything();
    expectTypeOf(call('chats/duration')).resolves.toEqualTypeOf<DurationReport>();
    expectTypeOf(call('agents/performance', { filters: TIMES })).resolves.toHaveProperty('summary');
    void call('chats/tags', {
      distribution: 'day-hours',
      filters: {
        ...TIMES,
        agents: { exists: false },
        properties: { routing: { start_url: { values: ['https://x'] } } },
      },
    });
    void call('chats/engagement', { filters: { greetings: { ...TIMES, values: [7] } } });
    void call('chats/surveys', { filters: { surveys: [{ ...TIMES, type: 'post_chat', values: ['1:2'] }] } });
    void call('chats/surveys', {
      filters: {
        surveys: [
          { ...TIMES, type: 'pre_chat' },
          { ...TIMES, exists: true },
        ],
      },
    });
    void call('chats/total_chats', {
      filters: { ...TIMES, agent_response: { first: true, groups: { values: [1], require_every_value: true } } },
    });
  });

  test('later versions have forms and countries, and reports of their own', () => {
    const call: ServiceClient<ReportsMessages, '3.6'>['call'] = async () => expect.anything();
    expectTypeOf(call('chats/forms', { filters: { forms: [TIMES] } })).resolves.toEqualTypeOf<FormsReport>();
    expectTypeOf(call('chats/queued_visitors')).resolves.toEqualTypeOf<QueuedVisitorsReport>();
    void call('chats/groups', { filters: { ...TIMES, customer_countries: { values: ['NO'] } } });
    void call('chats/queued_visitors_left', { page: 2 });
    void call('customers/unique_visitors', { filters: TIMES });
    void call('tags/chat_usage', { timezone: 'UTC', filters: { ...TIMES, groups: { values: [1] } } });
    void ((call: ServiceClient<ReportsMessages, '3.6'>['call']) => [
      // @ts-expect-error they are forms since 3.5
      call('chats/surveys'),
      // @ts-expect-error a preview has them
      call('stats/visitor_domains'),
      // @ts-expect-error visitors have no groups
      call('customers/unique_visitors', { filters: { ...TIMES, groups: { values: [1] } } }),
      // @ts-expect-error nor a distribution
      call('customers/unique_visitors', { distribution: 'day' }),
    ]);
  });

  test('what the specification excludes is no request', () => {
    void ((call: Call) => [
      // @ts-expect-error countries are a filter since 3.5
      call('chats/tags', { filters: { ...TIMES, customer_countries: { values: ['NO'] } } }),
      // @ts-expect-error the report came with 3.6
      call('chats/queued_visitors'),
      // @ts-expect-error exactly one pair of times
      call('chats/tags', { filters: {} }),
      // @ts-expect-error a pair has an end
      call('chats/tags', { filters: { from: TIMES.from } }),
      // @ts-expect-error not two pairs
      call('chats/tags', { filters: { ...TIMES, greetings: TIMES } }),
      // @ts-expect-error not two pairs
      call('chats/tags', { filters: { ...TIMES, surveys: [TIMES] } }),
      // @ts-expect-error one of exists, values and exclude_values
      call('chats/tags', { filters: { ...TIMES, tags: { values: ['a'], exclude_values: ['b'] } } }),
      // @ts-expect-error one of exists, values and exclude_values
      call('chats/tags', { filters: { ...TIMES, groups: { exists: true, values: [1] } } }),
      // @ts-expect-error ids of groups are numbers
      call('chats/tags', { filters: { ...TIMES, groups: { values: ['1'] } } }),
      // @ts-expect-error one value of a property
      call('chats/tags', { filters: { ...TIMES, properties: { a: { b: { values: [1, 2] } } } } }),
      // @ts-expect-error only first responses know agents
      call('chats/tags', { filters: { ...TIMES, agent_response: { agents: { values: ['a'] } } } }),
      // @ts-expect-error event types do not exist or not
      call('chats/tags', { filters: { ...TIMES, event_types: { exists: true } } }),
      // @ts-expect-error reports of agents have hours and days
      call('agents/availability', { distribution: 'month' }),
      // @ts-expect-error reports of agents filter by neither tags
      call('agents/availability', { filters: { ...TIMES, tags: { values: ['a'] } } }),
      // @ts-expect-error nor by agents that are not there
      call('agents/availability', { filters: { ...TIMES, agents: { exists: false } } }),
    ]);
  });
});

test('A report of an emulator is a POST with the region of its token', async () => {
  const emulator = createEmulator({ now: clock.now, random: seededRandom(7) });
  const sent: string[] = [];
  const carry = createInProcessExchange(emulator.fetch);
  const client = createServiceClient(REPORTS, {
    baseUrl: 'http://emulator.test',
    version: '3.4',
    credential: { kind: 'bearer', token: 'fra:token' },
    exchange: (request) => {
      sent.push(`${request.method ?? 'POST'} ${request.url} ${request.headers['x-region']}`);
      return carry(request);
    },
    clock,
  });
  expect(
    await client.call('chats/total_chats', { filters: { from: '2025-10-01T00:00:00Z', to: '2025-10-02T00:00:00Z' } }),
  ).toMatchObject({
    name: 'total-chats-report',
    total: 0,
  });
  expect(sent).toEqual(['POST http://emulator.test/v3.4/reports/chats/total_chats fra']);
  await client.close();
});

describe('on an emulator in this process', () => {
  test('Calls and batches carry their requests, and the requests are counted', async () => {
    const { client, emulator } = onEmulator();
    const agents = await client.batch('create_agent', [
      { id: 'ann@example.com', name: 'Ann' },
      { id: 'bob@example.com', name: 'Bob', groups: [{ id: 99, priority: 'first' }] },
    ]);
    expect(agents).toEqual([
      { ok: { id: 'ann@example.com' } },
      { error: expect.objectContaining({ action: 'create_agent', status: 200 }) },
    ]);
    const { id } = await client.call('create_group', {
      name: 'Sales',
      agent_priorities: { 'ann@example.com': 'first' },
    });
    const group = await client.call('get_group', { id, fields: ['agent_priorities'] });
    expect(group).toEqual({ id, name: 'Sales', language_code: 'en', agent_priorities: { 'ann@example.com': 'first' } });
    expect((await client.call('list_groups')).map(({ name }) => name)).toEqual(['General', 'Sales']);
    expect(client.requests()).toEqual({ batch_create_agents: 1, create_group: 1, get_group: 1, list_groups: 1 });
    expect(emulator.stats()).toEqual(client.requests());
    await client.close();
  });

  test('A refusal is an ApiError with the type of the service, and repeats no token', async () => {
    const { client } = onEmulator();
    const failing = client.call('get_group', { id: 99 });
    await expect(failing).rejects.toThrow(ApiError);
    await expect(failing).rejects.toMatchObject({ failure: { action: 'get_group', type: 'not_found' } });
  });
});

describe('on a scripted service', () => {
  const busy = reply(503, { error: { type: 'service_unavailable', message: `no ${TOKEN}` } });

  test('A read is asked again after a pause, and a create is not', async () => {
    const { client, requests } = scriptedCustomer('3.7', busy, reply(200, { total_chats: 0, chats_info: [] }), busy);
    expect(await client.call('list_chats')).toEqual({ total_chats: 0, chats_info: [] });
    const failed = client.call('start_chat');
    await expect(failed).rejects.toMatchObject({ failure: { ambiguous: true, message: 'no [token]' } });
    expect([requests.length, client.requests()]).toEqual([3, { list_chats: 2, start_chat: 1 }]);
  });

  test('The pages of a list are asked for one by one, each by its id and what has to stay', async () => {
    const threads = (ids: readonly string[], next?: string) =>
      reply(200, {
        threads: ids.map((id) => ({ id })),
        found_threads: 3,
        ...(next === undefined ? {} : { next_page_id: next }),
      });
    const { client, requests } = scriptedCustomer('3.7', threads(['a', 'b'], 'p2'), threads(['c'], ''));
    const ids: string[] = [];
    for await (const page of client.pages('list_threads', { chat_id: 'A', limit: 2 }))
      ids.push(...page.threads.map(({ id }) => id));
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(requests.map(({ body }) => body)).toEqual(['{"chat_id":"A","limit":2}', '{"chat_id":"A","page_id":"p2"}']);
    const { client: other, requests: sent } = scriptedCustomer('3.7', threads([], 'more'), busy);
    const first = other.pages('list_chats', { limit: 5 });
    expect((await first.next()).done).toBe(false);
    expect(sent).toHaveLength(1);
    await expect(first.next()).rejects.toThrow('more than the script');
    expect(sent.map(({ body }) => body)).toEqual(['{"limit":5}', '{"page_id":"more"}', '{"page_id":"more"}']);
  });

  test('A file stands in the request and travels as a form', async () => {
    const { client, requests } = scriptedCustomer('3.3', reply(200, { url: 'https://cdn.example/1' }));
    const file = { content: new Blob(['hello']), name: 'a.txt', type: 'text/plain' };
    expect(await client.call('upload_file', { file })).toEqual({ url: 'https://cdn.example/1' });
    expect(requests[0]).toMatchObject({ body: '', headers: { 'content-length': expect.any(String) } });
    expect(requests[0]?.url).toBe(`${HOST}/v3.3/customer/action/upload_file?license_id=7`);
    const large = { ...file, content: Buffer.alloc(10 * 1024 * 1024 + 1) };
    await expect(client.call('upload_file', { file: large })).rejects.toThrow('10 MB at most');
    expect(requests).toHaveLength(1);
  });

  test('The page of a chat is a header, and an aborted signal gives the call up', async () => {
    const { client, requests } = scriptedCustomer('3.7', reply(200, { chat_id: 'A', thread_id: 'B' }));
    await client.call('start_chat', {}, { headers: { referer: 'https://shop.example/' } });
    expect(requests[0]).toMatchObject({ headers: { referer: 'https://shop.example/' } });
    const given = client.call('get_customer', {}, { signal: AbortSignal.abort() });
    await expect(given).rejects.toMatchObject({ failure: { type: 'aborted', ambiguous: false } });
    expect(requests).toHaveLength(1);
  });
});

test('Over the network it asks the service, and a closed one asks no more', async () => {
  const { emulator, url } = await served();
  const settings = { baseUrl: url, version: '3.3', credential: bearer, env: {}, clock, random: () => 0 } as const;
  const client = createServiceClient(CONFIGURATION, settings);
  const [owner] = await client.call('list_agents', { fields: ['max_chats_count'] });
  expect(owner).toMatchObject({ role: 'owner', avatar_path: expect.any(String), max_chats_count: 6 });
  await client.close();
  const late = client.call('create_group', { name: 'Late', agent_priorities: {} });
  await expect(late).rejects.toMatchObject({ failure: { type: 'connection', ambiguous: false } });
  expect(emulator.stats()).toEqual({ list_agents: 1 });
});

test('Over the network it goes through the proxy of its environment, and a proxy that is none is refused', () => {
  const settings = { baseUrl: HOST, version: '3.6', credential: bearer } as const;
  expect(() => createServiceClient(CONFIGURATION, { ...settings, env: { HTTPS_PROXY: 'me@example.com' } })).toThrow(
    'HTTPS_PROXY is not the URL of a proxy',
  );
});
