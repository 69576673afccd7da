// Customers: what they read and write of themselves. Specification: "Resources and their fields", "Customers".

import { type CustomerRecord, customerTable } from '../chats/records.ts';
import { activeThreads, type ChatContext } from '../chats/threads.ts';
import { notifyOfChat } from '../chats/webhooks.ts';
import { defineTable, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { byVersion, type CustomerContext, type CustomerKind, changeAction, readAction } from './action.ts';
import { callingCustomer } from './caller.ts';
import { type GivenSessionFields, mergedFields, requireFieldsWithin, sessionFields } from './session-fields.ts';
import { type EmulatedCustomerVersion, has } from './settings.ts';
import { profileReply } from './shown.ts';

const email = s.checked(s.text, (given, path) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(given)) refuse('validation', `${s.quoted(path)} must be an e-mail address`);
});

/** An empty string may clear. */
const clearable = (read: s.JsonReader<string>, version: EmulatedCustomerVersion): s.JsonReader<string | undefined> =>
  s.optional((value, path) => (value === '' && has('clearable', version) ? '' : read(value, path)));

/** E.164. */
const phoneNumber = s.checked(s.text, (given, path) => {
  if (!/^\+[1-9]\d{1,14}$/.test(given))
    refuse('validation', `${s.quoted(path)} must be a number in E.164 format, such as +48221234567`);
});

const omnichannel = s.object({
  messenger: s.optional(
    s.object({
      id: s.text,
      name: s.optional(s.string),
      first_name: s.optional(s.string),
      last_name: s.optional(s.string),
      profile_pic: s.optional(s.string),
      gender: s.optional(s.string),
      locale: s.optional(s.string),
      is_verified_user: s.optional(s.bool),
    }),
  ),
  sms: s.optional(s.object({ phone_number: s.text })),
});
const chatapp = s.object({ id: s.text, name: s.optional(s.string), phone_number: phoneNumber });
const newerOmnichannel: s.JsonReader<object> = (value, path) => ({
  ...omnichannel(value, path),
  ...s.object({ chatapp: s.optional(chatapp) })(value, path),
});
const channelsOf = (version: EmulatedCustomerVersion): s.JsonReader<object> =>
  has('chatapp', version) ? newerOmnichannel : omnichannel;

const addressComponents = s.object({
  address: s.optional(s.string),
  city: s.optional(s.string),
  country: s.optional(s.string),
  state: s.optional(s.string),
  postal_code: s.optional(s.string),
});

/** What a request says of the customer who sends it. */
export const givenProfile = (version: EmulatedCustomerVersion) =>
  s.object({
    name: clearable(s.text, version),
    email: clearable(email, version),
    avatar: s.optional(s.webAddress),
    session_fields: s.optional(sessionFields),
    phone_number: has('channels', version) ? clearable(phoneNumber, version) : s.ignored,
    omnichannel: has('channels', version) ? s.optional(channelsOf(version)) : s.ignored,
    address: has('channels', version) ? s.optional(addressComponents) : s.ignored,
  });
type GivenProfile = ReturnType<ReturnType<typeof givenProfile>>;

/** What an update changes; an empty text clears. */
interface ProfileChanges {
  readonly name?: string;
  readonly email?: string;
  readonly avatar?: string;
  readonly phone_number?: string;
  /** All of them. */
  readonly session_fields?: GivenSessionFields;
  readonly omnichannel?: object;
  readonly address?: { readonly [component: string]: string };
}

/** A customer after an update. The e-mail that a customer has confirmed is no other one. */
function updated(customer: CustomerRecord, changes: ProfileChanges): CustomerRecord {
  const { name: _name, email: _email, phone_number: _phone, address: _address, email_verified, ...rest } = customer;
  const { avatar, session_fields, omnichannel } = changes;
  const name = changes.name ?? customer.name;
  const email = changes.email ?? customer.email;
  const phone_number = changes.phone_number ?? customer.phone_number;
  const isVerified = email === customer.email ? email_verified : false;
  const components = Object.entries({ ...customer.address, ...changes.address }).filter(([, text]) => text !== '');
  return {
    ...rest,
    ...(name ? { name } : {}),
    ...(email ? { email, ...(isVerified === undefined ? {} : { email_verified: isVerified }) } : {}),
    ...(avatar === undefined ? {} : { avatar }),
    ...(phone_number ? { phone_number } : {}),
    ...(session_fields === undefined ? {} : { session_fields }),
    ...(omnichannel === undefined ? {} : { omnichannel: { ...customer.omnichannel, ...omnichannel } }),
    ...(components.length === 0 ? {} : { address: Object.fromEntries(components) }),
  };
}

/** An update of version 3.3 that waits for the end of the customer's active chat. */
const waitingRecord = s.object({
  customer_id: s.text,
  changes: s.object({
    name: s.optional(s.string),
    email: s.optional(s.string),
    avatar: s.optional(s.string),
    session_fields: s.optional(s.list(s.recordOf(s.string))),
  }),
});
const waitingTable = defineTable('waitingUpdates', waitingRecord, ({ customer_id }) => customer_id, {});

