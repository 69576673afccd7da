import { expect, test } from 'vitest';
import { serverClock } from '../../../src/ledger/postgres/clock.ts';
import { virtualClock } from '../../world.ts';

const MINUTE = 60_000;

/** The clock of a machine that can be set, and that of a server. Each question takes a while. */
function rig(takes = 10) {
  const own = virtualClock();
  let set = 0;
  let away = 0;
  const machine = { ...own, now: () => own.now() + set };
  const query = async () => {
    await own.sleep(takes / 2);
    const now = own.now();
    await own.sleep(takes / 2 + away);
    return [{ now }] as never;
  };
  return {
    server: own.now,
    clock: () => serverClock({ query }, machine),
    set: (by: number) => {
      set = by;
    },
    delay: (by: number) => {
      away = by;
    },
  };
}

test.each([-7, 0, 10])(
  'A clock of a machine that is %d minutes ahead shows the time of the server',
  async (minutes) => {
    const { server, clock, set } = rig();
    set(minutes * MINUTE);
    expect((await clock()).now()).toBe(server());
  },
);

test('A clock that is set while it runs is right again after a comparison; a slow one changes nothing', async () => {
  const { server, clock, set, delay } = rig();
  const { now, compare } = await clock();
  set(10 * MINUTE);
  await compare();
  expect(now()).toBe(server());
  delay(5_000);
  await compare();
  expect(now()).toBe(server());
});
