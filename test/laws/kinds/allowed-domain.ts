// Allowed domains of random wishes.

import fc from 'fast-check';
import { since } from '../../../src/base/api-versions.ts';
import { slots } from '../slots.ts';
import type { Drawing } from './drawing.ts';

const DOMAINS = ['shop.example', 'blog.shop.example', 'partner.example'] as const;

/** Whether each is declared. */
type Wish = readonly boolean[];

interface Edit {
  readonly slot: number;
  readonly allowed: boolean;
}

export const allowedDomainDrawing: Drawing<Wish, Edit> = {
  kind: 'allowed_domain',
  versions: since('3.7'),
  spec: fc.constant({}),
  wish: slots(DOMAINS.length, () => fc.boolean()),
  declared: (wish) =>
    DOMAINS.filter((_, slot) => wish[slot] === true).map((key) => ({ kind: 'allowed_domain', key, spec: {} })),
  edit: fc.record({ slot: fc.nat(DOMAINS.length - 1), allowed: fc.boolean() }),
  calls: ({ slot, allowed }) => [
    {
      action: `${allowed ? 'add' : 'delete'}_allowed_domain`,
      body: { domain: DOMAINS[slot] ?? '' },
      path: 'v3.7/configuration',
    },
  ],
  recorded: ({ allowedDomains }) => allowedDomains.map(({ domain }) => ({ id: domain, name: domain, fields: {} })),
  upheaval: {
    before: { 'stays.example': {}, 'gone.example': {} },
    after: { 'stays.example': {}, 'fresh.example': {} },
  },
};
