// Law 6 of the design: planning sends no write, because its client cannot.

import { describe, expect, it } from 'vitest';
import { InternalError } from '../../src/errors.ts';
import { ACTIONS, type ActionName } from '../../src/service/actions.ts';
import { readsOnly } from '../../src/service/client.ts';
import { world } from '../world.ts';

const NAMES = Object.keys(ACTIONS) as readonly ActionName[];

describe('the client of planning', () => {
  it.each(NAMES.filter((name) => ACTIONS[name].effect !== 'read'))('never sends %s', async (action) => {
    const { client, emulator } = world();
    const reader = readsOnly(client);
    await expect(reader.call(action, {})).rejects.toBeInstanceOf(InternalError);
    await expect(reader.batch(action, [{}])).rejects.toBeInstanceOf(InternalError);
    expect(emulator.stats()).toEqual({});
  });
});
