// Questions to the service, and what its answers say. Each answer is looked up by its question, so that none is asked twice.
// Specification of the Customer Chat Web API: "Configuration and localization", "Properties", "Status and other".

import type { ApiFailure } from '../../../base/errors.ts';
import { isList } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/model.ts';
import { entriesOf, rowOf } from '../../../kinds/wire.ts';
import type { CustomerMessages } from '../../../service/customer-messages.ts';
import type { CallResult } from '../../../service/reply.ts';
import type { Checked, CustomerCheck, Hindrance } from './schema.ts';

/** A page on the real-time interface, which a customer visits. */
const VISIT = 'update_customer_page';

/** One request; a visited page may take several. */
export interface CustomerQuestion {
  readonly as: Checked['as'];
  readonly action: keyof CustomerMessages | typeof VISIT;
  readonly body: JsonObject;
}

/** By `askedText` of their questions. */
export type Answers = ReadonlyMap<string, CallResult>;

/** The question for a person, and its key: `get_form group_id=7 type=prechat`. No body has an object in it. */
export function askedText({ action, body }: Pick<CustomerQuestion, 'action' | 'body'>): string {
  return [action, ...Object.entries(body).map(([name, value]) => `${name}=${value}`)].join(' ');
}

const visitor = (action: CustomerQuestion['action'], body: JsonObject): CustomerQuestion => ({
  as: 'visitor',
  action,
  body,
});
const customer = (action: CustomerQuestion['action'], body: JsonObject): CustomerQuestion => ({
  as: 'customer',
  action,
  body,
});

/** A visit that the service does not count. */
const TEST = { test: true };

export const pageQuestion = (url: string): CustomerQuestion => visitor('get_dynamic_configuration', { url, ...TEST });
export const visitQuestion = (url: string): CustomerQuestion => customer(VISIT, { url });
export const groupQuestion = (id: number): CustomerQuestion =>
  visitor('get_dynamic_configuration', { group_id: id, ...TEST });
/** Without a page and without a group: its group is the default one, unless the service goes by the address of the caller. */
export const NO_PAGE: CustomerQuestion = visitor('get_dynamic_configuration', TEST);
export const phrasesQuestion = ({ group, language, phrases }: WidgetState): CustomerQuestion =>
  visitor('get_localization', { group_id: group, language, version: phrases });
export const LICENSE_VALUES: CustomerQuestion = visitor('list_license_properties', {});
export const groupValuesQuestion = (id: number): CustomerQuestion => visitor('list_group_properties', { id });
export const STATUSES: CustomerQuestion = customer('list_group_statuses', { all: true });
export const formQuestion = (id: number): CustomerQuestion => customer('get_form', { group_id: id, type: 'prechat' });
/** 3.7. */
export const welcomeQuestion = (id: number): CustomerQuestion => customer('request_welcome_message', { group_id: id });
/** 3.3. */
export const PREDICTION: CustomerQuestion = customer('get_predicted_agent', {});

/** What a page or a group gets. */
export interface WidgetState {
  readonly group: number;
  /** Null where the service does not say. */
  readonly isTrusted: boolean | null;
  readonly language: string;
  /** Changes with whatever a customer can see of the group. */
  readonly config: string;
  /** `localization_version`. */
  readonly phrases: string;
}

/** An answer, or why there is none to go by. */
export type Seen<T> =
  | { readonly seen: T }
  | { readonly hindrance: Hindrance; readonly reason: string }
  /** What was asked about does not exist. */
  | { readonly gone: true }
  | null;

/** Why a refusal shows nothing. Only failures that are answers come here. */
function hindered<T>({ type, message }: ApiFailure): Seen<T> {
  if (GONE.has(type)) return { gone: true };
  return type === 'authentication'
    ? { hindrance: 'no-token', reason: 'the service wants the token of a customer' }
    : { hindrance: 'refused', reason: `the service refuses it: ${message}` };
}

/** Not `not_found`, which is what another service answers at a wrong address. Specification: "Errors". */
const GONE: ReadonlySet<string> = new Set(['group_not_found']);

/** What an answer says, by `read`; null while it was not asked. */
function seenIn<T>(answers: Answers, question: CustomerQuestion, read: (reply: Json) => Seen<T>): Seen<T> {
  const answer = answers.get(askedText(question));
  if (answer === undefined) return null;
  return 'ok' in answer ? read(answer.ok) : hindered(answer.error);
}

const INACTIVE = { hindrance: 'inactive', reason: 'the product is not active on this license' } as const;

/** What the product is called: in the specification, and in the public pages. */
const PRODUCTS = ['product', 'livechat'] as const;

