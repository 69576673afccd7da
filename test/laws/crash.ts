// A world in; the same world as a run sees it that is killed at one of its effects, out: from then on nothing it does has an effect.

import { LICENSE_API } from '../../src/kinds/actions.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { LicenseClient } from '../../src/license/connect.ts';
import type { SecretsSink } from '../../src/target/secrets/secrets.ts';
import type { World } from '../world.ts';

/** Whether the effect itself still happens; nobody learns of it. */
export type Moment = 'before' | 'after';

/** What a run of the doomed world is given. */
export interface Doomed {
  readonly client: LicenseClient;
  readonly ledger: Ledger;
  readonly sink: SecretsSink;
  readonly signal: AbortSignal;
  /** The effects that there were, or would have been. */
  readonly effects: () => readonly string[];
}

/** Effects are writes on the service, appends to the ledger and secrets on their way to the sink. `at` counts from 0; infinity kills nobody. */
export function doomed(world: World, at: number, moment: Moment): Doomed {
  const death = new AbortController();
  const effects: string[] = [];
  const never = new Promise<never>(() => {});

  async function effect<T>(name: string, act: () => Promise<T>): Promise<T> {
    if (death.signal.aborted) return dead();
    const number = effects.push(name) - 1;
    if (number !== at) return act();
    if (moment === 'after') await act();
    death.abort();
    return dead();
  }

  /** A process that is killed answers to nobody; here it has to end, so that the next run can begin. */
  function dead(): Promise<never> {
    return Promise.reject(new Error('killed'));
  }

  return {
    signal: death.signal,
    effects: () => effects,
    client: {
      ...world.client,
      call: async (action, body, options) => {
        if (LICENSE_API.actions[action].effect === 'read')
          return death.signal.aborted ? never : world.client.call(action, body, options);
        await options?.leaving?.([0]);
        return effect(action, () => world.client.call(action, body));
      },
      batch: async (action, bodies, options) => {
        await options?.leaving?.(bodies.map((_, index) => index));
        return effect(action, () => world.client.batch(action, bodies));
      },
    },
    ledger: {
      ...world.ledger,
      append: (events) => effect(`ledger: ${events.map(({ type }) => type)}`, () => world.ledger.append(events)),
    },
    sink: {
      ...world.sink,
      store: (entries) => (entries.length === 0 ? Promise.resolve() : effect('sink', () => world.sink.store(entries))),
    },
  };
}
