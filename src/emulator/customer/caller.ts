// Which customer calls the Customer Chat Web API, and from where. Does not know what an action does.
// Specification: "Authentication"; customer-and-reports-notes.md, section 3.

import { sha256Hex } from '../../base/digest.ts';
import { type CustomerRecord, customerTable, customerTokenTable } from '../chats/records.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { seededId, uuid } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import { quoted } from '../engine/shape.ts';
import { queryOf, type WireRequest } from '../engine/wire.ts';
import type { CustomerAction, CustomerCaller, CustomerContext } from './action.ts';
import { type CustomerSettings, has } from './settings.ts';

/** The account that the query names. Specification: "What the service does". */
function requireAccount(
  request: WireRequest,
  { name }: CustomerAction,
  settings: CustomerSettings,
  version: string,
): void {
  const query = queryOf(request);
  const [license, organization] = [query.get('license_id') ?? '', query.get('organization_id') ?? ''];
  const wanted = has('licenseId', version) ? 'license_id' : 'organization_id';
  const takesEither = settings.accountParameter === 'either' || name === 'get_dynamic_configuration';
  const given = takesEither ? license + organization : wanted === 'license_id' ? license : organization;
  if (given === '') refuse('validation', `the query parameter ${quoted(wanted)} is required`);
  if (license !== '' && !/^\d+$/.test(license)) refuse('validation', `${quoted('license_id')} must be an integer`);
  const { licenseId, organizationId } = settings;
  if (license !== '' && licenseId !== null && Number(license) !== licenseId)
    refuse('license_not_found', `license ${quoted(license)}`);
  if (organization !== '' && organizationId !== null && organization !== organizationId)
    refuse('license_not_found', `organization ${quoted(organization)}`);
}

/** The organization of the account: as the settings say, else the one that the query names, else one made for its license. */
function organizationOf(request: WireRequest, { organizationId, licenseId }: CustomerSettings): string {
  const query = queryOf(request);
  const made = (): string => uuid(seededId('organization', licenseId ?? query.get('license_id') ?? ''));
  return organizationId ?? (query.get('organization_id') || made());
}

function tokenOf(request: WireRequest): string | undefined {
  const header = request.header('authorization')?.trim() ?? '';
  if (header === '') return undefined;
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token === '')
    refuse('authentication', 'an `Authorization` header with Bearer and the token of a customer is required');
  if (/^[a-z]+(?:-[a-z]+)?%3a/i.test(token))
    refuse('authentication', 'the token has %3A where it must have a colon: it was copied from a URL');
  return token;
}

/** The customer of a token. A token that is not known is that of a customer of its own, unless the settings refuse it. */
function customerOf(token: string, license: EmulatedLicense, settings: CustomerSettings) {
  const kept = sha256Hex(token);
  const known = customerTokenTable.of(license).get(kept);
  if (known === undefined) {
    if (settings.customerTokens === 'known') refuse('authentication', 'the token is not known');
    return { customerId: uuid(seededId('customer', kept)), clientId: undefined };
  }
  if (known.expires !== undefined && known.expires <= license.history.now)
    refuse('authentication', 'the token has expired');
  return { customerId: known.customer_id, clientId: known.client_id };
}

/** The customer who calls. Refuses what no action of the API would answer. */
export function authenticate(
  request: WireRequest,
  action: CustomerAction,
  license: EmulatedLicense,
  settings: CustomerSettings,
  version: string,
): CustomerCaller {
  requireAccount(request, action, settings, version);
  if (settings.licenseExpired) refuse('license_expired', '');
  if (settings.wrongProductVersion) refuse('wrong_product_version', '');
  const token = tokenOf(request);
  const optional =
    action.token === 'none' || (action.token === 'configuration' && settings.configurationToken === 'optional');
  if (token === undefined && !optional) refuse('authentication', 'the token of a customer is required');
  const customer = token === undefined ? undefined : customerOf(token, license, settings);
  const banned = customer && customerTable.of(license).get(customer.customerId)?.banned_until;
  if (banned !== undefined && banned > license.history.now) refuse('customer_banned', '');
  return {
    customerId: customer?.customerId,
    clientId: customer?.clientId,
    organizationId: organizationOf(request, settings),
    referer: request.header('referer') ?? undefined,
    userAgent: request.header('user-agent') ?? undefined,
    origin: request.origin,
  };
}

/** The customer who calls: one who has done nothing yet has no record, until `customerTable` gets what this returns. */
export function callingCustomer({ license, caller }: CustomerContext): CustomerRecord {
  const { customerId: id } = caller;
  if (id === undefined) return refuse('authentication', 'the token of a customer is required');
  const known = customerTable.of(license).get(id);
  return known ?? { id, created_at: license.history.now, logged_in: false };
}
