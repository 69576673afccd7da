// SARIF 2.1.0 for code scanning: findings in the files, of a plan, of a drift check. Without a plan or a reading of the license the log says that the
// run failed: an empty list of results would close every alert.

import type { Invocation, Location, Log, Notification, ReportingDescriptor, Result, Run } from 'sarif';
import type { Diagnostic, Severity } from '../../base/model.ts';
import type { DriftKind } from '../../project/drift-settings.ts';
import type { DriftCheck, DriftItem, DriftNote } from '../../tasks/drift/report.ts';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { uncoloured } from '../../view/paint.ts';
import { plain, wellFormed } from '../../view/plain.ts';
import { itemLines } from '../text/differences.ts';
import { headline, notChecked, whyIgnored } from '../words/drift.ts';
import { asNamed, findingsOf, type PathInRepository, type PlanFinding, projectPlace } from './findings.ts';

/** `category` keeps the results of several commands and targets apart. */
export function logText(
  category: string,
  rules: readonly ReportingDescriptor[],
  invocation: Invocation,
  outcome: Pick<Run, 'results'>,
): string {
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'chatform', rules: [...rules] } },
        automationDetails: { id: category },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
        invocations: [invocation],
        ...outcome,
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Brackets would begin a link, and braces a placeholder: sections 3.11.5 and 3.11.6 of the standard. */
export function message(lines: readonly string[]): { readonly text: string } {
  return {
    text: lines
      .join('\n')
      .replaceAll(/[[\]\\]/g, '\\$&')
      .replaceAll(/[{}]/g, '$&$&'),
  };
}

/** Relative to the root of the repository (section 3.14.14), except for a file beyond it. */
export function physical(source: NonNullable<DriftItem['source']>, pathOf: PathInRepository): Location {
  const path = pathOf(source.file);
  const parts = wellFormed(path ?? source.file)
    .replaceAll('\\', '/')
    .split('/');
  return {
    physicalLocation: {
      artifactLocation: {
        uri: parts.map(encodeURIComponent).join('/'),
        ...(path === null ? {} : { uriBaseId: '%SRCROOT%' }),
      },
      region: { startLine: source.line, startColumn: source.column },
    },
  };
}

/** A rule for each code, a result for each finding in the files. */
export function diagnosticsSarif(
  diagnostics: readonly Diagnostic[],
  category: string,
  pathOf: PathInRepository,
): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))];
  const results = diagnostics.map(
    ({ code, severity, place, message: said, remedy, related }): Result => ({
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      kind: 'fail',
      level: severity,
      message: message([plain(said), ...(remedy === null ? [] : [plain(remedy)])]),
      locations: [physical(place, pathOf)],
      relatedLocations: related.map((other) => ({
        ...physical(other.place, pathOf),
        message: message([plain(other.message)]),
      })),
    }),
  );
  const rules = codes.map((id) => ({ id }));
  return logText(`${plain(category)}/`, rules, { executionSuccessful: true }, { results });
}

