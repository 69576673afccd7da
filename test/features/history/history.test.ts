// Runs of a ledger for an audit: also of killed runs, and of what a compaction left.

import { describe, expect, test } from 'vitest';
import type { Spec } from '../../../src/base/model.ts';
import { type HistoryQuestion, runHistory } from '../../../src/features/history/history.ts';
import { namesInLedger } from '../../../src/features/history/outline.ts';
import { compactedText, howText } from '../../../src/features/history/words.ts';
import { compact } from '../../../src/ledger/compact.ts';
import type { LedgerEvent, Starter } from '../../../src/ledger/events.ts';
import { fold } from '../../../src/ledger/ledger.ts';

const ALL: HistoryQuestion = { run: null, only: [], find: null, since: null, last: null };

const on = (day: number) => ({ v: 1, at: `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`, run: 'r' }) as const;
const ANN: Starter = { user: 'ann', host: 'build-7' };
const BOB: Starter = { ci: 'GitHub Actions', actor: 'bob', request: '12' };

type Draft = (day: number) => LedgerEvent;

/** The events of one run on one day. */
const inRun = (day: number, run: string, ...drafts: readonly Draft[]): readonly LedgerEvent[] =>
  drafts.map((draft) => ({ ...draft(day), run }) as LedgerEvent);

const begun =
  (more: { readonly command?: string; readonly undoes?: string; readonly by?: Starter } = {}): Draft =>
  (day) => ({ ...on(day), type: 'begun', command: 'apply', ...more });
const image =
  (spec: Spec | null): Draft =>
  (day) => ({ ...on(day), type: 'before', address: 'group/sales', id: spec === null ? null : 1, spec });
const bound =
  (id = 1): Draft =>
  (day) => ({ ...on(day), type: 'bound', address: 'group/sales', id, origin: 'created' });
const applied =
  (spec: Spec): Draft =>
  (day) => ({ ...on(day), type: 'applied', address: 'group/sales', spec, digests: {} });
const remaking: Draft = (day) => ({ ...on(day), type: 'remaking', address: 'group/sales', spec: { name: 'Sales' } });
const gone: Draft = (day) => ({ ...on(day), type: 'forgotten', address: 'group/sales', because: 'deleted' });
const moved: Draft = (day) => ({ ...on(day), type: 'moved', from: 'group/sales', to: 'group/shop' });
const ended =
  (more: Partial<Extract<LedgerEvent, { type: 'run' }>> = {}): Draft =>
  (day) => ({ ...on(day), type: 'run', command: 'apply', outcome: 'done', ...more });

