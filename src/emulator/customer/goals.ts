// Goals: what customers should reach, and who has reached which. Specification: "Status and other", check_goals.

import { customerTable } from '../chats/records.ts';
import { groupKey, groupTable } from '../configuration/memberships.ts';
import { defineFact, defineTable, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { type CustomerKind, changeAction } from './action.ts';
import { callingCustomer } from './caller.ts';
import { lastAcceptedGreeting } from './greetings.ts';
import { requireGroup } from './group-view.ts';
import { type GivenSessionFields, requireFieldsWithin, sessionFields } from './session-fields.ts';

/** Every condition that is there must hold. */
const goal = s.object({
  id: s.int(0),
  name: s.text,
  /** Groups whose customers can reach it; without them, those of every group. */
  group_ids: s.optional(s.distinct(s.int(0), 1)),
  url: s.optional(s.object({ value: s.text, exact_match: s.optional(s.bool) })),
  session_field: s.optional(s.object({ key: s.text, value: s.string })),
});
type Goal = ReturnType<typeof goal>;
const goals = defineFact('goals', s.optional(s.list(goal)), undefined);

/** A customer reaches a goal once. `greeting` is the unique id of the greeting that the customer accepted last. */
const reachedRecord = s.object({
  goal_id: s.int(0),
  customer_id: s.text,
  group_id: s.int(0),
  at: s.int(0),
  greeting: s.optional(s.text),
});
export type ReachedRecord = ReturnType<typeof reachedRecord>;
const reachedKey = ({ goal_id, customer_id }: Pick<ReachedRecord, 'goal_id' | 'customer_id'>): string =>
  `${goal_id} ${customer_id}`;
export const reachedTable = defineTable('reachedGoals', reachedRecord, reachedKey, {});

const seed = {
  goals: s.described(
    { description: 'Goals of customers: a text in the URL of a page, a session field, or both.' },
    s.optional(s.list(goal)),
  ),
};

function plant(license: EmulatedLicense, given: s.ObjectShape<typeof seed>): void {
  const seen = new Set<number>();
  for (const [index, { id, group_ids = [], url, session_field }] of (given.goals ?? []).entries()) {
    const missing = group_ids.find((group) => groupTable.of(license).get(groupKey(group)) === undefined);
    if (missing !== undefined) refuse('validation', `goals[${index}] names group ${missing}, which does not exist`);
    if (url === undefined && session_field === undefined)
      refuse('validation', `goals[${index}] needs one of \`url\`, \`session_field\``);
    if (seen.has(id)) refuse('validation', `two goals have the id ${id}`);
    seen.add(id);
  }
  goals.of(license).value = given.goals;
}

interface GoalVisit {
  readonly page_url: string;
  readonly group_id: number;
  readonly session_fields: GivenSessionFields;
}

function isReached({ group_ids, url, session_field: field }: Goal, visit: GoalVisit): boolean {
  const { page_url, group_id, session_fields } = visit;
  if (group_ids !== undefined && !group_ids.includes(group_id)) return false;
  if (url !== undefined && !(url.exact_match === true ? page_url === url.value : page_url.includes(url.value)))
    return false;
  return (
    field === undefined || session_fields.some((one) => Object.hasOwn(one, field.key) && one[field.key] === field.value)
  );
}

const request = s.object({ session_fields: sessionFields, group_id: s.int(0), page_url: s.webAddress });

const actions = [
  changeAction('check_goals', request, {
    run: (visit, context) => {
      const { license, settings } = context;
      requireFieldsWithin(settings, visit.session_fields);
      const { id: group_id } = requireGroup(context, visit.group_id);
      const customer = callingCustomer(context);
      if (customer.logged_in) {
        if (settings.goalsOfOnlineCustomer === 'validation') refuse('validation', 'the customer is online');
        return undefined;
      }
      const { id: customer_id } = customer;
      const reached = (goals.of(license).value ?? []).filter((one) => isReached(one, visit));
      const fresh = reached.filter(
        ({ id: goal_id }) => reachedTable.of(license).get(reachedKey({ goal_id, customer_id })) === undefined,
      );
      if (fresh.length === 0) return undefined;
      const greeting = lastAcceptedGreeting(license, customer_id);
      const from = greeting === undefined ? {} : { greeting };
      customerTable.of(license).set(customer);
      for (const { id: goal_id } of fresh)
        reachedTable.of(license).set({ goal_id, customer_id, group_id, at: license.history.now, ...from });
      return undefined;
    },
  }),
];

export const goalKind = { tables: [reachedTable], facts: [goals], seed, plant, actions } satisfies CustomerKind;
