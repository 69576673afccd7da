// A format of reports: what it writes of outcomes, and how its files begin. No other file is ever replaced.

import type { Pieces } from '../base/pieces.ts';
import type { Table, View } from './blocks.ts';
import type { Findings, PathInRepository } from './findings.ts';

/** What there is to write of outcomes, of one target or of several. */
export interface Outputs<Outcome = unknown> {
  readonly outcomes: readonly Outcome[];
  readonly view: View;
  /** Of targets that have a page of their own, by name. */
  readonly pages?: ReadonlyMap<string, () => View>;
  readonly comment: () => View;
  readonly findings: readonly Findings[];
  readonly table: Table;
  readonly document: () => Pieces;
}

/** Each writer exports one, as `report`. */
export interface ReportWriter<Outcome = unknown> {
  readonly write: (outputs: Outputs<Outcome>, pathOf: PathInRepository) => Pieces;
  /** How its files begin, in their first 4096 bytes. */
  readonly begins: RegExp;
  /** It draws pictures, which are made for it alone, and targets may have a file each, next to that of all. */
  readonly draws?: true;
}

/** Name of the file of a target, next to that of all. */
export function pageFile(target: string): string {
  return `${target}.html`;
}

/** Loads the writer of each format. */
export interface Writers<Outcome = unknown> {
  readonly [format: string]: () => Promise<{ readonly report: ReportWriter<Outcome> }>;
}

/** What the title of a view begins with, as a pattern. */
export const TITLES = [
  'Plan',
  'Apply',
  'Destroy',
  'Undo',
  'Drift',
  'Customers',
  'Routing tests',
  'Routing',
  'Files',
  'Doctor',
  'Chats',
  'Content',
  'Weekly cover',
  'Group members',
  'Report (?:chats|agents|customers|tags|sales|stats)/\\S+',
  'Import',
  'History',
  'Difference',
].join('|');