const MADE = inRun(1, 'made', begun(), image(null), bound(), applied({ name: 'Sales' }), ended({ by: ANN }));
const RENAMED = inRun(
  2,
  'renamed',
  begun(),
  image({ name: 'Sales' }),
  applied({ name: 'Shop' }),
  ended({ by: BOB, target: 'production' }),
);

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
    const [run] = runsOf([...MADE, ...RENAMED], { run: 'rena' });
    expect(run?.objects).toEqual([
      {
        address: 'group/sales',
        type: 'group',
        action: 'changed',
        from: null,
        fields: [{ field: 'name', before: 'Sales', after: 'Shop', unknown: [] }],
      },
    ]);
    expect(() => runsOf([...MADE, ...RENAMED], { run: 'none' })).toThrow('the ledger knows no run none');
    expect(() => runsOf(MADE, { run: '' })).toThrow('the id of the run is empty');
    const twice = [...MADE, ...inRun(2, 'made-again', ended()), ...inRun(3, 'made-once', ended())];
    expect(runsOf(twice, { run: 'made' })).toHaveLength(1);
    expect(() => runsOf(twice, { run: 'made-' })).toThrow(
      '2 runs begin with made-: write more of the id, one of made-again, made-once',
    );
  });

  test('can be cut by time and number, and found by the address of today and by an earlier one', () => {
    const events = [...MADE, ...RENAMED, ...inRun(3, 'moved', moved, ended())];
    const ids = (question: Partial<HistoryQuestion>) => runsOf(events, question).map(({ id }) => id);
    expect(ids({ since: Date.parse(on(2).at) })).toEqual(['moved', 'renamed']);
    expect([ids({ last: 1 }), historyOf(events, { last: 1 }).older]).toEqual([['moved'], 2]);
    expect(ids({ only: ['group/shop'] })).toEqual(['moved', 'renamed', 'made']);
    expect(ids({ only: ['group/sales'] })).toEqual(['moved', 'renamed', 'made']);
    expect(runsOf(events, { run: 'made' })[0]?.objects?.[0]).toMatchObject({ address: 'group/shop', action: 'added' });
    expect(() => ids({ only: ['group/nope'] })).toThrow('--only group/nope covers nothing');
  });

  test('that were killed say who started them and what is not known', () => {
    const killed = [...MADE, ...inRun(2, 'killed', begun({ by: ANN }), image({ name: 'Sales' }))];
    expect(runsOf(killed, { run: 'killed' })).toMatchObject([
      {
        outcome: 'killed',
        command: 'apply',
        ended_at: null,
        by: ANN,
        changes: { unknown: 1 },
        objects: [{ action: 'unknown', fields: [{ field: 'name', before: 'Sales', after: null, unknown: ['after'] }] }],
      },
    ]);
    const next = [begun(), image({ name: 'Sales' }), applied({ name: 'Shop' }), ended({ ends: ['killed'] })];
    const finished = [...killed, ...inRun(2, 'next', ...next)];
    expect(runsOf(finished)).toMatchObject([{ id: 'next' }, { id: 'killed', finished_by: 'next' }, { id: 'made' }]);
  });

  test('that were killed after the answer to a create say that they added it', () => {
    const vip =
      (draft: Draft): Draft =>
      (day) =>
        ({ ...draft(day), address: 'group/vip' }) as LedgerEvent;
    const killed = inRun(2, 'killed', begun(), image(null), vip(image(null)), bound());
    expect(runsOf(killed, { run: 'killed' })).toMatchObject([
      {
        changes: { added: 1, unknown: 1 },
        objects: [
          { address: 'group/sales', action: 'added', fields: [] },
          { address: 'group/vip', action: 'unknown' },
        ],
      },
    ]);
    const made = inRun(2, 'k', begun(), image({ name: 'Sales' }), remaking, gone, bound(2));
    expect(runsOf([...MADE, ...made], { run: 'k' })[0]?.objects).toMatchObject([
      { action: 'replaced', fields: [{ field: 'name', before: 'Sales', after: null, unknown: ['after'] }] },
    ]);
  });

  test('that make another object before the former one goes replaced it, and added none', () => {
    const former: Draft = (day) => ({ ...on(day), type: 'bound', address: 'group/id/1', id: 1, origin: 'created' });
    const left: Draft = (day) => ({ ...on(day), type: 'forgotten', address: 'group/id/1', because: 'deleted' });
    const made = [image({ name: 'Sales' }), former, bound(2), left, applied({ name: 'Shop' })];
    const [run] = runsOf([...MADE, ...inRun(2, 'k', begun(), ...made, ended())], { run: 'k' });
    expect([run?.changes, run?.objects]).toMatchObject([
      { replaced: 1 },
      [{ address: 'group/sales', action: 'replaced' }],
    ]);
    expect(run?.objects).toHaveLength(1);
  });

  test('that only recorded what is there changed nothing', () => {
    const recorded = inRun(2, 'kept', applied({ name: 'Shop' }), ended({ by: ANN }));
    expect(runsOf([...MADE, ...recorded])[0]).toMatchObject({ id: 'kept' });
    expect(runsOf([...MADE, ...recorded])[0]?.changes).toEqual({});
  });

  test('that take a run back say which', () => {
    const back = inRun(2, 'back', begun({ command: 'undo', undoes: 'made-by-ann' }), image({ name: 'Sales' }), gone);
    const [run] = runsOf([...MADE, ...back, ...inRun(2, 'back', ended({ command: 'undo' }))]);
    expect(run && howText(run)).toBe('undo of made-by-');
  });

  test('that failed changed nothing, and a request that perhaps arrived is not known', () => {
    const failed = [...MADE, ...inRun(2, 'f', begun(), image({ name: 'Sales' }), ended({ outcome: 'failed' }))];
    expect(runsOf(failed)[0]).toMatchObject({
      changes: { failed: 1 },
      undo: { possible: 'no', reason: 'it changed nothing' },
    });
    const unsure = [...MADE, ...inRun(2, 'u', begun(), image({ name: 'Sales' }), ended({ unsure: ['group/sales'] }))];
    expect(runsOf(unsure)[0]).toMatchObject({ changes: { unknown: 1 }, undo: { possible: 'yes' } });
  });

  test('tell what was destroyed, replaced, and written without a value that can be read', () => {
    const destroyed = [...MADE, ...inRun(3, 'd', begun(), image({ name: 'Sales' }), gone, ended())];
    expect(runsOf(destroyed, { run: 'd' })).toMatchObject([
      { changes: { destroyed: 1 }, objects: [{ fields: [{ field: 'name', before: 'Sales', after: null }] }] },
    ]);
    const remade: Draft = (day) => ({ ...on(day), type: 'remaking', address: 'group/sales', spec: { name: 'New' } });
    const replacing = [begun(), image({ name: 'Sales' }), remade, gone, bound(), applied({ name: 'New' }), ended()];
    const replaced = [...MADE, ...inRun(3, 'r', ...replacing)];
    expect(runsOf(replaced, { run: 'r' })).toMatchObject([
      { changes: { replaced: 1 }, objects: [{ fields: [{ field: 'name', before: 'Sales', after: 'New' }] }] },
    ]);
    const secret: Draft = (day) => ({ ...applied({ name: 'Sales' })(day), digests: { name: 'abc' } }) as LedgerEvent;
    const hidden = [...MADE, ...inRun(3, 'h', begun(), image({}), secret, ended())];
    expect(runsOf(hidden, { run: 'h' })[0]?.objects?.[0]?.fields).toMatchObject([
      { field: 'name', unknown: ['before', 'after'] },
    ]);
  });
});

