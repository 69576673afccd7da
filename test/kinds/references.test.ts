// References in specs, and which ids mean the same object.

import { expect, test } from 'vitest';
import { withoutReference } from '../../src/kinds/fields.ts';
import { identityOfId, isPersonal, KINDS, subjectOf } from '../../src/kinds/index.ts';

test('A spec without an object keeps all that it says of others', () => {
  const members = { 'agent/ann@example.com': 'first', 'agent/bob@example.com': 'last' };
  expect(withoutReference(KINDS.group, { name: 'A', agent_priorities: members }, 'agent/ann@example.com')).toEqual({
    name: 'A',
    agent_priorities: { 'agent/bob@example.com': 'last' },
  });
  expect(withoutReference(KINDS.group, { name: 'A' }, 'agent/ann@example.com')).toEqual({ name: 'A' });
  const access = { groups: ['group/a', 'group/b'], other: true };
  expect(withoutReference(KINDS.auto_access, { access }, 'group/a')).toEqual({
    access: { groups: ['group/b'], other: true },
  });
});

test('Only people are the same in other capitals', () => {
  expect(identityOfId('agent', 'Ann@Example.com')).toBe('ann@example.com');
  expect(identityOfId('bot', 'AbC')).toBe('AbC');
  expect(identityOfId('group', 7)).toBe(7);
  expect(['agent/Ann@Example.com', 'bot/AbC', 'nothing'].map(subjectOf)).toEqual([
    'agent/ann@example.com',
    'bot/AbC',
    'nothing',
  ]);
  expect(['agent/a', 'bot/a', 'nothing'].map(isPersonal)).toEqual([true, false, false]);
});
