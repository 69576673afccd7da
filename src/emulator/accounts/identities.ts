// Identities of customers: the tokens that the accounts service gives them, and the cookies by which it knows them again.
// customer-and-reports-notes.md, section 3.

import { sha256Hex } from '../../base/digest.ts';
import { customerTable, customerTokenTable, moment } from '../chats/records.ts';
import { defineTable, type EmulatedLicense, type LicenseContext } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import { object, text } from '../engine/shape.ts';

/** Seconds for which a token lasts. */
export const TOKEN_LIFETIME = 28_800;
/** Seconds for which cookies last: two years. */
const COOKIE_LIFETIME = 2 * 365 * 86_400;

const COOKIES = { id: 'customer_id', secret: 'customer_secret' } as const;

/** The secret of a browser by its digest, and the customer whose browser it is. */
const cookieRecord = object({ digest: text, customer_id: text, expires: moment });
export const cookieTable = defineTable('customerCookies', cookieRecord, ({ digest }) => digest, {});

/** Adds a customer who has done nothing yet; returns the id. */
export function addCustomer({ license, ids }: LicenseContext): string {
  const id = ids.account();
  customerTable.of(license).set({ id, created_at: license.history.now, logged_in: false });
  return id;
}

/** Gives a customer a token of a client. `region` is its prefix. */
export function issueToken(
  { license, ids }: LicenseContext,
  region: string,
  customer_id: string,
  client_id: string,
): string {
  const token = `${region}:${ids.secret()}`;
  const expires = license.history.now + TOKEN_LIFETIME * 1000;
  customerTokenTable.of(license).set({ digest: sha256Hex(token), customer_id, client_id, expires });
  return token;
}

/** What is known of a token that has not expired. */
export function requireToken(license: EmulatedLicense, token: string) {
  const known = customerTokenTable.of(license).get(sha256Hex(token));
  if (known === undefined) return refuse('authentication', 'the token is not known');
  if (known.expires !== undefined && known.expires <= license.history.now)
    return refuse('authentication', 'the token has expired, or was revoked');
  return known;
}

/** Ends a token. Its record stays, because a token that is not known may be that of any customer. */
export function revokeToken(license: EmulatedLicense, token: string): void {
  customerTokenTable.of(license).set({ ...requireToken(license, token), expires: license.history.now });
}

/** The cookies of a request by name. */
export type Cookies = ReadonlyMap<string, string>;

/** RFC 6265, 5.4. */
export function cookiesOf(header: string | null): Cookies {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return new Map(pairs.map(([name = '', ...value]) => [name, value.join('=')]));
}

/** The customer whom cookies name, if they were given to that customer and have not expired. */
export function customerOf(license: EmulatedLicense, cookies: Cookies): string | undefined {
  const known = cookieTable.of(license).get(sha256Hex(cookies.get(COOKIES.secret) ?? ''));
  if (known === undefined || known.expires <= license.history.now) return undefined;
  return known.customer_id === cookies.get(COOKIES.id) ? known.customer_id : undefined;
}

/** The two cookies that are the identity of a customer, for two more years: those of the request, or new ones. */
export function renewCookies(
  { license, ids }: LicenseContext,
  customer_id: string,
  sent: Cookies,
  isSecure: boolean,
): readonly string[] {
  const secret = customerOf(license, sent) === customer_id ? (sent.get(COOKIES.secret) ?? '') : ids.secret();
  const expires = license.history.now + COOKIE_LIFETIME * 1000;
  cookieTable.of(license).set({ digest: sha256Hex(secret), customer_id, expires });
  // Browsers send a cookie to another site only over HTTPS.
  const traits = `Path=/v2/customer; Max-Age=${COOKIE_LIFETIME}; HttpOnly${isSecure ? '; Secure; SameSite=None' : ''}`;
  return [`${COOKIES.id}=${customer_id}; ${traits}`, `${COOKIES.secret}=${secret}; ${traits}`];
}
