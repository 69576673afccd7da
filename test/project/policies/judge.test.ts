// Policies about the document of a plan: what a rule can express, and that anything but true denies the plan, in bounded time.

import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/base/model.ts';
import { readRule } from '../../../src/project/policies/cel.ts';
import { judge } from '../../../src/project/policies/judge.ts';
import { commandDocument } from '../../../src/view/documents.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../../plan/license.ts';

const PLAN = planOf(
  desiredOf([
    declare('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 8 }),
    declare('group', 'sales', { name: 'Sales' }),
  ]),
  liveOf(object('group', 7, { name: 'Old' }), object('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 3 })),
  ledgerOf({ 'group/old': 7 }),
);
const DOCUMENT = commandDocument({ ...PLAN });

function policy(rule: string, more: Partial<Policy> = {}): Policy {
  return { name: 'p', rule, level: 'deny', message: null, ...more };
}

async function verdictOn(rule: string, document = DOCUMENT, time?: number) {
  const [verdict] = await judge([policy(rule)], document, time);
  return verdict;
}

describe('What a rule can say', () => {
  test.each([
    [
      'what happens to a kind',
      'plan.resource_changes.exists(c, c.type == "group" && "delete" in c.change.actions)',
      true,
    ],
    [
      'that nothing of a kind goes',
      'plan.resource_changes.all(c, c.type != "group" || !("delete" in c.change.actions))',
      false,
    ],
    ['what it costs', 'plan.requests.total <= 50', true],
    ['numbers, to count with', 'plan.summary.add + plan.summary.destroy * 2 == 3', true],
    ['a share', 'plan.summary.destroy * 100 <= 20 * size(plan.references)', false],
    [
      'how many',
      'size(plan.resource_changes) == plan.resource_changes.filter(c, c.address.startsWith("group/") || c.type == "agent").size()',
      true,
    ],
    ['which target', 'plan.target == "test"', true],
    ['ids as they are', 'plan.resource_changes.exists(c, c.id == 7)', true],
    [
      'values before and after',
      'plan.resource_changes.all(c, c.type != "agent" || c.change.after.max_chats_count <= 5)',
      false,
    ],
    ['what may be absent', 'plan.resource_changes.all(c, c.change.after == null || !has(c.change.after.role))', true],
    ['what a guard withholds', 'plan.withheld.all(w, w.guard != "max_deletes")', true],
    ['a default for what may be absent', 'plan.references[?"group/none"].orValue("none") == "none"', true],
  ])('%s', async (_, rule, passed) => {
    expect(await verdictOn(rule)).toEqual({
      name: 'p',
      level: 'deny',
      passed,
      message: expect.stringContaining('rule'),
      failure: null,
      addresses: expect.any(Array),
    });
  });
});

describe('Anything but true is a no, and says why', () => {
  test.each([
    ['a member that no plan has', 'plan.resource_change.all(c, true)', /no such key: resource_change, at character 6/],
    ['a number', 'plan.requests.total', /gave \d+, not true or false/],
    ['a text', 'plan.target', /gave a string/],
    ['nothing', 'plan.reorder', /gave null/],
    ['a comparison of what cannot be compared', 'plan.target > 5', /no such overload/],
    ['what only JavaScript has', 'plan.constructor == plan.constructor', /no such key: constructor/],
    ['a second line', 'plan.requests.total > 0 &&\n  plan.nope', /line 2, character 8/],
    ['a pattern that is none', 'plan.target.matches("(")', /regular expression/],
    ['a rule that is no CEL', 'plan.', /expected IDENTIFIER/],
  ])('%s', async (_, rule, failure) => {
    expect(await verdictOn(rule)).toMatchObject({ passed: false, failure: expect.stringMatching(failure) });
  });

  test('a message of its own, and the order of the project', async () => {
    const verdicts = await judge(
      [policy('false', { name: 'b', message: 'never' }), policy('true', { name: 'a' })],
      DOCUMENT,
    );
    expect(verdicts.map(({ name, passed, message }) => [name, passed, message])).toEqual([
      ['b', false, 'never'],
      ['a', true, expect.any(String)],
    ]);
  });
});

describe('A rule that does not end is ended', () => {
  const [change] = PLAN.resource_changes;
  const large = JSON.stringify({ many: Array.from({ length: 3000 }, () => change), text: 'a'.repeat(60) });

  test.each([
    ['loops in loops', 'plan.many.all(a, plan.many.all(b, plan.many.all(c, a.id == c.id)))'],
    ['a pattern that tries everything', 'plan.text.matches("^(a+)+$b")'],
  ])('%s', async (_, rule) => {
    expect(await verdictOn(rule, large, 50)).toMatchObject({
      passed: false,
      failure: 'the 0.05 s for all policies together ran out while the rule was asked',
    });
  });

  test('a hundred of them have the time of one, and each one denies the plan', async () => {
    const rules = Array.from({ length: 100 }, (_, index) =>
      policy('plan.text.matches("^(a+)+$b")', { name: `p${index}` }),
    );
    const started = performance.now();
    const verdicts = await judge(
      [policy('true', { name: 'quick' }), ...rules, policy('true', { name: 'last' })],
      large,
      200,
    );
    expect(performance.now() - started).toBeLessThan(5000);
    expect(verdicts.filter(({ passed }) => passed).map(({ name }) => name)).toEqual(['quick']);
    expect(verdicts.slice(1, 3).map(({ failure }) => failure)).toEqual([
      'the 0.2 s for all policies together ran out while the rule was asked',
      'the 0.2 s for all policies together ran out before the rule was asked',
    ]);
  });

  test('nested deeper than anybody reads, or larger', async () => {
    expect((await readRule(`${'('.repeat(500)}true${')'.repeat(500)}`)).mistake).not.toBeNull();
    expect((await readRule(Array(6000).fill('true').join(' && '))).mistake).not.toBeNull();
  });

  test('and a sensible one over a large plan has time to spare', async () => {
    const rule = 'plan.many.filter(c, "delete" in c.change.actions).size() <= 10000';
    expect(await verdictOn(rule, large)).toMatchObject({ passed: true });
  });
});

describe('A rule that is about one object after the other names those that it is false for', () => {
  const chats = 'c.type != "agent" || !has(c.change.after.max_chats_count) || c.change.after.max_chats_count <= 5';

  test('with the fields that it names', async () => {
    expect(await verdictOn(`plan.resource_changes.all(c, ${chats})`)).toEqual({
      name: 'p',
      level: 'deny',
      passed: false,
      failure: null,
      message: 'its rule is not true of this plan: agent/ann@example.com max_chats_count 8',
      addresses: ['agent/ann@example.com'],
    });
    const goes = await verdictOn('!plan.resource_changes.exists(c, "delete" in c.change.actions)');
    expect(goes?.message).toBe('its rule is not true of this plan: group/old');
  });

  test.each([
    ['all of them together', 'size(plan.resource_changes) < 2'],
    ['none of them', 'plan.target == "other" && size(plan.resource_changes) >= 0'],
  ])('and no other: %s', async (_, rule) => {
    expect((await verdictOn(rule))?.message).toBe('its rule is not true of this plan');
  });

  test('and needs no more than the time of all policies', async () => {
    const slow = `plan.resource_changes.all(c, ${chats}) && "${'a'.repeat(30)}b".matches("^(a+)+$")`;
    const verdict = await verdictOn(`plan.resource_changes.all(c, ${chats}) || ${slow}`, DOCUMENT, 300);
    expect(verdict?.passed).toBe(false);
  });
});
