// Numbers come in, the people, groups and rules of a made-up license go out, as the service's own bodies: the same for the same numbers.

import type { JsonObject } from '../src/base/model.ts';

export interface License {
  readonly agents: readonly JsonObject[];
  readonly groups: readonly JsonObject[];
  /** In their order; `description` names a rule, and `access.groups` are names of groups. */
  readonly rules: readonly Rule[];
}

export interface Rule {
  readonly description: string;
  readonly group: string;
  readonly url: string;
}

export const NOTHING: License = { agents: [], groups: [], rules: [] };

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const PRIORITIES = ['first', 'normal', 'last'];

function pick<T>(from: readonly T[], index: number): T {
  return from[index % from.length] as T;
}

export function agentId(index: number): string {
  return `agent${index}@example.com`;
}

/** Ten fields, about 0.9 KB. */
export function agent(index: number): JsonObject {
  const start = pick(['07:00', '09:00', '13:00'], index);
  const end = pick(['15:00', '17:00', '21:00'], index);
  return {
    id: agentId(index),
    name: `Agent Number ${index}`,
    role: index % 50 === 0 ? 'administrator' : 'normal',
    login_status: pick(['accepting chats', 'not accepting chats'], index),
    job_title: pick(['Gear Advisor', 'Order Specialist', 'Returns & Warranty Specialist'], index),
    mobile: `+48 600 ${String(100_000 + index)}`,
    max_chats_count: 3 + (index % 10),
    // Sets stand in the order in which chatform writes them, so that scripts can compare them as lists.
    notifications: ['incoming_chat', 'incoming_message_for_focused_chat', 'returning_visitor'],
    email_subscriptions: ['daily_summary', 'weekly_summary'],
    work_scheduler: {
      timezone: pick(['Europe/Warsaw', 'America/New_York', 'America/Los_Angeles'], index),
      schedule: DAYS.map((day) => ({ day, enabled: true, start, end })),
    },
  };
}

/** Agents go round the groups, one by one. */
export function group(index: number, groups: number, agents: number): JsonObject {
  const members = Array.from({ length: Math.ceil((agents - index) / groups) }, (_, turn) => index + turn * groups);
  return {
    name: `Group ${index}`,
    language_code: pick(['en', 'de', 'pl'], index),
    agent_priorities: Object.fromEntries(
      members.map((member) => [agentId(member), pick(PRIORITIES, Math.floor(member / groups))]),
    ),
  };
}

export function people(agents: number, groups: number): License {
  return {
    agents: Array.from({ length: agents }, (_, index) => agent(index)),
    groups: Array.from({ length: groups }, (_, index) => group(index, groups, agents)),
    rules: [],
  };
}

/** The first `count` agents, evenly spread, have another job title and another number of chats. */
export function promoted({ agents, ...rest }: License, count: number): License {
  const every = Math.floor(agents.length / count);
  return {
    ...rest,
    agents: agents.map((one, index) =>
      index % every === 0 && index / every < count ? { ...one, job_title: 'Team Lead', max_chats_count: 2 } : one,
    ),
  };
}

/** Rules over a handful of groups whose members nobody declares. */
export function rules(count: number): License {
  const groups = Array.from({ length: 5 }, (_, index) => ({ name: `Group ${index}`, language_code: 'en' }));
  return {
    agents: [],
    groups,
    rules: Array.from({ length: count }, (_, index) => ({
      description: `Rule ${index}`,
      group: `Group ${index % 5}`,
      url: `/page-${index}/`,
    })),
  };
}

export function ordered(license: License, order: readonly number[]): License {
  return { ...license, rules: order.map((index) => license.rules[index] as Rule) };
}
