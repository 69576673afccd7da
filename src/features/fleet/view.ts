// The view of a run over several targets: how far it is, its waves and gates, its targets by state, and what else is known of it.

import { capital, counted } from '../../base/text.ts';
import type { Wave } from '../../many/log/events.ts';
import type { KnownRun } from '../../many/log/fleet-runs.ts';
import type { FleetResults } from '../../many/log/log.ts';
import { heirOf, isIdle } from '../../many/next.ts';
import { MARKS } from '../../many/view.ts';
import * as words from '../../many/words.ts';
import type { Block, Column, Mark, MarkedSpan, Section, Span, Table, Text, View } from '../../view/blocks.ts';
import { shortId, time } from '../../view/plain.ts';
import { amount } from '../../view/words/amounts.ts';
import { fullTable, NOTHING, type StateGroup, stateGroups, stateSection, TARGET_MARKS } from './targets.ts';

/** A run, and what else is known at the time. */
export interface FleetReading {
  readonly results: FleetResults;
  /** The commit of its files; null where it is not known. */
  readonly commit: string | null;
  /** Null for a run that is over, and for one of this machine. */
  readonly workers: words.RunWorkers | null;
  /** Other runs of the project, newest first. */
  readonly others: readonly ListedRun[];
  /** RFC 3339. */
  readonly at: string;
}

export type ListedRun = Pick<KnownRun, 'results' | 'onWorkers'>;

export function fleetView(reading: FleetReading): View {
  const { results, workers, others, at } = reading;
  const groups = stateGroups(results);
  const more = isOver(results) ? '' : ' The run may have gone on since.';
  return {
    title: ['Run ', runSpan(results), ` of ${results.run.command}`],
    mark: markOf(reading),
    result: words.resultText(results, workers !== null, workers),
    about: [...(workers === null ? [] : [words.workersText(workers)]), ['Made ', timeSpan(at), `.${more}`]],
    body: [
      runSection(reading),
      wavesSection(results, at, groups),
      ...groups.map((group) => stateSection(group, results)),
      ...(others.length === 0 ? [] : [othersSection(others)]),
    ],
  };
}

function isOver({ finished, stopped }: FleetResults): boolean {
  return finished || stopped !== null;
}

function runSpan({ run }: FleetResults): MarkedSpan {
  return { text: shortId(run.id), as: 'address' };
}

function timeSpan(at: string): MarkedSpan {
  return { text: time(at), as: 'time' };
}

function markOf({ results, workers }: FleetReading): Mark {
  const { finished, stopped, cancelled } = results;
  if (stopped !== null) return { ...MARKS.failed, word: 'stopped' };
  const word = words.stateWord(results, workers !== null, workers);
  if (finished) return { ...(words.hasFailed(results) ? MARKS.failed : MARKS.done), word };
  return { ...(cancelled === null ? TARGET_MARKS.running : TARGET_MARKS.unknown), word };
}

/** The first line of a terminal. */
function runSection({ results, commit }: FleetReading): Section {
  const { run, lastAt, cancelled } = results;
  const seconds = Math.max(0, (Date.parse(lastAt) - Date.parse(run.at)) / 1000);
  const begun = (more: string): readonly Span[] => [timeSpan(run.at), ` by ${run.by.user}@${run.by.host}${more}`];
  const facts: readonly (readonly [string, Text])[] = [
    ['id', { text: run.id, as: 'value' }],
    ['command', run.command],
    ['begun', begun(` (pid ${run.by.pid})`)],
    ['last event', [timeSpan(lastAt), `, after ${amount(seconds, 'seconds')}`]],
    ...(cancelled === null ? [] : [['cancelled by', `${cancelled.user}@${cancelled.host}`] as const]),
    ['commit', commit === null ? 'not known: the files of a checkout' : { text: commit, as: 'value' }],
    [
      'approved plans',
      run.digest === null ? 'none: each target is planned and applied at once' : { text: run.digest, as: 'value' },
    ],
  ];
  return {
    ...{ type: 'section', id: 'run', title: `Run ${shortId(run.id)}` },
    fold: { brief: [`${run.command}, begun `, ...begun('')], isComplete: true },
    body: [{ type: 'facts', facts }],
  };
}

