// One question each to the APIs that no plan needs: what it shows of their versions, and whether the token reads reports.

import { ApiError, UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/model.ts';
import { HOUR } from '../../base/zone.ts';
import { reportsAccess } from '../../demand/ask.ts';
import { timesOf } from '../../demand/range.ts';
import { type ApiAccess, accountOf } from '../../license/apis.ts';
import { clientOver, type Requests } from '../../license/connect.ts';
import { openLine } from '../../license/transport.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { CUSTOMER } from '../../service/customer.ts';
import { REPORTS } from '../../service/reports.ts';
import type { RunContext } from '../../target/context.ts';
import type { MissingNeeds } from '../test/customer/needs.ts';
import { endsEverything } from './blame.ts';
import type { ReportsSeen, ServiceSeen, VersionSeen } from './observed.ts';

/** What one question to an API shows of its version. */
export interface StageRead {
  readonly version: VersionSeen;
  readonly requests: Requests;
}

/** Asks the Customer Chat Web API one question that takes no token, if the target names its account and the service can be asked. */
export async function readCustomerStage(
  settings: TargetSettings,
  { account: missing }: MissingNeeds,
  { answers }: ServiceSeen,
  context: RunContext,
): Promise<StageRead> {
  const version = settings.customerApiVersion;
  const seen = { api: CUSTOMER, setting: 'customer_api_version', version } as const;
  const parameter = CUSTOMER.account?.[version]?.name ?? 'account';
  if (missing !== null) return { version: unasked(seen, `the target has no ${parameter}`), requests: {} };
  if (answers.length === 0 || answers.some(({ failure }) => failure !== null && endsEverything(failure)))
    return { version: unasked(seen, 'the Configuration API was asked first, and failed'), requests: {} };
  const access = { api: CUSTOMER, version, credential: null, account: accountOf(CUSTOMER, version, settings) };
  return askedOnce(seen, access, ['get_dynamic_configuration', {}], settings, context);
}

function unasked(seen: Pick<VersionSeen, 'api' | 'setting' | 'version'>, because: string): VersionSeen {
  return { ...seen, because, stage: null, failure: null };
}

/** Milliseconds after which a question that failed is not sent again. */
const PATIENCE = 10_000;

/** Sends one question. */
async function askedOnce<A extends string, V extends string>(
  seen: Pick<VersionSeen, 'api' | 'setting' | 'version'>,
  access: ApiAccess<A, V>,
  [action, body]: readonly [A, JsonObject],
  settings: TargetSettings,
  context: RunContext,
): Promise<StageRead> {
  const line = await openLine(settings, context);
  try {
    // The checks tell the stage.
    const { client, signal } = clientOver(
      line,
      access,
      settings,
      { ...context, notice: () => {} },
      { patience: PATIENCE },
    );
    const failure = await client.call(action, body, { signal }).then(
      () => null,
      (error: unknown) => {
        if (error instanceof ApiError) return error.failure;
        throw error;
      },
    );
    return { version: { ...seen, because: null, stage: client.stage(), failure }, requests: client.requests() };
  } finally {
    await line.close();
  }
}

/** Asks one report of one hour, if it is wanted. */
export async function readReportsStage(
  settings: TargetSettings,
  isTried: boolean,
  context: RunContext,
): Promise<StageRead & { readonly seen: ReportsSeen }> {
  const [scope = ''] = REPORTS.actions['agents/availability'].scopes;
  const used = { api: REPORTS, setting: 'reports_api_version', version: settings.reportsApiVersion } as const;
  const access = await reportsAccess(settings, context).catch(refusalOf);
  if ('refusal' in access) {
    const version = unasked(used, 'there is no token for it');
    return { seen: { status: 'missing', scope, missing: access.refusal }, version, requests: {} };
  }
  if (!isTried) {
    const version = unasked(used, '--reports asks one report, which is billed');
    return { seen: { status: 'untried', scope, missing: null }, version, requests: {} };
  }
  const now = context.clock.now();
  const body = { distribution: 'hour', filters: timesOf({ from: now - HOUR, to: now }) };
  const asked = await askedOnce(used, access, ['agents/availability', body], settings, context);
  const { failure } = asked.version;
  if (failure === null) return { ...asked, seen: { status: 'ready', scope, missing: null } };
  const isForbidden = failure.type === 'authorization';
  const missing = isForbidden ? `the token lacks ${scope}: give it that scope` : new ApiError(failure).message;
  return { ...asked, seen: { status: isForbidden ? 'missing' : 'untried', scope, missing } };
}

function refusalOf(error: unknown): { readonly refusal: string } {
  if (error instanceof UsageError) return { refusal: error.message };
  throw error;
}
