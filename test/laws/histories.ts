// Random histories of one license: applies, destroys, renames, kills and undos, one run after the other.

import fc from 'fast-check';
import { UsageError } from '../../src/base/errors.ts';
import type { Desired, Move, Spec } from '../../src/base/model.ts';
import { covers } from '../../src/kinds/selection.ts';
import type { UndoRequest } from '../../src/ledger/footprint.ts';
import { declare, desiredOf } from '../desired.ts';
import { requestedUndo, unafraid } from '../features/undo/imaged.ts';
import { type World, world } from '../world.ts';
import { doomed } from './crash.ts';
import { CLIENT } from './upheaval.ts';

/** What a manifest declares. Names are few, so that runs make the same again. */
interface Wanted {
  readonly groups: readonly { readonly key: string; readonly name: string; readonly members: readonly string[] }[];
  readonly agents: readonly { readonly key: string; readonly title: string }[];
  readonly rules: readonly { readonly key: string; readonly groups: readonly string[] }[];
  readonly bot: readonly string[] | null;
  /** Type of the property: another one replaces it. */
  readonly property: 'string' | 'int' | null;
  readonly value: boolean;
}

/** At which effect a run is killed, and whether that still happens; null for a run that ends. */
type Kill = { readonly at: number; readonly moment: 'before' | 'after' } | null;

export type Step =
  | { readonly run: 'apply'; readonly wanted: Wanted; readonly only: string | null; readonly kill: Kill }
  /** The manifest of the run before once more. */
  | { readonly run: 'again'; readonly kill: Kill }
  | { readonly run: 'rename'; readonly from: string; readonly to: string }
  | { readonly run: 'destroy'; readonly only: string | null; readonly kill: Kill }
  /** `which` counts back from the last run; null means the default. */
  | { readonly run: 'undo'; readonly which: number | null; readonly kill: Kill };

const GROUPS = ['a', 'b'] as const;
const AGENTS = ['ann@example.com', 'bob@example.com'] as const;

const wanted: fc.Arbitrary<Wanted> = fc.record({
  groups: fc.subarray([...GROUPS]).chain((keys) =>
    fc.tuple(
      ...keys.map((key) =>
        fc.record({
          key: fc.constant(key),
          name: fc.constantFrom(`The ${key}`, `New ${key}`),
          members: fc.subarray([...AGENTS]),
        }),
      ),
    ),
  ),
  agents: fc
    .subarray([...AGENTS])
    .chain((keys) =>
      fc.tuple(...keys.map((key) => fc.record({ key: fc.constant(key), title: fc.constantFrom('Clerk', 'Lead') }))),
    ),
  rules: fc
    .shuffledSubarray(['r', 's', 't'])
    .chain((keys) =>
      fc.tuple(...keys.map((key) => fc.record({ key: fc.constant(key), groups: fc.shuffledSubarray([...GROUPS]) }))),
    ),
  bot: fc.option(fc.subarray([...GROUPS]), { freq: 2 }),
  property: fc.option(fc.constantFrom('string' as const, 'int' as const)),
  value: fc.boolean(),
});

const kill: fc.Arbitrary<Kill> = fc.option(
  fc.record({ at: fc.nat(14), moment: fc.constantFrom('before' as const, 'after' as const) }),
  { freq: 3 },
);
const only = fc.option(fc.constantFrom('group/a', 'group/*', 'auto_access/*', 'agent/*'), { freq: 4 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ run: fc.constant('apply' as const), wanted, only, kill }) },
  { weight: 3, arbitrary: fc.record({ run: fc.constant('again' as const), kill: fc.constant(null) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      run: fc.constant('rename' as const),
      from: fc.constantFrom(...GROUPS),
      to: fc.constantFrom(...GROUPS, 'c'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ run: fc.constant('destroy' as const), only, kill }) },
  { weight: 2, arbitrary: fc.record({ run: fc.constant('undo' as const), which: fc.option(fc.nat(4)), kill }) },
);

/** The last step is an undo of any of the runs. */
export const histories: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(step, { minLength: 2, maxLength: 6 }),
    fc.record({ run: fc.constant('undo' as const), which: fc.option(fc.nat(5)), kill: fc.constant(null) }),
  )
  .map(([steps, last]) => [...steps, last]);

function manifestOf({ groups, agents, rules, bot, property, value }: Wanted): Desired {
  const [hasGroup, hasAgent] = [new Set(groups.map(({ key }) => key)), new Set(agents.map(({ key }) => key))];
  const there = (keys: readonly string[]): readonly string[] =>
    keys.filter((key) => hasGroup.has(key)).map((key) => `group/${key}`);
  const all = (references: readonly string[]): Spec => Object.fromEntries(references.map((each) => [each, 'normal']));
  const key = `${CLIENT}/tier`;
  const access = { license: { agent: ['read', 'write'] } };
  return desiredOf([
    ...agents.map((agent) => declare('agent', agent.key, { name: agent.key, job_title: agent.title })),
    ...groups.map(({ key: own, name, members }) =>
      declare('group', own, {
        name,
        agent_priorities: all(members.filter((member) => hasAgent.has(member)).map((member) => `agent/${member}`)),
      }),
    ),
    ...(bot === null
      ? []
      : [declare('bot', 'helper', { name: 'Helper', owner_client_id: CLIENT, groups: all(there(bot)) })]),
    ...rules.map((rule) => {
      const references = there(rule.groups);
      return declare('auto_access', rule.key, {
        description: rule.key,
        access: { groups: references.length === 0 ? ['0'] : references },
        conditions: { url: { values: [{ value: `/${rule.key}` }] } },
      });
    }),
    ...(property === null ? [] : [declare('property', key, { type: property, access })]),
    ...(property === null || !value ? [] : [declare('license_property', key, { value: property === 'int' ? 7 : 'x' })]),
  ]);
}

