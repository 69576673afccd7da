// `history`: the runs of a ledger, newest first, and what each did to the license. Needs no network, no token and no manifest.

import type { Operation } from '../../many/operation.ts';
import { ledgerAt } from '../../target/stores.ts';
import type { View } from '../../view/blocks.ts';
import { diagnosticsSection, findingsInFiles } from '../../view/diagnostics.ts';
import { time } from '../../view/plain.ts';
import { chosenLedger } from '../ledger/operation.ts';
import type { HistoryQuestion } from './history.ts';
import { togetherOf } from './together.ts';
import { changeBlocks, historyTable, historyView, type ShownHistory, shownHistory, undoListView } from './view.ts';

export interface HistoryOptions extends HistoryQuestion {
  /** The view is that of `undo --list`: which runs can be undone, and why others cannot. */
  readonly isUndoList: boolean;
}

export const recalling: Operation<HistoryOptions, ShownHistory> = {
  name: 'history',
  changes: 'nothing',
  showsTarget: true,
  needsNoProject: true,
  run: async (target, question, context) => {
    const { path, settings, diagnostics } = await chosenLedger(target, context);
    const events = await ledgerAt(path, context).read();
    const value = shownHistory(events, { ledger: path, target: settings?.name ?? null }, question);
    return { value, diagnostics, requests: null };
  },
  row: ({ runs }) => ({ state: 'done', code: 0, figures: { runs: runs.length }, isQuiet: runs.length === 0 }),
  view: (history, _about, options) => viewOf(history, options),
  together: (entries, options) => togetherOf(entries, options),
  among: ({ runs, worded }, _about, { run }) =>
    run === null ? undefined : runs.flatMap((entry, index) => changeBlocks(entry, worded[index] ?? [])),
  page: (history, { at, diagnostics }, _reader, options) => {
    const view = viewOf(history, options);
    return {
      ...view,
      about: [['Made ', { text: time(at), as: 'time' }, ' of ', { text: history.ledger, as: 'file' }, '.']],
      body: [...view.body, ...diagnosticsSection(diagnostics)],
    };
  },
  document: ({ worded: _, ...history }) => history,
  findings: (_history, { target, at, diagnostics }) =>
    findingsInFiles({ operation: 'history', target, at, check: 'the ledger was read' }, diagnostics),
  table: ({ runs }, _about, options) => historyTable(runs, options),
};

function viewOf(history: ShownHistory, options: HistoryOptions): View {
  return options.isUndoList ? undoListView(history) : historyView(history, options);
}
