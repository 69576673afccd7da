// Law 6 of the design: planning sends no write, because its client cannot. And it reads nothing twice, nor in vain.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../src/base/errors.ts';
import { canonicalJson } from '../../src/base/json.ts';
import { LICENSE_API, type LicenseAction } from '../../src/kinds/actions.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { type Ask, askAhead, fetchLive } from '../../src/license/reading/live.ts';
import { declaredView, viewOf } from '../../src/license/reading/view.ts';
import { readsOnly } from '../../src/service/client.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { world } from '../world.ts';
import { scenario, stage } from './stage.ts';

const NAMES = Object.keys(LICENSE_API.actions) as readonly LicenseAction[];

describe('the client of planning', () => {
  it.each(NAMES.filter((name) => LICENSE_API.actions[name].effect !== 'read'))('never sends %s', async (action) => {
    const { client, emulator } = world();
    const reader = readsOnly(client);
    await expect(reader.call(action, {})).rejects.toBeInstanceOf(InternalError);
    await expect(reader.batch(action, [{}])).rejects.toBeInstanceOf(InternalError);
    expect(emulator.stats()).toEqual({});
  });
});

describe.each(TRIED_VERSIONS)('What is asked before the ledger is read, in version %s,', (version) => {
  it('is what the reading asks first, and is not asked again', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), async (given) => {
        const { world: made, desired } = await stage(given);
        const reading = async (isAhead: boolean): Promise<readonly string[]> => {
          const asked: string[] = [];
          const ask: Ask = (action, body) => {
            asked.push(`${action} ${canonicalJson(body)}`);
            return made.client.call(action, body);
          };
          const ahead = isAhead ? askAhead(ask, declaredView(desired, version), version, made.clock.now()) : { ask };
          const left = [...asked];
          await fetchLive(ahead.ask, viewOf(desired, foldLedger(await made.ledger.read()), version), version);
          if (isAhead && desired.resources.length > 0) expect(left).not.toEqual([]);
          return asked.sort();
        };
        expect(await reading(true)).toEqual(await reading(false));
      }),
      { numRuns: tries(15) },
    );
  });
});
