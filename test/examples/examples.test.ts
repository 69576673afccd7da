// Every example, applied to a license in this process: the second plan is empty. Must not know how a plan is made.

import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Desired, VERSIONS, type Version } from '../../src/base/model.ts';
import { parseSeed, type Seed } from '../../src/emulator/index.ts';
import { loadTraffic } from '../../src/features/emulate/traffic/load.ts';
import { covers } from '../../src/kinds/selection.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { PlannerOptions } from '../../src/plan/input.ts';
import { loadProject } from '../../src/project/project.ts';
import { renderDiagnostics } from '../../src/view/terminal/diagnostics.ts';
import { chatform, folder } from '../cli/chatform.ts';
import { type World, world } from '../world.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
/** Milliseconds. Specification: "What the service does". */
const LONGEST_LAG = 120_000;
const ENV = { SEASON: 'peak' };

interface Example {
  readonly desired: Desired;
  readonly options: Partial<PlannerOptions>;
}

/** What one target of an example says, guards and all; a warning is as bad as an error here. */
async function exampleOf(
  name: string,
  target: string,
  asked?: Version,
  more: readonly string[] = [],
): Promise<Example> {
  const { project, diagnostics } = await loadProject(join(EXAMPLES, name, 'chatform.yaml'), ENV);
  const settings = project?.targets.get(target);
  if (project === null || settings === undefined) throw new Error(renderDiagnostics(diagnostics));
  const { overlays, vars, apiVersion } = settings;
  const version = asked ?? apiVersion;
  const loaded = await loadManifest({
    files: project.manifest,
    overlays: [...overlays, ...more],
    vars,
    env: ENV,
    environment: project.environment,
    version,
    clients: project.clients,
    lintOf: (lint) => ({ level: settings.routing.lint[lint], isExcepted: () => false }),
  });
  // In 3.3 the zone of an agent's hours is that of the agent, which is a warning for each of them.
  const wrong = loaded.diagnostics.filter(({ severity }) => version !== '3.3' || severity === 'error');
  if (loaded.desired === null || wrong.length > 0) throw new Error(renderDiagnostics(wrong));
  const options = {
    target,
    protects: covers(settings.protect),
    prune: settings.prune,
    maxDeletes: settings.maxDeletes,
    maxDeletePercent: settings.maxDeletePercent,
    acknowledged: new Set(settings.acknowledge),
    hasSink: settings.secrets !== null,
    batchSize: settings.batchSize,
  };
  return { desired: loaded.desired, options };
}

