// Sizes come in, the jobs that everyone is given go out: what the license has before, what it should have, and the fewest calls that lead there.

import type { JsonObject } from '../src/base/model.ts';
import { type License, NOTHING, ordered, people, promoted, type Rule, rules } from './license.ts';
import { deckEntities, deckFile, manifestFiles } from './manifest.ts';
import type { Entities } from './service/kong.ts';

export interface Call {
  readonly action: string;
  readonly body: JsonObject;
  /** Of an action of another API than that of configurations. */
  readonly api?: 'agent';
  /** Names for the ids of what it makes, in their order; `@name` in a later body stands for one. */
  readonly as?: readonly string[];
}

/** What the floor script is told, but for where the license is. */
export interface Least {
  readonly reads: readonly Call[];
  /** Missing ones are created and others updated, in batches. */
  readonly agents: readonly JsonObject[];
  /** Missing ones are created, each by itself. */
  readonly groups: readonly JsonObject[];
  /** What comes after that, wave by wave. */
  readonly waves: readonly (readonly Call[])[];
}

export interface Job {
  readonly id: string;
  readonly title: string;
  readonly verb: 'plan' | 'apply';
  /** Files of a project that chatform applies before anything is measured; null for a new license. */
  readonly before: Files | null;
  readonly wanted: Files;
  /** Lines of chatform.yaml about the target. */
  readonly settings: readonly string[];
  readonly least: Least;
  /** Addresses of what the service never shows: whether it was written cannot be told afterwards. */
  readonly unseen: readonly string[];
  readonly deck: { readonly file: string; readonly entities: Entities } | null;
}

/** By path in the project. */
export type Files = ReadonlyMap<string, string>;

const AGENT_FIELDS = [
  'work_scheduler',
  'email_subscriptions',
  'notifications',
  'job_title',
  'mobile',
  'max_chats_count',
  'groups',
];
const LIST_AGENTS: Call = { action: 'list_agents', body: { fields: AGENT_FIELDS } };
const LIST_GROUPS: Call = { action: 'list_groups', body: { fields: ['agent_priorities'] } };
const LIST_RULES: Call = { action: 'list_auto_accesses', body: {} };

function files(license: License): Files {
  return new Map([...manifestFiles(license)].map(([name, text]) => [`manifest/${name}`, text]));
}

function aboutPeople(
  about: Pick<Job, 'id' | 'title' | 'verb'>,
  before: License,
  wanted: License,
  settings: readonly string[] = [],
): Job {
  return {
    ...about,
    before: before === NOTHING ? null : files(before),
    wanted: files(wanted),
    settings,
    least: { reads: [LIST_AGENTS, LIST_GROUPS], agents: wanted.agents, groups: wanted.groups, waves: [] },
    unseen: [],
    deck: { file: deckFile(wanted), entities: deckEntities(before) },
  };
}

export function creating(agents: number, settings: readonly string[] = []): Job {
  const title = `create ${agents} agents in 10 groups`;
  return aboutPeople({ id: 'A', title, verb: 'apply' }, NOTHING, people(agents, 10), settings);
}

export function nothingToDo(agents: number): Job {
  const license = people(agents, 10);
  return aboutPeople({ id: 'B', title: `plan ${agents} agents, nothing to do`, verb: 'plan' }, license, license);
}

export function changing(agents: number, changed: number): Job {
  const license = people(agents, 10);
  const title = `change ${changed} of ${agents} agents`;
  return aboutPeople({ id: 'C', title, verb: 'apply' }, license, promoted(license, changed));
}

/** Each rule goes before one that already stands right, so that they leave one after the other. */
function moves(pairs: readonly (readonly [Rule, Rule])[]): readonly (readonly Call[])[] {
  return pairs.map(([rule, next]) => [
    { action: 'update_auto_access', body: { id: `@${rule.description}`, next_id: `@${next.description}` } },
  ]);
}

function reordering(
  about: Pick<Job, 'id' | 'title'>,
  license: License,
  order: readonly number[],
  pairs: readonly (readonly [number, number])[],
): Job {
  const ruleAt = (index: number): Rule => license.rules[index] as Rule;
  return {
    ...about,
    verb: 'apply',
    before: files(license),
    wanted: files(ordered(license, order)),
    settings: [],
    least: {
      reads: [LIST_GROUPS, LIST_RULES],
      agents: [],
      groups: [],
      waves: moves(pairs.map(([rule, next]) => [ruleAt(rule), ruleAt(next)])),
    },
    unseen: [],
    deck: null,
  };
}

/** One rule stays, and every other one moves. */
export function reversing(count: number): Job {
  const order = Array.from({ length: count }, (_, index) => count - 1 - index);
  const pairs = Array.from({ length: count - 1 }, (_, index) => [index + 1, index] as const);
  return reordering({ id: 'D-reverse', title: `reverse ${count} rules` }, rules(count), order, pairs);
}

/** A few rules, far from each other, move ten places to the front. */
export function moving(count: number, moved: number): Job {
  const stride = Math.floor(count / moved);
  const chosen = Array.from({ length: moved }, (_, index) => index * stride + Math.floor(stride / 2));
  const order = Array.from({ length: count }, (_, index) => index).filter((index) => !chosen.includes(index));
  const pairs = chosen.map((index) => [index, index - Math.floor(stride / 4)] as const);
  for (const [rule, next] of pairs) order.splice(order.indexOf(next), 0, rule);
  return reordering({ id: 'D-move', title: `move ${moved} of ${count} rules` }, rules(count), order, pairs);
}
