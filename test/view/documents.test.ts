// Documents: for people while they can read them, in one line where they cannot.

import { expect, test } from 'vitest';
import { commandDocument } from '../../src/view/documents.ts';

const GROUP = { kind: 'group', name: 'Sales' };

test('A short document has lines, a long one has one', () => {
  const short = commandDocument({ items: [GROUP] });
  expect(short).toContain('\n  "items": [\n');
  expect(JSON.parse(short)).toMatchObject({ errored: false, items: [GROUP] });
  const items = Array.from({ length: 30_000 }, (_, at) => ({ ...GROUP, id: at }));
  const long = commandDocument({ items });
  expect(long.indexOf('\n')).toBe(long.length - 1);
  expect(JSON.parse(long)).toMatchObject({ errored: false, items });
});
