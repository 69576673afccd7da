// Random months of chats for the laws of the reports: a license as JSON, the moment at which it is asked, and what is asked.

import fc from 'fast-check';
import { createEmulator, type State } from '../../src/emulator/index.ts';

const QUARTER = 900_000;
const DAY = 96 * QUARTER;

/** Months in which a zone here has a day of 23 or 25 hours, or of 23.5 or 24.5. */
const MONTHS = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1), Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)];
const ZONES = ['UTC', 'Europe/Warsaw', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
const STAFF = [
  { kind: 'agent', id: 'ann' },
  { kind: 'agent', id: 'bob' },
  { kind: 'agent', id: 'cyd' },
  { kind: 'bot', id: 'robin' },
] as const;
const TAGS = ['vip', 'slow', 'jobs'];
const PAGES = ['https://shop.example/pricing', 'https://shop.example/jobs'];
const FORMS = ['before', 'after'];

/** A moment of the month, by chance a whole hour. */
const moment = fc.oneof(
  fc.nat({ max: 30 * DAY - 1 }),
  fc.nat({ max: 30 * 24 - 1 }).map((hour) => hour * 4 * QUARTER),
);
const member = fc.constantFrom(...STAFF);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const some = <T>(...items: readonly T[]) => fc.subarray([...items]);
const groups = fc.subarray([0, 1, 2], { minLength: 1 });

const event = fc.record({
  /** After the one before, in ms. */
  gap: fc.nat({ max: 20 * 60_000 }),
  author: fc.oneof(fc.constant('customer'), fc.constant('system'), member),
  type: fc.constantFrom('message', 'message', 'message', 'file', 'filled_form'),
  forAgents: fc.boolean(),
  deleted: fc.constantFrom(false, false, false, true),
  form: fc.constantFrom(...FORMS),
  answers: some('0', '1', '2'),
});

const thread = fc.record({
  customer: fc.nat({ max: 5 }),
  at: moment,
  lasts: maybe(fc.nat({ max: 3 * 3_600_000 })),
  groups,
  former: maybe(groups),
  startedBy: maybe(member),
  held: fc.array(fc.record({ member, from: fc.nat({ max: 3_600_000 }), lasts: fc.nat({ max: 3_600_000 }) }), {
    maxLength: 3,
  }),
  events: fc.array(event, { maxLength: 6 }),
  rating: maybe(fc.constantFrom(0, 1)),
  continuous: fc.boolean(),
  page: maybe(fc.constantFrom(...PAGES)),
  greeting: maybe(fc.nat({ max: 5 })),
  tags: some(...TAGS),
  sales: some(1, 2),
});

const greeting = fc.record({
  customer: fc.nat({ max: 5 }),
  greeting_id: fc.integer({ min: 1, max: 3 }),
  at: moment,
  accepted: maybe(fc.nat({ max: DAY })),
  cancelled: maybe(fc.nat({ max: DAY })),
  group_id: fc.constantFrom(0, 1),
});

const reached = fc.record({
  goal_id: fc.integer({ min: 1, max: 2 }),
  customer: fc.nat({ max: 5 }),
  at: moment,
  greeting: maybe(fc.nat({ max: 5 })),
});

const status = fc.constantFrom('accepting_chats', 'not_accepting_chats', 'offline');
const attendance = fc.uniqueArray(fc.record({ until: fc.nat({ max: 30 * 96 }), status }), {
  selector: ({ until }) => until,
  maxLength: 8,
});

const range = fc
  .tuple(fc.nat({ max: 30 * 96 }), fc.nat({ max: 30 * 96 }))
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);

/** `{values}`, `{exclude_values}` or `{exists}`. */
const listed = (items: readonly (string | number | boolean)[], most = 2) =>
  fc.record({
    how: fc.constantFrom('values', 'exclude_values', 'exists'),
    items: fc.subarray([...items], { minLength: 1, maxLength: most }),
    every: fc.boolean(),
    exists: fc.boolean(),
  });
type Listed = ReturnType<typeof listed> extends fc.Arbitrary<infer T> ? T : never;

const filterOf = ({ how, items, every, exists }: Listed, withEvery = true): object =>
  how === 'exists' ? { exists } : { [how]: items, ...(withEvery && every ? { require_every_value: true } : {}) };

