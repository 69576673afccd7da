// Notices of a run: how long something takes is told in seconds.

import { expect, test } from 'vitest';
import { uncoloured } from '../../../src/view/paint.ts';
import { noticeText } from '../../../src/view/terminal/notice.ts';

test('Waits are told in seconds', () => {
  expect(noticeText({ type: 'unsettled', elapsed: 12_400, subjects: ['group/a', 'group/b'] }, uncoloured)).toBe(
    'Waiting for recent writes to show... [12 s] (group/a, group/b)',
  );
  expect(noticeText({ type: 'new-ledger', wait: 4_200 }, uncoloured)).toContain('waiting 5 s (');
});
