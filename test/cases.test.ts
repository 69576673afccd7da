// Golden cases of the planner: test/cases/*.yaml say manifest, license and options, and what the plan must be. A case applies what it plans
// unless a guard withholds it, and the plan after it is empty.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseSeed, parseSettings } from '../src/emulator/index.ts';
import { loadManifest } from '../src/manifest/load.ts';
import type { Desired, JsonObject, Version } from '../src/model.ts';
import type { PlanOptions } from '../src/plan/assemble.ts';
import type { Plan } from '../src/plan/plan.ts';
import { covers, selection } from '../src/plan/select.ts';
import type { ActionName } from '../src/service/actions.ts';
import { recordsOf, ruleOrderOf } from './laws/records.ts';
import { memoryDisk } from './manifest/memory-disk.ts';
import { EVERYTHING, type World, world } from './world.ts';

interface Golden {
  readonly name: string;
  /** Default 3.6. */
  readonly version?: Version;
  /** The license as an emulator seed. */
  readonly live?: object;
  /** How the emulator behaves. */
  readonly settings?: object;
  /** A manifest that was applied before, so that the ledger owns things. */
  readonly before?: string;
  /** What somebody did to the license afterwards, without us. */
  readonly by_hand?: readonly { readonly action: ActionName; readonly body: JsonObject }[];
  readonly manifest: string;
  readonly options?: {
    readonly only?: readonly string[];
    readonly except?: readonly string[];
    readonly protect?: readonly string[];
    readonly prune?: PlanOptions['prune'];
    readonly acknowledge?: readonly string[];
    readonly max_deletes?: number;
    readonly max_delete_percent?: number;
    readonly sink?: boolean;
    readonly limits?: PlanOptions['limits'];
    readonly own?: PlanOptions['own'];
  };
  readonly expect: {
    /** Address -> actions, then differing fields, then the move; only what would change. */
    readonly changes?: { readonly [address: string]: string };
    readonly adopt?: readonly string[];
    readonly out_of_reach?: readonly string[];
    /** `<address> <kind>` -> the one line about it; all of them. */
    readonly notes?: { readonly [about: string]: string };
    readonly requests?: { readonly [action: string]: number };
    readonly released?: readonly string[];
    /** Strangers as `kind id`; not compared when it is left out. */
    readonly unmanaged?: readonly string[];
    /** Guards, or `guard address ...` where the addresses matter. */
    readonly withheld?: readonly string[];
    readonly problems?: readonly string[];
    /** Descriptions of the rules after the apply, first match first. */
    readonly rules?: readonly string[];
    /** Differences that an apply leaves. */
    readonly remains?: boolean;
  };
}

const FOLDER = new URL('cases/', import.meta.url);

async function desiredBy(text: string, version: Version): Promise<Desired> {
  const { desired, diagnostics } = await loadManifest({
    files: ['manifest.yaml'],
    env: {},
    version,
    io: memoryDisk({ 'manifest.yaml': `version: 1\n${text}` }),
  });
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return desired;
}

function optionsOf({ options = {} }: Golden): Partial<PlanOptions> {
  return {
    selects: selection(options.only ?? [], options.except ?? []),
    protects: covers(options.protect ?? []),
    prune: options.prune ?? {},
    acknowledged: new Set(options.acknowledge ?? []),
    maxDeletes: options.max_deletes ?? EVERYTHING.maxDeletes,
    maxDeletePercent: options.max_delete_percent ?? EVERYTHING.maxDeletePercent,
    hasSink: options.sink ?? true,
    limits: options.limits ?? {},
    own: options.own ?? null,
  };
}

function changesOf(plan: Plan): { readonly [address: string]: string } {
  return Object.fromEntries(
    plan.resource_changes
      .filter(({ change }) => change.actions[0] !== 'no-op')
      .map(({ address, change, fields, moved }) => {
        const closed = fields
          .filter(({ reach }) => reach !== 'unreachable' && reach !== 'unreadable')
          .map(({ field }) => field);
        const detail = change.actions[0] === 'update' ? closed : [];
        const move = moved === null ? [] : [`${moved.from}->${moved.to}`];
        return [address, [change.actions.join('+'), ...detail, ...move].join(' ')];
      }),
  );
}

function outOfReach(plan: Plan): readonly string[] {
  return plan.resource_changes.flatMap(({ address, fields }) =>
    fields
      .filter(({ reach }) => reach === 'unreachable' || reach === 'unreadable')
      .map(({ field, reach }) => `${address} ${field} ${reach}`),
  );
}

function notesOf({ notes }: Plan): { readonly [about: string]: string } {
  return Object.fromEntries(notes.map(({ address, kind, message }) => [`${address} ${kind}`, message]));
}

/** Guards with their addresses, as far as the case names them. */
function withheldBy({ withheld }: Plan, expected: readonly string[]): readonly string[] {
  return withheld.map(({ guard, addresses }, index) =>
    expected[index]?.includes(' ') === true ? [guard, ...addresses].join(' ') : guard,
  );
}

function rulesOf({ emulator }: World): readonly (string | undefined)[] {
  const records = recordsOf(emulator);
  const descriptions = new Map(records.rules.map(({ id, description }) => [id, description]));
  return ruleOrderOf(records).map((id) => descriptions.get(id));
}

describe.each(readdirSync(FOLDER).sort())('%s', (file) => {
  const cases: readonly Golden[] = parse(readFileSync(new URL(file, FOLDER), 'utf8'));

  test.each(cases.map((golden) => [golden.name, golden] as const))('%s', async (_, golden) => {
    const { version = '3.6' } = golden;
    const license = world({
      version,
      ...(golden.live === undefined ? {} : { seed: parseSeed(golden.live) }),
      settings: parseSettings(golden.settings ?? {}),
    });
    if (golden.before !== undefined) {
      const before = await desiredBy(golden.before, version);
      const report = await license.apply(await license.plan(before), before);
      expect(report.outcome).toBe('done');
    }
    for (const { action, body } of golden.by_hand ?? []) await license.client.call(action, body);
    const desired = await desiredBy(golden.manifest, version);
    const options = optionsOf(golden);
    const { plan, problems } = await license.planned(desired, options);
    const {
      changes = {},
      adopt,
      out_of_reach = [],
      notes,
      requests,
      released = [],
      withheld = [],
      remains = false,
    } = golden.expect;
    expect(problems.map(({ code }) => code)).toEqual(golden.expect.problems ?? []);
    if (plan === null) return;
    expect(changesOf(plan)).toEqual(changes);
    expect(outOfReach(plan)).toEqual(out_of_reach);
    if (adopt !== undefined) expect(plan.bindings.adopt.map(({ address }) => address)).toEqual(adopt);
    if (notes !== undefined) expect(notesOf(plan)).toEqual(notes);
    if (requests !== undefined) expect(plan.requests.by_action).toEqual(requests);
    expect(plan.unmanaged.flatMap((each) => (each.released === null ? [] : [each.released]))).toEqual(released);
    const strangers = plan.unmanaged.filter((each) => each.released === null).map(({ type, id }) => `${type} ${id}`);
    if (golden.expect.unmanaged !== undefined) expect(strangers).toEqual(golden.expect.unmanaged);
    expect(withheldBy(plan, withheld)).toEqual(withheld);
    if (plan.withheld.length > 0) return;
    const report = await license.apply(plan, desired, { options });
    expect(report.outcome).toBe('done');
    if (golden.expect.rules !== undefined) expect(rulesOf(license)).toEqual(golden.expect.rules);
    expect((await license.plan(desired, options)).steps.length > 0).toBe(remains);
  });
});
