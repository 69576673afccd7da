// The Reports API. Specification: "Endpoints", "Authentication", "Versioning".

import { callingAgent } from '../configuration/account.ts';
import { type Caller, permit } from '../configuration/caller.ts';
import type { EmulatedApi } from '../engine/api.ts';
import { readJsonBody } from '../engine/body.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { queryOf, type WireRequest } from '../engine/wire.ts';
import type { ReportAction } from './action.ts';
import { agentReports } from './agent-reports.ts';
import { chatReports } from './chat-reports.ts';
import { greetingsReport } from './greetings-report.ts';
import { bodyOfQuery } from './query.ts';
import { type ReportSettings, reportSettings } from './settings.ts';
import { surveysReport } from './surveys-report.ts';

function authenticate(
  request: WireRequest,
  _: ReportAction,
  license: EmulatedLicense,
  settings: ReportSettings,
): Caller {
  const caller = callingAgent(request, { anonymous: false, inactiveToo: false }, license, settings);
  if (caller.kind === 'personal' && settings.reportsAuthorization === 'bearer')
    refuse('authentication', 'an `Authorization` header with Bearer and an access token is required');
  permit(caller, 'reports_read');
  return caller;
}

export const reportsApi = {
  path: 'reports',
  prefix: 'reports/',
  versions: ['3.4'],
  versionHeader: 'x-api-version',
  settings: reportSettings,
  kinds: [],
  actions: [...chatReports, greetingsReport, surveysReport, ...agentReports],
  isRegional: () => false,
  authenticate,
  read: async (request: WireRequest, settings: EngineSettings, { schema }: ReportAction) =>
    request.method === 'GET' ? bodyOfQuery(schema, queryOf(request)) : readJsonBody(request, settings),
} satisfies EmulatedApi;
