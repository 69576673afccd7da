// A look in, a SARIF 2.1.0 log out, for code scanning: a rule for each kind of difference, a result for each item. A look that failed has no
// results at all: an empty list would say that everything is fine.

import type { Location, Log, Notification, ReportingDescriptor, Result, Run } from 'sarif';
import type { Severity } from '../../base/model.ts';
import type { DriftKind } from '../../project/drift-settings.ts';
import type { DriftItem, DriftNote, DriftReport, Look } from '../../tasks/drift/report.ts';
import { uncoloured } from '../paint.ts';
import { plain, wellFormed } from '../plain.ts';
import { asNamed, type PathInRepository } from '../repository-path.ts';
import { itemLines } from './item-lines.ts';
import { headline } from './resources.ts';
import { whyIgnored } from './words.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies {
  readonly [severity in Severity]: Result.level;
};

interface Rule {
  readonly name: string;
  readonly says: string;
  readonly help: string;
}

const TWO_WAYS = 'Apply the repository, or take the license over with `chatform drift --accept`.';

const RULES: { readonly [kind in DriftKind]: Rule } = {
  changed: { name: 'Changed', says: 'A value differs between the license and the manifest.', help: TWO_WAYS },
  missing: {
    name: 'Missing',
    says: 'A declared object is not on the license.',
    help: 'Apply to make it again, or take it out of the manifest with `chatform drift --accept`.',
  },
  unmanaged: {
    name: 'Unmanaged',
    says: 'An object is on the license that nothing declares.',
    help: 'Declare it with `chatform drift --accept`, delete it on the license, or add an ignore rule.',
  },
  reordered: { name: 'Reordered', says: 'An ordered list stands in another order than declared.', help: TWO_WAYS },
  unreadable: {
    name: 'Unreadable',
    says: 'A value cannot be read back, so nobody knows whether it differs.',
    help: 'Compare it by hand, or leave it out of the manifest.',
  },
  'pending-approval': {
    name: 'PendingApproval',
    says: 'An agent waits for an approval.',
    help: 'Approve the agent in the application of the service: an ordinary token cannot.',
  },
};

const KINDS = Object.keys(RULES) as readonly DriftKind[];

function rule(id: DriftKind): ReportingDescriptor {
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

/** Brackets would begin a link, and braces a placeholder: sections 3.11.5 and 3.11.6 of the standard. */
export function message(lines: readonly string[]): { readonly text: string } {
  return {
    text: lines
      .join('\n')
      .replaceAll(/[[\]\\]/g, '\\$&')
      .replaceAll(/[{}]/g, '$&$&'),
  };
}

/** What is located in the repository is relative to its root, wherever whoever reads the log has that: section 3.14.14. */
export const SOURCE_ROOT = { '%SRCROOT%': { description: { text: 'The root of the repository.' } } } as const;

/** What lies beyond the repository is named as the command names it, and is not relative to its root. */
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

function location({ address, source }: DriftItem, pathOf: PathInRepository): Location {
  const logicalLocations = [{ fullyQualifiedName: plain(address), kind: 'resource' }];
  return { ...(source === null ? {} : physical(source, pathOf)), logicalLocations };
}

function result(item: DriftItem, target: string, pathOf: PathInRepository): Result {
  const { kind, status, address, path, base, live, desired, first_seen, seen_count, returned, fight, ways_out } = item;
  return {
    ruleId: kind,
    ruleIndex: KINDS.indexOf(kind),
    kind: 'fail',
    level: LEVELS[item.severity],
    message: message([`${headline(item)} (${status})`, ...itemLines(item, uncoloured)]),
    locations: [location(item, pathOf)],
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

function note({ kind, message: said, source }: DriftNote, pathOf: PathInRepository): Notification {
  return {
    level: 'warning',
    message: message([plain(said)]),
    ...(source === null ? {} : { locations: [physical(source, pathOf)] }),
    properties: { kind },
  };
}

function run(target: string | null, outcome: Pick<Run, 'invocations' | 'results'>): Log {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'chatform', rules: KINDS.map(rule) } },
        // Several targets can be uploaded for one commit; the slash at the end makes all of it the category.
        automationDetails: { id: `chatform-drift/${target === null ? '' : `${plain(target)}/`}` },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: SOURCE_ROOT,
        ...outcome,
      },
    ],
  };
}

function seen(report: DriftReport, pathOf: PathInRepository): Log {
  const { target, at, items, ignored, notes } = report;
  return run(target, {
    invocations: [
      {
        executionSuccessful: true,
        endTimeUtc: at,
        toolConfigurationNotifications: notes.map((each) => note(each, pathOf)),
      },
    ],
    results: [...items, ...ignored].map((item) => result(item, target, pathOf)),
  });
}

export function driftSarif(look: Look, pathOf: PathInRepository = asNamed): string {
  const log =
    look.outcome === 'seen'
      ? seen(look.report, pathOf)
      : run(look.target, {
          invocations: [
            {
              executionSuccessful: false,
              endTimeUtc: look.at,
              toolExecutionNotifications: [
                { level: 'error', message: message([plain(look.message)]), timeUtc: look.at },
              ],
            },
          ],
        });
  return `${JSON.stringify(log, null, 2)}\n`;
}
