// The checks of a target, from everything that was seen of it. Pure: no network, disk or clock.

import { type CheckReadiness, readinessOf } from '../verify/needs.ts';
import { checkCredential, checkReadScopes, checkVersion, checkWriteScopes, type Scopes, scopesOf } from './access.ts';
import { checkLedger, checkManifest, checkPlan, checkProject, checkSecrets } from './files.ts';
import { type CheckResult, unchecked } from './finding.ts';
import { checkLimits, type LimitUse, usesOf } from './limits.ts';
import { checkAddress, checkClock, checkEncryption, checkRegion, clockSkew } from './line.ts';
import type { Observed, ReportsSeen } from './observed.ts';
import type { Check, CheckStatus, Finding } from './schema.ts';

export interface Diagnosis {
  /** One for each check, always in the same order. */
  readonly findings: readonly Finding[];
  readonly summary: { readonly [status in CheckStatus]: number };
  /** Null when nothing was asked. */
  readonly scopes: Scopes | null;
  /** Null when the license does not say. */
  readonly limits: readonly LimitUse[] | null;
  /** What each check of `verify` needs; null when the target is not known. */
  readonly verify: readonly CheckReadiness[] | null;
  /** What reports need; null when the target is not known. */
  readonly reports: ReportsSeen | null;
  /** Milliseconds by which the service's clock is ahead; null when no reply contained a time. */
  readonly clockSkew: number | null;
}

export function diagnose(observed: Observed): Diagnosis {
  const { subject, service, planned, customers, reports, now } = observed;
  const scopes = service === null ? null : scopesOf(service, planned);
  const limits = service === null ? null : usesOf(service, planned);
  const asked = subject === null || service === null || scopes === null ? null : { subject, service, scopes };
  const ifAsked = (check: (seen: NonNullable<typeof asked>) => CheckResult): CheckResult =>
    asked === null ? unchecked('the target is not known') : check(asked);
  const results: { readonly [check in Check]: CheckResult } = {
    project: checkProject(observed),
    manifest: checkManifest(observed),
    ledger: checkLedger(observed.ledger),
    secrets: checkSecrets(observed.sink, observed),
    address: ifAsked((seen) => checkAddress(seen.subject, seen.service)),
    encryption: ifAsked((seen) => checkEncryption(seen.subject, seen.service)),
    version: ifAsked((seen) => checkVersion(seen.subject, seen.service, now)),
    region: ifAsked((seen) => checkRegion(seen.service)),
    clock: ifAsked((seen) => checkClock(seen.service)),
    credential: ifAsked((seen) => checkCredential(seen.subject, seen.service)),
    read_scopes: ifAsked((seen) => checkReadScopes(seen.service)),
    plan: checkPlan(planned),
    write_scopes: ifAsked((seen) => checkWriteScopes(planned, seen.scopes)),
    limits: ifAsked((seen) => checkLimits(limits, seen.service)),
  };
  const findings = Object.entries(results).map(([check, result]): Finding => ({ check: check as Check, ...result }));
  const count = (status: CheckStatus): number => findings.filter((finding) => finding.status === status).length;
  return {
    findings,
    summary: {
      ok: count('ok'),
      warning: count('warning'),
      problem: count('problem'),
      unchecked: count('unchecked'),
    },
    scopes,
    limits,
    verify: customers === null ? null : readinessOf(customers),
    reports,
    clockSkew: service === null ? null : clockSkew(service.attempts),
  };
}
