import { expect, test } from 'vitest';
import { resultsOf } from '../../../src/many/log/log.ts';
import { ended, runOf, START, spec, stampAt, started, wave } from '../names.ts';

test('A target that was not begun after all comes again where it was; one that an earlier worker had begun is cut off, and first', () => {
  const unbegun = (target: string, cut: boolean) =>
    ({ ...stampAt(START), type: 'unbegun', target, attempt: 1, cut }) as const;
  const { waves, targets } = resultsOf([
    runOf(spec([wave('all', ['a', 'b', 'c', 'd'], { parallel: 3 })])),
    ...['a', 'b', 'c'].map((target) => started(target)),
    ended('a'),
    unbegun('c', true),
    unbegun('b', false),
  ]);
  expect([...(waves[0]?.open ?? [])]).toEqual(['c', 'b', 'd']);
  expect(['b', 'c'].map((name) => targets.get(name))).toMatchObject([
    { state: 'pending', begun: null },
    { state: 'unknown', begun: new Date(START).toISOString() },
  ]);
});