describe('What can be undone', () => {
  const asUndo = inRun(
    3,
    'undo',
    begun({ command: 'undo', undoes: 'renamed' }),
    image({ name: 'Shop' }),
    applied({ name: 'Sales' }),
    ended({ command: 'undo' }),
  );

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
    const destroyed = [...MADE, ...inRun(3, 'd', begun(), image({ name: 'Sales' }), gone, ended())];
    expect(outlooks(destroyed)[0]).toEqual(['d', 'yes', null]);
    const undo = [begun({ command: 'undo', undoes: 'd' }), image(null), bound(2), applied({ name: 'Sales' }), ended()];
    const back = inRun(4, 'undo', ...undo);
    expect(outlooks([...destroyed, ...back])[1]).toEqual(['d', 'no', 'run undo took it back']);
  });

  test('is not what a later run made again under the same name', () => {
    const destroyed = inRun(3, 'd', begun({ command: 'destroy' }), image({ name: 'Sales' }), gone, ended());
    const again = inRun(4, 'again', begun(), image(null), bound(2), applied({ name: 'Sales' }), ended());
    expect(outlooks([...MADE, ...destroyed, ...again])).toEqual([
      ['again', 'yes', null],
      ['d', 'no', 'changed again since: group/sales'],
      ['made', 'no', 'changed again since: group/sales'],
    ]);
  });

  test('is no token, also one whose run was killed; what another run did after it belongs to that run; a secret is due until an apply', () => {
    const bot: LedgerEvent = { ...on(1), type: 'bound', address: 'bot/b', id: 'b', origin: 'created' };
    const token = { ...on(2), type: 'token', address: 'bot/b', id: 'b', state: 'asked', until: on(3).at } as const;
    const asked: LedgerEvent = { ...token, run: 'killed' };
    const rotated: Draft = (day) => ({ ...on(day), type: 'secret', address: 'bot/b', id: 'b', state: 'kept' });
    const due: Draft = (day) => ({ ...on(day), type: 'secret', address: 'webhook/w', id: 'w', state: 'lost' });
    const log = [
      ...inRun(1, 'made', () => bot, ended()),
      ...inRun(2, 'killed', begun({ command: 'secrets token', by: ANN }), () => asked),
      ...inRun(4, 'rotated', rotated, ended({ command: 'secrets rotate' })),
      ...inRun(5, 'due', due, ended({ command: 'secrets rotate' })),
    ];
    expect(runsOf(log)).toMatchObject([
      { id: 'due', changes: { secret_due: 1 }, undo: { possible: 'no', reason: 'it changed nothing on the license' } },
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
    const deleted: LedgerEvent = { ...on(6), type: 'forgotten', address: 'bot/c', because: 'deleted' };
    expect(fold([...log, renamed, deleted]).asked.size).toBe(0);
  });

  test('is in part what a later run changed in part', () => {
    const vip =
      (draft: Draft): Draft =>
      (day) =>
        ({ ...draft(day), address: 'group/vip' }) as LedgerEvent;
    const both = [
      ...MADE,
      ...inRun(
        2,
        'two',
        begun(),
        image({ name: 'Sales' }),
        vip(image(null)),
        vip(bound(2)),
        applied({ name: 'Shop' }),
        vip(applied({ name: 'VIP' })),
        ended(),
      ),
      ...inRun(3, 'three', begun(), image({ name: 'Shop' }), applied({ name: 'Desk' }), ended()),
    ];
    expect(outlooks(both)[1]).toEqual(['two', 'in_part', 'changed again since: group/sales']);
  });

  test('is no secret, no single action, and no undo that was cut short', () => {
    const secret: Draft = (day) => ({ ...on(day), type: 'secret', address: 'bot/b', id: 'b', state: 'kept' });
    expect(outlooks(inRun(2, 's', secret, ended({ command: 'secrets rotate' })))).toEqual([
      ['s', 'no', 'a former secret cannot come back'],
    ]);
    const token: Draft = (day) => ({
      ...on(day),
      type: 'token',
      address: 'bot/b',
      id: 'b',
      state: 'kept',
      until: on(3).at,
    });
    expect(outlooks(inRun(2, 't', token, ended({ command: 'secrets token' })))).toEqual([
      ['t', 'no', 'nothing takes a token back before it ends'],
    ]);
    expect(outlooks(inRun(2, 'a', ended({ command: 'api create_tag' })))).toEqual([
      ['a', 'no', 'a single action records no values'],
    ]);
    const cut = [...MADE, ...RENAMED, ...asUndo.filter(({ type }) => type === 'begun' || type === 'before')];
    expect(outlooks(cut)[0]).toEqual(['undo', 'no', 'it is an undo that did not end; `chatform undo` goes on with it']);
  });
});

