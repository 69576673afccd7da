// Verification of the e-mail of a customer, and the callbacks that tell of it. Specification: "Status and other".

import { isThisMachine } from '../../base/url.ts';
import { DAY } from '../../base/zone.ts';
import { control, requireCustomer } from '../chats/controls.ts';
import { type CustomerRecord, customerTable } from '../chats/records.ts';
import type { ChatContext } from '../chats/threads.ts';
import { defineTable, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import { closed, int, object, oneOf, quoted, text, webAddress } from '../engine/shape.ts';
import { type CustomerKind, changeAction } from './action.ts';
import { callingCustomer } from './caller.ts';
import { type CustomerSettings, VERSIONS } from './settings.ts';

/** A request whose e-mail the customer has not confirmed yet. */
const verificationRecord = object({
  id: text,
  customer_id: text,
  email: text,
  callback_uri: text,
  version: oneOf(VERSIONS),
  requested_at: int(0),
});
type VerificationRecord = ReturnType<typeof verificationRecord>;
const verificationTable = defineTable('verifications', verificationRecord, ({ id }) => id, {
  customer: ({ customer_id }) => customer_id,
});

/** Specification: "Limits". */
const MOST_CALLBACKS = 10;
const VOID_AFTER = 7 * DAY;

interface VerificationContext extends ChatContext {
  readonly settings: CustomerSettings;
}

/** The requests about the present e-mail of a customer, from the oldest to the newest. */
function requestsOf(license: EmulatedLicense, { id, email }: CustomerRecord): readonly VerificationRecord[] {
  return verificationTable
    .of(license)
    .where('customer', id)
    .filter((request) => request.email === email)
    .toSorted((one, other) => one.requested_at - other.requested_at);
}

/** Those of them that a callback is still sent for: none once the last one is seven days old. */
function pending(license: EmulatedLicense, requests: readonly VerificationRecord[]): readonly VerificationRecord[] {
  const last = requests.at(-1)?.requested_at ?? 0;
  return license.history.now - last < VOID_AFTER ? requests : [];
}

function tell(
  { callBack, settings }: VerificationContext,
  { email, callback_uri, version }: Pick<VerificationRecord, 'email' | 'callback_uri' | 'version'>,
): void {
  callBack({
    url: callback_uri,
    body: { email },
    version,
    action: 'customer/email_verification_callback',
    anywhere: settings.emailCallbacks === 'anywhere',
  });
}

function requireReachable({ settings }: VerificationContext, url: string): void {
  if (settings.emailCallbacks === 'loopback' && !isThisMachine(new URL(url)))
    refuse(
      'validation',
      `${quoted('callback_uri')} must lead to this machine, unless the setting \`emailCallbacks\` of the emulator is \`anywhere\``,
    );
}

const actions = [
  changeAction('request_email_verification', object({ callback_uri: webAddress }), {
    run: ({ callback_uri }, context) => {
      const { license, ids, version } = context;
      requireReachable(context, callback_uri);
      const customer = callingCustomer(context);
      const { email } = customer;
      if (email === undefined)
        return refuse('validation', 'the customer has no e-mail: set one with `update_customer`');
      if (customer.email_verified === true) {
        tell(context, { email, callback_uri, version });
        return undefined;
      }
      const table = verificationTable.of(license);
      const kept = pending(license, requestsOf(license, customer)).slice(1 - MOST_CALLBACKS);
      for (const request of table.where('customer', customer.id)) if (!kept.includes(request)) table.delete(request.id);
      const requested_at = license.history.now;
      table.set({ id: ids.object(), customer_id: customer.id, email, callback_uri, version, requested_at });
      return undefined;
    },
  }),
];

/** The customer opens the link in the e-mail, which works also when the callbacks are void. */
function confirm(customer_id: string, context: VerificationContext): object {
  const { license } = context;
  const customer = requireCustomer(context, customer_id);
  const requests = requestsOf(license, customer);
  if (requests.length === 0)
    return refuse('validation', `customer ${quoted(customer_id)} got no e-mail to confirm the present address with`);
  const callbacks = pending(license, requests);
  customerTable.of(license).set({ ...customer, email_verified: true });
  for (const { id } of requests) verificationTable.of(license).delete(id);
  for (const request of callbacks) tell(context, request);
  return { callbacks: callbacks.length };
}

const controls = [
  control('customers/verify', closed({ customer_id: text }), ({ customer_id }, context: VerificationContext) =>
    confirm(customer_id, context),
  ),
];

export const verificationKind = { tables: [verificationTable], controls, actions } satisfies CustomerKind;
