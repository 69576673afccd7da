// A fleet run with its log in a file: one driver at a time, and the gates of a license on the emulator.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkGate } from '../../src/features/fleet/gates.ts';
import { fileLease } from '../../src/ledger/lease-file.ts';
import type { FleetWork, TargetEnd } from '../../src/many/drive.ts';
import { beginFleet, resumeFleet } from '../../src/many/local.ts';
import { fileStore } from '../../src/many/log/file-store.ts';
import { systemContext } from '../../src/target/context.ts';
import { prepareDeclared } from '../../src/target/prepare.ts';
import { chatform, folder, project } from '../cli/chatform.ts';
import { ANN, spec, wave } from './names.ts';

const HERE = { ...systemContext(), env: {}, self: ANN };
const OPTIONS = { freeze: [] };
const DONE: TargetEnd = { state: 'done', code: 0, message: null, requests: 0, summary: {} };
const RUN = { id: 'r1', command: 'apply', spec: spec([wave('all', ['a', 'b'])]), digest: null };

const doing = (work: FleetWork['work']): FleetWork => ({
  work,
  check: async () => ({ passed: true, message: null }),
});

test('While a process drives a run, another one is refused and told which; then the run can be resumed', async () => {
  const file = join(await folder(), 'runs', 'r1.ndjson');
  const found: unknown[] = [];
  const begun: string[] = [];
  const work = doing(async (target) => {
    begun.push(target);
    if (target === 'a') found.push(await resumeFleet(file, work, OPTIONS, HERE).catch((error: unknown) => error));
    return DONE;
  });
  const end = await beginFleet(file, RUN, work, OPTIONS, HERE);
  expect(end).toMatchObject({ stopped: null, results: { finished: true } });
  expect(found).toMatchObject([{ lease: { record: { holder: { user: 'ann', command: 'apply' } } } }]);
  expect(begun).toEqual(['a', 'b']);
  expect(await resumeFleet(file, work, OPTIONS, HERE)).toMatchObject({ stopped: null });
  expect(begun).toEqual(['a', 'b']);
  expect((await fileLease(file).read())?.until).toBeNull();
});

test('A run is begun once, and only a run that was begun is resumed', async () => {
  const file = join(await folder(), 'r1.ndjson');
  const work = doing(async () => DONE);
  await expect(resumeFleet(file, work, OPTIONS, HERE)).rejects.toThrow(`there is no fleet run in ${file}`);
  await beginFleet(file, RUN, work, OPTIONS, HERE);
  await expect(beginFleet(file, RUN, work, OPTIONS, HERE)).rejects.toThrow('has a fleet run already');
});

test('A process that lost its lease begins nothing any more, and writes nothing', async () => {
  const file = join(await folder(), 'r1.ndjson');
  const begun: string[] = [];
  const made = { ...RUN, spec: spec([wave('all', ['a', 'b'], { parallel: 1 })]) };
  const work = doing(async (target) => {
    begun.push(target);
    const lease = fileLease(file);
    const held = await lease.read();
    if (held === null) throw new Error('there is no lease');
    await lease.replace({ ...held, generation: held.generation + 1, run: 'another' });
    return DONE;
  });
  await expect(beginFleet(file, made, work, OPTIONS, HERE)).rejects.toThrow(
    'the fleet run stopped, because it lost its lease',
  );
  expect(begun).toEqual(['a']);
  expect((await fileStore(file).read()).map(({ type }) => type)).toEqual(['run', 'started']);
});

test('Nothing is begun in a window of the project', async () => {
  const file = join(await folder(), 'r1.ndjson');
  const stop = new AbortController();
  const always = { cron: '* * * * *', duration: 3_600_000, zone: 'UTC', reason: 'sale' };
  const steps: unknown[] = [];
  const end = await beginFleet(
    file,
    RUN,
    doing(async () => DONE),
    {
      freeze: [always],
      onStep: (step) => {
        steps.push(step);
        stop.abort();
      },
    },
    { ...HERE, signal: stop.signal },
  );
  expect(end).toMatchObject({ stopped: { kind: 'interrupted' } });
  expect(steps[0]).toMatchObject({ type: 'hold', because: { type: 'freeze', reason: 'sale' } });
});

