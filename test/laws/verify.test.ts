// Laws of `verify`: it leaves no trace, it names what was planted and nothing else, and its three answers agree with each other.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address, Clock, Json, JsonObject } from '../../src/base/model.ts';
import { createEmulator, type Emulator, type EmulatorOptions, type Seed } from '../../src/emulator/index.ts';
import { pageHeader } from '../../src/features/test/customer/chat.ts';
import type { SeeOptions } from '../../src/features/test/customer/read-answers.ts';
import { testOver } from '../../src/features/test/customer/read-customer.ts';
import type { Checked, CustomerView } from '../../src/features/test/customer/schema.ts';
import { visitPages } from '../../src/features/test/customer/send-visit.ts';
import { notShownText } from '../../src/features/test/customer/words.ts';
import { LICENSE_API, type LicenseAction } from '../../src/kinds/actions.ts';
import { EMULATED } from '../../src/license/customer.ts';
import { explain } from '../../src/routing/explain.ts';
import { type Assumptions, programOf, type RoutingRule } from '../../src/routing/rules.ts';
import { seen } from '../../src/routing/visitor.ts';
import { createClient } from '../../src/service/client.ts';
import { CUSTOMER } from '../../src/service/customer.ts';
import { createInProcessExchange, createInProcessSockets } from '../../src/service/in-process.ts';
import { type PageGroup, visitRealtime } from '../../src/service/realtime.ts';
import type { SocketCarrier } from '../../src/service/socket.ts';
import type { RunContext } from '../../src/target/context.ts';
import { tries } from '../tries.ts';
import { seededRandom, virtualClock } from '../world.ts';
import {
  AT_WORK,
  type DeclaredShop,
  declaredShop,
  type Fault,
  groupKey,
  idOf,
  pageOf,
  propertyName,
  type Shop,
  seedOf,
  shop,
} from './shop.ts';

interface Opened {
  readonly emulator: Emulator;
  readonly clock: Clock;
}

function opened(seed: Seed, options: Partial<EmulatorOptions> = {}): Opened {
  const clock = virtualClock();
  return { emulator: createEmulator({ now: clock.now, random: seededRandom(7), seed, ...options }), clock };
}

/** As a run verifies, with the exchange of this emulator in the place of a network. */
async function verified(
  { emulator, clock }: Opened,
  { declared, subject }: DeclaredShop,
  options: SeeOptions = {},
  sockets = createInProcessSockets(emulator.connect),
): Promise<CustomerView> {
  const signal = new AbortController().signal;
  const nothing = (): void => {};
  const context = { env: {}, clock, random: seededRandom(3), signal, notice: nothing, log: nothing };
  const access = {
    visitor: null,
    customer: subject.hasCustomer ? EMULATED : null,
    isNew: false,
    isChecked: false,
    requests: {},
  };
  const run = {
    declared,
    subject: { ...subject, watched: options.before?.touched ?? [] },
    access: { ...access, account: subject.version === '3.3' ? '7' : 'o-1' },
    rehearsal: null,
    options,
    ahead: { visitor: {}, agent: {} },
  };
  const line = { exchange: createInProcessExchange(emulator.fetch), sockets, signal, close: async () => {} };
  const { view } = await testOver(line, run, context as unknown as RunContext, null);
  return view;
}

async function call({ emulator, clock }: Opened, action: LicenseAction, body: JsonObject): Promise<Json> {
  const exchange = createInProcessExchange(emulator.fetch);
  const credential = { kind: 'bearer', token: 'dal:by-hand' } as const;
  const about = { baseUrl: 'http://emulator.test', version: '3.6', credential, exchange, clock } as const;
  return createClient(LICENSE_API, about).call(action, body);
}

/** What is not as the files say. */
const named = ({ checks }: CustomerView): readonly string[] =>
  checks.flatMap(({ outcome, check, subject }) =>
    outcome === 'differs' || outcome === 'reported' ? [`${outcome} ${check} ${subject}`] : [],
  );

const version = fc.constantFrom('3.3' as const, '3.7' as const);
/** Its name in the specification, and in the public pages. */
const product = fc.constantFrom('product' as const, 'livechat' as const);

