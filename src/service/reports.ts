// The Reports API: the only table of its reports. Specification: "Endpoints", "Authentication"; today/reports.md, "Which report in which version".
// POST is the form that is sent.

import { STABLE_VERSION } from '../base/api-versions.ts';
import { REPORTS_VERSIONS, type ReportsVersion } from '../base/model.ts';
import type { ActionTable, TypedApi } from './messages.ts';
import type { ReportsMessages } from './reports-messages.ts';

const SCOPES = ['reports_read'] as const;

const REPORT = {
  versions: REPORTS_VERSIONS,
  effect: 'read',
  batch: null,
  scopes: SCOPES,
  ownScopes: SCOPES,
  extraScopes: [],
  answersSecret: false,
} as const;
const ONLY_34 = { ...REPORT, versions: ['3.4'] } as const;
const SINCE_35 = { ...REPORT, versions: ['3.5', '3.6', '3.7'] } as const;
const SINCE_36 = { ...REPORT, versions: ['3.6', '3.7'] } as const;
const SINCE_37 = { ...REPORT, versions: ['3.7'] } as const;

const ACTIONS = {
  'chats/duration': REPORT,
  'chats/tags': REPORT,
  'chats/total_chats': REPORT,
  'chats/ratings': REPORT,
  'chats/ranking': REPORT,
  'chats/engagement': REPORT,
  'chats/greetings_conversion': REPORT,
  'chats/surveys': ONLY_34,
  'chats/forms': SINCE_35,
  'chats/response_time': REPORT,
  'chats/first_response_time': REPORT,
  'chats/groups': SINCE_36,
  'chats/queued_visitors': SINCE_36,
  'chats/queued_visitors_left': SINCE_36,
  'agents/availability': REPORT,
  'agents/performance': REPORT,
  'customers/unique_visitors': SINCE_36,
  'tags/chat_usage': SINCE_35,
  'sales/abandoned_carts': SINCE_37,
  'stats/visitor_domains': SINCE_37,
} as const satisfies ActionTable<ReportsMessages, typeof REPORTS_VERSIONS>;

export const REPORTS: TypedApi<ReportsMessages, ReportsVersion> = {
  name: 'Reports API',
  path: 'reports',
  versions: REPORTS_VERSIONS,
  actions: ACTIONS,
  stable: STABLE_VERSION,
  credential: { kinds: ['bearer', 'basic'], prefixed: REPORTS_VERSIONS },
};
