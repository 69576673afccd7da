// Findings: what a program shows next to a line of a file or counts as a test: rule, level, subject, place, text, fingerprint. Every text is raw.

import type { JsonObject, Severity } from '../base/model.ts';
import type { SourcePlace } from '../plan/plan.ts';
import type { Item, Side } from './blocks.ts';

export interface Finding {
  /** What to filter by. */
  readonly rule: string;
  readonly level: Severity;
  /** `unknown`: it could not be found out. */
  readonly result: 'failed' | 'reported' | 'ignored' | 'passed' | 'unknown';
  /** The address of the object, or what was checked. */
  readonly subject: string;
  /** Without values, so that it is the same as long as it is the same finding. */
  readonly title: string;
  /** What it says, the most important line first; empty where `item` says all. */
  readonly lines: readonly string[];
  /** Shown in full, in the words of a terminal. */
  readonly item: ItemInFull | null;
  readonly place: SourcePlace | null;
  /** Null: the writer makes one of rule, place and lines. */
  readonly fingerprint: string | null;
  /** Why it is ignored. */
  readonly reason?: string;
  /** Other places that take part. */
  readonly related?: readonly { readonly place: SourcePlace; readonly text: string }[];
  /** For programs that read the format. */
  readonly data?: JsonObject;
}

export interface ItemInFull {
  readonly item: Item;
  readonly sides: readonly Side[];
}

export interface Rule {
  readonly id: string;
  /** In CamelCase. */
  readonly name: string;
  readonly says: string;
  readonly help: string;
}

export interface FindingNote {
  /** What it is about; null for a note of no sort. */
  readonly kind: string | null;
  readonly level: 'warning' | 'note';
  readonly text: string;
  readonly place: SourcePlace | null;
}

/** The findings of one operation on one target. */
export interface Findings {
  /** Such as `drift`. */
  readonly operation: string;
  /** The target, and what else keeps the findings of several runs apart; empty where it failed before that was known. */
  readonly scope: readonly string[];
  /** RFC 3339; null where the operation has no time of its own. */
  readonly at: string | null;
  /** The case that says whether there are findings at all: `the license was read`. */
  readonly check: string;
  /** Why nothing is known; null for an operation that came to a result. Then `findings` say nothing about what there is. */
  readonly failure: string | null;
  /** The result in words. */
  readonly lines: readonly string[];
  /** Empty for rules that only their ids describe. */
  readonly rules: readonly Rule[];
  readonly findings: readonly Finding[];
  readonly notes: readonly FindingNote[];
  /** The name of its fingerprints; null where they have none. */
  readonly fingerprints: string | null;
}

/** Where a finding without a place stands in formats that need one. */
export const PROJECT_FILE = 'chatform.yaml';

/** A file as its repository names it, from the file as the command names it; null for a file beyond the repository. */
export type PathInRepository = (file: string) => string | null;
