// A second count of every report, from the JSON of a snapshot alone: slow, plain, and without a line of the emulator.

/** Whatever JSON.parse gives: a snapshot, and the body of a request. */
type Parsed = ReturnType<typeof JSON.parse>;

export interface Asked {
  readonly state: Parsed;
  readonly now: number;
  readonly zone: string;
  readonly from: number;
  readonly to: number;
  readonly distribution: string;
  readonly filters: Parsed;
}

const QUARTER = 900_000;

const valuesOf = (state: Parsed, table: string): readonly Parsed[] =>
  state.tables[table].flatMap((row: Parsed) => row.at(-1).value ?? []);

const clocks = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-29 02:15:00`. */
function wallClock(zone: string, at: number): string {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('sv-SE', options);
  clocks.set(zone, clock);
  return clock.format(at);
}

function keyOf({ zone, distribution }: Asked, at: number): string {
  const shown = wallClock(zone, at);
  if (distribution === 'hour') return `${shown.slice(0, 13)}:00`;
  if (distribution === 'day-hours') return `${shown.slice(11, 13)}:00`;
  return shown.slice(0, { year: 4, month: 7 }[distribution] ?? 10);
}

function emptyRecords(asked: Asked): { [key: string]: Parsed } {
  const records: { [key: string]: Parsed } = {};
  for (let at = asked.from; at < asked.to; at += QUARTER) records[keyOf(asked, at)] = {};
  return records;
}

const isStaff = (member: Parsed): boolean => member.kind === 'agent' || member.kind === 'bot';
const staffOf = (thread: Parsed): readonly string[] => thread.members.filter(isStaff).map(({ id }: Parsed) => id);
const groupsOf = (thread: Parsed): readonly number[] => [
  ...new Set<number>([...thread.group_ids, ...(thread.former_group_ids ?? [])]),
];

/** Author and wait in ms of each answer. */
function answersOf(thread: Parsed): readonly { readonly id: string; readonly wait: number }[] {
  const seen = thread.events.filter((event: Parsed) => event.author !== undefined && event.deleted !== true);
  const answers: { id: string; wait: number }[] = [];
  let asked: number | null = thread.started_by === undefined ? thread.created_at : null;
  for (const event of seen) {
    if (event.author.kind === 'customer') asked = asked === null ? event.created_at : asked;
    else if (event.recipients !== 'agents' && asked !== null) {
      answers.push({ id: event.author.id, wait: event.created_at - asked });
      asked = null;
    }
  }
  return answers;
}

function shownOf(state: Parsed, thread: Parsed): Parsed {
  const unique = thread.properties.widget?.greeting_unique_id;
  if (unique === undefined) return undefined;
  return { unique, ...valuesOf(state, 'shownGreetings').find(({ unique_id }) => unique_id === unique) };
}

const surveysOf = (thread: Parsed): readonly Parsed[] =>
  thread.events.filter((event: Parsed) => event.type === 'filled_form' && event.deleted !== true);

const typeOfSurvey = ({ content }: Parsed): string => (content.form_type === 'prechat' ? 'pre_chat' : 'post_chat');

const answersOfSurvey = ({ content }: Parsed): readonly string[] =>
  content.fields.flatMap((field: Parsed) => field.answers.map((one: Parsed) => `${field.id}:${one.id}`));

/** Whether a list of a filter is met by what is there. */
function meets(filter: Parsed, there: readonly unknown[]): boolean {
  const words = there.map(String);
  const count = (items: readonly unknown[]) => items.filter((item) => words.includes(String(item))).length;
  if (filter.exists === true) return there.length > 0;
  if (filter.exists === false) return there.length === 0;
  const enough = (items: readonly unknown[]) =>
    filter.require_every_value === true ? count(items) === items.length : count(items) > 0;
  if (filter.values !== undefined) return enough(filter.values);
  return filter.exclude_values === undefined || !enough(filter.exclude_values);
}

function goalsOf(state: Parsed, now: number, thread: Parsed): readonly number[] {
  const threads = valuesOf(state, 'threads').filter(({ customer_id }) => customer_id === thread.customer_id);
  return valuesOf(state, 'reachedGoals')
    .filter(({ customer_id, at }) => customer_id === thread.customer_id && at <= now)
    .filter(({ at }) => {
      const begun = threads
        .filter(({ created_at }) => created_at <= at)
        .sort((one, other) => one.number - other.number);
      return begun.at(-1)?.id === thread.id;
    })
    .map(({ goal_id }) => goal_id);
}

/** Whether a thread passes the filters. */
function isLetThrough({ state, now, filters }: Asked, thread: Parsed): boolean {
  const passed: { readonly [name: string]: (filter: Parsed) => boolean } = {
    agents: (filter) => meets(filter, staffOf(thread)),
    groups: (filter) => meets(filter, groupsOf(thread)),
    tags: (filter) => meets(filter, thread.tags),
    sales: (filter) => meets(filter, thread.sales ?? []),
    goals: (filter) => meets(filter, goalsOf(state, now, thread)),
    event_types: (filter) =>
      meets(
        filter,
        thread.events.filter(({ deleted }: Parsed) => deleted !== true).map(({ type }: Parsed) => type),
      ),
    properties: (filter) =>
      Object.entries<Parsed>(filter).every(([namespace, names]) =>
        Object.entries<Parsed>(names).every(([name, one]) => {
          const value = thread.properties[namespace]?.[name];
          return meets(one, value === undefined ? [] : [value]);
        }),
      ),
    greetings: ({ groups = {}, ...ids }) => {
      const shown = shownOf(state, thread);
      const named = shown === undefined ? [] : [shown.greeting_id, shown.unique].filter((id) => id !== undefined);
      return meets(ids, named) && meets(groups, shown?.group_id === undefined ? [] : [shown.group_id]);
    },
    agent_response: ({ exists, agents = {}, groups = {} }) => {
      const [first] = answersOf(thread);
      if (exists !== undefined && exists !== (first !== undefined)) return false;
      return (
        meets(agents, first === undefined ? [] : [first.id]) &&
        meets(groups, first === undefined ? [] : groupsOf(thread))
      );
    },
    surveys: ([filter]) => {
      const found = surveysOf(thread).filter((one) => filter.type === undefined || typeOfSurvey(one) === filter.type);
      if (filter.exists !== undefined) return filter.exists === found.length > 0;
      return meets(filter, found.flatMap(answersOfSurvey));
    },
  };
  return Object.entries<Parsed>(filters).every(([name, filter]) => passed[name]?.(filter) ?? false);
}

const inRange = ({ from, to, now }: Asked, at: number): boolean => from <= at && at < to && at <= now;

export const countedThreads = (asked: Asked): readonly Parsed[] =>
  valuesOf(asked.state, 'threads').filter((thread) => inRange(asked, thread.created_at) && isLetThrough(asked, thread));

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const secondsOf = (times: readonly number[]): number => (times.length === 0 ? 0 : mean(times) / 1000);

/** The part of a thread's life in which one of the staff had it, in ms. */
const heldTime = (thread: Parsed, now: number): number =>
  thread.held
    .map(({ from, until }: Parsed) => Math.min(until ?? now, thread.closed_at ?? now, now) - from)
    .filter((time: number) => time > 0)
    .reduce((sum: number, time: number) => sum + time, 0);

const scoreOf = (thread: Parsed): number | undefined => thread.properties.rating?.score;

/** What a record says of the threads of its bucket. */
const RECORDS: { readonly [report: string]: (threads: readonly Parsed[], asked: Asked) => Parsed } = {
  'chats/total_chats': (threads) => ({
    total: threads.length,
    continuous: threads.filter(({ properties }) => properties.routing.continuous).length,
  }),
  'chats/duration': (threads, { now }) => ({
    count: threads.length,
    duration: secondsOf(
      threads.map(({ created_at, closed_at }) => Math.max(0, Math.min(closed_at ?? now, now) - created_at)),
    ),
    agents_chatting_duration: secondsOf(threads.map((thread) => heldTime(thread, now))),
  }),
  'chats/tags': (threads) => {
    const counts: Parsed = {};
    for (const { tags } of threads) for (const tag of tags) counts[tag] = (counts[tag] ?? 0) + 1;
    return counts;
  },
  'chats/ratings': (threads) => ({
    chats: threads.length,
    good: threads.filter((thread) => scoreOf(thread) === 1).length,
    bad: threads.filter((thread) => scoreOf(thread) === 0).length,
  }),
  'chats/engagement': (threads) => {
    const byCustomer = threads.filter(({ started_by }) => started_by === undefined);
    const greeted = byCustomer.filter(({ properties }) => properties.widget !== undefined).length;
    return {
      started_by_agent: threads.length - byCustomer.length,
      started_by_customer_from_greeting: greeted,
      started_by_customer_without_greeting: byCustomer.length - greeted,
    };
  },
  'chats/response_time': (threads) => {
    const waits = threads.map((thread) => answersOf(thread).map(({ wait }) => wait)).filter((all) => all.length > 0);
    return { count: waits.length, response_time: secondsOf(waits.map(mean)) };
  },
  'chats/first_response_time': (threads) => {
    const waits = threads.flatMap((thread) => answersOf(thread).slice(0, 1)).map(({ wait }) => wait);
    return { count: waits.length, first_response_time: secondsOf(waits) };
  },
};

const withoutZeros = (record: Parsed): Parsed =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== 0));

function byBucket(asked: Asked, report: string): Parsed {
  const threads = countedThreads(asked);
  const records = emptyRecords(asked);
  for (const key of Object.keys(records)) {
    const those = threads.filter(({ created_at }) => keyOf(asked, created_at) === key);
    if (those.length > 0) records[key] = withoutZeros(RECORDS[report]?.(those, asked));
  }
  return { total: threads.length, records };
}

function ranking(asked: Asked): Parsed {
  const records: Parsed = {};
  const { agents = {} } = asked.filters;
  for (const thread of countedThreads(asked))
    for (const id of scoreOf(thread) === undefined ? [] : staffOf(thread)) {
      if (agents.values !== undefined && !agents.values.includes(id)) continue;
      if (agents.exclude_values?.includes(id) === true) continue;
      records[id] ??= { good: 0, bad: 0 };
      records[id][scoreOf(thread) === 1 ? 'good' : 'bad'] += 1;
    }
  for (const [id, { good, bad }] of Object.entries<Parsed>(records)) {
    const n = good + bad;
    const p = good / n;
    const f = (2.69 * 2.69) / (4 * n);
    const score = (p + 2 * f - 2.69 * Math.sqrt((f / n + p * (1 - p)) / n)) / (1 + 4 * f);
    records[id] = { ...withoutZeros({ good, bad, total: n }), score };
  }
  return { records };
}

function surveys(asked: Asked): Parsed {
  const records: Parsed = {};
  const [filter] = asked.filters.surveys ?? [{}];
  for (const thread of countedThreads(asked))
    for (const survey of surveysOf(thread).filter(
      (one) => filter.type === undefined || typeOfSurvey(one) === filter.type,
    ))
      for (const group of groupsOf(thread)) {
        records[group] ??= {};
        records[group][survey.content.form_id] ??= { count: 0 };
        const record = records[group][survey.content.form_id];
        record.count += 1;
        for (const answer of answersOfSurvey(survey)) {
          const [field = '', option = ''] = answer.split(':');
          record[field] ??= {};
          record[field][option] = (record[field][option] ?? 0) + 1;
        }
      }
  return { records };
}

/** Greetings are asked about by the filters of groups and greetings, and by the chats that were started from them. */
function greetings(asked: Asked): Parsed {
  const { state, now } = asked;
  const { groups = {}, greetings: own = {}, ...ofChats } = asked.filters;
  const { groups: ownGroups = {}, ...ids } = own;
  const chats = valuesOf(state, 'threads').filter((thread) => isLetThrough({ ...asked, filters: ofChats }, thread));
  const shown = valuesOf(state, 'shownGreetings').filter(
    (one) =>
      inRange(asked, one.shown_at) &&
      meets(groups, [one.group_id]) &&
      meets(ownGroups, [one.group_id]) &&
      meets(ids, [one.greeting_id, one.unique_id]) &&
      (Object.keys(ofChats).length === 0 ||
        chats.some(({ properties }) => properties.widget?.greeting_unique_id === one.unique_id)),
  );
  const records = emptyRecords(asked);
  for (const one of shown) {
    const record = records[keyOf(asked, one.shown_at)];
    record[one.greeting_id] ??= { displayed: 0, accepted: 0, canceled: 0, goals: 0 };
    const counts = record[one.greeting_id];
    counts.displayed += 1;
    if (one.accepted_at <= now) counts.accepted += 1;
    if (one.cancelled_at <= now) counts.canceled += 1;
    counts.goals += valuesOf(state, 'reachedGoals').filter(
      ({ greeting, at }) => greeting === one.unique_id && at <= now,
    ).length;
  }
  for (const record of Object.values(records))
    for (const [id, counts] of Object.entries(record)) record[id] = withoutZeros(counts);
  return { total: shown.filter(({ accepted_at }) => accepted_at <= now).length, records };
}

/** The status of a member at a moment: of the first entry that ends later. The staff of these months is offline now. */
function statusAt(state: Parsed, id: string, at: number): string {
  const entries = valuesOf(state, 'attendance').filter((entry) => entry.id === id && entry.until > at);
  return entries.sort((one, other) => one.until - other.until)[0]?.status ?? 'offline';
}

const AGENTS = ['ann', 'bob', 'cyd'];
/** Cyd is in no group, and so in group 0 only; group 0 has everyone. */
const isIn = (id: string, groups: readonly number[]): boolean =>
  groups.some(
    (group) => group === 0 || (group === 1 && ['ann', 'robin'].includes(id)) || (group === 2 && id === 'bob'),
  );

const isNamed = ({ values, exclude_values }: Parsed, id: string): boolean =>
  (values === undefined || values.includes(id)) && exclude_values?.includes(id) !== true;

function availability(asked: Asked): Parsed {
  const { agents = {}, groups } = asked.filters;
  const asks = AGENTS.filter((id) => isNamed(agents, id) && (groups === undefined || isIn(id, groups.values)));
  const records = emptyRecords(asked);
  const [name, unit] = asked.distribution === 'hour' ? ['minutes', 60_000] : ['hours', 3_600_000];
  let total = 0;
  for (let at = asked.from; at < Math.min(asked.to, asked.now); at += QUARTER) {
    if (!asks.some((id) => statusAt(asked.state, id, at) === 'accepting_chats')) continue;
    total += QUARTER / Number(unit);
    const record = records[keyOf(asked, at)];
    record[String(name)] = (record[String(name)] ?? 0) + QUARTER / Number(unit);
  }
  return { total, records };
}

/** Milliseconds that are in at least one of these stretches. */
function covered(stretches: readonly (readonly [number, number])[]): number {
  const edges = [...new Set(stretches.flat())].sort((one, other) => one - other);
  return edges.slice(0, -1).reduce((sum, edge, index) => {
    const next = edges[index + 1] ?? edge;
    return stretches.some(([from, to]) => from <= edge && next <= to) ? sum + next - edge : sum;
  }, 0);
}

function performance(asked: Asked): Parsed {
  const { state, now } = asked;
  const { agents = {}, groups } = asked.filters;
  const all = valuesOf(state, 'threads')
    .filter(({ created_at }) => created_at <= now)
    .filter((thread) => groups === undefined || groupsOf(thread).some((group) => groups.values.includes(group)))
    .filter(
      (thread) =>
        agents.require_every_value !== true ||
        (agents.values ?? []).every((id: string) => staffOf(thread).includes(id)),
    );
  const shown = [...AGENTS, 'robin'].filter((id) => isNamed(agents, id));
  const taken = all.filter(
    (thread) => inRange(asked, thread.created_at) && staffOf(thread).some((id) => shown.includes(id)),
  );
  const figures = (threads: readonly Parsed[], responders: readonly string[]): Parsed => {
    const waits = threads
      .flatMap((thread) => answersOf(thread).slice(0, 1))
      .filter(({ id }) => responders.includes(id))
      .map(({ wait }) => wait);
    return {
      chats_count: threads.length,
      chats_rated_good: threads.filter((thread) => scoreOf(thread) === 1).length,
      chats_rated_bad: threads.filter((thread) => scoreOf(thread) === 0).length,
      first_response_chats_count: waits.length,
      first_response_time: secondsOf(waits),
    };
  };
  const records: Parsed = {};
  const end = Math.min(asked.to, now);
  for (const id of shown) {
    const own = taken.filter((thread) => staffOf(thread).includes(id));
    const held = all.flatMap((thread) =>
      thread.held
        .filter((span: Parsed) => span.id === id)
        .map(({ from, until }: Parsed) => [
          Math.max(from, asked.from),
          Math.min(until ?? now, thread.closed_at ?? now, now, end),
        ])
        .filter(([from, to]: readonly [number, number]) => from < to),
    );
    const times: { [status: string]: number } = {};
    const counts = id !== 'robin' && (groups === undefined || own.length > 0 || isIn(id, groups.values));
    for (let at = asked.from; counts && at < end; at += QUARTER) {
      const status = statusAt(state, id, at);
      times[status] = (times[status] ?? 0) + QUARTER / 1000;
    }
    const { accepting_chats: yes = 0, not_accepting_chats: no = 0 } = times;
    const record = withoutZeros({
      ...figures(own, [id]),
      accepting_chats_time: yes,
      not_accepting_chats_time: no,
      logged_in_time: yes + no,
      chatting_time: covered(held) / 1000,
    });
    if (Object.keys(record).length > 0) records[id] = record;
  }
  return { summary: figures(taken, shown), records };
}

/** The whole answer, apart from its name. */
export function recounted(asked: Asked, report: string): Parsed {
  switch (report) {
    case 'chats/ranking':
      return ranking(asked);
    case 'chats/surveys':
      return surveys(asked);
    case 'chats/greetings_conversion':
      return greetings(asked);
    case 'agents/availability':
      return availability(asked);
    case 'agents/performance':
      return performance(asked);
    default:
      return byBucket(asked, report);
  }
}
