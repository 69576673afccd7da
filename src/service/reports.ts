// The Reports API: the only table of its reports. Specification: "Endpoints", "Authentication". POST is the form that is sent.

import { REPORTS_VERSIONS, type ReportsVersion } from '../base/model.ts';
import type { ActionTable, TypedApi } from './messages.ts';
import type { ReportsMessages } from './reports-messages.ts';

const SCOPES = ['reports_read'] as const;

const REPORT = {
  versions: ['3.4'],
  effect: 'read',
  batch: null,
  scopes: SCOPES,
  ownScopes: SCOPES,
  extraScopes: [],
  answersSecret: false,
} as const;

const ACTIONS = {
  'chats/duration': REPORT,
  'chats/tags': REPORT,
  'chats/total_chats': REPORT,
  'chats/ratings': REPORT,
  'chats/ranking': REPORT,
  'chats/engagement': REPORT,
  'chats/greetings_conversion': REPORT,
  'chats/surveys': REPORT,
  'chats/response_time': REPORT,
  'chats/first_response_time': REPORT,
  'agents/availability': REPORT,
  'agents/performance': REPORT,
} as const satisfies ActionTable<ReportsMessages, typeof REPORTS_VERSIONS>;

export const REPORTS: TypedApi<ReportsMessages, ReportsVersion> = {
  name: 'Reports API',
  path: 'reports',
  versions: REPORTS_VERSIONS,
  actions: ACTIONS,
  credential: { kinds: ['bearer'], prefixed: REPORTS_VERSIONS },
};
