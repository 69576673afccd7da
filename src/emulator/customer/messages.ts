// The messages of the errors of the Customer Chat Web API and of the real-time interface. Specification: "Errors".

const MESSAGES: { readonly [type: string]: string } = {
  authentication: 'Authentication error',
  authorization: 'Authorization error',
  chat_anonymized: 'Chat anonymized',
  chat_inactive: 'Chat is inactive',
  customer_banned: 'Customer is banned',
  entity_too_large: 'Upload limit exceeded (10MB).',
  greeting_not_found: 'Greeting not found',
  group_not_found: 'Group not found',
  group_offline: 'Group is offline',
  group_unavailable: 'No agent available for group',
  groups_offline: 'Groups offline',
  internal: 'Internal server error',
  license_expired: 'License expired',
  license_not_found: 'License not found',
  limit_reached: 'Limit reached',
  misdirected_request: 'Wrong region',
  request_timeout: 'Request timed out',
  too_many_requests: 'Too many requests',
  validation: 'Wrong format of request',
  wrong_product_version: 'Wrong product version',
};

/** Two messages that differ between the versions. */
const BY_VERSION: { readonly [type: string]: { readonly [version: string]: string } } = {
  service_unavailable: { '3.3': 'Not accepting new requests', later: 'Service unavailable' },
  unsupported_version: { '3.3': 'Unsupported version', later: 'Cannot call unsupported API versions.' },
};

/** The default message of an error, and after it what is wrong; only that where the specification has no message. */
export function messageOf(type: string, version: string, detail: string): string {
  const standard = MESSAGES[type] ?? BY_VERSION[type]?.[version] ?? BY_VERSION[type]?.['later'];
  if (standard === undefined) return detail;
  return detail === '' ? standard : `${standard}: ${detail}`;
}