describe('A compacted ledger', () => {
  const LATER = inRun(20, 'c', begun(), image({ name: 'Shop' }), applied({ name: 'Desk' }), ended());
  const WHOLE = [...MADE, ...RENAMED, ...LATER];
  const since = (day: number): number => Date.parse(on(day).at);
  const compaction = inRun(21, 'compaction', ended({ command: 'ledger compact', by: ANN, reduced: on(20).at }));

  test('keeps how many objects each reduced run changed, and says what is gone', () => {
    const shorter = [...compact(WHOLE, since(1), { most: 1, recent: since(20) }), ...compaction];
    const { runs, compacted } = historyOf(shorter);
    expect(compacted).toEqual({ at: on(21).at, by: ANN, before: on(20).at, hidden: 0 });
    expect(runs.map(({ id, changes, values }) => [id, changes, values])).toEqual([
      ['compaction', {}, 'none'],
      ['c', { changed: 1 }, 'recorded'],
      ['renamed', { changed: 1 }, 'reduced'],
      ['made', { added: 1 }, 'reduced'],
    ]);
    expect(runs[2]?.undo).toEqual({ possible: 'no', reason: 'a compaction removed its values' });
  });

  test('says how many runs may have changed what is asked about, and have no objects left', () => {
    const shorter = [...compact(WHOLE, since(1), { most: 1, recent: since(20) }), ...compaction];
    const about = historyOf(shorter, { only: ['group/sales'] });
    // What is still true of the object stands with the run that applied it last before the compaction.
    const told = ['c', 'renamed', 'made'].filter((id) => about.runs.some((run) => run.id === id));
    expect(about.compacted?.hidden).toBe(3 - told.length);
    const vip: Draft = (day) => ({ ...on(day), type: 'bound', address: 'group/vip', id: 2, origin: 'created' });
    const of = (question: Partial<HistoryQuestion>) => historyOf([...shorter, ...inRun(22, 'vip', vip)], question);
    const { runs, compacted } = of({ only: ['group/vip'] });
    expect([runs.map(({ id }) => id), compacted?.hidden]).toEqual([['vip'], 2]);
    expect(compactedText({ compacted })).toContain(
      '2 of these runs may have changed it: which objects they changed is gone as well.',
    );
    expect(of({ only: ['group/vip'], since: since(21) }).compacted?.hidden).toBe(0);
  });

  test('tells the same of each run, also of a killed one and one without values, and after a second compaction', () => {
    const forgotten: Draft = (day) => ({ ...on(day), type: 'forgotten', address: 'group/sales' });
    const adopted: Draft = (day) => ({ ...on(day), type: 'bound', address: 'group/sales', id: 1, origin: 'adopted' });
    const log = [
      ...WHOLE.slice(0, -LATER.length),
      ...inRun(3, 'forgot', forgotten, ended({ command: 'ledger forget' })),
      ...inRun(4, 'nameless', adopted),
      ...inRun(5, 'killed', begun({ by: BOB }), image({ name: 'Shop' })),
      ...inRun(6, 'back', begun({ command: 'undo', undoes: 'made', by: ANN }), image({ name: 'Shop' })),
      ...inRun(7, 'back', applied({ name: 'Sales' }), ended({ command: 'undo', ends: ['killed'] })),
      ...LATER,
    ];
    const lines = (events: readonly LedgerEvent[]) => runsOf(events).map(({ values: _, undo: __, ...line }) => line);
    const once = [...compact(log, since(19)), ...compaction];
    expect(lines(once)).toEqual([...lines(compaction), ...lines(log)]);
    const twice = compact(once, since(21));
    expect(twice.length).toBeLessThan(once.length);
    expect(lines(twice)).toEqual(lines(once));
    expect(runsOf(twice).map(({ id, values }) => [id, values])).toEqual([
      ['compaction', 'none'],
      ['c', 'reduced'],
      ['back', 'reduced'],
      ['killed', 'reduced'],
      ['nameless', 'none'],
      ['forgot', 'none'],
      ['renamed', 'reduced'],
      ['made', 'reduced'],
    ]);
    expect(historyOf(twice).compacted).not.toBeNull();
  });
});