describe('A default verification', () => {
  it('leaves no trace on the license, and finds nothing where nothing is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(shop, version, fc.boolean(), product, async (made, version, hasCustomer, productName) => {
        const at = opened(seedOf(made), { settings: { ...AT_WORK, productName } });
        const before = JSON.stringify(at.emulator.snapshot());
        const view = await verified(at, await declaredShop(made, { at: at.clock.now(), version, hasCustomer }));
        expect(JSON.stringify(at.emulator.snapshot())).toBe(before);
        expect([named(view), view.left_behind, view.routes_shown]).toEqual([[], [], true]);
        expect(Object.keys(at.emulator.stats()).filter((action) => !/^customer\/(get|list)_/.test(action))).toEqual([]);
        // One request a page, three a group; one for the license, and for a customer one and one a group.
        const { pairs, languages } = made;
        const groups = languages.length + 1;
        expect(view.requests.visitor).toBeLessThanOrEqual(2 * pairs.length + 1 + 3 * groups + 1);
        expect(view.requests.customer).toBe(hasCustomer ? groups : 0);
      }),
      { numRuns: tries(200) },
    );
  });

  it('says that routes are not visible where every page gets the default group, and blames none', async () => {
    await fc.assert(
      fc.asyncProperty(shop, version, async (made, version) => {
        const at = opened(seedOf(made), { settings: { ...AT_WORK, dynamicConfigurationGroup: 'requested' } });
        const view = await verified(at, await declaredShop(made, { at: at.clock.now(), version }));
        expect([named(view), view.routes_shown]).toEqual([[], false]);
        const routes = view.checks.filter(({ check }) => check === 'route');
        expect(new Set(routes.map(({ hindrance }) => hindrance))).toEqual(new Set(['routes-not-shown']));
        expect(routes).toHaveLength(2 * made.pairs.length + 1);
      }),
      { numRuns: tries(200) },
    );
  });
});

/** A shop, something that is wrong with it, and what must be named. */
interface Planted {
  readonly made: Shop;
  readonly fault: NonNullable<Fault>;
  readonly names: readonly string[];
}

const swapped: fc.Arbitrary<Planted> = shop.chain((made) =>
  fc.nat(made.pairs.length - 1).map((pair) => ({
    made,
    fault: { fault: 'swapped', pair },
    names: [`differs route ${pageOf(pair, 'special')}`],
  })),
);

const language: fc.Arbitrary<Planted> = shop.chain((made) =>
  fc.nat(made.languages.length - 1).chain((group) =>
    fc
      .constantFrom('en', 'de', 'pl', 'fr')
      .filter((other) => other !== made.languages[group])
      .map((other) => ({
        made,
        fault: { fault: 'language', group, language: other },
        names: [`differs language group/${groupKey(group)}`],
      })),
  ),
);

/** Definitions of which some value, or the default, is to be read. */
function visibleSides({ properties }: Shop): readonly Extract<Fault, { readonly fault: 'access' }>[] {
  return properties.flatMap(({ onLicense, onGroups, hasDefault }, property) => [
    ...(onLicense !== null && (onLicense.hasValue || hasDefault)
      ? [{ fault: 'access', property, on: 'onLicense' } as const]
      : []),
    ...(onGroups !== null && (onGroups.values.includes(true) || hasDefault)
      ? [{ fault: 'access', property, on: 'onGroups' } as const]
      : []),
  ]);
}

const access: fc.Arbitrary<Planted> = shop
  .filter((made) => visibleSides(made).length > 0)
  .chain((made) =>
    fc.constantFrom(...visibleSides(made)).map((fault) => {
      const { onGroups, hasDefault } = made.properties[fault.property] ?? { onGroups: null, hasDefault: false };
      const count =
        fault.on === 'onLicense' || onGroups === null ? 1 : onGroups.values.filter((has) => has || hasDefault).length;
      const name = `differs property property/shop/${propertyName(fault.property)}`;
      return { made, fault, names: Array.from({ length: count }, () => name) };
    }),
  );

const untrusted: fc.Arbitrary<Planted> = shop.map((made) => ({
  made,
  fault: { fault: 'untrusted' },
  names: ['differs page www.shop.example'],
}));

