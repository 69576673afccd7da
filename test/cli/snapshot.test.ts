// `snapshot` with the token and the ledger, `plan --against` with neither: what it asks nobody, what it says it is, and what is done with it afterwards.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, filesIn, folder, project, type Ran, withoutLease } from './chatform.ts';
import { served, writesOf } from './served.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const BEFORE = `version: 1
agents: { ann@example.com: { name: Ann } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: normal } }, old: { name: Old } }
`;

const AFTER = `version: 1
agents: { ann@example.com: { name: Ann, mobile: '1' }, zoe@example.com: { name: Zoe } }
groups: { sales: { name: Sales team, agent_priorities: { ann@example.com: normal, zoe@example.com: last } } }
`;

const SEED = { agents: [{ id: 'zoe@example.com', name: 'Zoe' }] };

/** A checkout with a snapshot of a license that the first manifest was applied to, and no ledger that could be read. */
async function forked() {
  const { emulator, url } = await served({ seed: SEED });
  const cwd = await folder({ ...project('token_env: LICENSE_TOKEN'), 'manifest.yaml': BEFORE });
  const run = (args: readonly string[], env = {}): Promise<Ran> => chatform([...args, '--base-url', url], { cwd, env });
  const trusted = { LICENSE_TOKEN: 'dal:trusted-token' };
  expect((await run(['apply', '--yes', '-q'], trusted)).code).toBe(0);
  emulator.resetStats();
  const taking = await run(['ci', 'snapshot', '--out', 'snapshot.json', '--json'], trusted);
  expect(writesOf(emulator)).toEqual({});
  await rm(join(cwd, 'ledger.ndjson'));
  await writeFile(join(cwd, 'ledger.ndjson'), 'this is no ledger\n');
  await writeFile(join(cwd, 'manifest.yaml'), AFTER);
  emulator.resetStats();
  return { emulator, cwd, run, taking };
}

test('A fork plans from the file alone, the plan says so everywhere, and nothing applies it', async () => {
  const { emulator, cwd, run, taking } = await forked();
  expect([taking.code, taking.stderr]).toEqual([0, expect.stringMatching(/^Snapshot of here: 3 agents, 3 groups;/)]);
  expect(JSON.parse(taking.stdout)).toMatchObject({ errored: false, target: 'here', nameless: { agent: 2 } });
  expect(await readFile(join(cwd, 'snapshot.json'), 'utf8')).not.toMatch(/zoe|trusted-token|owner@/i);
  const before = withoutLease(await filesIn(cwd));

  const json = await run(['plan', '--against', 'snapshot.json', '--json', '--detailed-exitcode']);
  expect([json.code, json.stderr]).toEqual([2, '']);
  expect(withoutLease(await filesIn(cwd))).toEqual(before);
  const document = JSON.parse(json.stdout);
  expect(document).toMatchObject({
    errored: false,
    against: { taken_at: expect.stringMatching(/Z$/), full: false, nameless: { agent: 2 } },
    summary: { add: 1, change: 1, destroy: 1 },
  });
  expect(document.notes.filter(({ kind }: { kind: string }) => kind === 'not-in-snapshot')).toMatchObject([
    { address: 'agent/zoe@example.com', message: expect.stringContaining('2 agents without a name') },
    { address: 'group/old', message: expect.stringContaining('the snapshot has no rules') },
  ]);
  expect(document.notes.filter(({ kind }: { kind: string }) => kind === 'unreadable')).toMatchObject([
    { address: 'agent/ann@example.com', message: expect.stringContaining('mobile: it is not in the snapshot') },
  ]);

  const out = ['--out', 'plan.json', '--report', 'markdown=plan.md', '--report', 'html=plan.html'];
  const text = await run(['plan', '--against', 'snapshot.json', ...out]);
  expect([text.code, text.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Target here {2}snapshot snapshot\.json\n[\s\S]*\n\nThis plan is made from a snapshot of here, not from the license, /,
    ),
  ]);
  for (const report of ['plan.md', 'plan.html'])
    expect(await readFile(join(cwd, report), 'utf8')).toContain('This plan is made from a snapshot');
  expect(emulator.stats()).toEqual({});

  const applied = await run(['apply', 'plan.json', '--yes'], { LICENSE_TOKEN: 'dal:trusted-token' });
  expect([applied.code, applied.stderr]).toEqual([1, expect.stringMatching(/against a snapshot.*cannot be applied/)]);
  expect(emulator.stats()).toEqual({});
});

test('Of the environment it reads what the files ask for, and no token', async () => {
  const cwd = await folder({ 'manifest.yaml': BEFORE });
  const [file, out] = [join(cwd, 'manifest.yaml'), join(cwd, 'snapshot.json')];
  const target = ['-f', file, '--base-url', `emulator:${join(cwd, 'license.json')}`];
  expect(await atTerminal(['ci', 'snapshot', ...target, '--out', out], fakeTerminal(null).terminal)).toBe(0);
  const read = new Set<string>();
  const get = (_: object, name: string | symbol): undefined => {
    read.add(String(name));
  };
  await writeFile(file, 'version: 1\ngroups: { sales: { name: "${env.CHATFORM_VAR_SALES}" } }\n');
  const asking = fakeTerminal(
    null,
    new Proxy<Record<string, undefined>>(
      {},
      {
        get,
        getOwnPropertyDescriptor: (env, name) => {
          get(env, name);
          return undefined;
        },
      },
    ),
  );
  expect(await atTerminal(['plan', ...target, '--against', out], asking.terminal)).toBe(1);
  await writeFile(file, BEFORE);
  const { terminal, said } = fakeTerminal(null, new Proxy<Record<string, undefined>>({}, { get }));
  expect(await atTerminal(['plan', ...target, '--against', out], terminal)).toBe(0);
  expect([said(), [...read]]).toEqual([expect.stringContaining('3 to add'), ['CHATFORM_VAR_SALES']]);
});

test('A snapshot of something else, and one that leaves something out where all is needed, are refused', async () => {
  const { run, cwd } = await forked();
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--api-version', '3.3'], /for version 3\.6 of the service, and this is 3\.3/],
    [['--out', 'snapshot.json'], /--out snapshot\.json: it would be replaced/],
  ];
  for (const [flags, why] of cases) {
    const { code, stderr } = await run(['plan', '--against', 'snapshot.json', ...flags]);
    expect([flags, code, stderr]).toEqual([flags, 1, expect.stringMatching(why)]);
  }
  await writeFile(join(cwd, 'manifest.yaml'), `${AFTER}bots: { triage: { name: Triage } }\n`);
  const { code, stderr } = await run(['plan', '--against', 'snapshot.json']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/manifest\.yaml:4:.*not-in-snapshot: the snapshot has no bots/),
  ]);
});
