// Each consequence of the field contract is one note of the document, and the text of the plan says it in the same words.

import { expect, test } from 'vitest';
import type { Address } from '../../../src/base/model.ts';
import { planView } from '../../../src/features/plan/view.ts';
import type { Note } from '../../../src/plan/plan.ts';
import { reviewed } from '../../../src/plan/review/plan-result.ts';
import { commandDocument } from '../../../src/view/documents.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { type Declared, declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../../plan/license.ts';

const ACCESS = { chat: { agent: ['read'] } };
const ANN = 'ann@example.com';
const TIER = { type: 'string', access: ACCESS, publish: [] };

type Consequence = readonly [kind: Note['kind'], declared: Declared, live: ReturnType<typeof object> | null];

const CONTRACT: readonly Consequence[] = [
  ['unreachable', declare('agent', ANN, { name: 'Ann' }), object('agent', ANN, { name: 'Anna' })],
  [
    'unreachable',
    declare('agent', ANN, { max_chats_count: 50 }),
    object('agent', ANN, { name: 'Ann', max_chats_count: 6 }),
  ],
  [
    'unreadable',
    declare('property', 'abc/tier', { type: 'string', access: ACCESS, domain: ['gold'] }),
    object('property', 'abc/tier', TIER, { unread: ['domain'] }),
  ],
  [
    'unverified',
    declare('bot_template', 'partner', { name: 'Partner', owner_client_id: 'abc', max_chats_count: 10 }),
    object('bot_template', 't1', { name: 'Partner', owner_client_id: 'abc' }),
  ],
  [
    'data-loss',
    declare('property', 'abc/tier', { description: 'Loyalty', access: ACCESS }),
    object('property', 'abc/tier', TIER),
  ],
  [
    'irreversible',
    declare('property', 'abc/tier', { access: ACCESS, publish: ['read'] }),
    object('property', 'abc/tier', TIER),
  ],
  [
    'other-licenses',
    declare('bot_template', 'partner', {
      name: 'Partner',
      avatar: 'https://example.com/a.png',
      owner_client_id: 'abc',
      affect_existing_installations: true,
    }),
    object('bot_template', 't1', { name: 'Partner', avatar: '', owner_client_id: 'abc' }),
  ],
  [
    'pending-approval',
    declare('agent', ANN, { name: 'Ann' }),
    object('agent', ANN, { name: 'Ann' }, { pendingApproval: true }),
  ],
  [
    'leaver',
    { ...declare('agent', ANN, { suspended: true }), leaves: { by: 'missing-row', file: 'people.csv' } },
    object('agent', ANN, { name: 'Ann' }),
  ],
  ['manual-step', declare('bot', 'triage', { name: 'Triage' }), null],
];

test.each<Consequence>(CONTRACT)('%s', (kind, declared, live) => {
  const address: Address = `${declared.kind}/${declared.key}`;
  const objects = live === null ? [] : [live];
  const ledger = ledgerOf(Object.fromEntries(objects.map(({ id }) => [address, id])));
  const plan = planOf(desiredOf([declared]), liveOf(...objects), ledger, { acknowledged: new Set() });
  const { notes } = JSON.parse(commandDocument({ ...plan }));
  expect(notes).toEqual([{ address, kind, message: expect.any(String) }]);
  const [, words = ''] = /^(?:\w+: )?(.+)$/.exec(notes[0].message) ?? [];
  const of = reviewed(plan, [], null);
  expect(terminalText(planView(of), uncoloured, { details: true })).toContain(words);
  // An outline does not say why a field cannot be read, and counts who has waited for a while.
  const counted = kind === 'pending-approval' ? 'Waiting for approval: 1 agent\n' : words;
  expect(terminalText(planView(of), uncoloured)).toContain(kind === 'unreadable' ? address : counted);
  expect(notes[0].message).not.toMatch(/\n|\.$/);
});
