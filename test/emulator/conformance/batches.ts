// The rows of the batches, made from the rows of their single methods.
// Specification: "Batch requests (3.6)". Does not know how a request is sent.

import { since } from '../caller.ts';
import { AGENTS } from './agents.ts';
import { BOTS } from './bots.ts';
import type { Row } from './row.ts';
import { inVersion, NO_LIST, required } from './row.ts';

const BATCHABLE = [
  'create_agent',
  'update_agent',
  'delete_agent',
  'suspend_agent',
  'unsuspend_agent',
  'approve_agent',
  'request_agent_unsuspension',
  'create_bot',
  'update_bot',
  'delete_bot',
];

/** The rows of the single methods. */
export const SINGLE: readonly Row[] = [...AGENTS, ...BOTS].filter(({ action }) => BATCHABLE.includes(action));

export const BATCHES: readonly Row[] = SINGLE.map(({ action, request, reply }) => ({
  action: `batch_${action}s`,
  versions: since('3.5'),
  request: (version) => ({ requests: [inVersion(request, version)] }),
  reply: (version) => ({ responses: [inVersion(reply, version)] }),
  members: [required('requests', NO_LIST)],
  accepts: [{ requests: [] }],
}));
