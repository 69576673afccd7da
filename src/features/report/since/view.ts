// The view of chats since an apply: each group with what changed, what fits, what else could explain it, and the way back.

import { sumOf } from '../../../base/grouped.ts';
import { capital, counted } from '../../../base/text.ts';
import type { About } from '../../../many/operation.ts';
import type { Block, Mark, Section, Span, Table, Text, View } from '../../../view/blocks.ts';
import { diagnosticFindings } from '../../../view/diagnostics.ts';
import type { Finding, Findings } from '../../../view/findings.ts';
import type { ChangeExplanation, FollowedFigure, FollowedGroup, FollowedMeasure, FollowReport } from './schema.ts';

const NAMES: { readonly [measure in FollowedMeasure['measure']]: string } = {
  arrivals: 'chats',
  taken: 'taken',
  unanswered: 'unanswered',
  first_response: 'first response',
  ratings: 'rated good',
};

const CHANGED: Mark = { sign: '!', word: 'changed', tone: 'warning' };
const UNCHANGED: Mark = { sign: '✓', word: 'no change shows', tone: 'calm' };
const UNKNOWN: Mark = { sign: '?', word: 'too few to tell', tone: 'faint' };

type Asked = Pick<About, 'requests'>;

export function sinceView(report: FollowReport, { requests }: Asked): View {
  const { target, groups, others, notes, undo, summary, run, window } = report;
  const { changed, unchanged } = summary;
  const isRead = window.hours > 0 && groups.length > 0;
  const way: Text = [`To see how far run ${run.id} can be taken back: `, { text: `${undo} --plan`, as: 'command' }];
  return {
    title: ['Chats of ', { text: target, as: 'name' }, ` since run ${run.id}`],
    mark: changed > 0 ? CHANGED : unchanged > 0 ? UNCHANGED : UNKNOWN,
    result: [
      { text: resultText(report), tone: 'strong' },
      ` ${counted(requests === null ? 0 : sumOf(requests), 'request')}.`,
    ],
    about: changed > 0 ? [way] : [],
    body: [
      { type: 'list', texts: [titleOf(report), ...spanOf(report)] },
      ...(isRead ? groups.map(groupSection) : [textBlock(unreadText(report))]),
      ...(changed > 0 ? [section('others', 'What else could explain it', [{ type: 'list', texts: others }])] : []),
      ...notes.map((note) => textBlock([{ text: 'Note:', tone: 'warning' }, ` ${note}`])),
    ],
  };
}

function textBlock(text: Text): Block {
  return { type: 'text', text };
}

function section(id: string, title: string, body: readonly Block[]): Section {
  return { type: 'section', id, title, body };
}

function titleOf({ target, run }: FollowReport): Text {
  return [{ text: `Target ${target}, ${run.command ?? 'killed run'} ${run.id}`, tone: 'strong' }, ` of ${run.at}`];
}

function spanOf({ window, timezone, interrupted }: FollowReport): readonly Text[] {
  if (window.hours === 0) return [];
  const asked = window.wanted !== null && window.wanted > window.hours ? `${window.hours} of ` : '';
  const hours = counted(asked === '' ? window.hours : (window.wanted ?? window.hours), 'hour');
  const end = interrupted ? ' (interrupted)' : '';
  return [
    `${asked}${hours}${end}, ${window.from} to ${window.to} (${timezone}), next to the same hours of the four weeks before`,
  ];
}

function unreadText({ groups, window }: FollowReport): string {
  if (groups.length === 0) return 'The run touched no group: there is nothing to compare.';
  return `Nothing to compare yet: the first whole hour since the run begins at ${window.from}, and the reports show it at ${window.next}.`;
}

function groupSection({ address, name, measures, fits, others, result }: FollowedGroup): Section {
  const texts: readonly Text[] = [
    ...(fits.length === 0 && result === 'changed' ? ['fits: no change of the run'] : []),
    ...fits.map((each) => explained('fits: ', each)),
    ...others.map((each) => explained('or: ', each)),
  ];
  return {
    ...section(address, /^\w+\/\d+$/.test(address) ? `${address} ${JSON.stringify(name)}` : address, [
      ...(measures.length === 0 ? [textBlock('not read')] : [measuresTable(address, measures)]),
      ...(texts.length === 0 ? [] : [{ type: 'list', texts } as const]),
    ]),
    ...(result === 'changed' ? { tone: 'warning', weight: 1 } : {}),
  };
}

function explained(label: string, { address, text }: ChangeExplanation): Text {
  return address === null ? label + text : [label, { text: address, as: 'address' }, `: ${text}`];
}