const filters = fc
  .record(
    {
      agents: listed(['ann', 'bob', 'robin']).map((one) => filterOf(one)),
      tags: listed(TAGS).map((one) => filterOf(one)),
      sales: listed([1, 2]).map((one) => filterOf(one)),
      goals: listed([1, 2]).map((one) => filterOf(one)),
      groups: listed([0, 1, 2]).map((one) => filterOf(one)),
      event_types: listed(['message', 'file', 'filled_form', 'system_message']).map((one) =>
        filterOf(one.how === 'exists' ? { ...one, how: 'values' } : one),
      ),
      properties: fc.oneof(
        listed(PAGES, 1).map((one) => ({ routing: { start_url: filterOf(one, false) } })),
        listed([0, 1], 1).map((one) => ({ rating: { score: filterOf(one, false) } })),
        listed([true], 1).map((one) => ({ routing: { continuous: filterOf(one, false) } })),
      ),
      greetings: fc.oneof(
        listed([1, 2, 'u0', 'u1']).map((one) => filterOf(one, false)),
        listed([0, 1]).map((one) => ({ groups: filterOf(one) })),
      ),
      agent_response: fc.oneof(
        fc.boolean().map((exists) => ({ exists })),
        listed(['ann', 'bob']).map((one) => ({ first: true, agents: filterOf(one) })),
        listed([1, 2]).map((one) => ({ first: true, groups: filterOf(one) })),
      ),
      surveys: fc
        .tuple(maybe(fc.constantFrom('pre_chat', 'post_chat')), listed(['mood:0', 'mood:1', 'mood:2']))
        .map(([type, one]) => [{ ...(type === undefined ? {} : { type }), ...filterOf(one, false) }]),
    },
    { requiredKeys: [] },
  )
  .chain((all) => {
    const names = Object.keys(all);
    return some(...names).map((kept) => {
      const chosen = kept.slice(0, 2);
      return Object.fromEntries(Object.entries(all).filter(([name]) => chosen.includes(name)));
    });
  });

/** Everything that a case needs. Times are in ms since the epoch. */
export interface ReportMonth {
  readonly state: State;
  /** When the reports are asked. */
  readonly now: number;
  readonly zone: string;
  readonly from: number;
  readonly to: number;
  /** A moment of the range. */
  readonly middle: number;
  readonly distribution: 'hour' | 'day' | 'day-hours' | 'month' | 'year';
  /** Filters of chats, without a time range. */
  readonly filters: { readonly [name: string]: unknown };
}

const customerId = (index: number): string => `customer${index}`;

const seed = {
  agents: ['ann', 'bob', 'cyd'].map((id) => ({
    id,
    name: id,
    ...(id === 'cyd' ? {} : { groups: [{ id: id === 'ann' ? 1 : 2, priority: 'normal' as const }] }),
  })),
  groups: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  bots: [{ id: 'robin', name: 'Robin', groups: [{ id: 1, priority: 'last' as const }] }],
  greetings: [1, 2, 3].map((id) => ({ id, name: String(id), group: id === 1 ? 1 : 0 })),
};

interface Drawn {
  readonly begins: number;
  readonly threads: readonly (typeof thread extends fc.Arbitrary<infer T> ? T : never)[];
  readonly greetings: readonly (typeof greeting extends fc.Arbitrary<infer T> ? T : never)[];
  readonly goals: readonly (typeof reached extends fc.Arbitrary<infer T> ? T : never)[];
  readonly attendances: readonly (typeof attendance extends fc.Arbitrary<infer T> ? T : never)[];
}

function eventsOf(drawn: Drawn['threads'][number], at: number, customer: object): readonly object[] {
  let time = at;
  return drawn.events.map(({ gap, author, type, forAgents, deleted, form, answers }, index) => {
    time += index === 0 ? 0 : gap;
    const isSystem = author === 'system';
    const options = answers.map((id) => ({ id, label: id }));
    const content =
      type === 'filled_form'
        ? {
            form_id: form,
            form_type: form === 'before' ? 'prechat' : 'postchat',
            fields: [{ id: 'mood', answers: options }],
          }
        : {};
    return {
      number: index + 1,
      type: isSystem ? 'system_message' : type,
      created_at: time,
      ...(isSystem ? {} : { author: author === 'customer' ? customer : author }),
      ...(forAgents ? { recipients: 'agents' } : {}),
      ...(deleted ? { deleted: true } : {}),
      content: isSystem ? {} : content,
    };
  });
}

function threadRows({ begins, threads }: Drawn, now: number): readonly { readonly [name: string]: unknown }[] {
  const ordered = threads.toSorted((one, other) => one.at - other.at);
  const ofChat = (customer: number) => ordered.filter((one) => one.customer === customer);
  return ordered.map((drawn) => {
    const siblings = ofChat(drawn.customer);
    const place = siblings.indexOf(drawn);
    const isLast = place === siblings.length - 1;
    const created_at = begins + drawn.at;
    const closed = drawn.lasts === undefined && isLast ? undefined : created_at + (drawn.lasts ?? QUARTER);
    const closed_at = closed === undefined || closed <= now ? closed : now;
    const customer = { kind: 'customer', id: customerId(drawn.customer) };
    const events = eventsOf(drawn, created_at, customer);
    const authors = drawn.events.flatMap(({ author }) => (typeof author === 'string' ? [] : [author]));
    const starter = drawn.startedBy === undefined ? [] : [drawn.startedBy];
    const held = drawn.held
      .toSorted((one, other) => one.from - other.from)
      .map(({ member: { kind, id }, from, lasts }) => ({
        kind,
        id,
        from: created_at + from,
        until: created_at + from + lasts,
      }));
    const members = [customer, ...starter, ...held.map(({ kind, id }) => ({ kind, id })), ...authors];
    const key = (index: number) => `T${drawn.customer}-${index}`;
    return {
      id: key(place),
      chat_id: `C${drawn.customer}`,
      customer_id: customer.id,
      number: place + 1,
      active: closed_at === undefined,
      created_at,
      ...(closed_at === undefined ? {} : { closed_at }),
      ...(drawn.startedBy === undefined ? {} : { started_by: drawn.startedBy }),
      group_ids: drawn.groups,
      ...(drawn.former === undefined ? {} : { former_group_ids: drawn.former }),
      members: members.filter((one, index) => members.findIndex(({ id }) => id === one.id) === index),
      held,
      events,
      next_event: events.length + 1,
      properties: {
        routing: { continuous: drawn.continuous, ...(drawn.page === undefined ? {} : { start_url: drawn.page }) },
        ...(drawn.rating === undefined ? {} : { rating: { score: drawn.rating } }),
        ...(drawn.greeting === undefined ? {} : { lc2: { greeting_unique_id: `u${drawn.greeting}` } }),
      },
      tags: drawn.tags,
      sales: drawn.sales,
      ...(place === 0 ? {} : { previous_thread_id: key(place - 1) }),
      ...(isLast ? {} : { next_thread_id: key(place + 1) }),
    };
  });
}

