// Findings as SARIF 2.1.0 for code scanning: a run for each target. A run that knows nothing has no list of results: an empty one would close every alert.

import type { Invocation, Location, Log, Notification, ReportingDescriptor, Result, Run } from 'sarif';
import type { Severity } from '../../base/model.ts';
import { jsonPieces } from '../../base/pieces.ts';
import type { SourcePlace } from '../../plan/plan.ts';
import {
  type Finding,
  type FindingNote,
  type Findings,
  type PathInRepository,
  PROJECT_FILE,
  type Rule,
} from '../findings.ts';
import { plain, wellFormed } from '../plain.ts';
import type { ReportWriter } from '../report.ts';
import { itemText } from './terminal-items.ts';

export const report: ReportWriter = {
  write: ({ findings }, pathOf) => sarif(findings, pathOf),
  begins:
    /^\{\s*"\$schema": ?"https:\/\/json\.schemastore\.org\/sarif-2\.1\.0\.json",\s*"version": ?"2\.1\.0",\s*"runs": ?\[\s*\{\s*"tool": ?\{\s*"driver": ?\{\s*"name": ?"chatform"/,
};

export function* sarif(all: readonly Findings[], pathOf: PathInRepository): Generator<string> {
  const runs = all.map((findings) => runOf(findings, pathOf));
  const log: WrittenLog = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs };
  yield* jsonPieces(log, '  ');
  yield '\n';
}

/** Results are made as they are written. */
type WrittenRun = Omit<Run, 'results'> & { readonly results?: Generator<Result> };
type WrittenLog = Omit<Log, 'runs'> & { readonly runs: readonly WrittenRun[] };

function runOf(of: Findings, pathOf: PathInRepository): WrittenRun {
  const { findings, failure, notes, at, operation, scope } = of;
  const reported = findings.filter(({ result }) => result !== 'passed' && result !== 'unknown');
  const rules = of.rules.length > 0 ? of.rules.map(({ id }) => id) : [...new Set(reported.map(({ rule }) => rule))];
  const unknown = findings.filter(({ result }) => result === 'unknown');
  const execution = [
    ...(failure === null ? [] : [{ level: 'error', message: message([plain(failure)]), ...timed(at) } as const]),
    ...unknown.map((each): Notification => ({ level: 'note', message: message(linesOf(each)) })),
  ];
  const configuration = notes.map((note) => notificationOf(note, pathOf));
  const invocation: Invocation = {
    executionSuccessful: failure === null,
    ...(at === null ? {} : { endTimeUtc: at }),
    ...(execution.length === 0 ? {} : { toolExecutionNotifications: execution }),
    ...(configuration.length === 0 ? {} : { toolConfigurationNotifications: configuration }),
  };
  return {
    tool: {
      driver: {
        name: 'chatform',
        rules: of.rules.length > 0 ? of.rules.map(descriptorOf) : rules.map((id) => ({ id })),
      },
    },
    // It keeps the results of several commands and targets apart; the slash at its end makes the whole of it the category.
    automationDetails: { id: `${[`chatform-${operation}`, ...scope].map(plain).join('/')}/` },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
    invocations: [invocation],
    ...(failure !== null && reported.length === 0 ? {} : { results: resultsOf(reported, of, rules, pathOf) }),
  };
}

function* resultsOf(
  reported: readonly Finding[],
  of: Findings,
  rules: readonly string[],
  pathOf: PathInRepository,
): Generator<Result> {
  for (const each of reported) yield resultOf(each, of, rules, pathOf);
}

function timed(at: string | null): { readonly timeUtc?: string } {
  return at === null ? {} : { timeUtc: at };
}

function descriptorOf({ id, name, says, help }: Rule): ReportingDescriptor {
  return {
    id,
    name,
    shortDescription: { text: says },
    fullDescription: { text: says },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: 'warning' },
  };
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies {
  readonly [level in Severity]: Result.level;
};

function resultOf(finding: Finding, of: Findings, rules: readonly string[], pathOf: PathInRepository): Result {
  const { rule, level, subject, place, fingerprint, related = [], data } = finding;
  const physical = place === null ? (subject === '' ? projectLocation(pathOf) : {}) : locationOf(place, pathOf);
  const logical =
    subject === '' ? {} : { logicalLocations: [{ fullyQualifiedName: plain(subject), kind: 'resource' }] };
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    kind: 'fail',
    level: LEVELS[level],
    message: message(linesOf(finding)),
    locations: [{ ...physical, ...logical }],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((other) => ({
            ...locationOf(other.place, pathOf),
            message: message([plain(other.text)]),
          })),
        }),
    ...(of.fingerprints === null || fingerprint === null
      ? {}
      : { partialFingerprints: { [of.fingerprints]: fingerprint } }),
    ...(of.findings.some((each) => each.result === 'ignored') ? { suppressions: suppressionsOf(finding) } : {}),
    ...(data === undefined ? {} : { properties: data }),
  };
}

/** As soon as one result has suppressions, each must say whether it has any: section 3.27.23. */
function suppressionsOf({ result, reason = '' }: Finding): Result['suppressions'] {
  return result === 'ignored' ? [{ kind: 'external', status: 'accepted', justification: plain(reason) }] : [];
}

/** What a finding says: its lines, then its item in the form of a terminal. */
export function linesOf({ lines, item }: Finding): readonly string[] {
  return [...lines.map(plain), ...(item === null ? [] : itemText(item.item, item.sides))];
}

function notificationOf({ kind, level, text, place }: FindingNote, pathOf: PathInRepository): Notification {
  return {
    level,
    message: message([plain(text)]),
    ...(place === null ? {} : { locations: [locationOf(place, pathOf)] }),
    ...(kind === null ? {} : { properties: { kind } }),
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

/** Relative to the root of the repository (section 3.14.14), except for a file beyond it. */
export function locationOf(place: SourcePlace, pathOf: PathInRepository): Location {
  const path = pathOf(place.file);
  const parts = wellFormed(path ?? place.file)
    .replaceAll('\\', '/')
    .split('/');
  return {
    physicalLocation: {
      artifactLocation: {
        uri: parts.map(encodeURIComponent).join('/'),
        ...(path === null ? {} : { uriBaseId: '%SRCROOT%' }),
      },
      region: { startLine: place.line, startColumn: place.column },
    },
  };
}

function projectLocation(pathOf: PathInRepository): Location {
  return locationOf({ file: pathOf(PROJECT_FILE) ?? PROJECT_FILE, line: 1, column: 1 }, (file) => file);
}
