// Runs of a ledger for an audit: also of old ledgers, of killed runs, and of what a compaction left.

import { describe, expect, test } from 'vitest';
import type { Spec } from '../../../src/base/model.ts';
import { compact } from '../../../src/ledger/compact.ts';
import type { LedgerEvent, Starter } from '../../../src/ledger/events.ts';
import { fold, foldLedger } from '../../../src/ledger/ledger.ts';
import { type HistoryQuestion, runHistory } from '../../../src/tasks/history/history.ts';
import { namesInLedger } from '../../../src/tasks/history/outline.ts';

const ALL: HistoryQuestion = { run: null, only: [], since: null, last: null };

const on = (day: number) => ({ v: 1, at: `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z` }) as const;
const ANN: Starter = { user: 'ann', host: 'build-7' };
const BOB: Starter = { ci: 'GitHub Actions', actor: 'bob', request: '12' };

const image = (day: number, run: string, spec: Spec | null, by?: Starter): LedgerEvent => ({
  ...on(day),
  type: 'before',
  run,
  address: 'group/sales',
  id: spec === null ? null : 1,
  spec,
  ...(by === undefined ? {} : { by }),
});
const bound = (day: number): LedgerEvent => ({
  ...on(day),
  type: 'bound',
  address: 'group/sales',
  id: 1,
  origin: 'created',
});
const applied = (day: number, spec: Spec): LedgerEvent => ({
  ...on(day),
  type: 'applied',
  address: 'group/sales',
  spec,
  digests: {},
});
const ended = (day: number, id: string, more: Partial<Extract<LedgerEvent, { type: 'run' }>> = {}): LedgerEvent => ({
  ...on(day),
  type: 'run',
  id,
  command: 'apply',
  outcome: 'done',
  ...more,
});

const MADE = [image(1, 'made', null), bound(1), applied(1, { name: 'Sales' }), ended(1, 'made', { by: ANN })];
const RENAMED = [
  image(2, 'renamed', { name: 'Sales' }),
  applied(2, { name: 'Shop' }),
  ended(2, 'renamed', { by: BOB, target: 'production' }),
];

const historyOf = (events: readonly LedgerEvent[], question: Partial<HistoryQuestion> = {}) =>
  runHistory(events, { ledger: 'l.ndjson', target: null }, { ...ALL, ...question });
const runsOf = (events: readonly LedgerEvent[], question: Partial<HistoryQuestion> = {}) =>
  historyOf(events, question).runs;
const outlooks = (events: readonly LedgerEvent[]) =>
  runsOf(events).map(({ id, undo }) => [id, undo.possible, undo.reason]);