/** The reply of 3.3 and 3.5 is flat; that of later versions has the same in a member of the product, which is absent while the product is not active. */
export function stateIn(answers: Answers, question: CustomerQuestion): Seen<WidgetState> {
  return seenIn(answers, question, (reply) => {
    const { action } = question;
    const outer = rowOf(action, reply);
    if (PRODUCTS.some((name) => outer.raw(`${name}_active`) === false)) return INACTIVE;
    const product = PRODUCTS.find((name) => outer.has(name));
    const state = product === undefined ? outer : rowOf(action, outer.raw(product), product);
    return {
      seen: {
        group: state.integer('group_id'),
        isTrusted: flagIn(state.raw('domain_allowed')),
        language: state.text('language'),
        config: state.text('config_version'),
        phrases: state.text('localization_version'),
      },
    };
  });
}

/** The groups that a visited page gets, sorted; null for those of a visit without a page. */
export function visitIn(answers: Answers, url: string): Seen<readonly number[] | null> {
  return seenIn(answers, visitQuestion(url), (reply) => {
    const row = rowOf(VISIT, reply);
    if (!row.has('groups')) return { seen: null };
    const found = row.raw('groups');
    const groups = isList(found) ? found : [found ?? null];
    return { seen: groups.map((group) => rowOf(VISIT, group, 'groups').integer('id')).sort((a, b) => a - b) };
  });
}

function flagIn(value: Json | undefined): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Every state that was answered, by page or by group. */
export function statesIn(answers: Answers, questions: readonly CustomerQuestion[]): readonly WidgetState[] {
  return questions.flatMap((question) => {
    const state = stateIn(answers, question);
    return state !== null && 'seen' in state ? [state.seen] : [];
  });
}

/** Phrase key -> phrase. */
export function phrasesIn(answers: Answers, question: CustomerQuestion): Seen<JsonObject> {
  return seenIn(answers, question, (reply) => ({ seen: Object.fromEntries(entriesOf(question.action, reply)) }));
}

/** Namespace -> name -> value. */
type ReadValues = ReadonlyMap<string, ReadonlyMap<string, Json>>;

export function valuesIn(answers: Answers, question: CustomerQuestion): Seen<ReadValues> {
  return seenIn(answers, question, (reply) => {
    const { action } = question;
    const namespaces = entriesOf(action, reply);
    return { seen: new Map(namespaces.map(([name, values]) => [name, new Map(entriesOf(action, values, name))])) };
  });
}

/** Group id -> `online`, `offline` or `online_for_queue`. */
export function statusesIn(answers: Answers): Seen<ReadonlyMap<number, string>> {
  return seenIn(answers, STATUSES, (reply) => {
    const { action } = STATUSES;
    const found = rowOf(action, reply).raw('groups_status');
    const statuses = rowOf(action, found, 'groups_status');
    return { seen: new Map(entriesOf(action, found).map(([id]) => [Number(id), statuses.text(id)])) };
  });
}

/** Failures of a question that answer it. Any other failure ends the verification. */
export function isAnswer({ action, as }: CustomerQuestion, type: string, hasCustomer: boolean): boolean {
  if (GONE.has(type) || type === 'authorization') return true;
  // Without a token the refusal says that one is needed; with one, that it is wrong.
  if (type === 'authentication') return as === 'visitor' && !hasCustomer;
  // The version of the phrases is that of an earlier answer, and they may have changed since.
  if (action === 'get_localization') return type === 'validation';
  return PREDICTIONS.has(action) && NO_PREDICTION.has(type);
}

const PREDICTIONS: ReadonlySet<string> = new Set(['request_welcome_message', 'get_predicted_agent']);
/** The group is offline or has no free agent; or the customer is not logged in, for which no error is specified. */
const NO_PREDICTION: ReadonlySet<string> = new Set([
  'group_offline',
  'groups_offline',
  'group_unavailable',
  'validation',
]);

/** The members of a result that most results do not need. */
type Rest = Partial<Pick<Checked, 'asked' | 'expected' | 'found' | 'source' | 'as'>>;

export function result(
  check: CustomerCheck,
  outcome: Exclude<Checked['outcome'], 'unseen'>,
  subject: string,
  message: string,
  rest: Rest = {},
): Checked {
  return { ...NOTHING, check, outcome, subject, message, ...rest };
}

export function unseen(
  check: CustomerCheck,
  hindrance: Hindrance,
  subject: string,
  message: string,
  rest: Rest = {},
): Checked {
  return { ...NOTHING, check, outcome: 'unseen', hindrance, subject, message, ...rest };
}

const NOTHING = { as: 'visitor', asked: null, expected: null, found: null, hindrance: null, source: null } as const;
