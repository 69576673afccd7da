// Why there is no result: the message for its reader, with what to do where that is known.

import { ApiError, InternalError, LockedError, UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { TARGET_APIS, type TargetApi } from '../license/apis.ts';
import { namedActions } from '../service/api.ts';
import { plain } from '../view/plain.ts';
import { lockedText } from '../view/terminal/notice.ts';

function scopesRemedy({ action, also = [] }: ApiError['failure'], { api }: RequestedApi): string {
  const actions = [action, ...also];
  const scopes = new Set(actions.flatMap((name) => namedActions(api).get(name)?.action.scopes ?? []));
  if (scopes.size === 0) return 'the token may not do this';
  return `${actions.join(', ')} ${actions.length === 1 ? 'needs' : 'need'} a token with ${[...scopes].join(', ')}`;
}

/** The API of a request that failed. */
type RequestedApi = Pick<TargetApi, 'api' | 'credentialName' | 'versionSetting'>;

/** Actions that are refused for an owner client of another organization as well as for a missing scope. */
const OF_OWNER: readonly string[] = [
  'create_bot_template',
  'update_bot_template',
  'delete_bot_template',
  'list_bot_templates',
  'reset_bot_template_secret',
  'register_property',
  'unregister_property',
  'publish_property',
  'list_properties',
  'register_webhook',
  'list_webhooks',
  'unregister_webhook',
  'enable_license_webhooks',
  'disable_license_webhooks',
  'get_license_webhooks_state',
];

const OWN_CLIENT =
  'the owner client must belong to your organization: check `owner_client_id`, the namespaces of properties, and `clients:` in chatform.yaml';

function forbiddenRemedy(failure: ApiError['failure'], through: RequestedApi): string {
  if (!OF_OWNER.includes(failure.action)) return scopesRemedy(failure, through);
  return failure.message.includes('owner_client_id')
    ? OWN_CLIENT
    : `${scopesRemedy(failure, through)}; also, ${OWN_CLIENT}`;
}

/** What an authorization failure needs is rarely in its message. */
function remedyOf(error: ApiError, through: RequestedApi): string | null {
  switch (error.failure.type) {
    case 'authentication':
      return `${through.credentialName} is missing, wrong or expired`;
    case 'authorization':
      return forbiddenRemedy(error.failure, through);
    case 'connection':
      return 'check base_url, and HTTPS_PROXY if there is a proxy';
    case 'protocol':
      return 'check base_url: what answers there may not be the service';
    case 'response_too_large':
      return 'if the service sent it, declare fewer fields of these objects, because only declared fields are read; if not, check base_url';
    case 'too_many_requests':
      return error.failure.retryAfter === null
        ? null
        : `the service asks to come back in ${Math.ceil(error.failure.retryAfter / 1000)} s`;
    case 'proxy':
      return 'check HTTPS_PROXY, with its user name and password, or name the service in NO_PROXY';
    case 'unsupported_version':
      return `set ${through.versionSetting} in chatform.yaml to a version that this license has`;
    default:
      return null;
  }
}

/** The API that refused; one whose action it is where nothing was sent. */
function apiThatFailed({ api: name, action }: ApiError['failure']): RequestedApi {
  const apis = Object.values<TargetApi>(TARGET_APIS);
  return (
    apis.find(({ api }) => (name === undefined ? namedActions(api).has(action) : api.name === name)) ??
    TARGET_APIS.configuration
  );
}

/** What went wrong, then what to do where that is known, without control characters. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    // Only reading for a plan is given up: a write in flight is waited for.
    if (error.failure.type === 'aborted') return 'interrupted while reading from the service; nothing was changed';
    const remedy = remedyOf(error, apiThatFailed(error.failure));
    const debug = error.failure.debugId === null ? '' : ` (x-debug-id ${error.failure.debugId})`;
    return plain(error.message) + plain(debug) + (remedy === null ? '' : `\n  ${remedy}`);
  }
  if (error instanceof LockedError) return lockedText(error.lease);
  if (error instanceof UsageError) return plain(error.message);
  if (error instanceof InternalError) return `this is a bug in chatform: ${plain(error.message)}`;
  return error instanceof Error ? plain(error.message) : plain(String(error));
}

export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  return error instanceof UsageError ? error.diagnostics : [];
}
