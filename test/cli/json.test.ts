// `--json`: one document on stdout, whatever happens, and nothing else beside it.

import { expect, test } from 'vitest';
import { chatform, folder, project } from './chatform.ts';

const BROKEN = { 'manifest.yaml': 'version: 1\ngroups: { sales: { nmae: Sales } }\n' };

test('validate tells how many resources there are, or everything that is wrong', async () => {
  const cwd = await folder(project());
  const valid = await chatform(['validate', '--json'], { cwd });
  expect([valid.code, JSON.parse(valid.stdout)]).toEqual([
    0,
    { format_version: '1.0', errored: false, target: 'here', resources: 3, diagnostics: [] },
  ]);
  const broken = await chatform(['validate', '--json'], { cwd: await folder({ ...project(), ...BROKEN }) });
  expect(broken.code).toBe(1);
  const { errored, diagnostics } = JSON.parse(broken.stdout);
  expect(errored).toBe(true);
  expect(diagnostics.map(({ code }: { code: string }) => code)).toEqual(['unknown-field']);
  expect(diagnostics[0].place).toMatchObject({ file: 'manifest.yaml', line: 2 });
  const misled = await chatform(['validate', '--json'], { cwd: await folder({ 'chatform.yaml': 'version: 1\n' }) });
  expect(JSON.parse(misled.stdout)).toMatchObject({ errored: true, target: null, resources: null });
});

test('plan prints the plan', async () => {
  const { code, stdout, stderr } = await chatform(['plan', '--json'], { cwd: await folder(project()) });
  expect([code, stderr]).toEqual([0, '']);
  const plan = JSON.parse(stdout);
  expect(plan).toMatchObject({ format_version: '1.0', errored: false, target: 'here', summary: { add: 3 } });
  expect(plan.resource_changes.map(({ change }: { change: { actions: string[] } }) => change.actions)).toEqual([
    ['create'],
    ['create'],
    ['create'],
  ]);
});

test('apply prints the plan and what became of it', async () => {
  const cwd = await folder(project());
  const { code, stdout } = await chatform(['apply', '--yes', '--json'], { cwd });
  expect(code).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ errored: false, outcome: 'done', unsettled: [], plan: { summary: { add: 3 } } });
  expect(report.results.map(({ status }: { status: string }) => status)).toEqual(['done', 'done', 'done']);
  const again = await chatform(['apply', '--yes', '--json'], { cwd });
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { errored: false, outcome: 'done', results: [] }]);
});

test('An apply that nobody confirms is an error in the document too', async () => {
  const { code, stdout } = await chatform(['apply', '--json'], { cwd: await folder(project()) });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ errored: true, message: expect.stringContaining('--yes') });
});

test('A withheld apply prints the plan with what withholds it', async () => {
  const bot = { 'manifest.yaml': 'version: 1\nbots: { triage: { name: Triage } }\n' };
  const { code, stdout } = await chatform(['apply', '--yes', '--json'], {
    cwd: await folder({ ...project(), ...bot }),
  });
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ errored: true, plan: { withheld: [{ guard: 'secrets-sink' }] } });
});

test('What keeps a command from running is in the document', async () => {
  const cwd = await folder(project());
  for (const [command, word, ...flags] of [
    ['validate', 'there', '-t', 'there'],
    ['plan', '--base-url', '-f', 'manifest.yaml'],
    ['plan', 'CHATFORM_TOKEN', '--base-url', 'http://127.0.0.1:1'],
    ['apply', 'CHATFORM_TOKEN', '--base-url', 'http://127.0.0.1:1', '--yes'],
  ] as const) {
    const { code, stdout } = await chatform([command, '--json', ...flags], { cwd });
    expect([command, code]).toEqual([command, 1]);
    expect(JSON.parse(stdout)).toMatchObject({ errored: true, message: expect.stringContaining(word) });
  }
});
