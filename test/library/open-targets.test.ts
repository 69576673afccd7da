// Several targets through the library: a result for each, waves with gates and budgets, and plans that were approved before.

import { mkdirSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type OpenProject, openProject } from '../../src/library/open.ts';
import { folder } from '../cli/chatform.ts';
import { served } from '../cli/served.ts';
import { virtualClock } from '../world.ts';

const NAMES = ['acme', 'bravo', 'carol', 'delta'];

const GROUPS = 'version: 1\ngroups: { support: { name: Support } }\n';

/** `more`: further members of chatform.yaml. `own`: settings of single targets. */
function agency(more = '', own: { readonly [name: string]: string } = {}): Promise<string> {
  const row = (name: string): string =>
    `  ${name}: { labels: { ring: ${name === 'carol' ? 'canary' : 'main'} }, ${own[name] ?? `base_url: "emulator:${name}.json"`} }\n`;
  return folder({
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\n${more}targets:\n${NAMES.map(row).join('')}`,
    'manifest.yaml': GROUPS,
  });
}

const WAVES = `fleet:
  waves: [{ name: canary, select: ring=canary, gate: [no_drift] }, { name: rest, parallel: 1 }]
`;

/** Without the token of any target. */
const HERE = { env: {} };

const open = (cwd: string, given: Parameters<typeof openProject>[1] = HERE): Promise<OpenProject> =>
  openProject(join(cwd, 'chatform.yaml'), given);

/** A file that is no license. */
const spoil = (cwd: string, name: string): Promise<void> => writeFile(join(cwd, `${name}.json`), 'none');

const states = (results: readonly { readonly target: string; readonly state: string }[]) =>
  results.map(({ target, state }) => `${target} ${state}`);

const all = (outcome: string): readonly string[] => NAMES.map((name) => `${name} ${outcome}`);

test('The targets that a selector chooses are there by name, each with its labels', async () => {
  const project = await open(await agency());
  expect(project.targets().names).toEqual(NAMES);
  expect(project.targets({ all: true }).names).toEqual(NAMES);
  expect(project.targets({ target: ['delta', 'a*'] }).names).toEqual(['acme', 'delta']);
  const canary = project.targets({ label: ['ring=canary'] });
  expect(Array.from(canary, ({ name, labels }) => [name, labels.get('ring')])).toEqual([['carol', 'canary']]);
  const [carol] = [...canary];
  expect((await carol?.plan())?.plan.summary.add).toBe(1);
  expect(() => project.targets({ target: ['acma'] })).toThrow('no target is called acma; did you mean acme?');
});

test('A target that fails, and one that cannot be reached, stop no other', async () => {
  const cwd = await agency('', { bravo: 'base_url: "https://api.example.com", token_env: NO_TOKEN' });
  await spoil(cwd, 'acme');
  const targets = (await open(cwd)).targets();
  for (const results of [await targets.plan(), await targets.drift({ parallel: 1 })]) {
    expect(states(results)).toEqual([
      'acme failed',
      'bravo unreachable',
      expect.stringMatching(/^carol (changes|drift)$/),
      expect.anything(),
    ]);
    expect(results).toMatchObject([
      { result: null, message: expect.stringContaining('acme.json') },
      { result: null, message: expect.stringContaining('NO_TOKEN') },
      { result: {} },
      {},
    ]);
  }
  const seen = await (await open(cwd)).targets({ target: ['acme', 'carol'] }).testOnCustomer();
  expect(states(seen)).toEqual(['acme failed', 'carol done']);
  expect(seen[1]).toMatchObject({ result: { summary: { differs: 0 } } });
});

test('Without plans, all are applied in waves with gates; then there is no drift', async () => {
  const cwd = await agency(WAVES);
  const order: string[] = [];
  const targets = (await open(cwd)).targets();
  const { results, stopped } = await targets.apply(undefined, { onResult: ({ target }) => void order.push(target) });
  expect(stopped).toBeNull();
  expect(states(results)).toEqual(all('applied'));
  expect(order).toEqual(['carol', 'acme', 'bravo', 'delta']);
  expect(results[0]).toMatchObject({ result: { report: { outcome: 'done' }, plan: { summary: { add: 1 } } } });
  const drift = await targets.drift();
  expect(drift).toMatchObject(NAMES.map((target) => ({ target, state: 'in sync', result: { in_sync: true } })));
});

test('A failure stops the run by its budget, and the run that is begun again does the rest', async () => {
  const cwd = await agency(WAVES);
  await spoil(cwd, 'bravo');
  const first = await (await open(cwd)).targets().apply();
  expect(first.stopped).toEqual({ kind: 'failures', wave: null, count: 1, limit: 0 });
  expect(states(first.results)).toEqual(['acme applied', 'bravo failed', 'carol applied', 'delta not begun']);
  await rm(join(cwd, 'bravo.json'));
  const second = await (await open(cwd)).targets().apply();
  expect(states(second.results)).toEqual(['acme in sync', 'bravo applied', 'carol in sync', 'delta applied']);
  expect(second.results).toMatchObject([0, 1, 0, 1].map((add) => ({ result: { plan: { summary: { add } } } })));
});

test('A gate that does not pass, or whose files cannot be read any more, stops the run', async () => {
  const cwd = await agency(`${WAVES}defaults: { overlays: ["own/\${target.name}.yaml"] }\n`);
  mkdirSync(join(cwd, 'own'));
  for (const name of NAMES) writeFileSync(join(cwd, 'own', `${name}.yaml`), 'version: 1\n');
  const targets = (await open(cwd)).targets();
  const { results, stopped } = await targets.apply(undefined, {
    onResult: () => void writeFileSync(join(cwd, 'own', 'carol.yaml'), 'groups: [\n'),
  });
  expect(stopped).toMatchObject({ kind: 'gate', wave: 'canary', gate: 'no_drift', target: 'carol' });
  expect(states(results)).toEqual(['acme not begun', 'bravo not begun', 'carol applied', 'delta not begun']);
});

test('With plans, only their targets are applied, no more than they say, and nothing is sent for a plan that does nothing', async () => {
  const cwd = await agency();
  const project = await open(cwd);
  await project.target('acme').apply();
  const planned = await project.targets().plan();
  const plans = planned.flatMap(({ target, result }) => (result !== null && target !== 'delta' ? [result] : []));
  await writeFile(join(cwd, 'manifest.yaml'), GROUPS.replace(' }', ', language_code: pl }'));
  const saved = JSON.parse(JSON.stringify(plans.map((plan) => plan.saved)));
  const later = await (await open(cwd)).targets({ target: ['acme', 'bravo', 'carol'] }).apply(saved);
  expect(states(later.results)).toEqual(['acme in sync', 'bravo outdated', 'carol outdated']);
  expect(later.results[1]).toMatchObject({ result: null, message: expect.stringContaining('no longer matches') });
  await writeFile(join(cwd, 'manifest.yaml'), GROUPS);
  const { results } = await project.targets().apply(plans);
  expect(states(results)).toEqual(['acme in sync', 'bravo applied', 'carol applied']);
  const again = await project.targets().apply(plans);
  expect(states(again.results)).toEqual(['acme in sync', 'bravo in sync', 'carol in sync']);
  expect(again.results.map((each) => Object.keys(each.result?.sent ?? {}))).toEqual([[], [], []]);

  const [acme, bravo] = plans;
  if (acme === undefined || bravo === undefined) throw new Error('there are no plans');
  await expect(project.targets().apply([acme, acme])).rejects.toThrow('there are two plans of acme');
  await expect(project.targets({ target: ['acme'] }).apply([bravo])).rejects.toThrow('a plan of bravo, which was not');
});

test('An apply of which something is refused is done in part, and one of which all is refused has failed', async () => {
  /** After so many groups. */
  const refusing = (from: number) => {
    let created = 0;
    return served({}, (handle) => async (request) => {
      if (!request.target.includes('create_group')) return handle(request);
      created += 1;
      return created > from
        ? { status: 403, headers: {}, body: '{"error":{"type":"authorization","message":"no"}}' }
        : handle(request);
    });
  };
  const [some, every] = [await refusing(1), await refusing(0)];
  const at = ({ url }: { readonly url: string }): string => `base_url: "${url}", token_env: TOKEN`;
  const cwd = await agency('fleet: { max_failures: 4 }\n', { acme: at(some), bravo: at(every) });
  await writeFile(join(cwd, 'manifest.yaml'), GROUPS.replace('{ support', '{ sales: { name: Sales }, support'));
  const here = { env: { TOKEN: 'dal:token' } };
  const { results, stopped } = await (await open(cwd, here))
    .targets({ target: ['acme', 'bravo', 'carol'] })
    .apply(undefined, { assumeSettled: true });
  expect(stopped).toBeNull();
  expect(states(results)).toEqual(['acme in part', 'bravo failed', 'carol applied']);
  expect(results).toMatchObject([
    { result: { report: { outcome: 'partial' } } },
    {
      result: {
        report: { outcome: 'failed', results: expect.arrayContaining([expect.objectContaining({ status: 'failed' })]) },
      },
    },
    {},
  ]);
});

test('A signal lets an apply under way end and begins no other, and ends readings', async () => {
  const cwd = await agency('fleet: { parallel: 1 }\n');
  const stop = new AbortController();
  const targets = (await open(cwd, { ...HERE, signal: stop.signal })).targets();
  const notice = await targets.apply(undefined, { onResult: () => stop.abort() });
  expect(states(notice.results)).toEqual([
    'acme applied',
    'bravo interrupted',
    'carol interrupted',
    'delta interrupted',
  ]);
  expect(notice.stopped).toEqual({ kind: 'interrupted' });
  expect(states(await targets.plan())).toEqual(all('interrupted'));

  const { url } = await served({}, () => () => {
    reading.abort();
    return new Promise(() => {});
  });
  const reading = new AbortController();
  await writeFile(
    join(cwd, 'chatform.yaml'),
    `version: 1\nmanifest: [manifest.yaml]\ntargets: { a: { base_url: "${url}", token_env: TOKEN }, b: { base_url: "emulator:b.json" } }\n`,
  );
  const given = { env: { TOKEN: 'dal:token' }, signal: reading.signal };
  const drift = await (await open(cwd, given)).targets().drift({ parallel: 1 });
  expect(states(drift)).toEqual(['a interrupted', 'b interrupted']);
});

test('While a freeze lasts, no target is begun, unless the caller goes through it', async () => {
  const cwd = await agency('fleet: { freeze: [{ cron: "* * * * *", duration: 1h, zone: UTC, reason: sale }] }\n');
  const stop = new AbortController();
  const clock = { now: Date.now, sleep: async () => stop.abort() };
  const held = await (await open(cwd, { ...HERE, clock, signal: stop.signal })).targets().apply();
  expect(states(held.results)).toEqual(all('interrupted'));
  const through = await (await open(cwd)).targets().apply(undefined, { throughFreeze: true });
  expect(states(through.results)).toEqual(all('applied'));
});

test('Targets with one token send no more together than the rate of the project', async () => {
  // One license behind an address for each target.
  const { url, emulator } = await served({}, (handle) => async (request) => {
    const target = request.target.replace(/^\/target-\w+/, '');
    return handle({ ...request, target });
  });
  const own = Object.fromEntries(NAMES.map((name) => [name, `base_url: "${url}/target-${name}", token_env: TOKEN`]));
  const cwd = await agency('fleet: { rate: 60/m }\n', own);
  const clock = virtualClock();
  const begun = clock.now();
  const targets = (await open(cwd, { env: { TOKEN: 'dal:token' }, clock })).targets();
  expect(states(await targets.plan())).toEqual(all('changes'));
  const requests = Object.values(emulator.stats()).reduce((sum, count) => sum + count, 0);
  expect(requests).toBeGreaterThanOrEqual(NAMES.length);
  expect(clock.now() - begun).toBe((requests - 1) * 1_000);
});

test('A project stays as its files were first read, until it is opened again', async () => {
  const cwd = await agency();
  const project = await open(cwd);
  await project.target('acme').plan();
  await writeFile(join(cwd, 'chatform.yaml'), '[');
  await writeFile(join(cwd, 'manifest.yaml'), '[');
  expect(states(await project.targets().plan())).toEqual(all('changes'));
  await expect(open(cwd)).rejects.toThrow('chatform.yaml has errors');
  await expect(open(join(cwd, 'nowhere'))).rejects.toThrow(/there is no .*nowhere.chatform.yaml: give the path/);
});

test('A finding about a file of values that the caller names quotes it', async () => {
  const cwd = await agency();
  const elsewhere = join(await folder({ 'values.yaml': 'chats: many\n' }), 'values.yaml');
  await writeFile(join(cwd, 'manifest.yaml'), `${GROUPS}variables: { chats: { type: integer } }\n`);
  const project = await open(cwd);
  const [first] = await project.targets().plan({ varFile: [elsewhere] });
  expect(first).toMatchObject({
    state: 'failed',
    diagnostics: [{ code: 'wrong-type', place: { file: elsewhere }, excerpt: expect.anything() }],
  });
});

test('Lines of the log name their target', async () => {
  const named = new Set<unknown>();
  const log = (_: string, __: string, fields: { readonly [name: string]: unknown } = {}) =>
    void named.add(fields['target']);
  await (await open(await agency(), { ...HERE, log })).targets().apply();
  expect([...named].sort()).toEqual(NAMES);
});

test('A signal of the caller gets no listener for each target', async () => {
  const warned: string[] = [];
  const hear = ({ name }: Error): void => void warned.push(name);
  process.on('warning', hear);
  const many = Array.from({ length: 15 }, (_, nth) => `t${nth}: { base_url: "emulator:${nth}.json" }`).join(', ');
  const cwd = await folder({
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets: { ${many} }\nfleet: { parallel: 15 }\n`,
    'manifest.yaml': GROUPS,
  });
  const targets = (await open(cwd, { ...HERE, signal: new AbortController().signal })).targets();
  expect((await targets.apply()).stopped).toBeNull();
  expect(states(await targets.drift({ parallel: 15 }))).toHaveLength(15);
  await new Promise(setImmediate);
  process.off('warning', hear);
  expect(warned).toEqual([]);
});
