// One visit from its first moment to its last, as the visitor and the agents live it. Does not decide where a chat goes.

import { openThread } from '../chats/open-threads.ts';
import { chatTable, customerTable, threadTable } from '../chats/records.ts';
import { activeThreads } from '../chats/threads.ts';
import { isRefusal } from '../engine/refusal.ts';
import { object, optional, text } from '../engine/shape.ts';
import { ask, type PlayContext, steer } from './acts.ts';
import { lengthOf, oneOf, pageOf, type Random, weighted } from './draws.ts';
import type { StreamHabits } from './streams.ts';

/** What all visits share. */
export interface PlayedLicense {
  /** The license at the moment that the clock shows. */
  readonly present: () => PlayContext;
  readonly offline: 'message' | 'leave';
  /** The id of a customer who comes back, or comes for the first time. */
  readonly customerOf: (stream: StreamHabits, random: Random) => string;
  readonly tally: VisitTally;
}

export interface VisitTally {
  visitors: number;
  /** Visits with a chat. */
  chats: number;
  /** Chats that an agent or a bot had. */
  taken: number;
}

/** Until when a visit goes on without a change: a moment in ms, or earlier, as soon as the thread `waiting` has an agent or has ended. */
export interface VisitPause {
  readonly until: number;
  readonly waiting?: string;
}

/** A part of a visit that lets time pass, and its result. */
type VisitPart<T> = Generator<VisitPause, T, undefined>;
export type PlayedVisit = VisitPart<void>;

/** The chat of a visit. */
interface VisitedChat {
  readonly customer: string;
  readonly chat_id: string;
  readonly thread_id: string;
}

const OPENINGS = ['Hello, I have a question.', 'Hi! Can you help me?', 'Good day, is anyone there?'];
const QUESTIONS = ['And how long does that take?', 'Thank you. What does it cost?', 'Is there another way?'];
const ANSWERS = ['Hello, let me look.', 'Of course, here it is.', 'Yes, that is possible.', 'One moment, please.'];

const nowOf = ({ present }: PlayedLicense): number => present().license.history.now;
const standing = ({ present }: PlayedLicense, { thread_id }: VisitedChat) => openThread(present().license, thread_id);

/** A visit that is ended from outside ends as any other: the visitor leaves. */
export function* visit(world: PlayedLicense, stream: StreamHabits, random: Random): PlayedVisit {
  const { present, tally } = world;
  tally.visitors += 1;
  const customer = world.customerOf(stream, random);
  const page = pageOf(weighted(stream.pages, random) ?? '', random);
  const geolocation = weighted(stream.places, random);
  steer(present(), 'customers/login', { customer_id: customer, page, geolocation });
  const chat = begin(world, customer, greet(world, stream, customer, random), random);
  try {
    if (chat !== undefined) yield* stay(world, stream, chat, random);
  } finally {
    leave(world, customer);
    if (chat !== undefined) count(world, chat);
  }
}

function count({ present, tally }: PlayedLicense, { thread_id }: VisitedChat): void {
  tally.chats += 1;
  const members = threadTable.of(present().license).get(thread_id)?.members ?? [];
  if (members.some(({ kind }) => kind !== 'customer')) tally.taken += 1;
}

function leave({ present }: PlayedLicense, customer: string): void {
  for (const { chat_id } of activeThreads(present().license, customer))
    ask(present(), customer, 'deactivate_chat', { id: chat_id });
  steer(present(), 'customers/logout', { customer_id: customer });
}

/** Shows the greeting of a stream. Returns the properties of a thread that begins with it; none where it is not accepted. */
function greet({ present }: PlayedLicense, { greeting }: StreamHabits, customer: string, random: Random): object {
  if (greeting === undefined) return {};
  const greeting_id = greeting.id;
  const shown = steer(present(), 'greetings/show', { customer_id: customer, greeting_id });
  const { unique_id } = object({ unique_id: text })(shown, '');
  if (random() >= greeting.share) {
    ask(present(), customer, 'cancel_greeting', { unique_id });
    return {};
  }
  ask(present(), customer, 'accept_greeting', { greeting_id, unique_id });
  return { [present().settings.widgetNamespace]: { greeting_id, greeting_unique_id: unique_id } };
}

const begun = object({ chat_id: optional(text), thread_id: text });