/** The license of a month as a state, in the form of a snapshot with everything. */
function stateOf(drawn: Drawn, now: number): State {
  const { begins } = drawn;
  const fresh = createEmulator({ now: () => begins, random: () => 0.5, seed }).snapshot();
  const threads = threadRows(drawn, now);
  const chats = Array.from(new Set(threads.map(({ chat_id }) => String(chat_id))), (id) => {
    const last = threads.findLast(({ chat_id }) => chat_id === id) ?? {};
    const { customer_id, created_at, active, number } = last;
    const own = { id, customer_id, created_at: begins, group_ids: [0], properties: {}, seen: {} };
    return { ...own, last_thread_id: last['id'], last_thread_at: created_at, threads: number, active };
  });
  const customers = [0, 1, 2, 3, 4, 5].map((index) => {
    const chat = chats.find(({ customer_id }) => customer_id === customerId(index));
    const of = chat === undefined ? {} : { chat_id: chat.id, in_chat: chat.active };
    return { id: customerId(index), created_at: begins, logged_in: false, ...of };
  });
  const shown = drawn.greetings.map(({ customer, greeting_id, group_id, ...one }, index) => ({
    unique_id: `u${index}`,
    greeting_id,
    customer_id: customerId(customer),
    group_id,
    shown_at: begins + one.at,
    ...(one.accepted === undefined ? {} : { accepted_at: begins + one.at + one.accepted }),
    ...(one.cancelled === undefined ? {} : { cancelled_at: begins + one.at + one.cancelled }),
    clicks: [],
  }));
  const goals = drawn.goals.map(({ goal_id, customer, at, greeting: from }) => ({
    goal_id,
    customer_id: customerId(customer),
    group_id: 0,
    at: begins + at,
    ...(from === undefined ? {} : { greeting: `u${from}` }),
  }));
  const attendances = drawn.attendances.flatMap((entries, index) =>
    entries.map(({ until, status: was }) => ({ ...STAFF[index], until: begins + until * QUARTER, status: was })),
  );
  const open = threads.filter(({ active }) => active === true);
  const rows = (values: readonly object[]) => values.map((value) => [{ value }]);
  const tables = {
    customers: rows(customers),
    chats: rows(chats),
    threads: rows(threads),
    openThreads: rows(open.map(({ id }) => ({ thread_id: id, last_event_at: now, is_idle: true }))),
    shownGreetings: rows(shown),
    reachedGoals: rows(goals),
    attendance: rows(attendances),
  };
  return JSON.parse(JSON.stringify({ ...fresh, now: begins, tables: { ...fresh.tables, ...tables } }));
}

export const reportMonth: fc.Arbitrary<ReportMonth> = fc
  .record({
    begins: fc.constantFrom(...MONTHS),
    threads: fc.array(thread, { maxLength: 25 }),
    greetings: fc.array(greeting, { maxLength: 6 }),
    goals: fc.uniqueArray(reached, { maxLength: 4, selector: ({ goal_id, customer }) => `${goal_id} ${customer}` }),
    attendances: fc.array(attendance, { minLength: 4, maxLength: 4 }),
    now: fc.integer({ min: 20 * 96, max: 31 * 96 }),
    zone: fc.constantFrom(...ZONES),
    range,
    middle: fc.double({ min: 0, max: 1, noNaN: true }),
    distribution: fc.constantFrom('hour', 'day', 'day-hours', 'month', 'year'),
    filters,
  })
  .map(({ begins, now: asked, range: [from, to], middle, zone, distribution, filters: chosen, ...drawn }) => {
    const now = begins + asked * QUARTER;
    return {
      state: stateOf({ begins, ...drawn }, now),
      now,
      zone,
      from: begins + from * QUARTER,
      to: begins + to * QUARTER,
      middle: begins + from * QUARTER + Math.floor(middle * (to - from)) * QUARTER,
      distribution,
      filters: chosen,
    };
  });
