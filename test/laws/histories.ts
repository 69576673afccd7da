// Random histories of one license: applies, destroys, renames, kills and undos, one run after the other.

import fc from 'fast-check';
import { UsageError } from '../../src/base/errors.ts';
import type { Address, Move, Version } from '../../src/base/model.ts';
import { covers } from '../../src/kinds/selection.ts';
import type { UndoRequest } from '../../src/ledger/footprint.ts';
import { requestedUndo, unafraid } from '../features/undo/imaged.ts';
import { type World, world } from '../world.ts';
import { doomed } from './crash.ts';
import { CLIENT } from './upheaval.ts';
import { AGENTS, GROUPS, manifestOf, NOTHING, OWNER, renamed, type Wanted, wanted } from './wanted.ts';

/** At which effect a run is killed, and whether that still happens; null for a run that ends. */
type Kill = { readonly at: number; readonly moment: 'before' | 'after' } | null;

export type Step =
  | { readonly run: 'apply'; readonly wanted: Wanted; readonly only: string | null; readonly kill: Kill }
  /** The manifest of the run before once more. */
  | { readonly run: 'again'; readonly kill: Kill }
  | { readonly run: 'rename'; readonly from: Address; readonly to: Address }
  | { readonly run: 'destroy'; readonly only: string | null; readonly kill: Kill }
  /** `which` counts back from the last run; null means the default. */
  | { readonly run: 'undo'; readonly which: number | null; readonly kill: Kill };

const kill: fc.Arbitrary<Kill> = fc.option(
  fc.record({ at: fc.nat(14), moment: fc.constantFrom('before' as const, 'after' as const) }),
  { freq: 3 },
);
const only = fc.option(fc.constantFrom('group/a', 'group/*', 'auto_access/*', 'agent/*', 'greeting/*', 'webhook/*'), {
  freq: 4,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ run: fc.constant('apply' as const), wanted, only, kill }) },
  { weight: 3, arbitrary: fc.record({ run: fc.constant('again' as const), kill: fc.constant(null) }) },
  ...[
    { kind: 'group' as const, keys: GROUPS, other: 'c' },
    { kind: 'agent' as const, keys: AGENTS, other: 'cid@example.com' },
  ].map(({ kind, keys, other }) => {
    const address = (key: string): Address => `${kind}/${key}`;
    return {
      weight: 1,
      arbitrary: fc.record({
        run: fc.constant('rename' as const),
        from: fc.constantFrom(...keys).map(address),
        to: fc.constantFrom(...keys, other).map(address),
      }),
    };
  }),
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
  version: Version,
  steps: readonly Step[],
  onRun: (run: CarriedOut | null, made: World) => void,
): Promise<void> {
  const made = world({ version, seed: { installed_clients: [CLIENT], owner: OWNER } });
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

const PRUNING = { prune: {} };
const PLACE = { file: 'test.yaml', line: 1, column: 1, length: 1 };

async function applied(
  made: World,
  each: Exclude<Step, { run: 'undo' }>,
  id: string,
  last: Wanted,
): Promise<CarriedOut | null> {
  const next = each.run === 'apply' ? each.wanted : each.run === 'rename' ? renamed(last, each) : last;
  const desired = manifestOf(each.run === 'destroy' ? NOTHING : next, made.version);
  const glob = each.run === 'apply' || each.run === 'destroy' ? each.only : null;
  const moved: readonly Move[] =
    each.run === 'rename' && next !== last ? [{ from: each.from, to: each.to, place: PLACE }] : [];
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
