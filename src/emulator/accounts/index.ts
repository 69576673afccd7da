// The accounts service, as far as it gives tokens to customers. No specification describes it; customer-and-reports-notes.md, section 3.

import { customerTable } from '../chats/records.ts';
import { callingAgent } from '../configuration/account.ts';
import { isOwnClient } from '../configuration/caller.ts';
import type { ConfigurationSettings } from '../configuration/settings.ts';
import type { ActionContext, CookieReply, EmulatedAction, EmulatedApi } from '../engine/api.ts';
import { readJsonBody } from '../engine/body.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { seededId, uuid } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import { about, flag, nullable, type SettingDefinitions, type SettingsOf } from '../engine/settings.ts';
import { list, object, oneOf, optional, quoted, text } from '../engine/shape.ts';
import type { WireRequest } from '../engine/wire.ts';
import {
  addCustomer,
  type Cookies,
  cookiesOf,
  cookieTable,
  customerOf,
  issueToken,
  renewCookies,
  requireToken,
  revokeToken,
  TOKEN_LIFETIME,
} from './identities.ts';

const accountsSettings = {
  accountsService: about(
    'Whether the accounts service answers, which gives tokens of customers: `/v2/customer/token` and `/v2/customer/info`. No specification describes it',
    flag(true),
  ),
  redirectUris: about(
    'The values of `redirect_uri`, or of the header `Origin`, with which a customer gets a token by cookies; `null` accepts any',
    nullable<readonly string[]>(null, list(text, 1)),
  ),
} satisfies SettingDefinitions;

type AccountsSettingValues = ConfigurationSettings & SettingsOf<typeof accountsSettings>;
export interface AccountsSettings extends AccountsSettingValues {}

/** What a request says of its sender; what it needs of that depends on the grant. */
export interface AccountsCaller {
  /** Refuses every credential that is not a bearer token of an administrator who may make customers. */
  readonly requireAgent: () => void;
  /** The token of a customer, in a header that also carries those of agents. */
  readonly token: string | undefined;
  readonly cookies: Cookies;
  /** The page that asks: the header `Origin`. */
  readonly page: string | undefined;
  readonly isSecure: boolean;
}

export interface AccountsContext extends ActionContext {
  readonly settings: AccountsSettings;
  readonly caller: AccountsCaller;
}

function requireAdministrator(request: WireRequest, license: EmulatedLicense, settings: AccountsSettings): void {
  const agent = callingAgent(request, { anonymous: false, inactiveToo: false }, license, settings);
  if (agent.kind === 'personal') refuse('authorization', 'personal access tokens are not taken: send a bearer token');
  if (agent.scopes !== 'every' && !agent.scopes.has('customers:own'))
    refuse('authorization', 'missing scope: customers:own');
  if (agent.role === 'normal') refuse('authorization', 'the agent of the token must be an administrator');
}

function authenticate(
  request: WireRequest,
  _: EmulatedAction,
  license: EmulatedLicense,
  settings: AccountsSettings,
): AccountsCaller {
  if (!settings.accountsService) refuse('not_found', 'there is nothing at this path');
  return {
    requireAgent: () => requireAdministrator(request, license, settings),
    token: /^Bearer +(\S+)$/i.exec(request.header('authorization')?.trim() ?? '')?.[1],
    cookies: cookiesOf(request.header('cookie')),
    page: request.header('origin') ?? undefined,
    isSecure: request.origin.startsWith('https:'),
  };
}

const grant = object({ grant_type: oneOf(['cookie', 'agent_token']), client_id: text });
const cookieGrant = object({ organization_id: text, redirect_uri: optional(text) });
const agentGrant = object({ response_type: oneOf(['token']), entity_id: optional(text) });

/** What a grant gives, in addition to a token. */
interface Granted {
  readonly customerId: string;
  readonly organizationId: string;
  readonly cookies: readonly string[];
}

/** The organization of the license; where the settings name none, one that is the same in every run. */
const organizationOf = ({ organizationId }: AccountsSettings): string =>
  organizationId ?? uuid(seededId('organization'));