/** A rule for each sort of finding, a result for each finding. Why there is no plan is a result as well. */
export function planSarif(of: PlanResult, pathOf: PathInRepository): string {
  const findings = findingsOf(of, pathOf);
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const result = ({ rule, level, lines, source }: PlanFinding): Result => ({
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    kind: 'fail',
    level,
    message: message(lines),
    locations: [physical(source ?? projectPlace(pathOf), asNamed)],
  });
  const notifications = findings.map(({ lines }): Notification => ({ level: 'error', message: message(lines) }));
  const isSeen = of.outcome === 'planned' || of.diagnostics.length > 0;
  const target = of.outcome === 'failed' ? of.target : of.plan.target;
  return logText(
    `chatform-plan/${plain(target ?? 'project')}/`,
    rules.map((id) => ({ id })),
    isSeen ? { executionSuccessful: true } : { executionSuccessful: false, toolExecutionNotifications: notifications },
    { results: findings.map(result) },
  );
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies {
  readonly [severity in Severity]: Result.level;
};

interface RuleText {
  readonly name: string;
  readonly says: string;
  readonly help: string;
}

const TWO_WAYS = 'Apply the manifest, or copy the license into it with `chatform drift --accept`.';

const RULES: { readonly [kind in DriftKind]: RuleText } = {
  changed: { name: 'Changed', says: 'A value differs between the license and the manifest.', help: TWO_WAYS },
  missing: {
    name: 'Missing',
    says: 'A declared object is not on the license.',
    help: 'Apply to create it again, or remove it from the manifest with `chatform drift --accept`.',
  },
  unmanaged: {
    name: 'Unmanaged',
    says: 'An object is on the license, and the manifest does not declare it.',
    help: 'Declare it with `chatform drift --accept`, delete it on the license, or add an ignore rule.',
  },
  reordered: { name: 'Reordered', says: 'An ordered list is in another order than declared.', help: TWO_WAYS },
  unreadable: {
    name: 'Unreadable',
    says: 'A value cannot be read back, so it is not known whether it differs.',
    help: 'Compare it by hand, or leave it out of the manifest.',
  },
  'pending-approval': {
    name: 'PendingApproval',
    says: 'An agent waits for an approval.',
    help: 'Approve the agent in the application of the service: an ordinary token cannot.',
  },
  due: {
    name: 'Due',
    says: 'The hours of a date that has come are not applied yet.',
    help: 'Apply the manifest: a job that applies it each day keeps hours up to date.',
  },
};

const KINDS = Object.keys(RULES) as readonly DriftKind[];

function ruleOf(id: DriftKind): ReportingDescriptor {
  const { name, says, help } = RULES[id];
  return {
    id,
    name,
    shortDescription: { text: says },
    fullDescription: { text: says },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: 'warning' },
  };
}

/** A rule for each kind of difference, a result for each item. */
export function driftSarif(look: DriftCheck, pathOf: PathInRepository = asNamed): string {
  const isSeen = look.outcome === 'seen';
  const { target, at } = isSeen ? look.report : look;
  // Several targets can be uploaded for one commit; the slash at the end makes the whole id the category.
  const category = `chatform-drift/${target === null ? '' : `${plain(target)}/`}`;
  const rules = KINDS.map(ruleOf);
  if (!isSeen) {
    const failure: Notification = { level: 'error', message: message([plain(look.message)]), timeUtc: at };
    return logText(
      category,
      rules,
      { executionSuccessful: false, endTimeUtc: at, toolExecutionNotifications: [failure] },
      {},
    );
  }
  const { items, ignored, notes } = look.report;
  const unchecked = notChecked(look.report);
  return logText(
    category,
    rules,
    {
      executionSuccessful: true,
      endTimeUtc: at,
      toolConfigurationNotifications: [
        ...notes.map((each) => noteOf(each, pathOf)),
        ...(unchecked === null ? [] : [{ level: 'note', message: message([`not checked: ${unchecked}`]) } as const]),
      ],
    },
    { results: [...items, ...ignored].map((item) => driftResult(item, look.report.target, pathOf)) },
  );
}

function driftResult(item: DriftItem, target: string, pathOf: PathInRepository): Result {
  const { kind, status, address, path, base, live, desired, first_seen, seen_count, returned, fight, ways_out } = item;
  const { source } = item;
  return {
    ruleId: kind,
    ruleIndex: KINDS.indexOf(kind),
    kind: 'fail',
    level: LEVELS[item.severity],
    message: message([`${headline(item)} (${status})`, ...itemLines(item, uncoloured)]),
    locations: [
      {
        ...(source === null ? {} : physical(source, pathOf)),
        logicalLocations: [{ fullyQualifiedName: plain(address), kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'chatformDrift/v1': item.fingerprint },
    suppressions:
      item.ignored === null ? [] : [{ kind: 'external', status: 'accepted', justification: whyIgnored(item) }],
    properties: {
      target,
      address,
      status,
      path,
      base,
      live,
      desired,
      first_seen,
      seen_count,
      returned,
      fight,
      ways_out,
    },
  };
}

function noteOf({ kind, message: said, source }: DriftNote, pathOf: PathInRepository): Notification {
  return {
    level: 'warning',
    message: message([plain(said)]),
    ...(source === null ? {} : { locations: [physical(source, pathOf)] }),
    properties: { kind },
  };
}
