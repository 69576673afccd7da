// Sentences about the impact of a plan: shares of persons.

import { expect, test } from 'vitest';
import { shareText } from '../../../src/view/words/impact.ts';

const SHARE = { address: 'agent/ann@example.com', group: 'group/sales', chats: 223, of: 2000 } as const;

test('A hidden share is not said to be small: it can be that of another person which is', () => {
  const hidden = 'is hidden: fewer than 5, or it would tell such a number';
  expect([shareText(SHARE, SHARE.address), shareText({ ...SHARE, chats: null }, SHARE.address)]).toEqual([
    'took 223 of the 2,000 chats of group/sales (11 %)',
    `how many of the 2,000 chats of group/sales it took ${hidden}`,
  ]);
  expect(shareText({ ...SHARE, chats: null }, 'group/sales')).toBe(
    `how many of the 2,000 chats of group/sales agent/ann@example.com took ${hidden}`,
  );
});
