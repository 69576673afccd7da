import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address, Origin } from '../../src/base/model.ts';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { createdSince } from '../../src/license/reading/recent.ts';
import { tries } from '../tries.ts';
import { AT, anyEvent, intent } from './conformance.ts';

const bound = (address: Address, id: string | number, origin: Origin = 'adopted'): LedgerEvent => ({
  v: 1,
  run: 'r',
  at: AT,
  type: 'bound',
  address,
  id,
  origin,
});
const applied = (address: Address, name: string): LedgerEvent => ({
  v: 1,
  run: 'r',
  at: AT,
  type: 'applied',
  address,
  spec: { name },
  digests: { avatar: 'ab12' },
});
const forgotten = (address: Address): LedgerEvent => ({ v: 1, run: 'r', at: AT, type: 'forgotten', address });
const moved = (from: Address, to: Address) => ({ v: 1, run: 'r', at: AT, type: 'moved', from, to }) as const;

describe('the fold of a log', () => {
  test('The last word counts, for each address on its own', () => {
    const { bindings, applied: specs } = foldLedger([
      bound('group/sales', 1, 'created'),
      applied('group/sales', 'Sale'),
      bound('group/support', 2),
      applied('group/sales', 'Sales'),
      forgotten('group/support'),
    ]);
    expect([...bindings]).toEqual([['group/sales', { id: 1, origin: 'created' }]]);
    expect([...specs]).toEqual([['group/sales', { spec: { name: 'Sales' }, digests: { avatar: 'ab12' }, at: AT }]]);
  });

  test('What is forgotten leaves neither a binding nor a spec', () => {
    const state = foldLedger([bound('bot/a', 'b1'), applied('bot/a', 'A'), forgotten('bot/a')]);
    expect(state.bindings.size + state.applied.size).toBe(0);
  });

  test('What was applied to one object is not taken for the state of another one', () => {
    const events = [bound('bot/a', 'b1'), applied('bot/a', 'A')];
    expect(foldLedger([...events, bound('bot/a', 'b2')]).applied.size).toBe(0);
  });

  test('An object created again under the same id starts without a spec', () => {
    const events = [
      bound('agent/ann@example.com', 'ann@example.com', 'created'),
      applied('agent/ann@example.com', 'A'),
    ];
    const again = bound('agent/ann@example.com', 'ann@example.com', 'created');
    expect(foldLedger([...events, again]).applied.size).toBe(0);
  });

  test('An object adopted again keeps what was applied to it', () => {
    const events = [bound('group/a', 7), applied('group/a', 'A'), bound('group/a', 7, 'imported')];
    const state = foldLedger(events);
    expect(state.applied.size).toBe(1);
    expect(state.bindings.get('group/a')).toEqual({ id: 7, origin: 'imported' });
  });

  test('What is moved keeps its object, its origin, its spec and when it was applied; what stood at its new name is no more', () => {
    const events = [
      bound('group/a', 1, 'created'),
      applied('group/a', 'A'),
      bound('group/b', 2),
      applied('group/b', 'B'),
    ];
    const { bindings, applied: specs } = foldLedger([...events, moved('group/a', 'group/b')]);
    expect([...bindings]).toEqual([['group/b', { id: 1, origin: 'created' }]]);
    expect([...specs]).toEqual([['group/b', { spec: { name: 'A' }, digests: { avatar: 'ab12' }, at: AT }]]);
  });

  test('Moved twice, as in a merge of two copies that both say so, it is moved once; and nothing is moved from nowhere', () => {
    const move = moved('group/a', 'group/b');
    expect(foldLedger([bound('group/a', 1), move, move])).toEqual(foldLedger([bound('group/a', 1), move]));
    expect(foldLedger([bound('group/a', 1), moved('group/a', 'group/a')]).bindings.size).toBe(1);
  });

  test('Moves that follow each other are the same as moves with other events between them', () => {
    const key = fc.constantFrom<Address>('group/a', 'group/b', 'group/c', 'group/d');
    const agent: LedgerEvent = {
      v: 1,
      run: 'r',
      at: AT,
      type: 'applied',
      address: 'agent/kim@x.example',
      digests: {},
      spec: {},
    };
    const between: LedgerEvent = { v: 1, run: 'r', at: AT, type: 'done', intent: 'none', outcome: 'unknown' };
    fc.assert(
      fc.property(
        fc.uniqueArray(key),
        fc.uniqueArray(key),
        fc.array(fc.tuple(key, key), { maxLength: 8 }),
        (owned, named, pairs) => {
          const groups = Object.fromEntries(named.map((address) => [address.slice('group/'.length), 'normal']));
          const before: readonly LedgerEvent[] = [
            ...owned.map((address, index) => bound(address, index)),
            ...named.map((address) => applied(address, address)),
            { ...agent, spec: { groups } },
            { v: 1, run: 'r', at: AT, type: 'order', kind: 'group', moment: 'applied', order: named, ids: [] },
            ...named.map((address) => intent(address, address)),
          ];
          const moves = pairs.map(([from, to]) => moved(from, to));
          expect(foldLedger([...before, ...moves])).toEqual(
            foldLedger([...before, ...moves.flatMap((move) => [move, between])]),
          );
        },
      ),
      { numRuns: tries(5000, 200) },
    );
  });

  test('Each move takes no longer the more there are', { timeout: 20_000 }, () => {
    const all = Array.from({ length: 20_000 }, (_, index) => index);
    const { bindings } = foldLedger([
      ...all.flatMap((index) => [bound(`group/${index}`, index), applied(`group/${index}`, 'A')]),
      ...all.map((index) => moved(`group/${index}`, `group/new-${index}`)),
    ]);
    expect([bindings.size, bindings.get('group/new-7')?.id]).toEqual([all.length, 7]);
  });

  test('An intent is open until it is said what became of it, and goes where its address is moved', () => {
    const events = [bound('group/a', 1), intent('group/a', 'i1'), intent('group/c', 'i2'), moved('group/a', 'group/b')];
    const { type: _, v: __, id: ___, kind: ____, run: _____, ...told } = intent('group/b', 'i1');
    expect(foldLedger(events).intents.get('i1')).toEqual(told);
    for (const end of [{ outcome: 'created', created: 7 }, { outcome: 'refused' }, { outcome: 'unknown' }] as const) {
      const { intents } = foldLedger([...events, { v: 1, run: 'r', at: AT, type: 'done', intent: 'i1', ...end }]);
      expect([...intents.keys()]).toEqual(['i2']);
    }
  });

  test('What was created a moment ago is known by its new name too, with the time of its creation', () => {
    const late = { ...moved('group/a', 'group/b'), at: '2026-11-20T12:01:00.000Z' };
    const created = createdSince([bound('group/a', 1, 'created'), late], Date.parse(AT));
    expect([...created]).toEqual([['group/b', { id: 1, at: Date.parse(AT) }]]);
    expect(createdSince([bound('group/a', 1, 'created'), late], Date.parse(AT) + 1).size).toBe(0);
  });

  test('Runs and events of a newer chatform change nothing', () => {
    const silent: readonly LedgerEvent[] = [
      { v: 1, run: 'r', at: AT, type: 'run', command: 'apply', outcome: 'done' },
      { type: 'unknown', event: { v: 1, run: 'r', at: AT, type: 'of_tomorrow', address: 'group/a' } },
    ];
    fc.assert(
      fc.property(fc.array(anyEvent), fc.nat(), (events, position) => {
        const at = events.length === 0 ? 0 : position % events.length;
        expect(foldLedger(events.toSpliced(at, 0, ...silent))).toEqual(foldLedger(events));
      }),
    );
  });

  test('Events of one address do not touch another one', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (any) => {
        const events = any.filter(({ type }) => type !== 'moved');
        const whole = foldLedger(events);
        for (const [address, binding] of whole.bindings) {
          const own = events.filter((event) => 'address' in event && event.address === address);
          expect(foldLedger(own).bindings.get(address)).toEqual(binding);
          expect(foldLedger(own).applied.get(address)).toEqual(whole.applied.get(address));
        }
      }),
    );
  });
});