function byCookie(body: unknown, context: AccountsContext): Granted {
  const { license, settings, caller } = context;
  const { organization_id, redirect_uri = caller.page } = cookieGrant(body, '');
  if (settings.organizationId !== null && organization_id !== settings.organizationId)
    refuse('license_not_found', `organization ${quoted(organization_id)} is not known`);
  if (redirect_uri === undefined)
    return refuse(
      'validation',
      `${quoted('redirect_uri')} is required where the header ${quoted('Origin')} is missing`,
    );
  if (settings.redirectUris?.includes(redirect_uri) === false)
    refuse('validation', `${quoted('redirect_uri')} is not registered: ${quoted(redirect_uri)}`);
  const customerId = customerOf(license, caller.cookies) ?? addCustomer(context);
  const cookies = renewCookies(context, customerId, caller.cookies, caller.isSecure);
  return { customerId, organizationId: organization_id, cookies };
}

function byAgent(body: unknown, context: AccountsContext): Granted {
  context.caller.requireAgent();
  const { entity_id } = agentGrant(body, '');
  if (entity_id !== undefined && customerTable.of(context.license).get(entity_id) === undefined)
    refuse('validation', `${quoted('entity_id')} names no customer: ${quoted(entity_id)}`);
  const customerId = entity_id ?? addCustomer(context);
  return { customerId, organizationId: organizationOf(context.settings), cookies: [] };
}

function giveToken(body: unknown, context: AccountsContext): CookieReply {
  const { license, settings } = context;
  const { grant_type, client_id } = grant(body, '');
  if (!isOwnClient(license, client_id)) refuse('authorization', `client ${quoted(client_id)} is not one of yours`);
  const { customerId, organizationId, cookies } = (grant_type === 'cookie' ? byCookie : byAgent)(body, context);
  const access_token = issueToken(context, settings.region ?? 'dal', customerId, client_id);
  return {
    value: {
      access_token,
      client_id,
      entity_id: customerId,
      expires_in: TOKEN_LIFETIME,
      organization_id: organizationId,
      token_type: 'Bearer',
    },
    cookies,
  };
}

const tokenOf = ({ caller }: AccountsContext): string =>
  caller.token ??
  refuse('authentication', 'an `Authorization` header with Bearer and the token of a customer is required');

function describeToken(context: AccountsContext): object {
  const { license, settings } = context;
  const access_token = tokenOf(context);
  const { customer_id, client_id, expires } = requireToken(license, access_token);
  return {
    access_token,
    client_id,
    entity_id: customer_id,
    expires_in: expires && Math.floor((expires - license.history.now) / 1000),
    organization_id: organizationOf(settings),
    token_type: 'Bearer',
  };
}

/** Names of errors as OAuth 2 has them: RFC 6749, 5.2, and RFC 6750, 3.1. */
const EXCEPTIONS: { readonly [type: string]: string } = {
  authentication: 'invalid_token',
  authorization: 'access_denied',
  license_not_found: 'invalid_request',
  validation: 'invalid_request',
};

const versions = ['2'];

export const accountsApi = {
  path: 'customer',
  prefix: 'accounts/',
  versions,
  settings: accountsSettings,
  kinds: [{ tables: [cookieTable] }],
  actions: [
    { name: 'token', versions, methods: ['POST'], effect: 'write', reply: 'cookies', run: giveToken },
    {
      name: 'token',
      versions,
      methods: ['DELETE'],
      effect: 'write',
      reply: 'empty',
      run: (_, context: AccountsContext) => {
        revokeToken(context.license, tokenOf(context));
        return {};
      },
    },
    {
      name: 'info',
      versions,
      methods: ['GET'],
      effect: 'read',
      reply: 'value',
      run: (_, context: AccountsContext) => describeToken(context),
    },
  ],
  isRegional: () => false,
  authenticate,
  read: readJsonBody,
  envelope: (type, message) => ({ oauth_exception: EXCEPTIONS[type] ?? type, exception_description: message }),
} satisfies EmulatedApi;
