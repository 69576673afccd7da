// The example that every report is tested with has to have everything that a report can have.

import { expect, test } from 'vitest';
import { DRIFT_KINDS, STATUSES } from '../../../src/base/difference.ts';
import { SEVERITIES } from '../../../src/base/model.ts';
import { CALM, FAILED, ITEMS, SEEN } from './example.ts';

test('the example has an item of every status, kind and severity, and looks of every outcome', () => {
  expect(new Set(ITEMS.map(({ status }) => status))).toEqual(new Set(STATUSES));
  expect(new Set(ITEMS.map(({ kind }) => kind))).toEqual(new Set(DRIFT_KINDS));
  expect(new Set(ITEMS.map(({ severity }) => severity))).toEqual(new Set(SEVERITIES));
  expect([SEEN, CALM, FAILED].map(({ outcome }) => outcome)).toEqual(['seen', 'seen', 'failed']);
});
