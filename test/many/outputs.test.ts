// What outputs say of an outcome without a value.

import { expect, test } from 'vitest';
import { planning } from '../../src/features/plan/operation.ts';
import type { Failed } from '../../src/many/operation.ts';
import { findingsOf } from '../../src/many/outputs.ts';

test('A failure is a finding of its operation, by its target', () => {
  const asked = { operation: planning, options: {} as Parameters<typeof planning.row>[2] };
  const failed: Failed = {
    state: 'failed',
    operation: 'plan',
    target: 'acme',
    at: '2026-06-01T00:00:00Z',
    message: 'there is no token',
    diagnostics: [],
    requests: null,
    seconds: 1,
    problems: [],
  };
  expect(findingsOf(asked, failed)).toMatchObject({
    scope: ['acme'],
    check: 'plan came to a result',
    failure: 'acme: there is no token',
  });
  expect(findingsOf(asked, { ...failed, target: '' })).toMatchObject({ scope: [], failure: 'there is no token' });
});
