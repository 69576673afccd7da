// Notes on secrets that are not where they are kept.

import { expect, test } from 'vitest';
import type { LedgerState, SecretState } from '../../../src/base/model.ts';
import { cautionsOf } from '../../../src/plan/guards/cautions.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

test('A plan tells which secrets are lost or rescued, of objects that are still there', () => {
  const states: { readonly [key: string]: SecretState } = { a: 'lost', b: 'rescued', c: 'kept' };
  const keys = Object.keys(states);
  const live = liveOf(...keys.map((key) => object('bot_template', `id-${key}`, { name: key, owner_client_id: 'c1' })));
  const ledger: LedgerState = {
    ...ledgerOf(Object.fromEntries([...keys, 'gone'].map((key) => [`bot_template/${key}`, `id-${key}`]))),
    secrets: new Map(
      [...Object.entries(states), ['gone', 'lost'] as const].map(([key, state]) => [`bot_template/${key}`, state]),
    ),
  };
  const desired = desiredOf(keys.map((key) => declare('bot_template', key, { name: key, owner_client_id: 'c1' })));
  const plan = planOf(desired, live, ledger);
  const notes = plan.notes.filter(({ kind }) => kind === 'secret-lost');
  expect(notes).toEqual([
    {
      address: 'bot_template/a',
      kind: 'secret-lost',
      message: 'its secret is lost; `chatform secrets rotate bot_template/a` makes a new one',
    },
    {
      address: 'bot_template/b',
      kind: 'secret-lost',
      message: 'its secret is in a rescue file and not yet in the sink',
    },
  ]);
  expect(cautionsOf(plan).map(({ what, type, address, message }) => ({ what, type, address, message }))).toEqual(
    notes.map(({ address, message }) => ({ what: 'credential', type: 'bot_template', address, message })),
  );
});

test('A lost secret of a webhook is told by the change that makes it again, and a rescued one by a note', () => {
  const spec = { owner_client_id: 'app', action: 'incoming_chat', type: 'license', url: 'https://example.com/a' };
  const live = { ...liveOf(), objects: { webhook: [object('webhook', 'w1', spec)] } };
  const notes = (state: SecretState) => {
    const ledger = { ...ledgerOf({ 'webhook/chats': 'w1' }), secrets: new Map([['webhook/chats', state]] as const) };
    const plan = planOf(desiredOf([declare('webhook', 'chats', spec)]), live, ledger);
    return plan.notes.flatMap(({ kind, message }) => (kind === 'secret-lost' ? [message] : []));
  };
  expect(notes('lost')).toEqual([]);
  expect(notes('rescued')).toEqual(['its secret is in a rescue file and not yet in the sink']);
});
