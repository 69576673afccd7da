// Who is there: statuses of groups, and the agent whom a customer would get. Specification: "Status and other".

import { agentFor, destinationOf, groupStatus, groupsOf, wantedBy } from '../chats/routing.ts';
import { botTable } from '../configuration/bots.ts';
import { groupKey, groupTable } from '../configuration/memberships.ts';
import { refuse } from '../engine/refusal.ts';
import { bool, checked, int, list, object, optional, quoted, text } from '../engine/shape.ts';
import { type CustomerContext, type CustomerKind, readAction } from './action.ts';
import { callingCustomer } from './caller.ts';
import { pageOfCustomer } from './chats.ts';
import { requireGroup, viewOf } from './group-view.ts';
import { FEATURES, has } from './settings.ts';
import { staffReply } from './shown.ts';

const statusMembers = object({ all: optional(bool), group_ids: optional(list(int(0))) });
const statusRequest = checked(statusMembers, ({ all = false, group_ids }) => {
  if (!all && group_ids === undefined)
    refuse('validation', `one of ${quoted('all')} and ${quoted('group_ids')} is required`);
});

interface Prediction {
  readonly agent: object;
  readonly queue: boolean;
}

/** The agent or bot that a new chat would go to, and whether the chat would wait first; in a group, or where the visit leads. */
function predict(context: CustomerContext, group: number | undefined): Prediction {
  const { settings, version, at } = context;
  const customer = callingCustomer(context);
  if (!customer.logged_in && settings.predictionsNeedLogin === 'required')
    refuse('authorization', 'the customer is not logged in on the real-time interface');
  const view = viewOf(context);
  const visit = { page: pageOfCustomer(context, customer), place: customer.geolocation ?? {} };
  const group_ids = groupsOf(view, group === undefined ? undefined : [group], visit);
  const wanted = wantedBy(group_ids, {}, {}, customer.last_agent);
  const destination = destinationOf(view, wanted);
  const names = `groups ${group_ids.join(', ')}`;
  if (destination.to === 'nowhere')
    return refuse(destination.type === 'groups_offline' ? 'group_offline' : 'group_unavailable', names);
  const queue = destination.to === 'queue';
  const member = destination.to === 'member' ? destination.member : agentFor(view, { ...wanted, evenBusy: true });
  if (member === undefined) return refuse('group_unavailable', names);
  const is_bot = member.kind === 'bot';
  const typeOf = (id: string): string => botTable.of(context.license).get(id, at)?.type ?? settings.botType;
  const bot_type = is_bot && has('botType', version) ? typeOf(member.id) : undefined;
  return { agent: { ...staffReply(context, member, at), is_bot, bot_type }, queue };
}

const actions = [
  readAction('list_group_statuses', statusRequest, {
    run: ({ all = false, group_ids = [] }, context) => {
      const { license, at } = context;
      const groups = groupTable.of(license);
      const named = group_ids.flatMap((id) => groups.get(groupKey(id), at) ?? []);
      const view = viewOf(context);
      const statuses = (all ? groups.all(at) : named).map(({ id }) => [groupKey(id), groupStatus(view, id)] as const);
      return { groups_status: Object.fromEntries(statuses) };
    },
  }),
  readAction('get_predicted_agent', object({}), {
    versions: FEATURES.predictedAgent,
    run: (_, context) => predict(context, undefined),
  }),
  // The message itself comes as a push of the real-time interface, which the emulator does not have.
  readAction('request_welcome_message', object({ id: optional(text), group_id: optional(int(0)) }), {
    versions: FEATURES.welcomeMessage,
    run: ({ id, group_id }, context) => {
      const group = group_id === undefined ? undefined : requireGroup(context, group_id).id;
      const { agent, queue } = predict(context, group);
      return { id: id ?? context.ids.object(), predicted_agent: agent, queue };
    },
  }),
];

export const statusKind = { tables: [], actions } satisfies CustomerKind;