const STATES = ['done', 'failed', 'unreachable', 'running', 'queued', 'open'] as const;

const WAVE_COLUMNS: readonly Column[] = [
  { title: 'Wave' },
  { title: 'Targets', isNumber: true },
  ...STATES.map((state) => {
    const { word } = TARGET_MARKS[state === 'open' ? 'pending' : state];
    return { title: capital(word), isNumber: true };
  }),
  { title: '', dispensable: 1 },
];

/** A row for each wave, how all of them go, and what their gates found. */
function wavesSection(results: FleetResults, at: string, groups: readonly StateGroup[]): Section {
  const { waves } = results.run.spec;
  const rows = results.waves.map((found, nth) => {
    const { name = '', targets = [] } = waves[nth] ?? {};
    const counts = STATES.map((state) => found[state].size || NOTHING);
    return [name, targets.length, ...counts, { bars: [found.done.size], most: targets.length }];
  });
  const counts = groups.map(({ state, targets }) => {
    const { word, tone } = TARGET_MARKS[state];
    return [word, targets.length, tone] as const;
  });
  const texts = waves.flatMap((wave, nth) => waveTexts(wave, results, nth, Date.parse(at)));
  const body: readonly Block[] = [
    { type: 'counts', counts },
    fullTable('Waves', WAVE_COLUMNS, rows),
    { type: 'text', text: words.wavesText(results.run.spec) },
    ...(texts.length === 0 ? [] : [{ type: 'list', texts } as const]),
  ];
  return { type: 'section', id: 'waves', title: 'Waves', count: waves.length, weight: 20, body };
}

/** Until when it is held, and what its gates found. */
function waveTexts(wave: Wave, results: FleetResults, nth: number, now: number): readonly Text[] {
  const found = results.waves[nth];
  if (found === undefined) return [];
  const { name, targets, gates, hold } = wave;
  if (isIdle(wave, found)) return [words.idleText(wave, heirOf(results.run.spec, results, nth))];
  const { done, open, queued, running, lastEnd } = found;
  const isHeld = !isOver(results) && open.size + queued.size + running.size === 0;
  const until = isHeld && lastEnd !== null ? lastEnd + hold : 0;
  return [
    ...(until > now ? [words.holdText(name, until, { type: 'hold' })] : []),
    ...gates.flatMap((gate): readonly Text[] => {
      const checked = targets.flatMap((target) => found.gate(gate, target) ?? []);
      if (checked.length === 0) return [`Wave ${name}: gate ${gate} is not checked.`];
      const refused = checked.filter(({ passed }) => !passed);
      const uncompared = checked.filter(({ passed, message }) => passed && message !== null);
      return [
        words.passedText({ gate, wave: name }, checked.length - refused.length - uncompared.length, done.size),
        ...uncompared.map(words.uncomparedText),
        ...refused.map((event) => ({ text: capital(words.refusedText(event)), tone: 'error' }) as const),
      ];
    }),
  ];
}

function othersSection(others: readonly ListedRun[]): Section {
  return { type: 'section', id: 'others', title: 'Other runs', count: others.length, body: [runsTable(others)] };
}

function runsTable(runs: readonly ListedRun[]): Table {
  return {
    ...{ type: 'table', name: 'Runs', isList: true },
    columns: ['Run', 'Begun', 'Command', 'Done', 'State'].map((title) => ({ title })),
    rows: runs.map(({ results, onWorkers }) => {
      const done = `${words.countOf(results, 'done')} of ${results.targets.size}`;
      const { at, command } = results.run;
      return { cells: [runSpan(results), timeSpan(at), command, done, words.stateWord(results, onWorkers)] };
    }),
  };
}

/** A line for each run, newest first. */
export function runsBlocks(runs: readonly ListedRun[], older: number): readonly Block[] {
  const command = (text: string): MarkedSpan => ({ text, as: 'code' });
  if (runs.length === 0)
    return [
      { type: 'text', text: ['No run over several targets yet: ', command('chatform apply --all'), ' makes one.'] },
    ];
  const all: Text = [`${counted(older, 'older run')}: `, command('chatform fleet list --all'), ' has all of them'];
  return [runsTable(runs), ...(older === 0 ? [] : [{ type: 'text', text: all } as const])];
}
