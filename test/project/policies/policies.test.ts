// `policies:` of chatform.yaml: which apply to which target, and that a wrong one is found at its place, before any plan.

import { expect, test } from 'vitest';
import { loadProject } from '../../../src/project/project.ts';
import { memoryDisk } from '../../manifest/memory-disk.ts';

const HEAD = 'version: 1\nmanifest: [m.yaml]\n';
const TARGETS = 'targets: { a: { base_url: "emulator:a" } }\n';

function load(text: string) {
  return loadProject('chatform.yaml', {}, memoryDisk({ 'chatform.yaml': HEAD + text }));
}

async function findings(text: string): Promise<readonly string[]> {
  const { diagnostics } = await load(text);
  return diagnostics.map(
    ({ place, code, message }) => `${place.line}:${place.column}+${place.length} ${code} ${message}`,
  );
}

test('A target is asked the policies of all, then its own', async () => {
  const { project, diagnostics } = await load(`policies:
  - { name: all, rule: plan.requests.total <= 50 }
targets:
  a: { base_url: "emulator:a" }
  b:
    base_url: emulator:b
    policies:
      - name: own
        rule: |
          plan.resource_changes.all(c,
            c.type != "group")
        level: warn
        message: No groups here
`);
  expect(diagnostics).toEqual([]);
  const all = { name: 'all', rule: 'plan.requests.total <= 50', level: 'deny', message: null };
  expect(project?.targets.get('a')?.policies).toEqual([all]);
  expect(project?.targets.get('b')?.policies).toMatchObject([
    all,
    { name: 'own', rule: expect.stringContaining('c.type'), level: 'warn', message: 'No groups here' },
  ]);
});

test('A rule that is no CEL is pointed at, as far as it stands in one line', async () => {
  const rule = (text: string) => findings(`policies:\n  - { name: p, rule: ${text} }\n${TARGETS}`);
  expect(await rule("'plan.target == nope'")).toEqual([
    expect.stringMatching(/^4:38\+4 bad-rule unknown variable: nope$/),
  ]);
  expect(await rule("'plan.target =='")).toEqual([expect.stringMatching(/^4:22\+\d+ bad-rule unexpected token/)]);
  expect(await rule("'1 + 1'")).toEqual([expect.stringMatching(/bad-rule .*gives int/)]);
  expect(await rule('\'size(plan) > "a"\'')).toEqual([expect.stringContaining('no such overload')]);
  const block = await findings(`policies:\n  - name: p\n    rule: |\n      true &&\n        nope\n${TARGETS}`);
  expect(block).toEqual([expect.stringMatching(/^5:11\+\d+ bad-rule unknown variable: nope, in line 2 of the rule$/)]);
});

test('Names are there, and tell policies of one target apart', async () => {
  expect(await findings(`policies:\n  - { rule: "true" }\n${TARGETS}`)).toEqual([
    expect.stringMatching(/missing-field.*`name`/),
  ]);
  expect(await findings(`policies:\n  - { name: p, rule: "true" }\n  - { name: p, rule: "true" }\n${TARGETS}`)).toEqual(
    [expect.stringMatching(/^5:13\+1 duplicate-name/)],
  );
  const own = '{ base_url: "emulator:a", policies: [{ name: p, rule: "true" }] }';
  expect(await findings(`policies: [{ name: p, rule: "true" }]\ntargets: { a: ${own} }\n`)).toEqual([
    expect.stringMatching(/^4:\d+\+1 duplicate-name/),
  ]);
  expect(await findings(`targets: { a: ${own}, b: ${own.replace(':a', ':b')} }\n`)).toEqual([]);
});

test('A misspelt level is no level, and defaults have no policies, which a target could take away unseen', async () => {
  expect(await findings(`policies: [{ name: p, rule: "true", level: error }]\n${TARGETS}`)).toEqual([
    expect.stringContaining('not-allowed'),
  ]);
  expect(await findings(`defaults: { policies: [] }\n${TARGETS}`)).toEqual([expect.stringContaining('unknown-field')]);
});
