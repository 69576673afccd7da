// A client and a lease in; the same client out, whose every write leaves only while the lease outlives the request. It must not know where the lease
// is kept, and must not send anything again.

import { ApiError } from '../base/errors.ts';
import type { Tenure } from '../ledger/tenure.ts';
import { ACTIONS, type ActionName } from '../service/actions.ts';
import type { Client } from '../service/client.ts';

/** What is refused fails with the type `aborted`, not ambiguous: it did not leave. */
export function leased(client: Client, tenure: Pick<Tenure, 'refusal'>, requestTimeout: number): Client {
  async function mayLeave(action: ActionName): Promise<void> {
    if (ACTIONS[action].effect === 'read') return;
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

function unsent(action: ActionName, reason: string): ApiError {
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
