// Words for runs of a ledger: who, what, and how they ended.

import { counted } from '../../base/text.ts';
import type { RunAction } from '../../ledger/changes.ts';
import type { Starter } from '../../ledger/events.ts';
import { plain, shortId, time } from '../../view/plain.ts';
import { whoText } from '../../view/words/who.ts';
import type { FieldOfRun, RunEntry, RunHistory } from './schema.ts';

/** Everything that is known of who started a run, one line each. */
export function whoLines(by: Starter | null): readonly string[] {
  if (by?.ci === undefined) return [whoText(by)];
  const { ci, actor, repository, request, commit, job } = by;
  return [
    `${actor === undefined ? '' : `${actor}, by `}${ci}${repository === undefined ? '' : ` in ${repository}`}`,
    ...(request === undefined ? [] : [`request #${request}`]),
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    ...(job === undefined ? [] : [job]),
  ].map(plain);
}

export const RUN_ENDINGS: { readonly [outcome in RunEntry['outcome']]: string } = {
  done: 'complete',
  failed: 'failed',
  partial: 'in part',
  unsettled: 'not settled',
  interrupted: 'interrupted',
  killed: 'killed',
};

/** Whether a run can be undone. */
export const POSSIBLE: { readonly [possible in RunEntry['undo']['possible']]: string } = {
  yes: 'yes',
  in_part: 'in part',
  no: 'no',
};

/** `3 changed, 1 destroyed`. */
export function changesText({ changes, command }: Pick<RunEntry, 'changes' | 'command'>): string {
  const parts = Object.entries(changes).map(([action, count]) =>
    action === 'secret' || action === 'token'
      ? counted(count, action)
      : action === 'secret_due'
        ? `${counted(count, 'secret')} due`
        : action === 'token_unanswered'
          ? `${counted(count, 'token')} without an answer`
          : `${count} ${action === 'unknown' ? 'not known' : plain(action)}`,
  );
  if (parts.length > 0) return parts.join(', ');
  return command?.startsWith('api ') === true ? 'not recorded' : 'no changes';
}

/** The same, after how the run ended where that was not as meant. */
export function whatText(entry: Pick<RunEntry, 'changes' | 'command' | 'outcome'>): string {
  return entry.outcome === 'done' ? changesText(entry) : `${RUN_ENDINGS[entry.outcome]}: ${changesText(entry)}`;
}

/** `apply`; of an undo `undo of 2f29299d`. */
export function howText({ command, undoes }: Pick<RunEntry, 'command' | 'undoes'>): string {
  return `${plain(command ?? '-')}${undoes === null ? '' : ` of ${shortId(undoes)}`}`;
}

/** `2026-11-23 05:56`, in UTC. */
export function minuteText(at: string): string {
  return time(at).slice(0, 16).replace('T', ' ');
}

/** What a compaction removed; null for a whole ledger. */
export function compactedText({ compacted }: Pick<RunHistory, 'compacted'>): string | null {
  if (compacted === null) return null;
  const { at, by, before, hidden } = compacted;
  const more =
    hidden === 0
      ? ''
      : ` ${counted(hidden, 'of these runs', 'of these runs')} may have changed it: which objects ${hidden === 1 ? 'it' : 'they'} changed is gone as well.`;
  if (at === null || before === null) return `The ledger was compacted: values of earlier runs are gone.${more}`;
  return `The ledger was compacted on ${time(at)} by ${whoText(by)}: of runs before ${time(before)} it has who, when and how many objects, not the values.${more}`;
}

/** What changes no value of an object. */
const WITHOUT_VALUES: ReadonlySet<string> = new Set(['imported', 'renamed'] satisfies readonly RunAction[]);

/** Why a run shows no values although it changed something; null where it shows them. */
export function valuesText({ values, changes }: Pick<RunEntry, 'values' | 'changes'>): string | null {
  if (values === 'recorded' || Object.keys(changes).every((action) => WITHOUT_VALUES.has(action))) return null;
  return values === 'reduced'
    ? 'A compaction removed the values of this run. Who, when and how many objects is left.'
    : 'This run recorded no values from before it.';
}

/** Why a value is not shown; null where it is. */
export function unknownText({ unknown }: FieldOfRun): string | null {
  if (unknown.length === 2) return 'written; the ledger has no values of it';
  return unknown.length === 0 ? null : unknown[0] === 'before' ? 'value before not known' : 'value after not known';
}
