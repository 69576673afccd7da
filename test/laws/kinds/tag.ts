// Tags of random wishes.

import fc from 'fast-check';
import { since } from '../../../src/base/api-versions.ts';
import { columns, maybe, slots } from '../slots.ts';
import { type Drawing, groupIds, pick } from './drawing.ts';

/** Each in two spellings, of which a manifest has one. */
const TAGS = [
  ['returns', 'Returns'],
  ['VIP', 'vip'],
  ['spam/late', 'SPAM/late'],
] as const;

type Wish = readonly ({ readonly spelling: number; readonly groups: readonly number[] } | null)[];

type Edit =
  | { readonly does: 'create'; readonly slot: number; readonly spelling: number; readonly groups: readonly number[] }
  | { readonly does: 'update'; readonly at: number; readonly groups: readonly number[] }
  | { readonly does: 'delete'; readonly at: number };

const some = fc.array(fc.nat(20), { maxLength: 4 });

export const tagDrawing: Drawing<Wish, Edit> = {
  kind: 'tag',
  versions: since('3.5'),
  spec: fc.array(fc.constantFrom('group/sales', 'group/vip', '7', '0'), { maxLength: 4 }).map((groups) => ({ groups })),
  wish: slots(TAGS.length, () =>
    maybe(
      fc.record({
        // Mostly one spelling, so that a tag is also changed.
        spelling: fc.constantFrom(0, 0, 0, 1),
        groups: fc.shuffledSubarray(Array.from({ length: columns }, (_, column) => column)),
      }),
    ),
  ),
  declared: (wish, { groupAt }) =>
    wish.flatMap((tag, slot) => {
      if (tag === null) return [];
      const groups = tag.groups.flatMap((column) => groupAt(column) ?? []);
      return [{ kind: 'tag', key: TAGS[slot]?.[tag.spelling] ?? '', spec: { groups } }];
    }),
  edit: fc.oneof(
    fc.record({
      does: fc.constant('create' as const),
      slot: fc.nat(TAGS.length - 1),
      spelling: fc.nat(1),
      groups: some,
    }),
    fc.record({ does: fc.constant('update' as const), at: fc.nat(20), groups: some }),
    fc.record({ does: fc.constant('delete' as const), at: fc.nat(20) }),
  ),
  calls: (edit, records) => {
    const name = edit.does === 'create' ? TAGS[edit.slot]?.[edit.spelling] : pick(records.tags, edit.at)?.name;
    if (name === undefined) return [];
    if (edit.does === 'delete') return [{ action: 'delete_tag', body: { name } }];
    return [{ action: `${edit.does}_tag`, body: { name, group_ids: groupIds(records, edit.groups) } }];
  },
  recorded: ({ tags }) =>
    tags.map(({ name, group_ids, author_id }) => ({
      id: name,
      name,
      fields: { groups: group_ids },
      ...(author_id === '' ? { preset: true } : {}),
    })),
  upheaval: {
    before: { returns: { groups: ['sales'] }, stale: { groups: ['old'] }, case: { groups: ['sales', 'old'] } },
    after: { returns: { groups: ['support', 'sales'] }, fresh: { groups: ['extra'] }, CASE: { groups: [] } },
  },
};