const unstaffed: fc.Arbitrary<Planted> = shop.chain((made) =>
  fc.nat(made.languages.length - 1).map((group) => ({
    made,
    fault: { fault: 'unstaffed', group },
    names: [`reported status group/${groupKey(group)}`],
  })),
);

describe('A planted fault is named, and nothing else', () => {
  it.each([
    ['two rules swapped', swapped],
    ['a language that was not taken', language],
    ['a property that is hidden or shown', access],
    ['a domain that is not trusted', untrusted],
    ['a group that no agent staffs', unstaffed],
  ] as const)('%s', async (_, planted) => {
    await fc.assert(
      fc.asyncProperty(planted, version, async ({ made, fault, names }, version) => {
        const at = opened(seedOf(made, fault), { settings: AT_WORK });
        const view = await verified(at, await declaredShop(made, { at: at.clock.now(), version, hasCustomer: true }));
        expect(named(view)).toEqual(names);
        for (const { outcome, asked, expected, found } of view.checks as readonly Checked[])
          if (outcome === 'differs') expect([asked, expected, found]).not.toContain(null);
      }),
      { numRuns: tries(200) },
    );
  });

  it('a reading that is stale: named at once, gone once it shows, and told where it never does', async () => {
    const scene = fc.record({ planted: language, delay: fc.integer({ min: 2_000, max: 100_000 }), version });
    await fc.assert(
      fc.asyncProperty(scene, async ({ planted: { made, fault, names }, delay, version }) => {
        if (fault.fault !== 'language') throw new Error('another fault');
        const address: Address = `group/${groupKey(fault.group)}`;
        const late = async (propagationDelay: number): Promise<Opened> => {
          const at = opened(seedOf(made, fault), { settings: AT_WORK, propagationDelay });
          await at.clock.sleep(200_000);
          await call(at, 'update_group', { id: idOf(fault.group), language_code: made.languages[fault.group] ?? '' });
          return at;
        };
        const shopAt = async ({ clock }: Opened) => declaredShop(made, { at: clock.now(), version });
        const at = await late(delay);
        expect(named(await verified(at, await shopAt(at)))).toEqual(names);

        const settled = await verified(at, await shopAt(at), { afterApply: true });
        expect([named(settled), settled.after_apply?.unchanged]).toEqual([[], []]);
        // It is seen at most a fifth later than it shows, or a second.
        expect(settled.after_apply?.elapsed_ms).toBeLessThanOrEqual(Math.max(delay * 1.2, delay + 1_000) + 1_000);

        const never = await late(120_000);
        const about = await shopAt(never);
        const { declared } = about;
        const impatient = { ...declared, settings: { ...declared.settings, propagationTimeout: 10_000 } };
        const left = await verified(never, { ...about, declared: impatient }, { afterApply: true });
        expect([named(left), left.after_apply]).toEqual([names, { elapsed_ms: 10_000, unchanged: [address] }]);
      }),
      { numRuns: tries(200, 6) },
    );
  });
});

const HOSTS = ['https://shop.example', 'https://BLOG.shop.example', 'http://café.example:8080', 'https://a.example'];
const PATHS = ['/', '/a', '/a/b', '/B', '/caf%C3%A9', '/a?q=b#end', '/x%20y'];
const TEXTS = ['/a', '/b', '/B', 'shop', 'café', 'q=b', '#end', 'example', ' ', ':8080'];

const page = fc.tuple(fc.constantFrom(...HOSTS), fc.constantFrom(...PATHS)).map((parts) => parts.join(''));
const item = fc
  .tuple(fc.oneof(fc.constantFrom(...TEXTS), page), fc.boolean())
  .map(([value, exact_match]) => ({ value, exact_match }));
const texts = fc
  .tuple(fc.array(item, { minLength: 1, maxLength: 2 }), fc.boolean())
  .map(([items, isOut]) => (isOut ? { exclude_values: items } : { values: items }));
const place = fc.record(
  {
    country: fc.constantFrom('Poland', 'Germany'),
    country_code: fc.constantFrom('PL', 'DE'),
    region: fc.constantFrom('Silesia', 'Bavaria'),
    city: fc.constantFrom('Gliwice', 'Munich'),
  },
  { requiredKeys: [] },
);
const conditions = fc
  .record(
    {
      url: texts,
      domain: texts,
      geolocation: fc.record({
        values: fc.array(
          place.filter((one) => Object.keys(one).length > 0),
          { minLength: 1, maxLength: 2 },
        ),
      }),
    },
    { requiredKeys: [] },
  )
  .filter((one) => Object.keys(one).length > 0);

