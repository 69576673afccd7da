// A typed client of one API of the service, over the network unless an exchange is given, with retries.

import type { Clock } from '../base/model.ts';
import { createClient } from './client.ts';
import { createLine } from './http.ts';
import type { TypedApi } from './messages.ts';
import { systemClock } from './patience/clock.ts';
import { patient, type RetryPatience } from './patience/retry.ts';
import type { ClientSettings } from './sender.ts';
import { type TypedClient, typedClient } from './typed-client.ts';

export interface ServiceSettings<V extends string>
  extends Omit<ClientSettings<V>, 'exchange' | 'clock'>,
    Partial<Pick<RetryPatience, 'random' | 'concurrency' | 'signal' | 'deadline' | 'onWait'>> {
  /** What carries requests; the network when left out. */
  readonly exchange?: ClientSettings<V>['exchange'];
  readonly clock?: Clock;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read; the environment of the process when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ServiceClient<Messages, V extends string> extends TypedClient<Messages, V> {
  /** Closes the connections. */
  readonly close: () => Promise<void>;
}

const CONCURRENCY = 10;

/**
 * A client of `api` in one version. A failed request is sent again where that is safe: a create never after an end that leaves its effect unknown.
 * @throws UsageError for a credential, an account, an address or a proxy that cannot be right
 */
export function createServiceClient<Messages, V extends string, W extends V>(
  api: TypedApi<Messages, V>,
  settings: ServiceSettings<V> & { readonly version: W },
): ServiceClient<Messages, W> {
  const {
    exchange,
    clock = systemClock,
    env = process.env,
    random = Math.random,
    concurrency = CONCURRENCY,
    signal,
    deadline,
    onWait,
    ...others
  } = settings;
  const line = exchange === undefined ? createLine(env) : { exchange, close: async () => {} };
  const client = createClient(api, { ...others, exchange: line.exchange, clock });
  const lasting = patient(client, {
    clock,
    random,
    concurrency,
    ...(signal === undefined ? {} : { signal }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(onWait === undefined ? {} : { onWait }),
  });
  return { ...typedClient(api, { ...lasting, version: settings.version }), close: line.close };
}
