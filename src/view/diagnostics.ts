// Diagnostics of files as findings and as a section of a view.

import type { Diagnostic } from '../base/model.ts';
import { capital, counted, findingCounts } from '../base/text.ts';
import type { Item, Section, Table } from './blocks.ts';
import type { Finding, FindingNote, Findings } from './findings.ts';

export function diagnosticFindings(diagnostics: readonly Diagnostic[]): readonly Finding[] {
  return diagnostics.map(({ code, severity, place, message, remedy, related }) => ({
    rule: code,
    level: severity,
    result: severity === 'error' ? 'failed' : 'reported',
    subject: '',
    title: `${code}: ${message}`,
    lines: [message, ...(remedy === null ? [] : [remedy])],
    item: null,
    place,
    fingerprint: null,
    related: related.map((each) => ({ place: each.place, text: each.message })),
  }));
}

/** The findings of an operation that has no others. `target` is null where it is not known. */
export function findingsInFiles(
  { target, ...about }: Pick<Findings, 'operation' | 'at' | 'check'> & { readonly target: string | null },
  diagnostics: readonly Diagnostic[],
): Findings {
  return {
    ...about,
    scope: target === null ? [] : [target],
    failure: null,
    lines: [],
    rules: [],
    findings: diagnosticFindings(diagnostics),
    notes: [],
    fingerprints: null,
  };
}

/** The same where they are no result: they say why there is none. */
export function diagnosticNotes(diagnostics: readonly Diagnostic[]): readonly FindingNote[] {
  return diagnostics.map(({ code, place, message }) => ({ kind: code, level: 'warning', text: message, place }));
}

const MARKS = {
  error: { sign: '!', word: 'error', tone: 'error' },
  warning: { sign: '!', word: 'warning', tone: 'warning' },
} as const;

/** Each at its place; no section without one. */
export function diagnosticsSection(diagnostics: readonly Diagnostic[]): readonly Section[] {
  if (diagnostics.length === 0) return [];
  const { errors, warnings } = findingCounts(diagnostics);
  const items = diagnostics
    .filter(({ more }) => more === undefined)
    .map(
      ({ code, severity, place, message, remedy }): Item => ({
        mark: MARKS[severity],
        label: [{ text: code, as: 'code' }],
        about: message,
        place,
        remarks: remedy === null ? [] : [remedy],
        weight: severity === 'error' ? 1 : 0,
      }),
    );
  const remarks = diagnostics.flatMap(({ more, message }) => (more === undefined ? [] : [`${capital(message)}.`]));
  return [
    {
      type: 'section',
      id: 'findings',
      title: 'Findings',
      tone: errors > 0 ? 'error' : 'warning',
      count: errors + warnings,
      body: [{ type: 'items', sides: [], items, isOpen: errors > 0, isRemarked: true, remarks }],
      ...(errors > 0 ? {} : { fold: { brief: counted(warnings, 'warning') } }),
    },
  ];
}

/** A row for each. */
export function diagnosticsTable(diagnostics: readonly Diagnostic[]): Table {
  return {
    type: 'table',
    columns: ['severity', 'code', 'file', 'line', 'column', 'message', 'remedy'].map((title) => ({ title })),
    rows: diagnostics.map(({ severity, code, place, message, remedy }) => ({
      cells: [severity, code, place.file, place.line, place.column, message, remedy ?? ''],
    })),
  };
}
