// The runs of several ledgers in one list, newest first: a run over several targets is one line with its counts.

import { addCounts, countedBy, groupedBy } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { IndexEntry, Together } from '../../many/operation.ts';
import type { Block, Row, Text } from '../../view/blocks.ts';
import { shortId } from '../../view/plain.ts';
import { undoCommand } from '../../view/words/commands.ts';
import { whoText } from '../../view/words/who.ts';
import { asksObjects, type HistoryQuestion } from './history.ts';
import type { RunEntry } from './schema.ts';
import { reasonTexts, type ShownHistory } from './view.ts';
import * as words from './words.ts';

interface RunOfTarget {
  readonly target: string;
  readonly entry: RunEntry;
}

/** The parts of a run in the ledgers, newest first. */
type RunOfTargets = readonly [RunOfTarget, ...RunOfTarget[]];

/** What single runs did to their objects is said of each target. */
export function togetherOf(entries: readonly IndexEntry<ShownHistory>[], question: HistoryQuestion): Together {
  const { run, last } = question;
  if (run === null && asksObjects(question)) return { blocks: [], isAll: false };
  const known = entries.flatMap(({ outcome }) => (outcome.state === 'known' ? [outcome] : []));
  const parts = known
    .flatMap(({ target, value }) => value.runs.map((entry) => ({ target, entry })))
    .toSorted((one, other) => Date.parse(other.entry.at) - Date.parse(one.entry.at));
  const runs = [...groupedBy(parts, ({ target, entry }) => entry.fleet_run ?? `${target} ${entry.id}`).values()];
  const shown = last === null ? runs : runs.slice(0, last);
  const older = runs.length - shown.length + known.reduce((sum, { value }) => sum + value.older, 0);
  if (shown.length === 0) return { blocks: [], isAll: false };
  const titles = ['Run', 'When (UTC)', 'How', 'Who', 'Targets', 'Undo', 'What'];
  const columns = titles.map((title) => ({ title, ...(title === 'Undo' ? { dispensable: 1 } : {}) }));
  const fleetRuns = new Map(parts.map(({ entry }) => [entry.id, entry.fleet_run]));
  const [meant] = shown;
  const undo = run === null || meant === undefined ? null : undoText(meant);
  return {
    blocks: [
      { type: 'table', name: 'Runs', columns, rows: shown.map((own) => rowOf(own, fleetRuns)) },
      ...(older === 0 ? [] : [text('Older runs: --limit N shows more, --json all of them.')]),
      ...(undo === null ? [] : [text(undo)]),
    ],
    isAll: run === null,
  };
}

function text(of: Text): Block {
  return { type: 'text', text: of };
}

/** `fleetRuns`: by the id of a run in a ledger. */
function rowOf(parts: RunOfTargets, fleetRuns: ReadonlyMap<string, string | null>): Row {
  const [{ target, entry }] = parts;
  const { fleet_run: fleetRun } = entry;
  const targets = new Set(parts.map((part) => part.target));
  const entries = parts.map((part) => part.entry);
  return {
    cells: [
      { text: shortId(fleetRun ?? entry.id), as: 'address' },
      words.minuteText(entries.at(-1)?.at ?? entry.at),
      words.howText(fleetRun === null ? entry : { ...entry, undoes: fleetRuns.get(entry.undoes ?? '') ?? null }),
      whoText(entry.by),
      fleetRun === null ? target : counted(targets.size, 'target'),
      fleetRun === null ? undoOf(entry) : countsText(entries.map(({ undo }) => words.POSSIBLE[undo.possible])),
      whatOf(entries),
    ],
    remarks: reasonTexts(entry),
  };
}

function undoOf({ undo: { possible, reason } }: RunEntry): string {
  return reason === null ? words.POSSIBLE[possible] : `${words.POSSIBLE[possible]}: ${reason}`;
}

/** `yes`; of several words `28 yes, 2 no`. */
function countsText(said: readonly string[]): string {
  const counts = [...countedBy(said, (each) => each)];
  return counts.length === 1 ? (said[0] ?? '') : counts.map(([word, count]) => `${count} ${word}`).join(', ');
}

/** What all parts changed; how they ended, where that was not as meant. */
function whatOf(entries: readonly RunEntry[]): string {
  const changes = addCounts(entries.map((entry) => entry.changes));
  const what = words.changesText({ changes, command: entries[0]?.command ?? null });
  const isDone = entries.every(({ outcome }) => outcome === 'done');
  return isDone ? what : `${countsText(entries.map(({ outcome }) => words.RUN_ENDINGS[outcome]))}: ${what}`;
}

/** Null for a run of one target: its section says it. */
function undoText(parts: RunOfTargets): Text | null {
  const [{ entry }] = parts;
  const { fleet_run: fleetRun } = entry;
  if (fleetRun === null) return null;
  const ofAll = new Set(parts.map((part) => part.entry.undo.possible));
  if (!ofAll.has('yes') && !ofAll.has('in_part')) return 'No target of this run can be taken back.';
  return ['Can be undone on all of them: ', { text: undoCommand(null, fleetRun), as: 'command' }];
}