/** Two groups, each behind a page; `prices` says which is behind /pricing. */
const manifest = (prices: 'sales' | 'desk') => `version: 1
agents:
  ann@example.com: { name: Ann }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
  desk: { name: Desk, agent_priorities: { ann@example.com: first } }
auto_access:
  - { key: pricing, access: { groups: [${prices}] }, conditions: { url: { values: [{ value: /pricing }] } } }
  - { key: careers, access: { groups: [desk] }, conditions: { url: { values: [{ value: /careers }] } } }
routes:
  - { name: prices, when: { url: "https://shop.example/pricing" }, expect: ${prices} }
  - { name: careers, when: { url: "https://shop.example/careers" }, expect: desk }
`;

async function applied() {
  const cwd = await folder({ ...project('propagation_delay: 0s'), 'manifest.yaml': manifest('sales') });
  expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
  const declared = () => prepareDeclared({ project: join(cwd, 'chatform.yaml') }, HERE);
  return { cwd, declared };
}

/** Of a run whose gates are in no file. */
const BEGUN = { since: 0, place: null };

test('The gates pass on a license that is as its manifest says', async () => {
  const { declared } = await applied();
  for (const gate of ['visitor', 'tests', 'no_drift'] as const)
    expect([gate, await checkGate(gate, await declared(), BEGUN, HERE)]).toEqual([
      gate,
      { passed: true, message: null },
    ]);
});

test('A gate says what is wrong on the license, and writes neither to it nor to the ledger', async () => {
  const { cwd, declared } = await applied();
  const before = await declared();
  await writeFile(join(cwd, 'manifest.yaml'), manifest('desk'));
  expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
  const files = () => Promise.all(['license.json', 'ledger.ndjson'].map((name) => readFile(join(cwd, name), 'utf8')));
  const was = await files();
  expect(await checkGate('tests', before, BEGUN, HERE)).toEqual({
    passed: false,
    message: '1 of 2 routing tests did not pass: prices',
  });
  expect(await checkGate('customers', before, BEGUN, HERE)).toEqual({
    passed: false,
    message: '2 routes not shown: where a page is routed was not tested; the gate `visitor` visits the pages',
  });
  expect(await checkGate('no_drift', before, BEGUN, HERE)).toEqual({
    passed: false,
    message: '1 difference as severe as fail_on (warning): auto_access/pricing',
  });
  expect(await files()).toEqual(was);
  expect(await checkGate('visitor', before, BEGUN, HERE)).toEqual({
    passed: false,
    message: 'prices: https://shop.example/pricing reaches group/desk, and group/sales is expected',
  });
});

test('The gate of a visitor names the first route that no visit showed, and why', async () => {
  const { cwd, declared } = await applied();
  const routes = 'routes:\n  - { name: home, when: { url: "https://shop.example/" }, expect: none }\n';
  await writeFile(join(cwd, 'manifest.yaml'), manifest('sales').replace(/auto_access:.*/s, routes));
  expect(await checkGate('visitor', await declared(), BEGUN, HERE)).toEqual({
    passed: false,
    message:
      '1 route not shown: where a page is routed was not tested; home: not shown: no page of the visit was told its groups, so nothing proves the default group; a route that reaches another group would',
  });
});

test('A license of which customers see nothing does not pass the gate of customers', async () => {
  const { cwd, declared } = await applied();
  await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\nagents:\n  ann@example.com: { name: Ann }\n');
  expect(await checkGate('customers', await declared(), BEGUN, HERE)).toEqual({
    passed: false,
    message: 'customers see nothing of what the manifest declares: leave out the gate, or declare routes',
  });
});

test('A gate that cannot be checked does not pass, and says why', async () => {
  const { cwd, declared } = await applied();
  await writeFile(join(cwd, 'license.json'), '{}');
  const { passed, message } = await checkGate('no_drift', await declared(), BEGUN, HERE);
  expect(passed).toBe(false);
  expect(message).not.toBeNull();
});

test('Only what the run itself changed is followed', async () => {
  const { declared } = await applied();
  const later = Date.now() + 60_000;
  expect(await checkGate('chats', await declared(), { since: later, place: null }, HERE)).toEqual({
    passed: true,
    message: null,
  });
});
