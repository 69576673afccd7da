import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fleetSpec } from '../../src/many/spec.ts';
import { fleetSettings } from '../../src/project/fleet-settings.ts';
import { tries } from '../tries.ts';

const target = (name: string, labels: Readonly<Record<string, string>> = {}, tokenEnv = 'TOKEN') => ({
  name,
  tokenEnv,
  labels: new Map(Object.entries(labels)),
});
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => target(`t${String(index).padStart(4, '0')}`));

test('Without settings all targets are one wave, eight at a time, which the first failure stops', () => {
  expect(fleetSpec(fleetSettings(undefined), [target('a'), target('b')])).toEqual({
    waves: [
      {
        name: 'all',
        targets: ['a', 'b'],
        parallel: 8,
        hold: 0,
        gates: [],
        maxFailures: null,
        maxUnreachable: null,
      },
    ],
    maxFailures: 0,
    maxUnreachable: null,
  });
});

test('Each target is in the first wave that takes it, and in the last one if none does', () => {
  const settings = fleetSettings({
    waves: [
      { name: 'canary', select: 'ring=canary' },
      { name: 'eu', select: ['region=eu', 'region=uk', 'tier=gold'] },
      { name: 'two', count: 2 },
    ],
  });
  const targets = [
    target('a', { region: 'eu' }),
    target('b', { region: 'uk', tier: 'gold' }),
    target('c', { ring: 'canary', region: 'eu', tier: 'gold' }),
    target('d'),
    target('e', { tier: 'gold' }),
    target('f', { region: 'eu', tier: 'gold' }),
  ];
  const named = fleetSpec(settings, targets).waves.map(({ name, targets: taken }) => [name, ...taken]);
  expect(named).toEqual([
    ['canary', 'c'],
    ['eu', 'b', 'f'],
    ['two', 'a', 'd'],
    ['rest', 'e'],
  ]);
});

test('A wave with gates also has the unchanged targets of its labels, and no share counts them', () => {
  const settings = fleetSettings({
    waves: [
      { name: 'canary', select: 'ring=canary', gate: ['tests'] },
      { name: 'eu', select: 'region=eu' },
      { name: 'half', percent: 50, gate: ['tests'] },
    ],
  });
  const unchanged = [target('a', { ring: 'canary' }), target('b', { region: 'eu' }), target('c')];
  const { waves } = fleetSpec(settings, [target('d'), target('e'), target('f', { ring: 'canary' })], unchanged);
  expect(waves.map(({ name, targets }) => [name, ...targets])).toEqual([
    ['canary', 'f', 'a'],
    ['eu'],
    ['half', 'd'],
    ['rest', 'e'],
  ]);
});

test('A wave without a share takes all that are left; one that takes none stays empty', () => {
  const settings = fleetSettings({
    waves: [
      { name: 'canary', select: 'ring=canary' },
      { name: 'rest', parallel: '10%' },
    ],
  });
  const { waves } = fleetSpec(settings, many(25));
  expect(waves.map(({ name, targets, parallel }) => [name, targets.length, parallel])).toEqual([
    ['canary', 0, 8],
    ['rest', 25, 2],
  ]);
});

test('Shares of targets are at least one, budgets may be none, and both are rounded down', () => {
  const settings = fleetSettings({
    waves: [
      { name: 'one', percent: 1, max_failures: '50%' },
      { name: 'tenth', percent: 10, max_failures: '50%', max_unreachable: 1 },
    ],
    max_failures: '2%',
    max_unreachable: '7%',
    parallel: '50%',
  });
  const found = fleetSpec(settings, many(50));
  expect(found).toMatchObject({
    waves: [
      { targets: ['t0000'], maxFailures: 0, parallel: 1 },
      { targets: { length: 5 }, maxFailures: 2, maxUnreachable: 1, parallel: 2 },
      { name: 'rest', targets: { length: 44 }, parallel: 22 },
    ],
    maxFailures: 1,
    maxUnreachable: 3,
  });
  expect(fleetSpec(fleetSettings({ max_failures: '0.57%' }), many(10_000)).maxFailures).toBe(57);
});

test('Whatever the waves are, every target is in exactly one, in the order of the targets', () => {
  const share = fc.oneof(
    fc.record({ count: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ select: fc.constantFrom('a=1', 'a=2', 'b=1') }),
    fc.constant({}),
  );
  const labels = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'), { noNullPrototype: true });
  const property = fc.property(
    fc.array(share, { maxLength: 4 }),
    fc.array(labels, { maxLength: 30 }),
    (shares, labelled) => {
      const waves = shares.map((taken, index) => ({ name: `w${index}`, ...taken }));
      const targets = labelled.map((each, index) => target(`t${String(index).padStart(2, '0')}`, each));
      const found = fleetSpec(fleetSettings({ waves }), targets);
      expect(found.waves.flatMap(({ targets: taken }) => taken).sort()).toEqual(targets.map(({ name }) => name));
      for (const { targets: taken } of found.waves) expect([...taken].sort()).toEqual(taken);
      expect(JSON.parse(JSON.stringify(found))).toEqual(found);
    },
  );
  fc.assert(property, { numRuns: tries(5_000, 200) });
});

test('Targets of different tokens take turns in their wave, which takes them by name', () => {
  const settings = fleetSettings({ waves: [{ name: 'first', count: 5 }, { name: 'rest' }] });
  const tokens: { readonly [name: string]: string } = { c: 'B', g: 'B', i: 'C' };
  const targets = [...'abcdefghi'].map((name) => target(name, {}, tokens[name] ?? 'A'));
  expect(fleetSpec(settings, targets).waves.map(({ targets: taken }) => taken.join(''))).toEqual(['acbde', 'fgih']);
});