const NOTHING: Wanted = { groups: [], agents: [], rules: [], bot: null, property: null, value: false };

/** A run as it was carried out. */
export interface CarriedOut {
  readonly id: string;
  /** What it was for: only runs of one purpose finish each other. */
  readonly purpose: string;
  readonly isWhole: boolean;
  readonly isKilled: boolean;
  readonly hasSteps: boolean;
  readonly outcome: string;
  /** Of an undo. */
  readonly request: UndoRequest | null;
}

const DAY = 86_400_000;

/** Carries the steps out, and tells of each run that was begun. */
export async function carriedOut(
  steps: readonly Step[],
  onRun: (run: CarriedOut | null, made: World) => void,
): Promise<void> {
  const made = world({ seed: { installed_clients: [CLIENT] } });
  const ids: string[] = [];
  let last = NOTHING;
  onRun(null, made);
  for (const [index, each] of steps.entries()) {
    const id = `run-${index}`;
    const run = each.run === 'undo' ? await undone(made, each, id, ids) : await applied(made, each, id, last);
    if (each.run === 'apply') last = each.wanted;
    else if (each.run === 'rename') last = renamed(last, each);
    if (run === null) continue;
    ids.push(id);
    onRun(run, made);
    await made.clock.sleep(DAY);
  }
}

function renamed(before: Wanted, { from, to }: { readonly from: string; readonly to: string }): Wanted {
  const has = (key: string): boolean => before.groups.some((group) => group.key === key);
  if (!has(from) || has(to)) return before;
  const name = (key: string): string => (key === from ? to : key);
  return {
    ...before,
    groups: before.groups.map((group) => ({ ...group, key: name(group.key) })),
    rules: before.rules.map((rule) => ({ ...rule, groups: rule.groups.map(name) })),
    bot: before.bot?.map(name) ?? null,
  };
}

const PRUNING = { prune: {} };
const PLACE = { file: 'test.yaml', line: 1, column: 1, length: 1 };

async function applied(
  made: World,
  each: Exclude<Step, { run: 'undo' }>,
  id: string,
  last: Wanted,
): Promise<CarriedOut | null> {
  const next = each.run === 'apply' ? each.wanted : each.run === 'rename' ? renamed(last, each) : last;
  const desired = manifestOf(each.run === 'destroy' ? NOTHING : next);
  const glob = each.run === 'apply' || each.run === 'destroy' ? each.only : null;
  const moved: readonly Move[] =
    each.run === 'rename' && next !== last
      ? [{ from: `group/${each.from}`, to: `group/${each.to}`, place: PLACE }]
      : [];
  const named = desired.resources.map(({ address }) => address);
  const options = {
    ...(await unafraid(made, { ...PRUNING, acknowledged: new Set<string>(['deletes', 'empty-manifest', ...named]) })),
    ...(glob === null ? {} : { selects: covers([glob]) }),
  };
  const { plan } = await made.planned(desired, options, moved);
  if (plan === null || plan.withheld.length > 0) return null;
  const command = each.run === 'destroy' ? 'destroy' : 'apply';
  const how = { run: id, command, isWhole: glob === null, options };
  const end = await ended(made, each.run === 'rename' ? null : each.kill, (more) =>
    made.apply(plan, desired, { ...how, ...more }),
  );
  return { id, purpose: command, isWhole: glob === null, hasSteps: plan.steps.length > 0, request: null, ...end };
}

async function undone(
  made: World,
  { which, kill: at }: Extract<Step, { run: 'undo' }>,
  id: string,
  ids: readonly string[],
): Promise<CarriedOut | null> {
  const wantedId = which === null ? null : ids.at(-1 - (which % Math.max(1, ids.length)));
  if (wantedId === undefined) return null;
  const found = await requestedUndo(made, wantedId, await unafraid(made, PRUNING)).catch((error: unknown) => {
    // The ledger has nothing to take back.
    if (error instanceof UsageError) return null;
    throw error;
  });
  if (found === null || found.undoing.plan.withheld.length > 0) return null;
  const { request, undoing } = found;
  const { plan, desired, options } = undoing;
  const how = { run: id, command: 'undo', undoes: request.run.id, isWhole: true, options };
  const end = await ended(made, at, (more) => made.apply(plan, desired, { ...how, ...more }));
  const purpose = `undo ${request.run.id}`;
  return { id, purpose, isWhole: true, hasSteps: plan.steps.length > 0, request, ...end };
}

async function ended(
  made: World,
  at: Kill,
  run: (more: Parameters<World['apply']>[2]) => ReturnType<World['apply']>,
): Promise<Pick<CarriedOut, 'isKilled' | 'outcome'>> {
  if (at === null) return { isKilled: false, outcome: (await run({})).outcome };
  const { effects, ...doom } = doomed(made, at.at, at.moment);
  await run(doom).catch(() => {});
  // A run that was faster than its death has ended.
  const isKilled = effects().length > at.at;
  const end = (await made.ledger.read()).findLast((event) => event.type === 'run');
  return { isKilled, outcome: isKilled ? 'killed' : (end?.outcome ?? 'killed') };
}