describe('Runs', () => {
  test('come newest first, with who started them, what they did and whether they can be undone', () => {
    expect(runsOf([...MADE, ...RENAMED])).toMatchObject([
      {
        id: 'renamed',
        by: BOB,
        target: 'production',
        changes: { changed: 1 },
        outcome: 'done',
        undo: { possible: 'yes' },
      },
      { id: 'made', by: ANN, target: null, changes: { added: 1 }, values: 'recorded', undo: { possible: 'no' } },
    ]);
  });

  test('of one id, or the beginning of it, have the fields before and after', () => {
    const [run] = runsOf([...MADE, ...RENAMED], { run: 'ren' });
    expect(run?.objects).toEqual([
      {
        address: 'group/sales',
        type: 'group',
        action: 'changed',
        from: null,
        fields: [{ field: 'name', before: 'Sales', after: 'Shop', unknown: [] }],
      },
    ]);
    expect(() => runsOf([...MADE, ...RENAMED], { run: 'x' })).toThrow('the ledger knows no run x');
    expect(() => runsOf(MADE, { run: '' })).toThrow('the id of the run is empty');
    const twice = [...MADE, ended(2, 'made-again')];
    expect(runsOf(twice, { run: 'made' })).toHaveLength(1);
    expect(() => runsOf(twice, { run: 'ma' })).toThrow(
      '2 runs begin with ma: write more of the id, one of made, made-again',
    );
  });

  test('can be cut by time and number, and found by the address of today and by an earlier one', () => {
    const moved: LedgerEvent = { ...on(3), type: 'moved', from: 'group/sales', to: 'group/shop' };
    const events = [...MADE, ...RENAMED, moved, ended(3, 'moved')];
    const ids = (question: Partial<HistoryQuestion>) => runsOf(events, question).map(({ id }) => id);
    expect(ids({ since: Date.parse(on(2).at) })).toEqual(['moved', 'renamed']);
    expect([ids({ last: 1 }), historyOf(events, { last: 1 }).older]).toEqual([['moved'], 2]);
    expect(ids({ only: ['group/shop'] })).toEqual(['moved', 'renamed', 'made']);
    expect(ids({ only: ['group/sales'] })).toEqual(['moved', 'renamed', 'made']);
    expect(runsOf(events, { run: 'made' })[0]?.objects?.[0]).toMatchObject({ address: 'group/shop', action: 'added' });
    expect(() => ids({ only: ['group/nope'] })).toThrow('--only group/nope covers nothing');
  });

  test('that were killed say who started them and what is not known', () => {
    const killed = [...MADE, image(2, 'killed', { name: 'Sales' }, ANN)];
    expect(runsOf(killed, { run: 'killed' })).toMatchObject([
      {
        outcome: 'killed',
        command: null,
        ended_at: null,
        by: ANN,
        changes: { unknown: 1 },
        objects: [{ action: 'unknown', fields: [{ field: 'name', before: 'Sales', after: null, unknown: ['after'] }] }],
      },
    ]);
    const finished = [...killed, image(2, 'next', { name: 'Sales' }), applied(2, { name: 'Shop' }), ended(2, 'next')];
    expect(runsOf(finished)).toMatchObject([{ id: 'next' }, { id: 'killed', finished_by: 'next' }, { id: 'made' }]);
  });

  test('that failed changed nothing, and a request that perhaps arrived is not known', () => {
    const failed = [...MADE, image(2, 'f', { name: 'Sales' }), ended(2, 'f', { outcome: 'failed' })];
    expect(runsOf(failed)[0]).toMatchObject({
      changes: { failed: 1 },
      undo: { possible: 'no', reason: 'it changed nothing' },
    });
    const unsure = [...MADE, image(2, 'u', { name: 'Sales' }), ended(2, 'u', { unsure: ['group/sales'] })];
    expect(runsOf(unsure)[0]).toMatchObject({ changes: { unknown: 1 }, undo: { possible: 'yes' } });
  });

  test('tell what was destroyed, replaced, and written without a value that can be read', () => {
    const gone: LedgerEvent = { ...on(3), type: 'forgotten', address: 'group/sales', because: 'deleted' };
    const destroyed = [...MADE, image(3, 'd', { name: 'Sales' }), gone, ended(3, 'd')];
    expect(runsOf(destroyed, { run: 'd' })).toMatchObject([
      { changes: { destroyed: 1 }, objects: [{ fields: [{ field: 'name', before: 'Sales', after: null }] }] },
    ]);
    const remade: LedgerEvent = { ...on(3), type: 'remaking', address: 'group/sales', spec: { name: 'New' } };
    const replaced = [
      ...MADE,
      image(3, 'r', { name: 'Sales' }),
      remade,
      gone,
      bound(3),
      applied(3, { name: 'New' }),
      ended(3, 'r'),
    ];
    expect(runsOf(replaced, { run: 'r' })).toMatchObject([
      { changes: { replaced: 1 }, objects: [{ fields: [{ field: 'name', before: 'Sales', after: 'New' }] }] },
    ]);
    const hidden = [
      ...MADE,
      image(3, 'h', {}),
      { ...applied(3, { name: 'Sales' }), digests: { name: 'abc' } },
      ended(3, 'h'),
    ];
    expect(runsOf(hidden as readonly LedgerEvent[], { run: 'h' })[0]?.objects?.[0]?.fields).toMatchObject([
      { field: 'name', unknown: ['before', 'after'] },
    ]);
  });
});

