// What the doctor shows: each check with what to do, what `verify` and reports lack, and a finding for each check.

import { expect, test } from 'vitest';
import type { Diagnosis } from '../../../src/features/doctor/diagnose.ts';
import { doctoring } from '../../../src/features/doctor/operation.ts';
import { readinessOf } from '../../../src/features/test/customer/needs.ts';
import { ABOUT, expectInert, shownText } from '../written.ts';

function diagnosis(more = ''): Diagnosis {
  return {
    target: 'production',
    api_version: '3.6',
    checks: [
      { check: 'project', status: 'ok', message: `one target${more}`, remedy: null },
      { check: 'read_scopes', status: 'warning', message: `some are missing${more}`, remedy: `ask for them${more}` },
      { check: 'write_scopes', status: 'problem', message: 'none', remedy: 'ask for them' },
      { check: 'limits', status: 'unchecked', message: 'the license does not say', remedy: null },
    ],
    summary: { ok: 1, warning: 1, problem: 1, unchecked: 1 },
    scopes: null,
    limits: null,
    shared: [],
    customers: readinessOf({
      account: null,
      routes: null,
      'group-ids': null,
      'customer-token': `CHATFORM_CUSTOMER_TOKEN is not set${more}`,
      'chat-mark': 'customers may not write it',
    }),
    reports: { status: 'missing', scope: 'reports_read', missing: `the token lacks reports_read${more}` },
    clock_skew_ms: 1200,
  };
}

const OPTIONS = { reports: false };

test('a line for each check, with what to do below it', () => {
  expect(shownText(doctoring, diagnosis(), OPTIONS, { requests: { list_groups: 2, list_agents: 1 } })).toBe(
    `Status     Check         Result
ok         project       one target
warning    read scopes   some are missing
                         to do: ask for them
problem    write scopes  none
                         to do: ask for them
unchecked  limits        the license does not say

Checks of chatform test --on customer:
  ready    product, page, route, language, translation, property
  missing  status, form, prediction, chat
           needs: CHATFORM_CUSTOMER_TOKEN is not set
  missing  chat
           needs: customers may not write it

Reports, for report, plan --demand, coverage --demand and apply --report-after:
  missing  needs: the token lacks reports_read

There is a problem. 1 ok, 1 warning, 1 problem, 1 unchecked.
3 requests sent: 1 list_agents, 2 list_groups
`,
  );
});

test('a project without a target has no more than its checks', () => {
  const none = { ...diagnosis(), target: null, customers: null, reports: null };
  expect(shownText(doctoring, none, OPTIONS)).not.toMatch(/verify|Reports/);
  expect(doctoring.findings(none, ABOUT, OPTIONS).scope).toEqual([]);
});

test('targets that differ in messages only are alike, and one without a problem has nothing to read', () => {
  const row = (value: Diagnosis) => doctoring.row(value, ABOUT, OPTIONS);
  expect(row(diagnosis('a')).likeness?.()).toMatch(/^[0-9a-f]{64}$/);
  expect(row(diagnosis('a')).likeness?.()).toBe(row(diagnosis('b')).likeness?.());
  expect(row(diagnosis()).isQuiet).toBe(false);
  expect(row({ ...diagnosis(), summary: { ok: 2, warning: 0, problem: 0, unchecked: 2 } })).toMatchObject({
    state: 'done',
    code: 0,
    isQuiet: true,
  });
});

test('a problem is a finding that fails, an untried check one that is unknown', () => {
  const { findings } = doctoring.findings(diagnosis(), ABOUT, OPTIONS);
  expect(findings.map(({ rule, level, result, lines }) => [rule, level, result, ...lines])).toEqual([
    ['project', 'warning', 'passed', 'target production, project: one target'],
    ['read_scopes', 'warning', 'reported', 'target production, read scopes: some are missing', 'to do: ask for them'],
    ['write_scopes', 'error', 'failed', 'target production, write scopes: none', 'to do: ask for them'],
    ['limits', 'warning', 'unknown', 'target production, limits: the license does not say'],
  ]);
});

test('no text of a license or a file is obeyed', () => {
  expectInert(doctoring, (hostile) => ({ ...diagnosis(hostile), target: `a${hostile}` }), OPTIONS);
});
