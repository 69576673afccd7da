// Golden cases of the planner: test/cases/*.yaml say manifest, license and options, and what the plan must be. A case applies what it plans
// unless a guard withholds it, and the plan after it is empty.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject, KindName, Version } from '../src/base/model.ts';
import { parseSeed, parseSettings } from '../src/emulator/index.ts';
import { KIND_NAMES, subjectOf } from '../src/kinds/index.ts';
import { covers, selection } from '../src/kinds/selection.ts';
import { loadManifest } from '../src/manifest/load.ts';
import { cautionsOf } from '../src/plan/guards/cautions.ts';
import type { PlannedHours } from '../src/plan/hours-schema.ts';
import type { PlannerOptions, RoutingOptions } from '../src/plan/input.ts';
import type { Plan, PlannedRouting } from '../src/plan/plan.ts';
import { ASSUMED } from '../src/routing/rules.ts';
import { callByHand } from './laws/edits.ts';
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
  /** people.csv as it was then. */
  readonly people_before?: string;
  /** The day of that apply, where hours depend on the date. */
  readonly date_before?: string;
  /** What somebody does to the license after that, past chatform. */
  /** Secrets of the environment at that apply, and later. */
  readonly env_before?: { readonly [name: string]: string };
  readonly env?: { readonly [name: string]: string };
  readonly by_hand?: readonly { readonly [action: string]: JsonObject }[];
  readonly manifest: string;
  /** The file people.csv. */
  readonly people?: string;
  /** The day of the plan. */
  readonly date?: string;
  readonly options?: {
    readonly only?: readonly string[];
    readonly except?: readonly string[];
    readonly protect?: readonly string[];
    readonly prune?: { readonly [kind in KindName]?: 'owned' | 'none' | 'all' };
    readonly acknowledge?: readonly string[];
    readonly prune_installed_bots?: boolean;
    /** The token has the private scope; default false, as for almost every token. */
    readonly may_approve?: boolean;
    readonly max_deletes?: number;
    readonly max_delete_percent?: number;
    readonly clients?: readonly string[];
    readonly sink?: boolean;
    readonly limits?: PlannerOptions['limits'];
    readonly own?: PlannerOptions['own'];
    /** The plan is that of a destroy; the manifest is empty then. */
    readonly destroy?: PlannerOptions['destroying'];
    /** Default `minimal`. */
    readonly reorder?: RoutingOptions['reorder'];
    /** The order to reach, with the ids of unmanaged rules; default that of the manifest. */
    readonly places?: PlannerOptions['places'];
    /** Client -> the other target that writes its webhooks. */
    readonly writers?: { readonly [client: string]: string };
  };
  readonly expect: {
    /** Address -> actions, then differing fields, then the move; only what would change. */
    readonly changes?: { readonly [address: string]: string };
    readonly adopt?: readonly string[];
    readonly out_of_reach?: readonly string[];
    /** `<address> <field>` -> why it is not simply written; all of them. */
    readonly reasons?: { readonly [field: string]: string };
    /** `<address> <kind>` -> the one line about it; all of them. */
    readonly notes?: { readonly [about: string]: string };
    readonly requests?: { readonly [action: string]: number };
    /** The steps in the order in which they are sent; `*` is the end of one. */
    readonly steps?: readonly string[];
    readonly released?: readonly string[];
    /** Renamed keys, as `from -> to`. */
    readonly moved?: readonly string[];
    readonly forgotten?: readonly string[];
    /** Strangers as `kind id`; not compared when it is left out. */
    readonly unmanaged?: readonly string[];
    /** Address or `kind id` -> why it stays; not compared when it is left out. */
    readonly kept?: { readonly [object: string]: string };
    /** Guards, or `guard address ...` where the addresses matter, also with message and remedy. */
    readonly withheld?: readonly (string | { readonly [about: string]: readonly [message: string, remedy: string] })[];
    /** `<caution> <address>` -> its meaning; all of them, in their order. */
    readonly cautions?: readonly { readonly [about: string]: string }[];
    readonly problems?: readonly string[];
    /** How the rules are written, and what that does to visitors. */
    readonly routing?: {
      /** `from -> to` by the rules that decide, for visitors whose chats go to other groups. */
      readonly rerouted?: readonly string[];
      readonly way: PlannedRouting['way'];
      /** `<writes sent> <url>: <rule that decides meanwhile>`. */
      readonly exposed: readonly string[];
      readonly longer: PlannedRouting['longer'];
    };
    /** The order of the declared rules, and those that stay and move. */
    readonly reorder?: Plan['reorder'];
    /** Descriptions of the rules after the apply, first match first. */
    readonly rules?: readonly string[];
    /** The days whose hours it makes. */
    readonly hours?: PlannedHours | null;
    /** What begins or ends later: day, address, member if it is about one, and what happens. */
    readonly coming?: readonly string[];
    /** Address -> fields as they will be. */
    readonly spec?: { readonly [address: string]: JsonObject };
    /** Differences that an apply leaves. */
    readonly remains?: boolean;
  };
}

