import { expect, test } from 'vitest';
import { type Ability, abilitiesOf } from '../../../src/many/workers/abilities.ts';

const CAN: Ability = { apply: expect.fail, check: expect.fail, drive: expect.fail };

function rig(answer: (run: string) => Promise<Ability>) {
  let now = 0;
  const asked: string[] = [];
  const abilities = abilitiesOf(
    (run) => {
      asked.push(run);
      return answer(run);
    },
    () => now,
  );
  const pass = (seconds: number): void => {
    now += seconds * 1_000;
  };
  return { abilities, asked, pass };
}

test('A worker asks once for a run that it can do, also while the answer is under way', async () => {
  const { abilities, asked, pass } = rig(async () => CAN);
  const both = await Promise.all([abilities.of('r1'), abilities.of('r1')]);
  pass(3_600);
  expect([...both, await abilities.of('r1')]).toEqual([CAN, CAN, CAN]);
  expect(asked).toEqual(['r1']);
  expect(abilities.refused()).toEqual([]);
});

test('A refusal holds for 20 s, and is shown for a minute; work that cannot be prepared is one', async () => {
  const answers: (() => Promise<Ability>)[] = [
    async () => ({ refused: 'commit 5f1c is not here', drive: null }),
    async () => {
      throw new Error('git failed');
    },
    async () => CAN,
  ];
  const { abilities, asked, pass } = rig(async () => answers.shift()?.() ?? expect.fail());
  for (const _ of [1, 2]) expect(await abilities.of('r1')).toMatchObject({ refused: 'commit 5f1c is not here' });
  expect(asked).toHaveLength(1);
  pass(21);
  expect(await abilities.of('r1')).toEqual({ refused: 'git failed', drive: null });
  expect(abilities.refused()).toEqual([{ run: 'r1', reason: 'git failed' }]);
  pass(61);
  expect(abilities.refused()).toEqual([]);
  expect(await abilities.of('r1')).toEqual(CAN);
});

test('The runs that were asked for longest ago are forgotten', async () => {
  const { abilities, asked } = rig(async () => CAN);
  for (let run = 0; run < 40; run += 1) {
    await abilities.of('first');
    await abilities.of(`r${run}`);
  }
  expect(asked.filter((run) => run === 'first')).toHaveLength(1);
  await abilities.of('r0');
  expect(asked.filter((run) => run === 'r0')).toHaveLength(2);
});
