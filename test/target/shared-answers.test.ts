// Answers that the targets of a run share: asked once, for a minute, and again where that fails or what they tell has changed.

import { expect, test } from 'vitest';
import { sharedAnswers } from '../../src/target/shared-answers.ts';
import { virtualClock } from '../world.ts';

test('A question is asked once a minute, and again once what it tells has changed or its writer asks', async () => {
  const clock = virtualClock();
  const { known, fresh, forget } = sharedAnswers(clock);
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked;
  };
  expect(await Promise.all([known('q', ask), known('q', ask), known('other', ask)])).toEqual([1, 1, 2]);
  await clock.sleep(59_999);
  expect(await known('q', ask)).toBe(1);
  await clock.sleep(1);
  expect(await known('q', ask)).toBe(3);
  expect(await fresh('q', ask)).toBe(4);
  expect(await known('q', ask)).toBe(4);
  forget();
  expect(await known('q', ask)).toBe(5);
});

test('Where the question of another target fails, each target asks for itself', async () => {
  const { known } = sharedAnswers(virtualClock());
  const refused = known('q', async () => {
    throw new Error('this token may not');
  });
  const allowed = known('q', async () => 'an answer');
  await expect(refused).rejects.toThrow('this token may not');
  expect(await allowed).toBe('an answer');
  expect(await known('q', async () => 'a later one')).toBe('a later one');
});
