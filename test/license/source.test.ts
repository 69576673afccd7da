// The source of a plan, when recent writes do not show and the reading is interrupted.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileLedger } from '../../src/ledger/file.ts';
import { licenseSource } from '../../src/license/source.ts';
import type { TargetSettings } from '../../src/project/settings.ts';
import { folder } from '../cli/chatform.ts';
import { fakeTerminal } from '../cli/terminal.ts';
import { declare, desiredOf } from '../desired.ts';
import { EVERYTHING, world } from '../world.ts';

test.each([
  [['Sales'], 'group/sales'],
  [['Sales', 'Support'], 'group/sales, group/support'],
])('%j: an interrupted reading of writes that do not show is no plan', async (names, subjects) => {
  const made = world({ propagationDelay: 60_000 });
  const desired = desiredOf(names.map((name) => declare('group', name.toLowerCase(), { name })));
  await made.apply(await made.plan(desired), desired, { propagationTimeout: 1_000 });
  const path = join(await folder({}), 'ledger.ndjson');
  await fileLedger(path).append(await made.ledger.read());
  const settings = {
    name: 'here',
    ledger: path,
    apiVersion: '3.6',
    propagationDelay: null,
    requestTimeout: 30_000,
    secrets: null,
  } as TargetSettings;
  const stop = new AbortController();
  const terminal = { ...fakeTerminal(null).terminal, clock: made.clock, notice: () => stop.abort() };
  const ask = (action: Parameters<typeof made.client.call>[0], body: object) => made.client.call(action, { ...body });
  const { settled } = licenseSource(settings, { client: made.client, ask, signal: stop.signal } as never, terminal);
  const events = await made.ledger.read();
  await expect(settled({ ahead: null, desired, events, options: EVERYTHING, moved: [] })).rejects.toThrow(
    `interrupted: recent writes do not show yet (${subjects}), so there is no plan; run it again`,
  );
});