describe('The history of a member', () => {
  const ofGroup = (day: number, run: string, before: Spec | null, after: Spec | null): readonly LedgerEvent[] => {
    const left = after === null ? gone : applied({ name: 'Sales', ...after });
    return inRun(day, run, begun(), image(before), ...(before === null ? [bound()] : []), left, ended());
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
    const groups = (day: number, run: string, address: 'agent/ann@example.com' | 'bot/b', after: Spec) => {
      const at =
        (draft: Draft): Draft =>
        (day) =>
          ({ ...draft(day), address }) as LedgerEvent;
      return inRun(day, run, begun(), at(image({ groups: {} })), at(applied({ groups: after })), ended());
    };
    const log = [
      ...groups(5, 'ann', 'agent/ann@example.com', { 'group/sales': 'first', 'group/vip': 'last' }),
      ...groups(6, 'bot', 'bot/b', { 'group/sales': 'last' }),
      ...inRun(7, 'moved', moved, ended()),
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
    const killed = [...LOG.slice(0, 5), ...inRun(2, 'killed', begun(), image(members()))];
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
  const renamed: LedgerEvent = { ...on(3), type: 'moved', from: 'group/sales', to: 'group/emea' };
  const named = namesInLedger([
    ...MADE,
    renamed,
    { ...on(4), type: 'applied', address: 'group/emea', spec: { name: 'EMEA' }, digests: {} },
    ...inRun(4, 'later', ended({ names: { '7': 'Night desk', 'group/emea': 'Other' } })),
  ]);
  expect(['group/sales', 'group/emea', '7', 'group/gone'].map(named)).toEqual(['Sales', 'EMEA', 'Night desk', 'gone']);
  // Under its new key it has not been written yet.
  expect(['group/sales', 'group/emea'].map(namesInLedger([...MADE, renamed]))).toEqual(['Sales', 'Sales']);
  const remade = { ...applied({ name: 'Sales' })(5), address: 'group/again' } as LedgerEvent;
  const forgotten: LedgerEvent = { ...on(4), type: 'forgotten', address: 'group/sales' };
  expect(['group/sales', 'group/again'].map(namesInLedger([...MADE, forgotten, remade]))).toEqual(['Sales', 'Sales']);
});