describe('A ledger without the new members', () => {
  const OLD = [...MADE, ...RENAMED].map((event) => {
    if (event.type !== 'run') return event;
    const { by: _, target: __, ...old } = event;
    return old;
  });

  test('folds to the same, and shows that it does not say who', () => {
    expect(foldLedger(OLD)).toEqual(foldLedger([...MADE, ...RENAMED]));
    expect(runsOf(OLD)).toMatchObject([
      { id: 'renamed', by: null, changes: { changed: 1 } },
      { id: 'made', by: null, changes: { added: 1 } },
    ]);
  });

  test('and without earlier values says that these are missing', () => {
    const bare = [bound(1), applied(1, { name: 'Sales' }), ended(1, 'a'), applied(2, { name: 'Shop' }), ended(2, 'b')];
    expect(runsOf(bare)).toMatchObject([
      { id: 'b', values: 'none', changes: { applied: 1 } },
      { id: 'a', values: 'none', changes: { added: 1 } },
    ]);
    expect(outlooks(bare)).toEqual([
      ['b', 'no', 'an older chatform made it, and recorded no values'],
      ['a', 'no', 'an older chatform made it, and recorded no values'],
    ]);
  });
});

describe('What can be undone', () => {
  const undone = [
    image(3, 'undo', { name: 'Shop' }),
    applied(3, { name: 'Sales' }),
    ended(3, 'undo', { command: 'undo' }),
  ];
  const asUndo = undone.map((event) => (event.type === 'before' ? { ...event, undoes: 'renamed' } : event));

  test('is not what a later run changed again, and not what an undo took back', () => {
    expect(outlooks([...MADE, ...RENAMED])).toEqual([
      ['renamed', 'yes', null],
      ['made', 'no', 'changed again since: group/sales'],
    ]);
    expect(outlooks([...MADE, ...RENAMED, ...asUndo])).toEqual([
      ['undo', 'yes', null],
      ['renamed', 'no', 'run undo took it back'],
      ['made', 'yes', null],
    ]);
  });

  test('is not a destroyed object that an undo made again', () => {
    const gone: LedgerEvent = { ...on(3), type: 'forgotten', address: 'group/sales', because: 'deleted' };
    const destroyed = [...MADE, image(3, 'd', { name: 'Sales' }), gone, ended(3, 'd')];
    expect(outlooks(destroyed)[0]).toEqual(['d', 'yes', null]);
    const again = { ...image(4, 'undo', null), undoes: 'd' } as LedgerEvent;
    const back = [again, { ...bound(4), id: 2 } as LedgerEvent, applied(4, { name: 'Sales' }), ended(4, 'undo')];
    expect(outlooks([...destroyed, ...back])[1]).toEqual(['d', 'no', 'run undo took it back']);
  });

  test('is no token, also one whose run was killed; what another run did after it belongs to that run', () => {
    const bot: LedgerEvent = { ...on(1), type: 'bound', address: 'bot/b', id: 'b', origin: 'created' };
    const token = { ...on(2), type: 'token', address: 'bot/b', id: 'b', state: 'asked', until: on(3).at } as const;
    const asked: LedgerEvent = { ...token, run: 'killed', by: ANN };
    const rotated: LedgerEvent = { ...on(4), type: 'secret', address: 'bot/b', id: 'b', state: 'kept' };
    const log = [bot, ended(1, 'made'), asked, rotated, ended(4, 'rotated', { command: 'secrets rotate' })];
    expect(runsOf(log)).toMatchObject([
      { id: 'rotated', changes: { secret: 1 } },
      {
        id: 'killed',
        command: 'secrets token',
        by: ANN,
        outcome: 'killed',
        changes: { token_unanswered: 1 },
        undo: { possible: 'no', reason: 'nothing takes a token back before it ends' },
      },
      { id: 'made' },
    ]);
    expect([...fold(compact(log, Date.parse(on(20).at))).asked.values()]).toEqual([asked]);
    const refused: LedgerEvent = { ...token, state: 'refused', run: 'killed' };
    expect(fold([...log, refused]).asked.size).toBe(0);
    const renamed: LedgerEvent = { ...on(5), type: 'moved', from: 'bot/b', to: 'bot/c' };
    expect([...fold([...log, renamed]).asked.values()]).toEqual([{ ...asked, address: 'bot/c' }]);
    const gone: LedgerEvent = { ...on(6), type: 'forgotten', address: 'bot/c', because: 'deleted' };
    expect(fold([...log, renamed, gone]).asked.size).toBe(0);
  });

  test('is in part what a later run changed in part', () => {
    const both = [
      ...MADE,
      image(2, 'two', { name: 'Sales' }),
      { ...image(2, 'two', null), address: 'group/vip' as const },
      { ...bound(2), address: 'group/vip' as const, id: 2 },
      applied(2, { name: 'Shop' }),
      { ...applied(2, { name: 'VIP' }), address: 'group/vip' as const },
      ended(2, 'two'),
      image(3, 'three', { name: 'Shop' }),
      applied(3, { name: 'Desk' }),
      ended(3, 'three'),
    ] as readonly LedgerEvent[];
    expect(outlooks(both)[1]).toEqual(['two', 'in_part', 'changed again since: group/sales']);
  });

  test('is no secret, no single action, and no undo that was cut short', () => {
    const secret: LedgerEvent = { ...on(2), type: 'secret', address: 'bot/b', id: 'b', state: 'kept' };
    expect(outlooks([secret, ended(2, 's', { command: 'secrets rotate' })])).toEqual([
      ['s', 'no', 'a former secret cannot come back'],
    ]);
    const token: LedgerEvent = { ...secret, type: 'token', state: 'kept', until: on(3).at };
    expect(outlooks([token, ended(2, 't', { command: 'secrets token' })])).toEqual([
      ['t', 'no', 'nothing takes a token back before it ends'],
    ]);
    expect(outlooks([ended(2, 'a', { command: 'api create_tag' })])).toEqual([
      ['a', 'no', 'a single action records no values'],
    ]);
    const cut = [...MADE, ...RENAMED, ...asUndo.filter(({ type }) => type === 'before')];
    expect(outlooks(cut)[0]).toEqual(['undo', 'no', 'it is an undo that did not end; `chatform undo` goes on with it']);
  });
});

