// Warnings of lints from run to run: whole until an apply gave them, then counted; and exceptions with their reasons.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatform, folder, MANIFEST, project } from './chatform.ts';

/** A rule that never decides. */
const shadowed = (key: string): string =>
  `  - { key: ${key}, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing/${key} }] } } }\n`;

const ONE = MANIFEST + shadowed('bob');
const TWO = ONE + shadowed('cleo');

const files = (manifest: string, ...settings: readonly string[]) => ({
  ...project(...settings),
  'manifest.yaml': manifest,
});

const except = (...entries: readonly string[]): string =>
  `routing: { lint: { unreachable-rule: { except: [${entries.join(', ')}] } } }`;

async function knownIn(cwd: string, command = 'plan') {
  const { stdout } = await chatform([command, '--json', ...(command === 'apply' ? ['--yes'] : [])], { cwd });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { message: string; known?: string }[] };
  return diagnostics.map(({ message, known }) => [/^auto_access\/(\w+)/.exec(message)?.[1] ?? message, known ?? 'new']);
}

describe('A warning that the last apply gave', () => {
  test('is counted by plan and apply, and shown whole by validate and --details', async () => {
    const cwd = await folder(files(ONE));
    const first = await chatform(['plan'], { cwd });
    expect(first.stderr).toContain('warning unreachable-rule: auto_access/bob never decides');
    await chatform(['plan'], { cwd });
    expect(await knownIn(cwd)).toEqual([['bob', 'new']]);
    const applied = await chatform(['apply', '--yes'], { cwd });
    expect([applied.code, applied.stderr.includes('never decides')]).toEqual([0, true]);
    expect(await knownIn(cwd)).toEqual([['bob', 'files']]);
    for (const command of [['plan'], ['apply', '--yes']]) {
      const { code, stderr } = await chatform(command, { cwd });
      expect([code, stderr]).toEqual([0, '1 known warning; `chatform validate` shows it\n']);
    }
    for (const command of [['validate'], ['plan', '--details'], ['apply', '--yes', '--details']]) {
      const { stderr } = await chatform(command, { cwd });
      expect(stderr).toContain('auto_access/bob never decides');
      expect(stderr).not.toContain('known');
    }
  });

  test('does not hide a new one of the same lint, nor itself once it was mended and comes back', async () => {
    const cwd = await folder(files(ONE));
    await chatform(['apply', '--yes'], { cwd });
    await writeFile(join(cwd, 'manifest.yaml'), `# a line\n${TWO}`);
    expect(await knownIn(cwd)).toEqual([
      ['bob', 'files'],
      ['cleo', 'new'],
    ]);
    const { stderr } = await chatform(['plan'], { cwd });
    expect(stderr).toMatch(
      /auto_access\/cleo never decides[\s\S]*\n1 warning\n1 known warning; `chatform validate` shows it\n$/,
    );
    expect(stderr).not.toContain('bob');
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST);
    await chatform(['apply', '--yes', '--acknowledge', 'deletes'], { cwd });
    await writeFile(join(cwd, 'manifest.yaml'), ONE);
    expect(await knownIn(cwd)).toEqual([['bob', 'new']]);
  });

  test('stays known when the ledger is compacted, and is written only when it changes', async () => {
    const cwd = await folder(files(ONE));
    const lines = async () =>
      (await readFile(join(cwd, 'ledger.ndjson'), 'utf8')).match(/"type":"warned"/g)?.length ?? 0;
    await chatform(['apply', '--yes'], { cwd });
    await chatform(['apply', '--yes'], { cwd });
    expect(await lines()).toBe(1);
    const later = { now: () => Date.now() + 60 * 86_400_000, sleep: async () => {} };
    expect((await chatform(['ledger', 'compact'], { cwd, clock: later })).stdout).toMatch(/^Compacted/);
    expect([await lines(), await knownIn(cwd)]).toEqual([1, [['bob', 'files']]]);
    const { stdout } = await chatform(['ledger', 'log', '--all'], { cwd });
    expect(stdout).not.toContain('newer chatform');
  });

  test('is one that only the license has: then --details shows it', async () => {
    const license = JSON.stringify({
      groups: [{ name: 'Sales', agent_priorities: {} }],
      auto_access: [
        { description: 'by hand', access: { groups: [1] }, conditions: { url: { values: [{ value: '/' }] } } },
      ],
    });
    const cwd = await folder({ ...files(MANIFEST), 'license.json': license });
    const first = await chatform(['apply', '--yes'], { cwd });
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('unreachable-rule')]);
    const { stderr } = await chatform(['plan'], { cwd });
    expect(stderr).toBe('1 known warning; `chatform plan --details` shows it\n');
    expect((await chatform(['plan', '--details'], { cwd })).stderr).toContain('unreachable-rule');
  });

  test('is not an error: that stops every run, whole', async () => {
    const cwd = await folder(files(ONE));
    await chatform(['apply', '--yes'], { cwd });
    const strict = project('routing: { lint: { unreachable-rule: error } }');
    await writeFile(join(cwd, 'chatform.yaml'), strict['chatform.yaml'] ?? '');
    const { code, stderr } = await chatform(['plan'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error unreachable-rule: auto_access/bob')]);
  });
});