function countsOf({ resources }: Desired): { readonly [kind: string]: number } {
  const counts: Record<string, number> = {};
  for (const { kind } of resources) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Applies an example, and gives the plan that is left. */
async function settled(license: World, { desired, options }: Example) {
  const plan = await license.plan(desired, options);
  expect(plan.withheld).toEqual([]);
  const report = await license.apply(plan, desired, { options });
  expect(report.results.filter(({ outcome }) => outcome.status !== 'done')).toEqual([]);
  expect([report.outcome, report.unsettled, report.lostSecrets]).toEqual(['done', [], []]);
  // A reading draws its lag anew each time, so that it can see less than the one that proved the apply.
  await license.clock.sleep(LONGEST_LAG);
  return { plan, left: await license.plan(desired, options) };
}

/** What no version before 3.6 can have of the example. */
const WITHOUT_GREETINGS = 'version: 1\ngreetings: null\n';

/** What 3.3 cannot have of the example in addition: templates, tags, two spans a day, and hours that are switched off. */
const OLDER = `${WITHOUT_GREETINGS}bot_templates: null
tags: null
bots: { night-owl: { work_scheduler: { schedule: [{ day: monday, enabled: true, start: "00:00", end: "07:00" }] } } }
agents:
  felix.baumann@northpine.example: { work_scheduler: { schedule: [{ day: monday, enabled: true, start: "09:00", end: "14:00" }] } }
  riley.quinn@northpine.example: { work_scheduler: { schedule: [{ day: friday, enabled: true, start: "08:00", end: "12:00" }] } }
`;

/** The same, where hours are in the zone of the agent, as they are in 3.3. */
async function olderInOwnZones(): Promise<string> {
  const { desired } = await exampleOf('support-team', 'sandbox');
  const zones = desired.resources.flatMap(({ kind, key, spec }) =>
    kind === 'agent' && spec['work_scheduler'] !== undefined ? [`  ${key}: { work_scheduler: { timezone: "" } }`] : [],
  );
  return `version: 1\nagents:\n${zones.join('\n')}\n`;
}

const PERSONAL = { kind: 'basic', accountId: 'account', token: 'test-token' } as const;

async function handMade(): Promise<Seed> {
  return parseSeed(JSON.parse(await readFile(new URL('../../demo/license.json', import.meta.url), 'utf8')));
}

test('Every folder of examples/ is tested here, but for the workflows, Kubernetes, the agency and the service, which have tests of their own', async () => {
  expect((await readdir(EXAMPLES)).sort()).toEqual([
    'agency',
    'ci',
    'kubernetes',
    'people',
    'provision',
    'quickstart',
    'support-team',
  ]);
});

describe('quickstart', () => {
  test.each(VERSIONS)('It is small, and the plan after its apply to %s is empty', async (version) => {
    const example = await exampleOf('quickstart', 'sandbox', version);
    expect(countsOf(example.desired)).toEqual({ agent: 2, group: 2, auto_access: 1 });
    const { plan, left } = await settled(world({ version }), example);
    expect(plan.summary).toEqual({ add: 5, change: 0, destroy: 0, adopt: 0 });
    expect([left.steps, left.resource_changes]).toEqual([[], []]);
  });
});

describe('people', () => {
  /** Name, title and groups of each person; null for one who left. */
  const PEOPLE: { readonly [target: string]: { readonly [address: string]: readonly string[] | null } } = {
    google: {
      'nora.lind@fernhill.example': ['Nora Lind', 'Head of Customer Care', 'group/care'],
      'amelie.roux@fernhill.example': ['Amélie Roux', 'Customer Care Agent', 'group/care'],
      'sam.obrien@fernhill.example': ["Sam O'Brien", 'Repair Adviser', 'group/repairs'],
      'priya.nair@fernhill.example': ['Priya Nair', 'Account Executive', 'group/sales'],
      'tom.hale@fernhill.example': null,
    },
    entra: {
      'mette.holm@fernhill.example': ['Mette Holm', 'Head of Customer Care', 'group/care'],
      'soren.krogh@fernhill.example': ['Søren Krogh', 'Repair Adviser', 'group/repairs'],
      'ida.bach@fernhill.example': ['Ida Bach', 'Account Executive', 'group/sales'],
      'lars.friis@fernhill.example': null,
      'kai.storm@freelance.example': ['Kai Storm', 'none', 'group/care', 'group/sales'],
    },
    personio: {
      'juergen.gross@fernhill.example': ['Jürgen Groß', 'Leiter Kundenservice', 'group/care'],
      'zoe.mueller@fernhill.example': ['Zoë Müller-Lüdenscheidt', 'Kundenberaterin', 'group/care'],
      'bjoern.weiss@fernhill.example': ['Björn Weiß', 'Techniker – Reparatur', 'group/repairs'],
      'anke.schroeder@fernhill.example': ['Anke Schröder', 'Beraterin; Außendienst', 'group/sales'],
      'udo.klass@fernhill.example': null,
    },
  };

  test.each(Object.entries(PEOPLE))(
    'The table of %s has these people, and the second plan is empty',
    async (target, people) => {
      const example = await exampleOf('people', target);
      const agents = example.desired.resources.filter(({ kind }) => kind === 'agent');
      const read = agents.map(({ key, spec: { name, job_title: title, suspended, groups } }) => [
        key,
        suspended === true ? null : [name, title ?? 'none', ...Object.keys(groups ?? {}).sort()],
      ]);
      expect(Object.fromEntries(read)).toEqual(people);
      const { plan, left } = await settled(world(), example);
      const there = Object.values(people).filter((person) => person !== null).length;
      expect(plan.summary).toEqual({ add: there + 3, change: 0, destroy: 0, adopt: 0 });
      expect([left.steps, left.resource_changes]).toEqual([[], []]);
    },
  );
});

describe('support-team', () => {
  test('The base describes a whole company', async () => {
    const { desired } = await exampleOf('support-team', 'production');
    const { agent = 0, ...others } = countsOf(desired);
    expect(agent).toBeGreaterThanOrEqual(38);
    expect(agent).toBeLessThanOrEqual(42);
    expect(others).toMatchObject({
      group: 8,
      bot: 3,
      bot_template: 2,
      auto_access: 14 + 1,
      tag: 4,
      greeting: 3,
      webhook: 1,
    });
    expect(desired.resources.flatMap(({ kind, spec }) => (kind === 'property' ? Object.keys(spec) : []))).toEqual(
      expect.arrayContaining(['domain', 'range', 'default_value']),
    );
  });

  test.each(['sandbox', 'production'])('The plan after the apply of %s is empty', async (target) => {
    const example = await exampleOf('support-team', target);
    const license = world({ propagationDelay: { from: 0, to: LONGEST_LAG } });
    const { plan, left } = await settled(license, example);
    // The group that every license has becomes the front desk; all else is new.
    expect(plan.summary).toEqual({ add: example.desired.resources.length - 1, change: 1, destroy: 0, adopt: 1 });
    expect([left.steps, left.resource_changes]).toEqual([[], []]);
    expect([...license.kept.keys()].sort()).toEqual(
      example.desired.resources.flatMap(({ kind, address }) =>
        kind === 'bot' || kind === 'bot_template' || kind === 'webhook' ? [address] : [],
      ),
    );
  });

  describe('in every version', () => {
    const FROM_35 = {
      batch_create_agents: 1,
      batch_create_bots: 1,
      set_routing_status: 3,
      create_bot_template: 2,
      create_group: 7,
      update_group: 1,
      add_auto_access: 14,
      create_tag: 4,
      register_property: 8,
      update_license_properties: 1,
      update_group_properties: 4,
    };
    /** Without batches, templates and tags, each agent and each bot takes a request. */
    const {
      batch_create_agents: _,
      batch_create_bots: __,
      create_bot_template: ___,
      create_tag: ____,
      ...others
    } = FROM_35;
    const WRITES: { readonly [version in Version]: { readonly [action: string]: number } } = {
      '3.3': { ...others, create_agent: 40, create_bot: 3 },
      '3.5': FROM_35,
      '3.6': { ...FROM_35, create_greeting: 3 },
      '3.7': { ...FROM_35, create_greeting: 3 },
    };

    test.each(VERSIONS)('The plan after its apply to %s is empty, and these requests made it', async (version) => {
      const texts: { readonly [version in Version]?: string } = { '3.3': OLDER, '3.5': WITHOUT_GREETINGS };
      const text = texts[version];
      const older = text === undefined ? [] : [join(await folder({ 'older.yaml': text }), 'older.yaml')];
      const license = world({ version, credential: PERSONAL });
      const { left } = await settled(license, await exampleOf('support-team', 'sandbox', version, older));
      expect([left.steps, left.resource_changes]).toEqual([[], []]);
      const sent = Object.entries(license.client.requests());
      const writes = sent.filter(([action]) => !/^(get|list)_/.test(action));
      expect(Object.fromEntries(writes)).toEqual(WRITES[version]);
      // The values of all groups are one request, and in 3.3 one for each group.
      const values = sent.filter(([action]) => /^list_groups?_properties$/.test(action));
      expect(values.map(([action]) => action)).toEqual([
        version === '3.3' ? 'list_group_properties' : 'list_groups_properties',
      ]);
    });

    test('A license that moves from 3.3 to 3.6 needs no change', async () => {
      const cwd = await folder({ 'older.yaml': OLDER, 'zones.yaml': await olderInOwnZones() });
      const overlays = [join(cwd, 'older.yaml'), join(cwd, 'zones.yaml')];
      const old = world({ version: '3.3', credential: PERSONAL });
      await settled(old, await exampleOf('support-team', 'sandbox', '3.3', overlays));
      const moved = world({ version: '3.6', credential: PERSONAL, state: old.emulator.snapshot() });
      await moved.ledger.append(await old.ledger.read());
      const { desired, options } = await exampleOf('support-team', 'sandbox', '3.6', overlays);
      const { steps, resource_changes, unmanaged } = await moved.plan(desired, options);
      expect([steps, resource_changes, unmanaged.map(({ type, name }) => [type, name])]).toEqual([
        [],
        [],
        [['agent', 'Owner']],
      ]);
    });
  });

  test('The overlays differ in people and rules', async () => {
    const [sandbox, production] = await Promise.all([
      exampleOf('support-team', 'sandbox'),
      exampleOf('support-team', 'production'),
    ]);
    const only = (here: Example, there: Example) => {
      const known = new Set(there.desired.resources.map(({ address }) => address));
      return here.desired.resources.flatMap(({ address }) => (known.has(address) ? [] : [address]));
    };
    expect(only(production, sandbox)).toEqual(
      expect.arrayContaining(['agent/alex.petrov@northpine.example', 'auto_access/stove-recall']),
    );
    expect(countsOf(sandbox.desired)['auto_access']).toBe(14);
    expect(production.desired.ruleOrder[0]).toBe('auto_access/stove-recall');
  });

  test('Its traffic reaches every group, as its rules say', async () => {
    const license = world();
    const example = await exampleOf('support-team', 'sandbox');
    await settled(license, example);
    const traffic = await loadTraffic(join(EXAMPLES, 'support-team', 'traffic.yaml'));
    const { chats, taken } = await license.emulator.play({ ...traffic, days: 1 });
    const { groups, threads } = license.emulator.snapshot().tables;
    const names = new Map(groups.map((row) => [row.at(-1)?.value?.id, row.at(-1)?.value?.name]));
    const reached = threads.map((row) =>
      row
        .at(-1)
        ?.value?.group_ids.map((id) => names.get(id))
        .join(' and '),
    );
    expect(chats).toBeGreaterThan(300);
    expect(taken / chats).toBeGreaterThan(0.5);
    expect([...new Set(reached)].sort()).toEqual([
      'Front Desk',
      'Front Desk and Gear Advice',
      'Gear Advice',
      'Kundenservice Deutsch',
      'Kundenservice Deutsch and Returns & Warranty',
      'Orders Europe',
      'Orders North America',
      'Returns & Warranty',
      'Service clients français',
      'Trade & Clubs',
    ]);
    expect((await license.plan(example.desired, example.options)).steps).toEqual([]);
  });

  test('The license that was clicked together by hand becomes the sandbox, but for a name that no request can change', async () => {
    const example = await exampleOf('support-team', 'sandbox');
    const { plan, left } = await settled(
      world({ seed: await handMade(), settings: { listPropertyDetails: true } }),
      example,
    );
    expect(plan.summary.adopt).toBeGreaterThan(50);
    expect(plan.reorder?.moved.length).toBeGreaterThan(0);
    expect(left.steps).toEqual([]);
    expect(left.resource_changes.map(({ address, fields }) => [address, fields])).toEqual([
      ['agent/tanya.brooks@northpine.example', [expect.objectContaining({ field: 'name', reach: 'unreachable' })]],
    ]);
    expect(left.unmanaged.map(({ name }) => name)).toContain('Chris Dolan');
  });
});

/** Lines of stdout and stderr. */
function linesOf({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): number {
  return `${stderr}${stdout}`.trimEnd().split('\n').length;
}

test('The plans of support-team fit a screen: the first one, and one of a changed hour', async () => {
  const cwd = await folder();
  await cp(join(EXAMPLES, 'support-team'), cwd, { recursive: true });
  const run = (...args: readonly string[]) => chatform([...args, '-t', 'sandbox'], { cwd });
  const first = await run('plan');
  expect([first.code, linesOf(first) <= 70]).toEqual([0, true]);
  expect((await run('plan', '--quiet')).stdout).toMatch(
    /^Dangers:\n(?: {2}.*\n)+\nPlan: .* on sandbox\. 1 to adopt\.\n$/,
  );
  expect((await run('apply', '--yes', '--quiet')).code).toBe(0);
  const agents = join(cwd, 'manifest/agents.yaml');
  const text = await readFile(agents, 'utf8');
  await writeFile(agents, text.replace('sat-sun: 09:00-19:00', 'sat: 09:00-19:00\n    sun: 09:00-18:00'));
  const second = await run('plan');
  expect(second.stdout).toContain('      work_scheduler Sun 09:00-19:00 -> 09:00-18:00\n');
  expect([second.code, linesOf(second) <= 12]).toEqual([0, true]);
});
