// The texts of the manifest's files as an import leaves them. Touches no disk.

import { UsageError } from '../base/errors.ts';
import { equalJson } from '../base/json.ts';
import type { Address, Desired, DesiredResource, External } from '../base/model.ts';
import type { PlanInput } from '../plan/input.ts';
import { editYaml } from './edit/edit.ts';
import type { ImportEntry } from './entry.ts';
import type { ImportChoice, Imported } from './imported.ts';
import { type BaseFile, type FileChange, type Home, layoutOf } from './layout.ts';
import { settle } from './settle.ts';
import type { Heading } from './text.ts';

/** A file of the manifest; not an overlay. */
export interface SourceFile extends BaseFile {
  readonly text: string;
}

export interface DraftInput {
  readonly license: PlanInput;
  readonly choice: ImportChoice;
  readonly files: readonly SourceFile[];
  readonly home: Home;
  readonly headingOf: (path: string) => Heading;
}

export interface DraftedFile {
  readonly path: string;
  /** Null for a new file. */
  readonly before: string | null;
  readonly text: string;
  readonly entries: readonly ImportEntry[];
}

export interface ImportDraft {
  readonly imported: Imported;
  readonly files: readonly DraftedFile[];
  /** What reading the files must give. */
  readonly desired: Desired;
}

/** @throws UsageError when an entry cannot be added where it belongs */
export function draftImport({ license, choice, files, home, headingOf }: DraftInput): ImportDraft {
  const { imported, desired } = settle(license, choice);
  const entries = [...imported.lookedUp, ...imported.entries];
  const changes = layoutOf({ entries, ruleOrder: desired.ruleOrder, files, home, headingOf });
  return { imported, desired, files: changes.map((change) => drafted(change, files)) };
}

function drafted(change: FileChange, files: readonly SourceFile[]): DraftedFile {
  const { path, entries } = change;
  if (change.type === 'new') return { path, before: null, text: change.text, entries };
  const before = files.find((file) => file.path === path)?.text ?? '';
  const edited = editYaml(path, before, change.edits);
  if ('text' in edited) return { path, before, text: edited.text, entries };
  const what = edited.edit === null ? '' : `, where \`${edited.edit.path.join('.')}\` belongs`;
  throw new UsageError(`${path} cannot be added to${what}: ${edited.refused.message}; nothing was written`);
}

/** Addresses whose resource reads otherwise than it was meant. Empty when the files are right. */
export function unlike(meant: Desired, read: Desired): readonly Address[] {
  const known = new Map(all(read).map((each) => [each.address, each]));
  const differing = all(meant).filter((each) => !isSame(each, known.get(each.address)));
  const expected = new Set(all(meant).map(({ address }) => address));
  const extra = all(read).filter(({ address }) => !expected.has(address));
  const order = equalJson(meant.ruleOrder, read.ruleOrder) ? [] : read.ruleOrder;
  return [...differing, ...extra].map(({ address }) => address).concat(order);
}

function all({ resources, externals }: Desired): readonly (DesiredResource | External)[] {
  return [...resources, ...externals];
}

function isSame(one: DesiredResource | External, other: DesiredResource | External | undefined): boolean {
  if (other === undefined) return false;
  const withoutPlace = ({ place: _, ...rest }: DesiredResource | External) => rest;
  return equalJson(withoutPlace(one), withoutPlace(other));
}