describe('A compacted ledger', () => {
  const LATER = [image(20, 'c', { name: 'Shop' }), applied(20, { name: 'Desk' }), ended(20, 'c')];
  const WHOLE = [...MADE, ...RENAMED, ...LATER];
  const since = (day: number): number => Date.parse(on(day).at);
  const mark = ended(21, 'compaction', { command: 'ledger compact', by: ANN, reduced: on(20).at });

  test('keeps how many objects each reduced run changed, and says what is gone', () => {
    const shorter = [...compact(WHOLE, since(1), { most: 1, recent: since(20) }), mark];
    const { runs, compacted } = historyOf(shorter);
    expect(compacted).toEqual({ at: on(21).at, by: ANN, before: on(20).at });
    expect(runs.map(({ id, changes, values }) => [id, changes, values])).toEqual([
      ['compaction', {}, 'none'],
      ['c', { changed: 1 }, 'recorded'],
      ['renamed', { changed: 1 }, 'reduced'],
      ['made', { added: 1 }, 'reduced'],
    ]);
    expect(runs[2]?.undo).toEqual({ possible: 'no', reason: 'a compaction removed its values' });
  });

  test('counts what is left of earlier runs to no run, also without a mark', () => {
    for (const end of [[], [mark]]) {
      const { runs, compacted } = historyOf([...compact(WHOLE, since(20)), ...end]);
      expect(runs.map(({ id }) => id)).toEqual([...end.map(() => 'compaction'), 'c']);
      expect(runs.at(-1)).toMatchObject({ at: on(20).at, changes: { changed: 1 } });
      expect(compacted).not.toBeNull();
    }
  });
});

