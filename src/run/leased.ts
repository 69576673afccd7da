// A client and a lease in; the same client out, whose every write leaves only while the lease outlives the request. It must not know where the lease
// is kept, and must not send anything again.

import { ApiError } from '../base/errors.ts';
import type { Tenure } from '../ledger/tenure.ts';
import type { Client } from '../service/client.ts';

/** What is refused fails with the type `aborted`, not ambiguous: it did not leave. */
export function leased<A extends string, V extends string>(
  client: Client<A, V>,
  tenure: Pick<Tenure, 'refusal'>,
  requestTimeout: number,
): Client<A, V> {
  async function mayLeave(action: A): Promise<void> {
    if (client.api.actions[action].effect === 'read') return;
    const reason = await tenure.refusal(requestTimeout);
    if (reason !== null) throw unsent(action, reason);
  }

  return {
    ...client,
    call: async (action, body, options) => {
      await mayLeave(action);
      return client.call(action, body, options);
    },
    batch: async (action, bodies, options) => {
      await mayLeave(action);
      return client.batch(action, bodies, options);
    },
  };
}

function unsent(action: string, reason: string): ApiError {
  return new ApiError({
    action,
    type: 'aborted',
    message: `not sent without the lease: ${reason}`,
    status: null,
    ambiguous: false,
    debugId: null,
    retryAfter: null,
    data: null,
  });
}
