// The targets of a run in its view: a section for each state, the worst first, and the messages that several targets share.

import { groupedBy } from '../../base/grouped.ts';
import { byText } from '../../base/json.ts';
import { capital } from '../../base/text.ts';
import type { FleetResults, LoggedResult } from '../../many/log/log.ts';
import { MARKS, sharedFailures } from '../../many/view.ts';
import type { Block, Cell, Column, Mark, Section, Table } from '../../view/blocks.ts';
import { time } from '../../view/plain.ts';

/** A check that found differences is done, and deserves a look. */
type ShownState = LoggedResult['state'] | 'differs';

function shownState({ state, end }: LoggedResult): ShownState {
  return state === 'done' && end?.code === 2 ? 'differs' : state;
}

/** The worst first. */
export const TARGET_MARKS: { readonly [state in ShownState]: Mark } = {
  failed: MARKS.failed,
  unreachable: MARKS.unreachable,
  unknown: { sign: '!', word: 'cut off', tone: 'warning' },
  differs: MARKS.differs,
  running: { sign: '…', word: 'under way', tone: 'move' },
  queued: { sign: '·', word: 'queued', tone: 'calm' },
  pending: { ...MARKS['not begun'], tone: 'calm' },
  done: MARKS.done,
};

/** The targets in one state. */
export interface StateGroup {
  readonly state: ShownState;
  /** By name. */
  readonly targets: readonly (readonly [name: string, result: LoggedResult])[];
}

/** Without those of no target. */
export function stateGroups({ targets }: FleetResults): readonly StateGroup[] {
  const byName = [...targets].sort(([one], [other]) => byText(one, other));
  const groups = groupedBy(byName, ([, result]) => shownState(result));
  return (Object.keys(TARGET_MARKS) as ShownState[]).flatMap((state) => {
    const own = groups.get(state);
    return own === undefined ? [] : [{ state, targets: own }];
  });
}

export function stateSection({ state, targets }: StateGroup, { run }: FleetResults): Section {
  const { word, tone } = TARGET_MARKS[state];
  const isWrong = tone === 'error' || tone === 'warning';
  const { waves } = run.spec;
  const waveOf = new Map(waves.flatMap(({ name, targets: own }) => own.map((each) => [each, name])));
  const body: readonly Block[] = [
    ...(state === 'unknown' ? [{ type: 'text', text: CUT_OFF } as const] : []),
    ...(tone === 'error' ? sharedTexts(targets, word) : []),
    fullTable(
      capital(word),
      COLUMNS,
      targets.map(([name, result]) => [
        { text: name, as: 'address' },
        waves.length > 1 ? (waveOf.get(name) ?? NOTHING) : NOTHING,
        ...resultCells(result),
      ]),
    ),
  ];
  const count = targets.length;
  const fold = { brief: String(count), names: targets.map(([name]) => name) };
  return {
    ...{ type: 'section', id: state, title: capital(word), count, body },
    ...(isWrong ? { tone, weight: 10 } : { fold }),
  };
}

const CUT_OFF = 'Their process is gone, so it is not known how far they are. A resume begins them again.';

const COLUMNS: readonly Column[] = [
  { title: 'Target' },
  { title: 'Wave', dispensable: 1 },
  { title: 'Attempt', isNumber: true, dispensable: 2 },
  { title: 'Begun', dispensable: 3 },
  { title: 'Requests', isNumber: true, dispensable: 4 },
  { title: 'Seconds', isNumber: true, dispensable: 5 },
  { title: 'Message' },
];

/** From the third column on. What an earlier attempt said is said to be that. */
function resultCells({ state, attempt, begun, end }: LoggedResult): readonly Cell[] {
  const isBegun = state === 'running' || state === 'unknown';
  const hasEnded = !isBegun && state !== 'pending' && state !== 'queued';
  const message = end?.message ?? null;
  return [
    attempt > 1 ? attempt : NOTHING,
    isBegun && begun !== null ? { text: time(begun), as: 'time' } : NOTHING,
    ...(hasEnded && end !== null ? [end.requests, Math.round(end.seconds * 10) / 10] : [NOTHING, NOTHING]),
    message === null ? NOTHING : `${hasEnded ? '' : 'Before: '}${message}`,
  ];
}

/** What stands out less than all else. */
export const NOTHING = '-';

/** A table without the columns that say nothing. */
export function fullTable(name: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): Table {
  const isFull = columns.map((_, at) => rows.some((cells) => cells[at] !== NOTHING));
  return {
    ...{ type: 'table', name, columns: columns.filter((_, at) => isFull[at]) },
    rows: rows.map((cells) => ({ cells: cells.filter((_, at) => isFull[at]) })),
  };
}

function sharedTexts(targets: StateGroup['targets'], state: string): readonly Block[] {
  const answers = targets.map(([target, { end }]) => ({ target, state, message: end?.message ?? null }));
  const texts = sharedFailures(answers).map(({ text }) => text);
  return texts.length === 0 ? [] : [{ type: 'list', texts, most: 10, weight: 1 }];
}
