import type { WorkflowStatus } from '@dbos-inc/dbos-sdk';
import { expect, test } from 'vitest';
import type { EngineConnection } from '../../../src/many/workers/connection.ts';
import { watchdog } from '../../../src/many/workers/watchdog.ts';

test('A delay that the clock of another worker does not end is ended by the oldest worker', async () => {
  const delayed = { workflowID: 'run/r1/0/2', queueName: 'chatform-runs' } as WorkflowStatus;
  const resumed: unknown[] = [];
  const client = {
    listWorkflows: async ({ status }: { readonly status: string }) => (status === 'DELAYED' ? [delayed] : []),
    resumeWorkflows: async (ids: readonly string[], to: object) => void resumed.push([ids, to]),
  };
  const { look } = watchdog({ answering: async () => client } as unknown as EngineConnection, 'w1', () => false);
  for (let second = 0; second < 8; second += 1) await look(['w1', 'w2']);
  expect(resumed).toEqual([]);
  await look(['w2', 'w1']);
  expect(resumed).toEqual([]);
  await look(['w1', 'w2']);
  expect(resumed).toEqual([[['run/r1/0/2'], { queueName: 'chatform-runs' }]]);
});