describe('An exception', () => {
  test('silences one object, and no other', async () => {
    const cwd = await folder(files(TWO, except('{ address: auto_access/bob, reason: Helps out }')));
    for (const command of ['validate', 'plan']) {
      const { code, stderr } = await chatform([command], { cwd });
      expect([code, stderr]).toEqual([0, expect.stringContaining('auto_access/cleo never decides')]);
      expect(stderr).not.toContain('bob');
    }
  });

  test('leaves its lint at the level that it has', async () => {
    const lint = '{ level: error, except: [{ address: "auto_access/b*", reason: Helps out }] }';
    const cwd = await folder(files(TWO, `routing: { lint: { unreachable-rule: ${lint} } }`));
    const { code, stderr } = await chatform(['validate'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error unreachable-rule: auto_access/cleo')]);
    expect(stderr).not.toContain('bob');
  });

  test('needs a reason, and one that is not empty', async () => {
    for (const entry of ['{ address: auto_access/bob }', '{ address: auto_access/bob, reason: "" }']) {
      const cwd = await folder(files(ONE, except(entry)));
      const { code, stderr } = await chatform(['validate'], { cwd });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^chatform\.yaml:7:\d+: error (missing-field|too-short)/),
      ]);
    }
  });

  test('for an address that nothing declares is told at its place, with the one that is meant', async () => {
    const cwd = await folder(files(ONE, except('{ address: auto_access/bop, reason: Helps out }')));
    const { code, stderr } = await chatform(['validate'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^chatform\.yaml:7:\d+: warning unknown-address: .*`auto_access\/bop`/m);
    expect(stderr).toContain('did you mean `auto_access/bob`?');
    expect(stderr).toContain('auto_access/bob never decides');
  });

  test('that nothing needs is told by a plan, which sees all that the lint looks at', async () => {
    const cwd = await folder(files(ONE, except('{ address: auto_access/pricing, reason: New }')));
    expect((await chatform(['validate'], { cwd })).stderr).not.toContain('unused');
    const { code, stderr } = await chatform(['plan'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^chatform\.yaml:7:\d+: warning unused-exception: .*`auto_access\/pricing`/m);
    expect(stderr).toContain('= help: remove it');
  });

  test('of lost cover is never unused: the next plan loses none', async () => {
    const lint = '{ lost-cover: { except: [{ address: group/sales, reason: Closed }] } }';
    const cwd = await folder(files(MANIFEST, `routing: { lint: ${lint} }`));
    expect((await chatform(['plan'], { cwd })).stderr).toBe('');
  });

  test('holds for a rule or for the group that it leads to, and for one of several unrouted groups', async () => {
    const empty = MANIFEST.replace('agent_priorities: { ann@example.com: first }', 'agent_priorities: {}').replace(
      'auto_access:\n',
      '  night: { name: Night }\n  late: { name: Late }\nauto_access:\n',
    );
    const lints = (address: string): string =>
      `routing: { lint: { idle-agent: "off", unrouted-group: { level: warning, except: [{ address: group/late, reason: By transfer }] }, nobody-there: { except: [{ address: ${address}, reason: A bot is coming }] } } }`;
    for (const address of ['auto_access/pricing', 'group/sales']) {
      const cwd = await folder(files(empty, lints(address)));
      const { stderr } = await chatform(['validate'], { cwd });
      expect(stderr).not.toContain('nobody-there');
      expect(stderr).toContain('no rule sends chats to group/night\n');
    }
  });

  test('of `defaults` holds for each target, and is told by none of several', async () => {
    const text = `version: 1
manifest: [manifest.yaml]
defaults: { ${except('{ address: auto_access/bob, reason: Helps out }, { address: auto_access/zoe, reason: Elsewhere }')} }
targets:
  here: { base_url: "emulator:license.json", ${except('{ address: auto_access/cleo, reason: New }')} }
  there: { base_url: "emulator:other.json" }
`;
    const cwd = await folder({ 'manifest.yaml': TWO, 'chatform.yaml': text });
    expect((await chatform(['validate', '-t', 'here'], { cwd })).stderr).toBe('');
    const { stderr } = await chatform(['validate', '-t', 'there'], { cwd });
    expect(stderr).toContain('auto_access/cleo never decides');
    expect(stderr).toMatch(/\n1 warning\n$/);
  });
});
