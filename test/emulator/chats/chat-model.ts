// A model of chats and their routing, in a few maps: a second, smaller reading of the state machine in customer-and-reports-notes.md, section 4.
// Shares no code with the emulator.

export type Presence = 'accepting_chats' | 'not_accepting_chats' | 'offline';

export interface ModelAgent {
  slots: number;
  presence: Presence;
  suspended: boolean;
  /** When a chat came last; the order of numbers is that of time. */
  last: number;
  /** Group -> priority. */
  readonly groups: ReadonlyMap<number, 'first' | 'normal' | 'last' | 'supervisor'>;
}

export interface ModelThread {
  readonly groups: readonly number[];
  readonly continuous: boolean;
  agent: string | null;
  /** Its turn in the queue; null while it does not wait. */
  queued: number | null;
  /** Its turn among the chats of its agent. */
  since: number;
}

export interface ModelCustomer {
  recent: string | null;
  /** Undefined before the first chat, null when the chat is not active. */
  thread: ModelThread | null | undefined;
}

export interface ChatModel {
  readonly agents: Map<string, ModelAgent>;
  readonly customers: Map<string, ModelCustomer>;
  /** From first to last: a text of the URL, and the groups. */
  rules: readonly { readonly id: string; readonly text: string; readonly groups: readonly number[] }[];
  /** Whether the customer's last agent comes first. */
  readonly prefersRecent: boolean;
  time: number;
  /** Counts turns. */
  turn: number;
}

const nextTurn = (model: ChatModel): number => {
  model.turn += 1;
  return model.turn;
};

const PRIORITIES = ['first', 'normal', 'last'];

function priorityIn(agent: ModelAgent, group: number): string | undefined {
  return agent.groups.get(group) ?? (group === 0 ? 'normal' : undefined);
}

const isPresent = (agent: ModelAgent): boolean => !agent.suspended && agent.presence !== 'offline';

function accepting(model: ChatModel, groups: readonly number[]): readonly (readonly [string, ModelAgent, number])[] {
  return [...model.agents].flatMap(([id, agent]) => {
    if (agent.suspended || agent.presence !== 'accepting_chats') return [];
    const ranks = groups
      .map((group) => PRIORITIES.indexOf(priorityIn(agent, group) ?? ''))
      .filter((rank) => rank !== -1);
    return ranks.length === 0 ? [] : [[id, agent, Math.min(...ranks)] as const];
  });
}

export function loadOf(model: ChatModel, id: string): number {
  return [...model.customers.values()].filter(({ thread }) => thread?.agent === id).length;
}

/** Who gets a chat of these groups; null when no slot is free. */
function chosen(model: ChatModel, customer: ModelCustomer, groups: readonly number[], leaving?: string): string | null {
  const free = accepting(model, groups).filter(([id, { slots }]) => id !== leaving && loadOf(model, id) < slots);
  const best = Math.min(...free.map(([, , rank]) => rank));
  const level = free.filter(([, , rank]) => rank === best);
  if (model.prefersRecent && level.some(([id]) => id === customer.recent)) return customer.recent;
  const order = level
    .map(([id, agent]) => ({ id, load: loadOf(model, id), last: agent.last }))
    .sort((one, other) => one.load - other.load || one.last - other.last || (one.id < other.id ? -1 : 1));
  return order[0]?.id ?? null;
}

function assign(model: ChatModel, customer: ModelCustomer, thread: ModelThread, id: string): void {
  thread.agent = id;
  thread.queued = null;
  thread.since = nextTurn(model);
  customer.recent = id;
  const agent = model.agents.get(id);
  if (agent !== undefined) agent.last = model.time;
}

/** Groups for a page: those of the first rule that finds its text there, else everybody's. */
export function groupsFor(model: ChatModel, page: string, access: readonly number[] | undefined): readonly number[] {
  if (access !== undefined) return access;
  return model.rules.find(({ text }) => page.includes(text))?.groups ?? [0];
}

/** Begins a thread; returns the error when it cannot begin. */
export function beginThread(
  model: ChatModel,
  customer: ModelCustomer,
  groups: readonly number[],
  continuous: boolean,
): 'granted' | 'groups_offline' {
  const thread: ModelThread = { groups, continuous, agent: null, queued: null, since: 0 };
  const id = chosen(model, customer, groups);
  if (id !== null) assign(model, customer, thread, id);
  else if (accepting(model, groups).length > 0) thread.queued = nextTurn(model);
  else if (!continuous) return 'groups_offline';
  customer.thread = thread;
  return 'granted';
}

/** What follows from a change: chats of those who left move on, the queue is served, and it closes where all have left. */
export function follow(model: ChatModel): void {
  for (const [customer, thread] of threadsOf(model).toSorted(([, one], [, other]) => one.since - other.since)) {
    const holder = thread.agent;
    const agent = holder === null ? undefined : model.agents.get(holder);
    if (holder === null || (agent !== undefined && isPresent(agent))) continue;
    thread.agent = null;
    const next = chosen(model, customer, thread.groups, holder);
    if (next !== null) assign(model, customer, thread, next);
    else if (accepting(model, thread.groups).length > 0) thread.queued = nextTurn(model);
    else if (!thread.continuous) customer.thread = null;
  }
  for (const [customer, thread] of queueOf(model))
    if (accepting(model, thread.groups).length === 0) {
      thread.queued = null;
      if (!thread.continuous) customer.thread = null;
    }
  for (const [customer, thread] of queueOf(model)) {
    const id = chosen(model, customer, thread.groups);
    if (id !== null) assign(model, customer, thread, id);
  }
}

function threadsOf(model: ChatModel): readonly (readonly [ModelCustomer, ModelThread])[] {
  return [...model.customers.values()].flatMap((customer) =>
    customer.thread === null || customer.thread === undefined ? [] : [[customer, customer.thread] as const],
  );
}

export function queueOf(model: ChatModel): readonly (readonly [ModelCustomer, ModelThread])[] {
  return threadsOf(model)
    .filter(([, { queued }]) => queued !== null)
    .sort(([, one], [, other]) => (one.queued ?? 0) - (other.queued ?? 0));
}

/** Gives an active chat to an agent, whether there is a free slot or not. */
export function handOver(model: ChatModel, customer: ModelCustomer, id: string): void {
  if (customer.thread) assign(model, customer, customer.thread, id);
}
