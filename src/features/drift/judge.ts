// Severity and fingerprint of each difference, whether the project ignores it, and the report of all of them.

import { KIND, STATUS, STATUSES, type Status } from '../../base/difference.ts';
import { digest } from '../../base/digest.ts';
import { globSource } from '../../base/glob.ts';
import {
  type Address,
  FORMAT_VERSION,
  type IgnoreRule,
  isAsSevere,
  SEVERITIES,
  type Severity,
  type Version,
} from '../../base/model.ts';
import { covers } from '../../kinds/selection.ts';
import type { ComparedKind, Difference } from '../../plan/differences/difference.ts';
import { sourceOf } from '../../plan/reference.ts';
import type { DriftSettings, SeverityRule } from '../../project/drift-settings.ts';
import type { DriftItem, DriftNote, DriftReport } from './schema.ts';

/** A difference with everything but when it was first seen. */
export type Judged = Difference & Pick<DriftItem, 'fingerprint' | 'severity' | 'ignored'>;

/** Judged differences, and notes about the ignore rules. */
export interface Judgement {
  readonly judged: readonly Judged[];
  readonly notes: readonly DriftNote[];
}

export interface JudgingContext {
  readonly target: string;
  readonly settings: DriftSettings;
  /** YYYY-MM-DD, in UTC. */
  readonly today: string;
  /** Every address that an ignore rule can name: declared, in the ledger, or live. */
  readonly addresses: readonly Address[];
}

export function judge(
  differences: readonly Difference[],
  { target, settings, today, addresses }: JudgingContext,
): Judgement {
  const rules = settings.ignore.map((rule) => ({ rule, covers: coverage(rule) }));
  const severityOf = severityBy(settings.severity);
  const judged = differences.map((difference): Judged => {
    const covering = rules.find(({ rule, covers }) => isInForce(rule, today) && covers(difference));
    const ignored = covering === undefined ? null : { reason: covering.rule.reason, until: covering.rule.until };
    return {
      ...difference,
      fingerprint: fingerprintOf(target, difference),
      severity: severityOf(difference),
      ignored,
    };
  });
  const notes = rules.flatMap(({ rule, covers }): readonly DriftNote[] => {
    const source = sourceOf(rule.place);
    if (!isInForce(rule, today)) {
      const reported = judged.filter((each) => each.ignored === null && covers(each)).length;
      const covering = reported === 0 ? 'remove it' : 'what it covered is reported again';
      const message = `the ignore rule for \`${rule.address}\` held until ${rule.until}: ${covering}`;
      return [{ kind: 'ignore-expired', message, source }];
    }
    if (addresses.some(speaksOf(rule.address))) return [];
    const message = `the ignore rule for \`${rule.address}\` covers nothing: there is no such address`;
    return [{ kind: 'ignore-idle', message, source }];
  });
  return { judged, notes };
}

function isInForce({ until }: IgnoreRule, today: string): boolean {
  return until === null || today <= until;
}

/** A rule for a field also covers its members; members that are addresses may be written as keys. */
function coverage({ address, path }: IgnoreRule): (difference: Difference) => boolean {
  const isMeant = speaksOf(address);
  // A path with the address of a person, in any capitals.
  const flags = path?.includes('@') === true ? 'siu' : 'su';
  const pattern = path === null ? null : new RegExp(`^${globSource(path)}(\\..*)?$`, flags);
  return (difference) => {
    if (!isMeant(difference.address)) return false;
    if (pattern === null) return true;
    return spellings(difference.path).some((spelling) => pattern.test(spelling));
  };
}

function spellings(path: readonly string[]): readonly string[] {
  const [field = '', ...members] = path;
  return [path.join('.'), [field, ...members.map((member) => member.replace(/^[a-z_]+\//, ''))].join('.')];
}

/** 32 hexadecimal digits. Values are not part of it, so it stays the same as long as the difference exists. */
function fingerprintOf(target: string, { kind, address, path }: Difference): string {
  return digest([target, kind, address, ...path]).slice(0, 32);
}

function severityBy(rules: readonly SeverityRule[]): (difference: Difference) => Severity {
  const known = rules.map((rule) => ({
    ...rule,
    isMeant: rule.address === null ? () => true : speaksOf(rule.address),
  }));
  return (difference) => {
    const rule = known.find(
      ({ isMeant, kind, status }) =>
        isMeant(difference.address) &&
        (kind === null || kind === difference.kind) &&
        (status === null || status === difference.status),
    );
    return rule?.severity ?? presetOf(difference);
  };
}

function presetOf({ status, kind, usual, ways_out: ways, reach, address, type, id }: Difference): Severity {
  const preset = KIND[kind].severity ?? STATUS[status].severity;
  // A difference that no apply can end needs no action.
  if (status === 'pending') return ways.includes('apply') && reach !== 'unreachable' ? preset : 'info';
  // Of a field that no file declares.
  if (status === 'drift' && kind === 'changed' && reach === null) return 'warning';
  if (status !== 'drift' || kind !== 'unmanaged') return STATUS[status].severity;
  if (ways.includes('apply')) return 'error';
  return !usual && ways.includes('accept') && address === `${type}/${id}` ? preset : 'info';
}

/** Whether a name covers an address. A name is an address, a glob or a bare kind, which is also the address of its list's order. */
export function speaksOf(name: string): (address: string) => boolean {
  const isCovered = covers([name]);
  return (address) => address === name || isCovered(address as Address);
}

/** What a check found, and how it is judged. */
export interface DriftFindings {
  readonly version: Version;
  readonly target: string;
  readonly at: string;
  readonly failOn: Severity;
  readonly items: readonly DriftItem[];
  readonly notes: readonly DriftNote[];
  readonly kinds: readonly ComparedKind[];
  readonly requests: number;
}

export function reportOf({ version, target, at, failOn, items, notes, kinds, requests }: DriftFindings): DriftReport {
  const bySeverity = items.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const counted = bySeverity.filter(({ ignored }) => ignored === null);
  const hidden = bySeverity.filter(({ ignored }) => ignored !== null);
  const counts = Object.fromEntries(
    STATUSES.map((status) => [status, counted.filter((item) => item.status === status).length]),
  ) as { readonly [status in Status]: number };
  const failing = counted.filter(({ severity }) => isAsSevere(severity, failOn)).length;
  const as = (severity: Severity): number => counted.filter((item) => item.severity === severity).length;
  return {
    format_version: FORMAT_VERSION,
    api_version: version,
    target,
    at,
    in_sync: failing === 0,
    fail_on: failOn,
    items: counted,
    ignored: hidden,
    notes,
    kinds,
    summary: {
      ...counts,
      total: counted.length,
      failing,
      unmanaged: counted.filter(({ status, kind }) => status === 'drift' && kind === 'unmanaged').length,
      ignored: hidden.length,
      by_severity: { error: as('error'), warning: as('warning'), info: as('info') },
    },
    requests,
  };
}