const GROUPS = 4;
const ruled = fc.record({
  rules: fc.array(
    fc.record({ conditions, groups: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 1, maxLength: 3 }) }),
    { maxLength: 6 },
  ),
  assumptions: fc.record({
    decides: fc.constantFrom('first' as const, 'last' as const),
    conditions: fc.constantFrom('all' as const, 'any' as const),
    case: fc.constantFrom('exact' as const, 'ignore' as const),
    greetings: fc.constant('in-order' as const),
  }),
  visitors: fc.array(
    fc.record({
      url: page,
      place: place.filter(
        ({ country, country_code: code }) =>
          (country === 'Poland') === (code === 'PL') || country === undefined || code === undefined,
      ),
    }),
    { minLength: 5, maxLength: 5 },
  ),
  version,
});

describe('Three answers agree', () => {
  it('the rules as we read them, the configuration of a page, and the thread of a chat that begins there', async () => {
    // Five visitors to a license: 2,000 of them at full length.
    await fc.assert(
      fc.asyncProperty(ruled, async ({ rules, assumptions, visitors, version }) => {
        const at = opened(
          {
            groups: Array.from({ length: GROUPS }, (_, index) => ({ name: `G${index}`, agent_priorities: {} })),
            auto_access: rules.map(({ conditions, groups }) => ({ access: { groups }, conditions })),
            customers: visitors.map(({ place }, index) => ({
              token: `dal:v${index}`,
              id: `visitor-${index}`,
              geolocation: place,
            })),
          } as unknown as Seed,
          { settings: { routing: assumptions, dynamicConfigurationGroup: 'routed' } },
        );
        const listed = rules.map(
          ({ conditions, groups }, index): RoutingRule => ({
            name: `r${index}`,
            groups: groups.map(String),
            conditions: conditions as unknown as JsonObject,
          }),
        );
        for (const [index, { url, place }] of visitors.entries())
          expect(await answersOf(at, `dal:v${index}`, url, version)).toEqual(
            expectedOf(listed, assumptions, { url, ...place }, rules),
          );
      }),
      { numRuns: tries(400, 8) },
    );
  });
});

/** What our reading of the rules says: the group that the widget gets, which is the first of the rule, and all groups of a thread. */
function expectedOf(
  listed: readonly RoutingRule[],
  assumptions: Assumptions,
  visitor: Parameters<typeof seen>[0],
  rules: readonly { readonly groups: readonly number[] }[],
) {
  const who = seen(visitor, assumptions);
  if ('wrong' in who) throw new Error(who.wrong);
  const { decided_by: by } = explain(programOf(listed, assumptions), who);
  const groups = by === null ? [0] : (rules[Number(by.slice(1))]?.groups ?? []);
  return { widget: groups[0], thread: groups.toSorted((one, other) => one - other) };
}

async function answersOf({ emulator, clock }: Opened, token: string, url: string, version: '3.3' | '3.7') {
  const client = createClient(CUSTOMER, {
    baseUrl: 'http://emulator.test',
    version,
    credential: { kind: 'bearer', token },
    account: version === '3.3' ? '7' : 'o-1',
    exchange: createInProcessExchange(emulator.fetch),
    clock,
  });
  const dynamic = (await client.call('get_dynamic_configuration', { url, test: true })) as {
    readonly group_id?: number;
    readonly product?: { readonly group_id: number };
  };
  const headers = { referer: pageHeader(url) };
  const begun = (await client.call('start_chat', { continuous: true }, { headers })) as { readonly chat_id: string };
  const chat = (await client.call('get_chat', { chat_id: begun.chat_id })) as {
    readonly thread: { readonly access: { readonly group_ids: readonly number[] } };
  };
  return {
    widget: dynamic.product?.group_id ?? dynamic.group_id,
    thread: chat.thread.access.group_ids.toSorted((one, other) => one - other),
  };
}

/** A license whose dynamic configuration tells nothing, as the public pages say. */
const PUBLIC = { ...AT_WORK, dynamicConfigurationGroup: 'requested' } as const;

