// Everything that was seen of a target in, what each check came to out. Pure: no network, disk or clock.

import {
  credentialVerdict,
  readScopesVerdict,
  type Scopes,
  scopesOf,
  versionVerdict,
  writeScopesVerdict,
} from './access.ts';
import { ledgerVerdict, manifestVerdict, planVerdict, projectVerdict, secretsVerdict } from './files.ts';
import { CHECKS, type Check, type Finding, STATUSES, type Status, unchecked, type Verdict } from './finding.ts';
import { limitsVerdict, type Room, roomsOf } from './limits.ts';
import { addressVerdict, clockSkew, clockVerdict, encryptionVerdict, regionVerdict } from './line.ts';
import type { Observed } from './observed.ts';

export interface Diagnosis {
  /** One for each check, in their order. */
  readonly findings: readonly Finding[];
  readonly summary: { readonly [status in Status]: number };
  /** Null when nothing was asked. */
  readonly scopes: Scopes | null;
  /** Null when the license does not say. */
  readonly limits: readonly Room[] | null;
  /** Milliseconds by which the service's clock is ahead; null when no reply told the time. */
  readonly clockSkew: number | null;
}

const UNKNOWN: Verdict = unchecked('the target is not known');

function serviceVerdicts(observed: Observed, scopes: Scopes | null, rooms: readonly Room[] | null) {
  const { subject, service, planned, now } = observed;
  if (subject === null || service === null || scopes === null) return null;
  return {
    address: addressVerdict(subject, service),
    encryption: encryptionVerdict(subject, service),
    version: versionVerdict(subject, service, now),
    region: regionVerdict(service),
    clock: clockVerdict(service),
    credential: credentialVerdict(subject, service),
    read_scopes: readScopesVerdict(service),
    write_scopes: writeScopesVerdict(planned, scopes),
    limits: limitsVerdict(rooms, service),
  };
}

export function diagnose(observed: Observed): Diagnosis {
  const { service, planned } = observed;
  const scopes = service === null ? null : scopesOf(service, planned);
  const limits = service === null ? null : roomsOf(service, planned);
  const verdicts: { readonly [check in Check]?: Verdict } = {
    project: projectVerdict(observed),
    manifest: manifestVerdict(observed),
    ledger: ledgerVerdict(observed.ledger),
    secrets: secretsVerdict(observed.sink, observed),
    plan: planVerdict(planned),
    ...serviceVerdicts(observed, scopes, limits),
  };
  const findings = CHECKS.map((check): Finding => ({ check, ...(verdicts[check] ?? UNKNOWN) }));
  const count = (status: Status): number => findings.filter((finding) => finding.status === status).length;
  const [ok = 0, warning = 0, problem = 0, left = 0] = STATUSES.map(count);
  return {
    findings,
    summary: { ok, warning, problem, unchecked: left },
    scopes,
    limits,
    clockSkew: service === null ? null : clockSkew(service.attempts),
  };
}
