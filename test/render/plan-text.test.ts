// What a person reads of a plan: each consequence of the field contract is one line, and says what can be done.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/base/model.ts';
import type { Note } from '../../src/plan/plan.ts';
import { planDocument } from '../../src/render/documents.ts';
import { uncoloured } from '../../src/render/paint.ts';
import { planText } from '../../src/render/plan-text.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../plan/license.ts';

const ACCESS = { chat: { agent: ['read'] } };
const ANN = 'ann@example.com';
const TIER = { type: 'string', access: ACCESS, publish: [] };

interface Shown {
  readonly kind: Note['kind'];
  readonly live: readonly ReturnType<typeof object>[];
  readonly declared: Declared;
  /** The lines about it, above the summary. */
  readonly text: readonly string[];
}

const CONTRACT: { readonly [name: string]: Shown } = {
  'What no request can reach stays as it is': {
    kind: 'unreachable',
    live: [object('agent', ANN, { name: 'Anna' })],
    declared: declare('agent', ANN, { name: 'Ann' }),
    text: [
      '  ! agent/ann@example.com differs out of reach  test.yaml:1',
      '      ! name: "Anna" stays, "Ann" is out of reach: 3.6 can set it only when the agent is created; declare what it is, or leave it out',
    ],
  },
  'What is too much for an update stays as it is': {
    kind: 'unreachable',
    live: [object('agent', ANN, { name: 'Ann', max_chats_count: 6 })],
    declared: declare('agent', ANN, { max_chats_count: 50 }),
    text: [
      '  ! agent/ann@example.com differs out of reach  test.yaml:1',
      '      ! max_chats_count: 6 stays, 50 is out of reach: 3.6 accepts at most 20 on an existing agent; declare that, unless `limits: { agent_chats_on_update }` in chatform.yaml says more',
    ],
  },
  'What cannot be read is said to be unknown': {
    kind: 'unreadable',
    live: [object('property', 'abc/tier', TIER, { unread: ['domain'] })],
    declared: declare('property', 'abc/tier', { type: 'string', access: ACCESS, domain: ['gold'] }),
    text: [
      'Cannot be verified: it cannot be read back, and the ledger does not know it; compare it by hand, or leave it out',
      '  property/abc/tier: domain',
    ],
  },
  'What is written to be sure is said to be': {
    kind: 'unverified',
    live: [object('bot_template', 't1', { name: 'Partner', owner_client_id: 'abc' })],
    declared: declare('bot_template', 'partner', { name: 'Partner', owner_client_id: 'abc', max_chats_count: 10 }),
    text: [
      '  ~ bot_template/partner changes  test.yaml:1',
      '      ~ max_chats_count: 10 (it cannot be read back: written once to be sure; leave it out to keep what is there)',
    ],
  },
  'What is made again says what may be lost': {
    kind: 'data-loss',
    live: [object('property', 'abc/tier', TIER)],
    declared: declare('property', 'abc/tier', { description: 'Loyalty', access: ACCESS }),
    text: [
      '-/+ property/abc/tier is replaced  test.yaml:1',
      '      ! it is deleted and made again: values on chats, threads, events and undeclared groups may be lost, declared ones are written again; a property of another name keeps them',
      '      ~ description: "" -> "Loyalty"',
    ],
  },
  'What can never be taken back says so': {
    kind: 'irreversible',
    live: [object('property', 'abc/tier', TIER)],
    declared: declare('property', 'abc/tier', { access: ACCESS, publish: ['read'] }),
    text: [
      '  ~ property/abc/tier changes  test.yaml:1',
      '      ! `publish` can never be taken back; leave it out until it is certain',
      '      + publish: ["read"]',
    ],
  },
  'What reaches other licenses says so': {
    kind: 'other-licenses',
    live: [object('bot_template', 't1', { name: 'Partner', avatar: '', owner_client_id: 'abc' })],
    declared: declare('bot_template', 'partner', {
      name: 'Partner',
      avatar: 'https://example.com/a.png',
      owner_client_id: 'abc',
      affect_existing_installations: true,
    }),
    text: [
      '  ~ bot_template/partner changes  test.yaml:1',
      '      ! `affect_existing_installations` reaches other licenses; with `false` what is there stays as it is',
      '      ~ avatar: "" -> "https://example.com/a.png"',
    ],
  },
  'Who waits for approval is no difference': {
    kind: 'pending-approval',
    live: [object('agent', ANN, { name: 'Ann' }, { pendingApproval: true })],
    declared: declare('agent', ANN, { name: 'Ann' }),
    text: [
      'Good to know:',
      '  agent/ann@example.com: waiting for an approval that an ordinary token cannot give; approve it in the application of the service',
    ],
  },
  'What only a person can do is said': {
    kind: 'manual-step',
    live: [],
    declared: declare('bot', 'triage', { name: 'Triage' }),
    text: [
      '  + bot/triage is created  test.yaml:1',
      '      + name: "Triage"',
      '',
      'Good to know:',
      '  bot/triage: set its routing status: until then a new bot gets no chats, and this API has no action for it',
    ],
  },
};

describe.each(Object.entries(CONTRACT))('%s', (_, { kind, live, declared, text }) => {
  const address: Address = `${declared.kind}/${declared.key}`;
  const ledger = ledgerOf(Object.fromEntries(live.map(({ id }) => [address, id])));
  const plan = planOf(desiredOf([declared]), liveOf(...live), ledger, { acknowledged: new Set() });

  test('in one line of the text, with what can be done', () => {
    const shown = planText(plan, uncoloured).split('\n');
    expect(shown.slice(0, text.length)).toEqual(text);
    expect(shown[text.length]).toBe('');
  });

  test('in the document, with the same words', () => {
    const { notes } = JSON.parse(planDocument(plan, []));
    expect(notes).toEqual([{ address, kind, message: expect.any(String) }]);
    const [, words = ''] = /^(?:\w+: )?(.+)$/.exec(notes[0].message) ?? [];
    expect(text.join('\n')).toContain(words);
    expect(notes[0].message).not.toMatch(/\n|\.$/);
  });
});

test('What is true of many is said once, with a few of their names', () => {
  const numbers = Array.from({ length: 300 }, (_, index) => `agent-${String(index).padStart(3, '0')}@example.com`);
  const live = numbers.map((id) => object('agent', id, { name: id }, { pendingApproval: true }));
  const plan = planOf(desiredOf(numbers.map((id) => declare('agent', id, { name: id }))), liveOf(...live));
  const lines = planText(plan, uncoloured).split('\n');
  const waiting = lines.filter((line) => line.includes('waiting for an approval'));
  expect(waiting).toEqual([
    expect.stringMatching(/^ {2}agent\/agent-000@example\.com, .+agent-007@example\.com, and 292 more: waiting/),
  ]);
  expect(plan.notes).toHaveLength(300);
});