function measuresTable(name: string, measures: readonly FollowedMeasure[]): Table {
  return {
    type: 'table',
    name,
    columns: [{ title: 'Measure' }, { title: 'Since' }, { title: 'The weeks before' }, { title: 'Result' }],
    rows: measures.map(({ measure, now, before, result, adjusted }) => {
      const text = (figure: FollowedFigure): string => figureText(measure, figure);
      return { cells: [NAMES[measure], text(now), before.map(text).join(', '), resultSpan(result, adjusted)] };
    }),
  };
}

function resultSpan(result: FollowedMeasure['result'], adjusted: number | null): Span {
  switch (result) {
    case 'too-few':
      return UNKNOWN.word;
    case 'unchanged':
      return UNCHANGED.word;
    case 'rises':
    case 'falls':
      return { text: `${result} (${probabilityText(adjusted ?? 1)})`, tone: 'warning' };
  }
}

/** `p = 0.003`, of all tests together. */
function probabilityText(probability: number): string {
  return probability < 0.00001 ? 'p < 0.00001' : `p = ${Number(probability.toPrecision(1))}`;
}

/** A dash for a share or a mean of nothing. */
function figureText(measure: FollowedMeasure['measure'], { chats, of, seconds }: FollowedFigure): string {
  if (measure === 'first_response' && seconds === null) return '-';
  if (of !== null) return of === 0 ? '-' : `${chats} of ${of}`;
  return seconds === null ? String(chats) : `${Math.round(seconds)} s`;
}

function resultText({ window, summary: { changed, unchanged, too_few: few } }: FollowReport): string {
  if (window.hours === 0) return 'Nothing was compared.';
  const parts = [
    ...(changed === 0 ? [] : [`something changed in ${counted(changed, 'group')}`]),
    ...(unchanged === 0 ? [] : [`no change shows in ${counted(unchanged, 'group')}`]),
    ...(few === 0 ? [] : [`the numbers are too few to tell in ${counted(few, 'group')}`]),
  ];
  return `${capital(parts.length === 0 ? 'nothing was compared' : parts.join('; '))}.`;
}

/** A row for each measure in each week. The result stands in that of the hours since. */
export function sinceRows({ groups, window, weeks }: FollowReport): Table {
  const titles = ['group', 'measure', 'from', 'to', 'chats', 'of', 'seconds', 'result', 'adjusted'];
  return {
    type: 'table',
    columns: titles.map((title) => ({ title })),
    rows: groups.flatMap(({ address, measures }) =>
      measures.flatMap(({ measure, now, before, result, adjusted }) =>
        [now, ...before].map(({ chats, of, seconds }, week) => {
          const { from, to } = (week === 0 ? window : weeks[week - 1]) ?? window;
          const found = week === 0 ? [result, adjusted ?? ''] : ['', ''];
          return { cells: [address, measure, from, to, chats, of ?? '', seconds ?? '', ...found] };
        }),
      ),
    ),
  };
}

const RESULTS = { changed: 'failed', unchanged: 'passed', 'too-few': 'unknown' } as const;

/** A case for each group: one in which something changed fails. */
export function sinceFindings(report: FollowReport, { at, diagnostics }: Pick<About, 'at' | 'diagnostics'>): Findings {
  const { target, run, groups } = report;
  return {
    operation: 'report --since',
    scope: [target],
    at,
    check: 'the chats were compared',
    failure: null,
    lines: [resultText(report)],
    rules: [],
    findings: [
      ...groups.map(
        ({ address, measures, fits, result }): Finding => ({
          rule: 'chats-changed',
          level: 'warning',
          result: RESULTS[result],
          subject: address,
          title: `${address}: chats since run ${run.id}`,
          lines: [
            ...(result === 'changed' ? [] : [result === 'unchanged' ? UNCHANGED.word : UNKNOWN.word]),
            ...measures.flatMap(({ measure, now, before, result: found, adjusted }) => {
              if (found !== 'rises' && found !== 'falls') return [];
              const text = (figure: FollowedFigure): string => figureText(measure, figure);
              const was = before.map(text).join(', ');
              return [`${NAMES[measure]}: ${text(now)}, before ${was}: ${found} (${probabilityText(adjusted ?? 1)})`];
            }),
            ...fits.map(({ address: by, text }) => `fits: ${by === null ? '' : `${by}: `}${text}`),
          ],
          item: null,
          place: null,
          fingerprint: `${run.id} ${address}`,
        }),
      ),
      ...diagnosticFindings(diagnostics),
    ],
    notes: [],
    fingerprints: 'chatformSince/v1',
  };
}
