// Canned responses of random wishes.

import fc from 'fast-check';
import { since } from '../../../src/base/api-versions.ts';
import type { Json, Spec } from '../../../src/base/model.ts';
import { columns, type Entry, entry, maybe, present, slots } from '../slots.ts';
import { type Drawing, pick, type Recorded } from './drawing.ts';

const CANNED = ['hello', 'hours'] as const;
const texts = fc.constantFrom('Hi.', 'We open at 9,\nand close at 17.', '1 < 2 & 3');

/** Texts as the emulator keeps them. `shortcut` tells one from another. */
function spec(shortcut: string): fc.Arbitrary<Spec> {
  return fc
    .record(
      {
        text: texts,
        tags: fc.subarray(['a', 'b']).map((more): Json => [shortcut, ...more]),
        is_private: fc.boolean(),
      },
      { requiredKeys: ['text', 'tags'] },
    )
    .map(present);
}

/** `group` is a column. */
export type CannedWish = readonly ((Entry & { readonly group: number }) | null)[];

type Edit =
  | { readonly does: 'update'; readonly at: number; readonly text: string }
  | { readonly does: 'delete'; readonly at: number };

export const cannedResponseDrawing: Drawing<CannedWish, Edit> = {
  kind: 'canned_response',
  versions: since('3.7'),
  spec: fc.tuple(spec('hi'), fc.constantFrom('group/sales', '7')).map(([rest, group]) => ({ ...rest, group })),
  wish: slots(CANNED.length, (slot) =>
    maybe(fc.record({ ...entry(['text', 'tags']), spec: spec(CANNED[slot] ?? ''), group: fc.nat(columns - 1) })),
  ),
  declared: (wish, { groupAt, general, entry: declare }) =>
    wish.flatMap((response, slot) => {
      if (response === null) return [];
      const group = groupAt(response.group) ?? general();
      return [declare('canned_response', CANNED[slot] ?? '', { ...response.spec, group }, response)];
    }),
  edit: fc.oneof(
    fc.record({ does: fc.constant('update' as const), at: fc.nat(20), text: texts }),
    fc.record({ does: fc.constant('delete' as const), at: fc.nat(20) }),
  ),
  calls: (edit, { cannedResponses }) => {
    const id = pick(cannedResponses, edit.at)?.id;
    if (id === undefined) return [];
    const body = edit.does === 'update' ? { id, text: edit.text } : { id };
    return [{ action: `${edit.does}_canned_response`, body, path: 'v3.7/configuration' }];
  },
  recorded: ({ cannedResponses }) =>
    cannedResponses.map(({ group_id: group, ...response }): Recorded => {
      const fields = JSON.parse(JSON.stringify({ ...response, group }));
      // A private one is of a person.
      const preset = response.is_private ? { preset: true as const } : {};
      return { id: response.id, name: response.tags.join(), fields, ...preset };
    }),
  upheaval: {
    before: {
      hello: { text: 'Hello', tags: ['hello'], group: 'old' },
      gone: { text: 'Gone', tags: ['gone'], group: 'old' },
    },
    after: {
      hello: { text: 'Good day', tags: ['hello'], group: 'support' },
      fresh: { text: 'Fresh', tags: ['fresh'], group: 'extra' },
    },
  },
};