async function visited(at: Opened, made: Shop, version: '3.6' | '3.7', sockets?: SocketCarrier): Promise<CustomerView> {
  const about = await declaredShop(made, { at: at.clock.now(), hasCustomer: true });
  return verified(at, { ...about, subject: { ...about.subject, version, visits: true } }, {}, sockets);
}

/** The real-time interface of a service that tells the groups of no page. */
function withoutGroups({ open, ...rest }: SocketCarrier): SocketCarrier {
  return {
    ...rest,
    open: (request, { onMessage, onEnd }) =>
      open(request, {
        onMessage: (text) => {
          const { payload, ...message } = JSON.parse(text);
          const { groups: _, ...content } = Object(payload);
          onMessage(JSON.stringify({ ...message, payload: content }));
        },
        onEnd,
      }),
  };
}

/** The snapshot without its customers, and the customers. */
function partsOf({ emulator }: Opened) {
  const { tables, ...rest } = emulator.snapshot();
  const { customers, ...others } = tables;
  return { rest: JSON.stringify({ ...rest, tables: others }), customers: customers.map((row) => row.at(-1)?.value) };
}

/** What a person did to the rules of the license by hand. */
const byHand = fc.oneof(
  fc.record({ did: fc.constant('nothing' as const) }),
  fc.record({ did: fc.constant('delete' as const), rule: fc.nat() }),
  fc.record({ did: fc.constant('on top' as const), group: fc.nat() }),
  fc.record({ did: fc.constant('move' as const), rule: fc.nat() }),
  fc.record({ did: fc.constant('reroute' as const), rule: fc.nat(), group: fc.nat() }),
);

interface LiveRule {
  readonly id: string;
  readonly access: { readonly groups: readonly number[] };
  readonly conditions: JsonObject;
}

const liveRules = async (at: Opened) => (await call(at, 'list_auto_accesses', {})) as unknown as readonly LiveRule[];

async function meddle(at: Opened, { languages }: Shop, act: typeof byHand extends fc.Arbitrary<infer T> ? T : never) {
  const rules = await liveRules(at);
  const ruleAt = (place: number): LiveRule | undefined => rules[place % rules.length];
  const groupAt = (place: number): number => idOf(place % languages.length);
  const top = rules[0]?.id ?? null;
  switch (act.did) {
    case 'nothing':
      return;
    case 'delete':
      await call(at, 'delete_auto_access', { id: ruleAt(act.rule)?.id ?? '' });
      return;
    case 'on top': {
      const conditions = { url: { exclude_values: [{ value: 'no page has this' }] } };
      await call(at, 'add_auto_access', { access: { groups: [groupAt(act.group)] }, conditions, next_id: top });
      return;
    }
    case 'move':
      if (ruleAt(act.rule)?.id !== top)
        await call(at, 'update_auto_access', { id: ruleAt(act.rule)?.id ?? '', next_id: top });
      return;
    case 'reroute':
      await call(at, 'update_auto_access', {
        id: ruleAt(act.rule)?.id ?? '',
        access: { groups: [groupAt(act.group)] },
      });
      return;
  }
}

