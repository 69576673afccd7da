import { expect, test } from 'vitest';
import { ACTIONS } from '../../src/emulator/configuration/actions.ts';
import { createCaller } from './caller.ts';
import { ROWS, SEED } from './requests.ts';

test.each(ROWS)('%s %s accepts %j and answers the members %j', async (version, action, body, members) => {
  const { call, emulator } = createCaller({ seed: SEED }, version);
  const secret = action === 'issue_bot_token' ? (await call('reset_bot_secret', { id: 'bot' })).secret : undefined;
  const reply = await call(action, secret === undefined ? body : { ...body, bot_secret: secret });
  for (const item of Array.isArray(reply) ? reply : [reply])
    expect(Object.keys(item).sort()).toEqual([...members].sort());
  if (action.startsWith('list_')) expect(reply).not.toEqual([]);
  for (const slot of reply.responses ?? []) expect(slot).not.toHaveProperty('error');
  expect(emulator.stats()[action]).toBe(1);
});

test('The rows above are all actions of both versions, and no others exist', () => {
  for (const version of ['3.3', '3.6'] as const) {
    const rows = ROWS.filter(([of]) => of === version).map(([, action]) => action);
    expect(Array.from(ACTIONS[version].keys()).sort()).toEqual(rows.sort());
  }
});
