// The real-time interface of customers: login, ping and the page of the visit, where the rules give the visit its groups.
// The public reference of the real-time API, "Login", "Update Customer Page", "Server pinging"; today/customer.md, section 6.2.

import { type CustomerRecord, chatTable, customerTable, seenBy } from '../chats/records.ts';
import { groupStatus, groupsOf } from '../chats/routing.ts';
import { viewAt } from '../chats/threads.ts';
import { notifyCustomer } from '../chats/webhooks.ts';
import type { EmulatedApi } from '../engine/api.ts';
import { readJsonBody } from '../engine/body.ts';
import type { LicenseContext } from '../engine/license.ts';
import type { RealtimeReply } from '../engine/realtime.ts';
import * as s from '../engine/shape.ts';
import { byVersion, type CustomerContext, readAction, writeAction } from './action.ts';
import { authenticate, callingCustomer } from './caller.ts';
import { changeCustomer, givenProfile } from './customers.ts';
import { shownTable } from './greetings.ts';
import { requireGroup } from './group-view.ts';
import { messageOf } from './messages.ts';
import { has, VERSIONS } from './settings.ts';
import { lastThread, profileReply, visibleEvents } from './shown.ts';

const loginRequest = byVersion((version) =>
  s.object({
    token: s.text,
    customer: s.optional(givenProfile(version)),
    customer_page: s.optional(s.object({ title: s.optional(s.string), url: s.optional(s.text) })),
    customer_side_storage: s.optional(s.recordOf(s.anything)),
    is_mobile: s.optional(s.bool),
    group_id: s.optional(s.int(0)),
    referrer: s.optional(s.string),
    application: s.optional(
      s.object({
        name: s.optional(s.string),
        version: s.optional(s.string),
        channel_type: s.optional(s.string),
      }),
    ),
    /** Version -> names. */
    pushes: s.optional(s.recordOf(s.list(s.text))),
  }),
);

/** The customer on a page, with the groups that the rules give the visit there. */
function onPage(context: CustomerContext, customer: CustomerRecord, page: string | undefined): CustomerRecord {
  const { license, caller } = context;
  const { page: _, ...rest } = customer;
  const place = customer.geolocation ?? {};
  return {
    ...rest,
    ...(page === undefined ? {} : { page, page_views: (customer.page_views ?? 0) + 1 }),
    ...(caller.userAgent === undefined ? {} : { user_agent: caller.userAgent }),
    group_ids: groupsOf(viewAt(context, license.history.now), undefined, { page, place }),
  };
}

/** The groups of a visit with their statuses, as replies and pushes have them. */
function statusesOf(context: CustomerContext, groups: readonly number[]): readonly object[] {
  const view = viewAt(context, context.license.history.now);
  return groups.map((id) => ({ id, status: groupStatus(view, id) }));
}

/** What has come of the customer's visits until now. */
function statisticsOf({ license }: CustomerContext, { id, visits = 0, page_views = 0 }: CustomerRecord) {
  const shown = shownTable.of(license).where('customer', id);
  const chats = chatTable.of(license).where('customer', id);
  return {
    chats_count: chats.length,
    threads_count: chats.reduce((sum, { threads }) => sum + threads, 0),
    visits_count: visits,
    page_views_count: page_views,
    greetings_shown_count: shown.length,
    greetings_accepted_count: shown.filter(({ accepted_at }) => accepted_at !== undefined).length,
  };
}

/** The chats of the customer, as a login shows them. */
function chatsOf(context: CustomerContext, { id }: CustomerRecord) {
  const chats = chatTable.of(context.license).where('customer', id);
  return chats.flatMap((chat) => {
    const thread = lastThread(context, chat);
    if (thread === undefined) return [];
    const seen = seenBy(chat, { kind: 'customer', id }) ?? 0;
    const unread = visibleEvents(context, thread).some(({ created_at }) => created_at > seen);
    return [{ chat_id: chat.id, has_unread_events: unread }];
  });
}

const actions = [
  writeAction('login', loginRequest, {
    run: (given, context): RealtimeReply => {
      const { license, version } = context;
      const { customer: profile, customer_page: page, referrer, group_id, pushes } = given;
      if (group_id !== undefined) requireGroup(context, group_id);
      if (profile !== undefined) changeCustomer(context, profile);
      const known = callingCustomer(context);
      const customer: CustomerRecord = {
        ...onPage(context, known, page?.url),
        ...(referrer === undefined ? {} : { referrer }),
        logged_in: true,
        visits: (known.visits ?? 0) + 1,
      };
      const isNew = customerTable.of(license).get(customer.id) === undefined;
      customerTable.of(license).set(customer);
      if (isNew) notifyCustomer(context, customer.id);
      const { omnichannel: _, ...shown }: { readonly omnichannel?: object } = profileReply(context, customer);
      const only = pushes?.[version];
      return {
        payload: {
          customer: { id: customer.id, ...shown, statistics: statisticsOf(context, customer) },
          has_active_thread: customer.in_chat === true,
          chats: chatsOf(context, customer),
        },
        login: { caller: customer.id, ...(only === undefined || only.includes('all') ? {} : { only }) },
        ...(profile === undefined
          ? {}
          : { pushes: [{ action: 'customer_updated', payload: { id: customer.id, type: 'customer', ...shown } }] }),
      };
    },
  }),
  readAction('ping', s.object({}), { token: 'none', run: (): RealtimeReply => ({ payload: {} }) }),
  writeAction('update_customer_page', s.object({ url: s.text, title: s.optional(s.string) }), {
    run: ({ url }, context): RealtimeReply => {
      const { license, version } = context;
      const before = callingCustomer(context);
      const customer = onPage(context, before, url);
      customerTable.of(license).set(customer);
      const { group_ids = [] } = customer;
      if (group_ids.join() === before.group_ids?.join()) return { payload: {} };
      const groups = statusesOf(context, group_ids);
      return {
        payload: has('pageGroups', version) ? { groups } : {},
        ...(has('groupStatusPush', version)
          ? { pushes: [{ action: 'groups_status_updated', payload: { groups } }] }
          : {}),
      };
    },
  }),
];

function leave(id: string, { license }: LicenseContext): void {
  const customer = customerTable.of(license).get(id);
  if (customer !== undefined) customerTable.of(license).set({ ...customer, logged_in: false });
}

export const realtimeApi = {
  path: 'customer/rtm/ws',
  prefix: 'realtime/',
  versions: VERSIONS,
  settings: {},
  kinds: [],
  actions,
  isRegional: () => true,
  authenticate,
  read: readJsonBody,
  messageOf,
  realtime: {
    login: 'login',
    disconnects: {
      license_not_found: 'license_not_found',
      license_expired: 'license_expired',
      misdirected_request: 'misdirected_connection',
    },
    leave,
  },
} satisfies EmulatedApi;
