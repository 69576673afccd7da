import { expect, test } from 'vitest';
import type { Caller } from '../caller.ts';
import { createCaller } from '../caller.ts';

const ANN = { id: 'ann@example.com', name: 'Ann' };

async function flags({ call }: Caller): Promise<{ suspended: boolean; awaiting_approval: boolean }> {
  const { suspended, awaiting_approval } = await call('get_agent', {
    id: ANN.id,
    fields: ['suspended', 'awaiting_approval'],
  });
  return { suspended, awaiting_approval };
}

test('suspend_agent and unsuspend_agent turn `suspended`', async () => {
  const caller = createCaller();
  await caller.call('create_agent', { ...ANN, awaiting_approval: false });
  await caller.call('suspend_agent', { id: ANN.id });
  expect(await flags(caller)).toEqual({ suspended: true, awaiting_approval: false });
  await caller.call('unsuspend_agent', { id: ANN.id });
  expect(await flags(caller)).toEqual({ suspended: false, awaiting_approval: false });
});

test('An agent waits for approval unless something else is asked for, until approve_agent', async () => {
  const caller = createCaller();
  await caller.call('create_agent', ANN);
  expect(await flags(caller)).toEqual({ suspended: false, awaiting_approval: true });
  await caller.call('approve_agent', { id: ANN.id });
  expect(await flags(caller)).toEqual({ suspended: false, awaiting_approval: false });
});

test('Approval can be set to be needed only where it is asked for', async () => {
  const caller = createCaller({ settings: { approval: 'open' } });
  await caller.call('create_agent', ANN);
  expect((await flags(caller)).awaiting_approval).toBe(false);
  await caller.call('create_agent', { ...ANN, id: 'bob', awaiting_approval: true });
  const bob = await caller.call('get_agent', { id: 'bob', fields: ['awaiting_approval'] });
  expect(bob.awaiting_approval).toBe(true);
});

test.each(['suspend_agent', 'unsuspend_agent', 'approve_agent'])(
  'Repeating %s is accepted, or refused by a setting',
  async (action) => {
    const repeat = async (caller: Caller): Promise<Caller> => {
      await caller.call('create_agent', ANN);
      if (action === 'unsuspend_agent') await caller.call('suspend_agent', { id: ANN.id });
      await caller.call(action, { id: ANN.id });
      return caller;
    };
    expect(await (await repeat(createCaller())).call(action, { id: ANN.id })).toEqual({});
    const strict = await repeat(createCaller({ settings: { repeatedTransition: 'validation' } }));
    expect(await strict.fail(action, { id: ANN.id })).toBe('validation');
  },
);

test('request_agent_unsuspension changes nothing', async () => {
  const { call, emulator } = createCaller();
  const before = emulator.snapshot();
  expect(await call('request_agent_unsuspension')).toEqual({});
  expect(emulator.snapshot()).toEqual(before);
});
