// The checks of a target, from everything that was seen of it. Pure: no network, disk or clock.

import { readinessOf } from '../test/customer/needs.ts';
import {
  checkCredential,
  checkOtherVersion,
  checkReadScopes,
  checkVersion,
  checkWriteScopes,
  scopesOf,
} from './access.ts';
import { checkLedger, checkManifest, checkPlan, checkProject, checkSecrets } from './files.ts';
import { type CheckResult, unchecked } from './finding.ts';
import { checkLimits, usesOf } from './limits.ts';
import { checkAddress, checkClock, checkEncryption, checkRegion, clockSkew } from './line.ts';
import type { Observed } from './observed.ts';
import type { Check, CheckStatus, DoctorDocument, DoctorFinding } from './schema.ts';

/** What `doctor --json` prints, without what every document has. */
export type Diagnosis = Omit<DoctorDocument, 'format_version' | 'errored' | 'requests_sent' | 'diagnostics'>;

export function diagnose(observed: Observed): Diagnosis {
  const { subject, service, planned, customers, reports, otherVersions, now } = observed;
  const scopes = service === null ? null : scopesOf(service, planned);
  const limits = service === null ? null : usesOf(service, planned);
  const asked = subject === null || service === null || scopes === null ? null : { subject, service, scopes };
  const ifAsked = (check: (seen: NonNullable<typeof asked>) => CheckResult): CheckResult =>
    asked === null ? unchecked('the target is not known') : check(asked);
  const ifUsed = (api: 'customer' | 'reports'): CheckResult =>
    otherVersions === null ? unchecked('the target is not known') : checkOtherVersion(otherVersions[api], now);
  const results: { readonly [check in Check]: CheckResult } = {
    project: checkProject(observed),
    manifest: checkManifest(observed),
    ledger: checkLedger(observed.ledger),
    secrets: checkSecrets(observed.sink, observed),
    address: ifAsked((seen) => checkAddress(seen.subject, seen.service)),
    encryption: ifAsked((seen) => checkEncryption(seen.subject, seen.service)),
    version: ifAsked((seen) => checkVersion(seen.subject, seen.service, now)),
    customer_version: ifUsed('customer'),
    reports_version: ifUsed('reports'),
    region: ifAsked((seen) => checkRegion(seen.service)),
    clock: ifAsked((seen) => checkClock(seen.service)),
    credential: ifAsked((seen) => checkCredential(seen.subject, seen.service)),
    read_scopes: ifAsked((seen) => checkReadScopes(seen.service)),
    plan: checkPlan(planned, observed.ledger),
    write_scopes: ifAsked((seen) => checkWriteScopes(planned, seen.scopes)),
    limits: ifAsked((seen) => checkLimits(limits, seen.service)),
  };
  const checks = Object.entries(results).map(
    ([check, result]): DoctorFinding => ({ check: check as Check, ...result }),
  );
  const count = (status: CheckStatus): number => checks.filter((each) => each.status === status).length;
  return {
    target: subject?.target ?? null,
    api_version: subject?.version ?? null,
    checks,
    summary: {
      ok: count('ok'),
      warning: count('warning'),
      problem: count('problem'),
      unchecked: count('unchecked'),
    },
    scopes: scopes && {
      needed: scopes.needed,
      granted: scopes.granted,
      missing_to_read: scopes.missingToRead,
      missing_to_write: scopes.missingToWrite,
      untried: scopes.untried,
    },
    limits:
      limits?.map(({ resource, kind, allowed, present, creates, deletes }) => ({
        resource,
        type: kind,
        limit: Number.isFinite(allowed) ? allowed : null,
        present,
        to_add: creates,
        to_destroy: deletes,
      })) ?? null,
    shared: (service?.shared ?? []).map(({ kind, ...seen }) => ({ type: kind, ...seen })),
    customers: customers === null ? null : readinessOf(customers),
    reports,
    clock_skew_ms: service === null ? null : clockSkew(service.attempts),
  };
}
