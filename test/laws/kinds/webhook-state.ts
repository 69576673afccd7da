// Whether a license sends the webhooks of random clients.

import fc from 'fast-check';
import { since } from '../../../src/base/api-versions.ts';
import { maybe, slots } from '../slots.ts';
import { type Drawing, UPHEAVAL_CLIENT } from './drawing.ts';

const CLIENTS = ['client-1', 'client-2'] as const;

type Wish = readonly ({ readonly enabled: boolean } | null)[];

interface Edit {
  readonly slot: number;
  readonly enabled: boolean;
}

const spec = fc.record({ enabled: fc.boolean() });

export const webhookStateDrawing: Drawing<Wish, Edit> = {
  kind: 'webhook_state',
  versions: since('3.5'),
  spec,
  wish: slots(CLIENTS.length, () => maybe(spec, 2)),
  declared: (wish) =>
    wish.flatMap((state, slot) =>
      state === null ? [] : [{ kind: 'webhook_state', key: CLIENTS[slot] ?? '', spec: state }],
    ),
  edit: fc.record({ slot: fc.nat(CLIENTS.length - 1), enabled: fc.boolean() }),
  calls: ({ slot, enabled }) => [
    {
      action: `${enabled ? 'enable' : 'disable'}_license_webhooks`,
      body: { owner_client_id: CLIENTS[slot] ?? '' },
    },
  ],
  recorded: ({ webhook_states: states }) =>
    CLIENTS.map((id) => {
      const enabled = states.find(({ client_id }) => client_id === id)?.enabled ?? true;
      return { id, name: `${id} ${enabled ? 'on' : 'off'}`, fields: { enabled }, preset: true };
    }),
  upheaval: {
    before: { [UPHEAVAL_CLIENT]: { enabled: false } },
    after: { [UPHEAVAL_CLIENT]: { enabled: true } },
  },
};