const FOLDER = new URL('cases/', import.meta.url);

async function manifestBy(text: string, golden: Golden, date: string | undefined) {
  const { options = {}, people } = golden;
  const { desired, moved, diagnostics } = await loadManifest({
    files: ['manifest.yaml'],
    env: {},
    version: golden.version ?? '3.6',
    clients: options.clients ?? [],
    limits: options.limits ?? {},
    complete: KIND_NAMES.filter((kind) => options.prune?.[kind] === 'all'),
    io: memoryDisk({
      'manifest.yaml': `version: 1\n${text}`,
      ...(people === undefined ? {} : { 'people.csv': people }),
    }),
    ...(date === undefined ? {} : { day: Date.parse(`${date}T00:00:00Z`) }),
  });
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return { desired, moved };
}

function optionsOf({ options = {} }: Golden): Partial<PlannerOptions> {
  const choices = Object.entries(options.prune ?? {});
  return {
    selects: selection(options.only ?? [], options.except ?? []),
    protects: covers(options.protect ?? []),
    prune: Object.fromEntries(choices.filter(([, choice]) => choice !== 'all')),
    acknowledged: new Set((options.acknowledge ?? []).map(subjectOf)),
    pruneInstalledBots: options.prune_installed_bots === true,
    mayApprove: options.may_approve === true,
    maxDeletes: options.max_deletes ?? EVERYTHING.maxDeletes,
    maxDeletePercent: options.max_delete_percent ?? EVERYTHING.maxDeletePercent,
    hasSink: options.sink ?? true,
    limits: options.limits ?? {},
    own: options.own ?? null,
    writerOf: (client) => options.writers?.[client] ?? null,
    ...(options.destroy === undefined ? {} : { destroying: options.destroy }),
    ...(options.places === undefined ? {} : { places: options.places }),
    ...(options.reorder === undefined ? {} : { routing: { assumptions: ASSUMED, reorder: options.reorder } }),
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

function reasonsOf(plan: Plan): { readonly [field: string]: string } {
  return Object.fromEntries(
    plan.resource_changes.flatMap(({ address, fields }) =>
      fields.flatMap(({ field, reason }) => (reason === null ? [] : [[`${address} ${field}`, reason] as const])),
    ),
  );
}

function comingOf({ coming = [] }: Plan): readonly string[] {
  return coming.map(({ date, address, member, change }) => [date, address, member ?? [], change].flat().join(' '));
}

function notesOf({ notes }: Plan): { readonly [about: string]: string } {
  return Object.fromEntries(notes.map(({ address, kind, message }) => [`${address} ${kind}`, message]));
}

type ExpectedGuards = NonNullable<Golden['expect']['withheld']>;

/** Guards with their addresses and texts, as far as the case names them. */
function withheldBy({ withheld }: Plan, expected: ExpectedGuards): ExpectedGuards {
  return withheld.map(({ guard, addresses, message, remedy }, index) => {
    const about = [guard, ...addresses].join(' ');
    const wanted = expected[index];
    if (typeof wanted === 'object') return { [about]: [message, remedy] };
    return wanted?.includes(' ') === true ? about : guard;
  });
}

function keptOf({ unmanaged }: Plan): { readonly [object: string]: string } {
  return Object.fromEntries(
    unmanaged.flatMap(({ type, id, released, reason }) =>
      reason === null ? [] : [[released ?? `${type} ${id}`, reason] as const],
    ),
  );
}

function routingOf({ routing }: Plan): Golden['expect']['routing'] | null {
  if (routing === null) return null;
  const { rerouted, way, exposed, longer } = routing;
  return {
    rerouted: rerouted.map(({ before, after }) => `${before.rule} -> ${after.rule}`),
    way,
    exposed: exposed.map(({ writes, visitor, meanwhile }) => `${writes} ${visitor.url}: ${meanwhile.rule}`),
    longer,
  };
}

function callsOf(calls: { readonly [action: string]: JsonObject }) {
  return Object.entries(calls).map(([action, body]) => ({ action, body }));
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
    Object.assign(license.env, golden.env_before);
    if (golden.before !== undefined) {
      const { people_before: people = golden.people } = golden;
      const then = { ...golden, ...(people === undefined ? {} : { people }), options: {} };
      const { desired: before } = await manifestBy(golden.before, then, golden.date_before);
      const acknowledged = new Set([...EVERYTHING.acknowledged, ...before.resources.map(({ address }) => address)]);
      const report = await license.apply(await license.plan(before, { acknowledged }), before);
      expect(report.outcome).toBe('done');
    }
    const path = `v${golden.version ?? '3.6'}/configuration`;
    for (const { action, body } of (golden.by_hand ?? []).flatMap(callsOf))
      expect(await callByHand(license.emulator, action, body, path), action).toBe(true);
    Object.assign(license.env, golden.env);
    const { desired, moved } = await manifestBy(golden.manifest, golden, golden.date);
    const options = optionsOf(golden);
    const { plan, problems } = await license.planned(desired, options, moved);
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
    const { reasons, hours, coming, spec = {} } = golden.expect;
    if (reasons !== undefined) expect(reasonsOf(plan)).toEqual(reasons);
    if (hours !== undefined) expect(plan.hours ?? null).toEqual(hours);
    if (coming !== undefined) expect(comingOf(plan)).toEqual(coming);
    for (const [address, fields] of Object.entries(spec))
      expect(plan.resource_changes.find((change) => change.address === address)?.change.after).toMatchObject(fields);
    if (adopt !== undefined) expect(plan.bindings.adopt.map(({ address }) => address)).toEqual(adopt);
    if (notes !== undefined) expect(notesOf(plan)).toEqual(notes);
    const { routing, reorder } = golden.expect;
    if (reorder !== undefined) expect(plan.reorder).toEqual(reorder);
    if (routing !== undefined) expect(routingOf(plan)).toEqual({ rerouted: [], ...routing });
    if (requests !== undefined) expect(plan.requests.by_action).toEqual(requests);
    const { steps } = golden.expect;
    if (steps !== undefined) {
      const sent = plan.requests.plan.flatMap((request) => request.steps);
      expect(sent.map((id, at) => (steps[at]?.endsWith('*') === true ? id.replace(/[^/]+$/, '*') : id))).toEqual(steps);
    }
    expect(plan.unmanaged.flatMap((each) => (each.released === null ? [] : [each.released]))).toEqual(released);
    const strangers = plan.unmanaged.filter((each) => each.released === null).map(({ type, id }) => `${type} ${id}`);
    if (golden.expect.unmanaged !== undefined) expect(strangers).toEqual(golden.expect.unmanaged);
    expect(withheldBy(plan, withheld)).toEqual(withheld);
    const { cautions } = golden.expect;
    if (cautions !== undefined)
      expect(cautionsOf(plan).map(({ what, address, message }) => ({ [`${what} ${address}`]: message }))).toEqual(
        cautions,
      );
    if (golden.expect.kept !== undefined) expect(keptOf(plan)).toEqual(golden.expect.kept);
    const { moved: moves, forgotten } = golden.expect;
    if (moves !== undefined) expect(plan.bindings.move.map(({ from, to }) => `${from} -> ${to}`)).toEqual(moves);
    if (forgotten !== undefined) expect(plan.bindings.forget).toEqual(forgotten);
    if (plan.withheld.length > 0) return;
    const report = await license.apply(plan, desired, { options });
    expect(report.outcome).toBe('done');
    if (golden.expect.rules !== undefined) expect(rulesOf(license)).toEqual(golden.expect.rules);
    const next = await license.planned(desired, options, moved);
    expect(next.plan?.steps.length !== 0).toBe(remains);
    expect(next.plan?.bindings).toEqual({ recover: [], absent: [], move: [], adopt: [], forget: [] });
  });
});