describe('A verification with a visitor', () => {
  it('names exactly the routes that the rules of the license decide otherwise, and leaves a visitor and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(shop, byHand, fc.constantFrom('3.6' as const, '3.7' as const), async (made, act, version) => {
        const at = opened(seedOf(made), { settings: PUBLIC });
        await meddle(at, made, act);
        const listed = (await liveRules(at)).map(
          ({ id, access: { groups }, conditions }): RoutingRule => ({
            name: id,
            groups: groups.map(String),
            conditions,
          }),
        );
        const { declared } = await declaredShop(made, { at: at.clock.now() });
        const { assumptions } = declared.settings.routing;
        const wrong = declared.routes.filter(({ when, expect: wanted }) => {
          const who = seen(when, assumptions);
          if ('wrong' in who) throw new Error(who.wrong);
          const { decided_by: by } = explain(programOf(listed, assumptions), who);
          const groups = listed.find(({ name }) => name === by)?.groups ?? [];
          const ids = wanted.map((each) => String(idOf(Number(each.replace('group/g', '')))));
          return groups.toSorted().join() !== ids.toSorted().join();
        });
        const before = partsOf(at);
        const view = await visited(at, made, version);
        expect(named(view)).toEqual(wrong.map(({ when }) => `differs route ${when.url}`));
        expect([view.routes_shown, view.routes_by]).toEqual([true, 'visit']);
        expect(view.left_behind).toEqual(['a visitor in the list of visitors']);
        const after = partsOf(at);
        expect(after.rest).toBe(before.rest);
        expect([before.customers, after.customers]).toMatchObject([[], [{ logged_in: false, visits: 1 }]]);
        const sent = at.emulator.stats();
        expect(
          Object.keys(sent).filter(
            (action) => !/^(customer\/(get|list)_|realtime\/|list_|\w+_auto_access)/.test(action),
          ),
        ).toEqual([]);
        expect([sent['realtime/login'], sent['realtime/update_customer_page']]).toEqual([1, expect.any(Number)]);
      }),
      { numRuns: tries(500) },
    );
  });

  it('of a service that tells the groups of no page proves no route, whatever its rules are', async () => {
    await fc.assert(
      fc.asyncProperty(shop, byHand, fc.constantFrom('3.6' as const, '3.7' as const), async (made, act, version) => {
        const at = opened(seedOf(made), { settings: PUBLIC });
        await meddle(at, made, act);
        const view = await visited(at, made, version, withoutGroups(createInProcessSockets(at.emulator.connect)));
        const routes = view.checks.filter(({ check }) => check === 'route');
        expect(routes.map(({ outcome, expected }) => [outcome, expected === 'the default group'])).toEqual([
          ...made.pairs.flatMap(() => [
            ['differs', false],
            ['differs', false],
          ]),
          ['unseen', true],
        ]);
        expect([view.routes_shown, view.routes_by, notShownText(view) === null]).toEqual([false, null, false]);
      }),
      { numRuns: tries(200) },
    );
  });

  it('agrees with the rules as we read them, and with the thread of a chat that the visitor starts', async () => {
    await fc.assert(
      fc.asyncProperty(
        ruled,
        fc.constantFrom('3.6' as const, '3.7' as const),
        async ({ rules, assumptions, visitors }, version) => {
          const at = opened(
            {
              groups: Array.from({ length: GROUPS }, (_, index) => ({ name: `G${index}`, agent_priorities: {} })),
              auto_access: rules.map(({ conditions, groups }) => ({ access: { groups }, conditions })),
              customers: visitors.map(({ place }, index) => ({
                token: `dal:v${index}`,
                id: `visitor-${index}`,
                geolocation: place,
              })),
            } as unknown as Seed,
            { settings: { routing: assumptions, dynamicConfigurationGroup: 'requested' } },
          );
          const listed = rules.map(
            ({ conditions, groups }, index): RoutingRule => ({
              name: `r${index}`,
              groups: groups.map(String),
              conditions: conditions as unknown as JsonObject,
            }),
          );
          const pages = [...new Set(visitors.map(({ url }) => url))];
          const read = (url: string, place: object) => expectedOf(listed, assumptions, { url, ...place }, rules).thread;
          for (const [index, { url, place }] of visitors.entries()) {
            const visits = visitPages(
              () =>
                visitRealtime({
                  baseUrl: 'http://emulator.test',
                  version,
                  credential: { kind: 'bearer', token: `dal:v${index}` },
                  account: { organization_id: 'o-1' },
                  carrier: createInProcessSockets(at.emulator.connect),
                  clock: at.clock,
                  timeout: 1_000,
                  signal: new AbortController().signal,
                }),
              pages,
            );
            const reply = Object(await visits.pageReply(url));
            const ids = reply.groups
              ?.map(({ id }: PageGroup) => id)
              .toSorted((one: number, other: number) => one - other);
            const { thread } = await answersOf(at, `dal:v${index}`, url, '3.7');
            await visits.leave();
            const expected = read(url, place);
            expect(thread).toEqual(expected);
            if (ids !== undefined) expect(ids).toEqual(expected);
            // Not told: no page of all gets others than this one.
            else expect(pages.map((page) => read(page, place))).toEqual(pages.map(() => expected));
          }
        },
      ),
      { numRuns: tries(500) },
    );
  });
});