const hasActiveChat = (license: EmulatedLicense, { id }: CustomerRecord): boolean =>
  activeThreads(license, id).length > 0;

/** Writes what takes effect now; of an update that waits, only what is not given here is still to come. */
function write(license: EmulatedLicense, customer: CustomerRecord, changes: ProfileChanges): void {
  customerTable.of(license).set(updated(customer, changes));
  const waiting = waitingTable.of(license).get(customer.id);
  if (waiting === undefined) return;
  const later = Object.entries(waiting.changes).filter(([name]) => !Object.hasOwn(changes, name));
  if (later.length === 0) waitingTable.of(license).delete(customer.id);
  else waitingTable.of(license).set({ ...waiting, changes: Object.fromEntries(later) });
}

/** Lets updates that wait take effect, where the chat of their customer has ended. */
function settle({ license }: Pick<ChatContext, 'license'>): void {
  for (const { customer_id, changes } of waitingTable.of(license).all()) {
    const customer = customerTable.of(license).get(customer_id);
    if (customer !== undefined && hasActiveChat(license, customer)) continue;
    waitingTable.of(license).delete(customer_id);
    if (customer !== undefined) customerTable.of(license).set(updated(customer, changes));
  }
}

/** `customer_session_fields_updated`, once for each active chat. */
function notifyFields(context: CustomerContext, id: string): void {
  const { license } = context;
  const session_fields = customerTable.of(license).get(id)?.session_fields ?? [];
  for (const { chat_id, id: thread_id } of activeThreads(license, id))
    notifyOfChat(context, 'customer_session_fields_updated', chat_id, license.history.now, () => ({
      id,
      active_chat: { chat_id, thread_id },
      session_fields,
    }));
}

/** What a version and the settings take of a profile. Refuses an empty text that does not clear. */
function takenProfile({ version, settings }: CustomerContext, given: GivenProfile): GivenProfile {
  const { phone_number, ...others } = given;
  const isKept = phone_number !== undefined && settings.phoneNumberOnUpdate === 'accepted';
  const taken: GivenProfile = { ...others, ...(isKept ? { phone_number } : {}) };
  if (has('cleared', version) || settings.emptyTextIn36 === 'cleared') return taken;
  for (const name of ['name', 'email', 'phone_number'] as const)
    if (taken[name] === '') refuse('validation', `${s.quoted(name)} must not be empty`);
  return taken;
}

/** Changes the calling customer; in 3.3, once the active chat has ended. */
export function changeCustomer(context: CustomerContext, asked: GivenProfile): void {
  const { license, settings, version } = context;
  const given = takenProfile(context, asked);
  const customer = callingCustomer(context);
  const waits =
    has('waitingUpdates', version) && settings.updateDuringChat === 'after_chat' && hasActiveChat(license, customer);
  const before = waitingTable.of(license).get(customer.id)?.changes ?? {};
  const kept = (waits ? before.session_fields : undefined) ?? customer.session_fields ?? [];
  const { session_fields: fields } = given;
  const merges = settings.sessionFieldsOnUpdate === 'merge';
  const session_fields = fields && (merges ? mergedFields(kept, fields) : fields);
  if (session_fields !== undefined) requireFieldsWithin(settings, session_fields);
  const changes: ProfileChanges = { ...given, ...(session_fields === undefined ? {} : { session_fields }) };
  if (!waits) {
    write(license, customer, changes);
    notifyFields(context, customer.id);
    return;
  }
  const { omnichannel: _, address: __, phone_number: ___, ...later } = changes;
  waitingTable.of(license).set({ customer_id: customer.id, changes: { ...before, ...later } });
}

const actions = [
  readAction('get_customer', s.object({}), {
    run: (_, context) => {
      const customer = callingCustomer(context);
      return { id: customer.id, type: 'customer', ...profileReply(context, customer) };
    },
  }),
  changeAction('update_customer', byVersion(givenProfile), {
    run: (given, context) => {
      if (Object.keys(takenProfile(context, given)).length === 0)
        refuse('validation', 'at least one parameter is required');
      changeCustomer(context, given);
      return undefined;
    },
  }),
  changeAction('set_customer_session_fields', s.object({ session_fields: sessionFields }), {
    run: ({ session_fields }, context) => {
      const { license, settings, caller } = context;
      requireFieldsWithin(settings, session_fields);
      const { userAgent, referer } = caller;
      const customer = {
        ...callingCustomer(context),
        ...(userAgent === undefined ? {} : { user_agent: userAgent }),
        ...(referer === undefined ? {} : { referrer: referer }),
      };
      write(license, customer, { session_fields });
      notifyFields(context, customer.id);
      return undefined;
    },
  }),
];

export const customerKind = { tables: [waitingTable], settle, actions } satisfies CustomerKind;
