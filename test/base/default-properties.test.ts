// The table of default properties against the published one, which stands next to this file as it was read.

import { expect, test } from 'vitest';
import { DEFAULT_PROPERTIES, SERVICE_NAMESPACES } from '../../src/base/default-properties.ts';
import { PUBLISHED } from './published-properties.ts';

const keyOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => `${namespace}/${name}`;

/** Where the table lists values that the published one does not: they are in its text. */
const VALUES_IN_TEXT: { readonly [key: string]: readonly (number | string)[] } = {
  'chats/manual_routing.override': [-1, 0, 1],
  'chats/queue.enabled.override': [-1, 0, 1],
  'lc2/form_type': ['prechat', 'postchat', 'ticket'],
};

test('Every published property is in the table, and no other one', () => {
  expect([PUBLISHED.length, SERVICE_NAMESPACES.length]).toEqual([106, 15]);
  expect(DEFAULT_PROPERTIES.map(keyOf).sort()).toEqual(PUBLISHED.map(keyOf).sort());
});

test.each(PUBLISHED)('$namespace/$name has its type, its readers, its writers and its values', (published) => {
  const found = DEFAULT_PROPERTIES.find((one) => keyOf(one) === keyOf(published));
  const { type, access, values } = published;
  expect([found?.type, found?.access]).toEqual([type, access]);
  expect(found?.domain).toEqual(VALUES_IN_TEXT[keyOf(published)] ?? values);
});