/** Begins a chat, or the next thread of one; undefined where no agent is there and the visitor leaves no message. */
function begin(
  { present, offline }: PlayedLicense,
  customer: string,
  properties: object,
  random: Random,
): VisitedChat | undefined {
  const id = customerTable.of(present().license).get(customer)?.chat_id;
  const events = [{ type: 'message', text: oneOf(OPENINGS, random) }];
  const start = (continuous: boolean): VisitedChat => {
    const chat = { ...(id === undefined ? {} : { id }), thread: { properties, events } };
    const reply = ask(present(), customer, id === undefined ? 'start_chat' : 'resume_chat', { continuous, chat });
    const { chat_id = id ?? '', thread_id } = begun(reply, '');
    return { customer, chat_id, thread_id };
  };
  try {
    return start(false);
  } catch (error) {
    if (!isRefusal(error) || !['groups_offline', 'group_unavailable'].includes(error.reason.type)) throw error;
    return offline === 'leave' ? undefined : start(true);
  }
}

/** Waits for an agent. Returns whether one has the chat. */
function* agentFor(world: PlayedLicense, chat: VisitedChat, until: number): VisitPart<boolean> {
  for (let open = standing(world, chat); open !== undefined; open = standing(world, chat)) {
    if (open.assignee !== undefined) return true;
    if (nowOf(world) >= until) return false;
    yield { until, waiting: chat.thread_id };
  }
  return false;
}

/** An agent answers. Returns false where none does before the visitor loses patience, or the chat has ended. */
function* answer(world: PlayedLicense, stream: StreamHabits, chat: VisitedChat, random: Random): VisitPart<boolean> {
  const until = nowOf(world) + lengthOf(stream.patience, random);
  while (yield* agentFor(world, chat, until)) {
    yield { until: nowOf(world) + lengthOf(stream.answer, random) };
    // The agent may have left in the meantime.
    if (standing(world, chat)?.assignee === undefined) continue;
    steer(world.present(), 'chats/reply', { chat_id: chat.chat_id, text: oneOf(ANSWERS, random) });
    return true;
  }
  return false;
}

/** A visitor asks once more in about this many ms, and at most so often. */
const TURN = 240_000;
const MOST_TURNS = 3;

function* stay(world: PlayedLicense, stream: StreamHabits, chat: VisitedChat, random: Random): PlayedVisit {
  const isAnswered = yield* answer(world, stream, chat, random);
  if (!isAnswered) return;
  const [since, length] = [nowOf(world), lengthOf(stream.length, random)];
  const turns = Math.min(MOST_TURNS, Math.floor(length / TURN));
  for (let turn = 1; turn <= turns; turn += 1) {
    yield { until: since + Math.round((turn * length) / (turns + 1)) };
    if (standing(world, chat) === undefined) return;
    const event = { type: 'message', text: oneOf(QUESTIONS, random) };
    ask(world.present(), chat.customer, 'send_event', { chat_id: chat.chat_id, event });
    const goesOn = yield* answer(world, stream, chat, random);
    if (!goesOn) return;
  }
  yield { until: since + length };
  if (standing(world, chat) !== undefined) conclude(world, stream, chat, random);
}

/** The agent tags the chat, and the visitor rates it. */
function conclude({ present }: PlayedLicense, stream: StreamHabits, chat: VisitedChat, random: Random): void {
  const { customer, chat_id, thread_id } = chat;
  const add = stream.tags.filter(([, share]) => random() < share).map(([tag]) => tag);
  if (add.length > 0) steer(present(), 'chats/tag', { chat_id, add });
  if (random() >= stream.rated) return;
  const properties = { rating: { score: random() < stream.good ? 1 : 0 } };
  ask(present(), customer, 'update_thread_properties', { chat_id, thread_id, properties });
}

/** Whether a customer can begin a chat now. */
export function isFree({ license }: PlayContext, id: string): boolean {
  const customer = customerTable.of(license).get(id);
  if (customer === undefined) return true;
  const { in_chat, logged_in, banned_until = 0, chat_id = '' } = customer;
  const isAnonymized = chatTable.of(license).get(chat_id)?.anonymized === true;
  return in_chat !== true && !logged_in && banned_until <= license.history.now && !isAnonymized;
}
