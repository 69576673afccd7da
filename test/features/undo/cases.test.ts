// Golden cases of undo: cases.yaml says what was applied, and what undo must say and plan.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Address, Desired, JsonObject } from '../../../src/base/model.ts';
import { parseSeed } from '../../../src/emulator/index.ts';
import { outlookOf } from '../../../src/features/undo/outlook.ts';
import { runToUndo } from '../../../src/features/undo/read-undo.ts';
import { covers } from '../../../src/kinds/selection.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { recordedRuns } from '../../../src/ledger/runs.ts';
import { loadManifest } from '../../../src/manifest/load.ts';
import type { PlannerOptions } from '../../../src/plan/input.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { callByHand } from '../../laws/edits.ts';
import { recordsOf, ruleOrderOf } from '../../laws/records.ts';
import { memoryDisk } from '../../manifest/memory-disk.ts';
import { type World, world } from '../../world.ts';
import { applyImaged, undoOf } from './imaged.ts';

interface Golden {
  readonly name: string;
  readonly live?: object;
  readonly applied: readonly string[];
  /** Requests past chatform; `$<address>` stands for the id of a resource. */
  readonly by_hand?: readonly { readonly action: string; readonly body: JsonObject }[];
  /** Index of the manifest whose run is undone; default the last. */
  readonly undo?: number;
  /** Kinds of which the last manifest is to leave nothing else. */
  readonly complete?: Desired['complete'];
  /** What the run of the last manifest is limited to. */
  readonly only?: readonly string[];
  readonly protect?: readonly string[];
  readonly acknowledge?: readonly string[];
  readonly max_deletes?: number;
  readonly expect: {
    /** Address -> outcome and reasons. */
    readonly resources: { readonly [address: string]: string };
    readonly order_changed_since?: boolean;
    readonly changes: { readonly [address: string]: string };
    readonly withheld?: readonly string[];
    /** Descriptions of the rules after the undo. */
    readonly rules?: readonly string[];
  };
}

async function desiredBy(text: string): Promise<Desired> {
  const io = memoryDisk({ 'manifest.yaml': text === '{}' ? 'version: 1\n' : `version: 1\n${text}` });
  const { desired, diagnostics } = await loadManifest({ files: ['manifest.yaml'], env: {}, version: '3.6', io });
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return desired;
}

function changesOf({ resource_changes }: Plan): { readonly [address: string]: string } {
  const changed = resource_changes.filter(({ change }) => change.actions[0] !== 'no-op');
  return Object.fromEntries(
    changed.map(({ address, change, fields, moved }) => {
      const names = change.actions[0] === 'update' ? fields.map(({ field }) => field) : [];
      const move = moved === null ? [] : [`${moved.from}->${moved.to}`];
      return [address, [change.actions.join('+'), ...names, ...move].join(' ')];
    }),
  );
}

async function editedByHand({ emulator, ledger }: World, edits: NonNullable<Golden['by_hand']>): Promise<void> {
  const { bindings } = foldLedger(await ledger.read());
  for (const { action, body } of edits) {
    const filled = Object.entries(body).map(([name, value]) => {
      const address = typeof value === 'string' && value.startsWith('$') ? value.slice(1) : null;
      return [name, address === null ? value : (bindings.get(address as Address)?.id ?? null)];
    });
    expect(await callByHand(emulator, action, Object.fromEntries(filled))).toBe(true);
  }
}

function rulesOf({ emulator }: World): readonly (string | undefined)[] {
  const records = recordsOf(emulator);
  const descriptions = new Map(records.rules.map(({ id, description }) => [id, description]));
  return ruleOrderOf(records).map((id) => descriptions.get(id));
}

const CASES: readonly Golden[] = parse(readFileSync(new URL('cases.yaml', import.meta.url), 'utf8'));

test.each(CASES.map((golden) => [golden.name, golden] as const))('%s', async (_, golden) => {
  const license = world(golden.live === undefined ? {} : { seed: parseSeed(golden.live) });
  const anything: Partial<PlannerOptions> = {
    acknowledged: new Set(['deletes', 'empty-manifest', ...(golden.acknowledge ?? [])]),
  };
  const runs: string[] = [];
  for (const [index, manifest] of golden.applied.entries()) {
    const isLast = index === golden.applied.length - 1;
    const desired = { ...(await desiredBy(manifest)), complete: (isLast ? golden.complete : undefined) ?? [] };
    const selects = isLast && golden.only !== undefined ? { selects: covers(golden.only) } : {};
    const plan = await license.plan(desired, { ...anything, ...selects });
    const how = { run: `r${index}` };
    runs.push(
      plan.steps.length === 0 ? '' : await applyImaged(license, plan, desired, { ...anything, ...selects }, how),
    );
    await license.clock.sleep(3_600_000);
  }
  await editedByHand(license, golden.by_hand ?? []);
  const run = golden.undo === undefined ? null : (runs[golden.undo] ?? null);
  const limits: Partial<PlannerOptions> = {
    protects: covers(golden.protect ?? []),
    acknowledged: new Set(golden.max_deletes === undefined ? anything.acknowledged : []),
    maxDeletes: golden.max_deletes ?? Number.POSITIVE_INFINITY,
  };
  const undoing = await undoOf(license, run, limits);
  const { plan, desired, options, resources, orderChangedSince } = undoing;
  const said = resources.map(({ address, outcome, reasons }) => [
    address,
    [outcome, reasons.join('; ')].filter(Boolean).join(': '),
  ]);
  expect(Object.fromEntries(said)).toEqual(golden.expect.resources);
  expect(changesOf(plan)).toEqual(golden.expect.changes);
  expect(orderChangedSince).toBe(golden.expect.order_changed_since ?? false);
  expect(plan.withheld.map(({ guard }) => guard)).toEqual(golden.expect.withheld ?? []);
  const events = await license.ledger.read();
  const { run: meant } = runToUndo(events, run);
  // The list says the same from the ledger alone, where no person changed anything.
  if (golden.by_hand === undefined && (golden.protect ?? []).length === 0) {
    const { possible } = outlookOf(events, meant, recordedRuns(events));
    const isLeft = orderChangedSince || resources.some(({ outcome }) => outcome === 'left_out');
    // The ledger does not know what the API cannot do.
    const isDone = plan.steps.length > 0 || resources.some(({ outcome }) => outcome === 'irreversible');
    expect(possible).toBe(isDone ? (isLeft ? 'in_part' : 'yes') : 'no');
  }
  if (plan.withheld.length > 0) return;
  if (plan.steps.length > 0) await applyImaged(license, plan, desired, options, { undoes: meant.id });
  if (golden.expect.rules !== undefined) expect(rulesOf(license)).toEqual(golden.expect.rules);
  // The same undo again has nothing to do, and finds nothing changed since.
  const again = await undoOf(license, meant.id, limits);
  const leftOut = (of: typeof resources) => of.flatMap((each) => (each.outcome === 'left_out' ? [each.address] : []));
  expect([again.plan.steps, leftOut(again.resources)]).toEqual([[], leftOut(resources)]);
});