describe('The history of a member', () => {
  const ofGroup = (day: number, run: string, before: Spec | null, after: Spec | null): readonly LedgerEvent[] => {
    const left: LedgerEvent =
      after === null
        ? { ...on(day), type: 'forgotten', address: 'group/sales', because: 'deleted' }
        : applied(day, { name: 'Sales', ...after });
    return [image(day, run, before), ...(before === null ? [bound(day)] : []), left, ended(day, run)];
  };
  const members = (...ids: readonly string[]): Spec => ({
    agent_priorities: Object.fromEntries(ids.map((id) => [id, 'first'])),
  });
  const LOG = [
    ...ofGroup(1, 'made', null, members('agent/ann@example.com')),
    ...ofGroup(2, 'renamed', { name: 'Sale' }, members('agent/ann@example.com')),
    ...ofGroup(3, 'left', members('agent/ann@example.com', 'zoe@example.com'), members('agent/bob@example.com')),
    ...ofGroup(4, 'gone', { name: 'Sales', ...members('agent/bob@example.com') }, null),
  ];
  const told = (only: string, log = LOG) =>
    runsOf(log, { only: [only] }).map(({ id, objects = [] }) => [
      id,
      ...objects.map(({ address, action, members: keys, fields }) => [address, action, keys, fields]),
    ]);
  const field = (before: Spec | null, after: Spec | null) => [
    { field: 'agent_priorities', before: before ?? null, after: after ?? null, unknown: [] },
  ];
  const FIRST = (id: string): Spec => ({ [id]: 'first' });

  test('has what the group said of it, without the other members', () => {
    const ann = 'agent/ann@example.com';
    expect(told(ann)).toEqual([
      ['left', ['group/sales', 'changed', [ann], field(FIRST(ann), {})]],
      ['made', ['group/sales', 'added', [ann], field(null, FIRST(ann))]],
    ]);
    const bob = 'agent/bob@example.com';
    expect(told(bob)).toEqual([
      ['gone', ['group/sales', 'destroyed', [bob], field(FIRST(bob), null)]],
      ['left', ['group/sales', 'changed', [bob], field({}, FIRST(bob))]],
    ]);
    expect(told('agent/zoe@example.com')).toEqual([
      ['left', ['group/sales', 'changed', ['zoe@example.com'], field(FIRST('zoe@example.com'), {})]],
    ]);
    expect(() => told('agent/nope@example.com')).toThrow('--only agent/nope@example.com covers nothing');
  });

  test('has what agents and bots said of a group, under its name of today', () => {
    const groups = (day: number, run: string, address: 'agent/ann@example.com' | 'bot/b', after: Spec) => [
      { ...image(day, run, { groups: {} }), address } as LedgerEvent,
      { ...applied(day, { groups: after }), address } as LedgerEvent,
      ended(day, run),
    ];
    const moved: LedgerEvent = { ...on(7), type: 'moved', from: 'group/sales', to: 'group/shop' };
    const log = [
      ...groups(5, 'ann', 'agent/ann@example.com', { 'group/sales': 'first', 'group/vip': 'last' }),
      ...groups(6, 'bot', 'bot/b', { 'group/sales': 'last' }),
      moved,
      ended(7, 'moved'),
    ];
    for (const only of ['group/shop', 'group/sales'])
      expect(told(only, log).slice(1)).toMatchObject([
        ['bot', ['bot/b', 'changed', ['group/shop'], [{ before: {}, after: { 'group/shop': 'last' } }]]],
        [
          'ann',
          ['agent/ann@example.com', 'changed', ['group/shop'], [{ before: {}, after: { 'group/shop': 'first' } }]],
        ],
      ]);
  });

  test('has a killed run whose result is not known, whomever it was about', () => {
    const killed = [...LOG.slice(0, 4), image(2, 'killed', members())];
    expect(told('agent/ann@example.com', killed)[0]).toEqual([
      'killed',
      ['group/sales', 'unknown', [], [{ field: 'agent_priorities', before: {}, after: null, unknown: ['after'] }]],
    ]);
  });

  test('in one run, leaves out what is about others', () => {
    expect(runsOf(LOG, { run: 'left', only: ['agent/ann@example.com'] })[0]?.objects).toHaveLength(1);
    expect(runsOf(LOG, { run: 'renamed', only: ['agent/ann@example.com'] })[0]?.objects).toEqual([]);
  });
});

test('An object has the name of the ledger under each of its keys, and one that the ledger does not own the name of the run', () => {
  const moved: LedgerEvent = { ...on(3), type: 'moved', from: 'group/sales', to: 'group/emea' };
  const named = namesInLedger([
    ...MADE,
    moved,
    { ...on(4), type: 'applied', address: 'group/emea', spec: { name: 'EMEA' }, digests: {} },
    ended(4, 'later', { names: { '7': 'Night desk', 'group/emea': 'Other' } }),
  ]);
  expect(['group/sales', 'group/emea', '7', 'group/gone'].map(named)).toEqual(['Sales', 'EMEA', 'Night desk', 'gone']);
  // Under its new key it has not been written yet.
  expect(['group/sales', 'group/emea'].map(namesInLedger([...MADE, moved]))).toEqual(['Sales', 'Sales']);
  const remade: LedgerEvent = { ...applied(5, { name: 'Sales' }), address: 'group/again' } as LedgerEvent;
  const forgotten: LedgerEvent = { ...on(4), type: 'forgotten', address: 'group/sales' };
  expect(['group/sales', 'group/again'].map(namesInLedger([...MADE, forgotten, remade]))).toEqual(['Sales', 'Sales']);
});
