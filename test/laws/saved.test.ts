// Law 8 of the design, parse of a saved plan is the plan; and what saved plans are for: cut an approved run off anywhere, and what is left to do was
// approved. Random wishes for random licenses, on both versions.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Desired, KindName, ObjectId, Spec } from '../../src/base/model.ts';
import { isMembership } from '../../src/kinds/index.ts';
import { manifestDigest, readDigests } from '../../src/plan/saved/digests.ts';
import { effectsOf } from '../../src/plan/saved/effects.ts';
import { type Current, mismatchOf } from '../../src/plan/saved/match.ts';
import type { SavedPlan } from '../../src/plan/saved/saved-plan.ts';
import { readSavedPlan, savedText } from '../../src/plan/saved/text.ts';
import { contentOf } from '../plan/saved/example.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { type World, world } from '../world.ts';
import { doomed } from './crash.ts';
import { editByHand, edits } from './edits.ts';
import { type Stage, scenario, stage } from './stage.ts';
import { acknowledged, after, before, CLIENT, desiredIn } from './upheaval.ts';

const DAY = 86_400_000;
/** Every so many effects. */
const STRIDE = tries(1, 37);

type Now = Current & Pick<SavedPlan, 'plan'>;

async function current({ world: made, desired, options }: Stage): Promise<Now> {
  const { planned, live } = await made.settled(desired, options);
  const { plan, problems } = planned;
  if (plan === null) throw new Error(problems.map(({ message }) => message).join('; '));
  return { plan, effects: effectsOf(plan), manifest: manifestDigest(desired), read: readDigests(live) };
}

async function saved(staged: Stage): Promise<SavedPlan> {
  const { world: made, desired, options } = staged;
  const { planned, live } = await made.settled(desired, options);
  if (planned.plan === null) throw new Error(planned.problems.map(({ message }) => message).join('; '));
  const content = contentOf(planned.plan, { live, desired });
  const { text } = savedText(content);
  const read = readSavedPlan(text, 'plan.json');
  const { digest: _, ...rest } = read;
  expect(rest).toEqual(JSON.parse(JSON.stringify(content)));
  expect(savedText(read).text).toBe(text);
  return read;
}

/** What nobody approved, one line each. */
function beyond(approved: SavedPlan, now: Current): readonly string[] {
  const { unapproved = [], rebound = [] } = mismatchOf(approved, now) ?? {};
  return [...unapproved, ...rebound].map((each) => JSON.stringify(each));
}

/** Carries the plan out until one of its effects, and then no further. */
async function cutOff({ world: made, desired, options }: Stage, { plan }: SavedPlan, at: number): Promise<number> {
  const { effects, ...how } = doomed(made, at, at % 2 === 0 ? 'before' : 'after');
  await made.apply(plan, desired, { ...how, options }).catch(() => {});
  await made.clock.sleep(DAY);
  return effects().length;
}

describe.each(TRIED_VERSIONS)('Version %s', (version) => {
  test('a saved plan is read as it was written, and what a run that is cut off leaves was approved', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), fc.nat(30), async (given, at) => {
        const staged = await stage(given);
        const approved = await saved(staged);
        expect(beyond(approved, await current(staged))).toEqual([]);
        await cutOff(staged, approved, at);
        expect(beyond(approved, await current(staged))).toEqual([]);
      }),
      { numRuns: tries(25, 3) },
    );
  });

  test('what goes on finds everything that it changes as the approver saw it', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), edits, async (given, byHand) => {
        const staged = await stage(given);
        const { world: made, desired, options } = staged;
        const then = (await made.settled(desired, options)).live;
        const approved = await saved(staged);
        await editByHand(made.emulator, byHand);
        await made.clock.sleep(DAY);
        const { planned, live } = await made.settled(desired, options);
        // What another person did may leave no plan.
        if (planned.plan === null) return;
        const now = await current(staged);
        if (mismatchOf(approved, now) !== null) return;
        const seen = (at: typeof live, kind: KindName, id: ObjectId | null) =>
          at.objects[kind]?.find((object) => object.id === id)?.spec;
        for (const { type, id, change, fields } of now.plan.resource_changes) {
          if (change.actions[0] !== 'update') continue;
          for (const { field, reach } of fields) {
            if (reach === 'unreachable' || reach === 'unreadable' || isMembership(type, field)) continue;
            expect([type, id, field, seen(live, type, id)?.[field]]).toEqual([
              type,
              id,
              field,
              seen(then, type, id)?.[field],
            ]);
          }
        }
        // Somebody may take a member out by hand whom the plan takes out as well; none is added.
        const membersOf = (type: KindName, spec: Spec = {}): readonly string[] =>
          Object.entries(spec).flatMap(([field, value]) =>
            isMembership(type, field) ? Object.entries(value ?? {}).map((each) => each.join()) : [],
          );
        const rest = (type: KindName, spec: Spec = {}) =>
          Object.entries(spec).filter(([field]) => !isMembership(type, field));
        for (const { type, id, change } of now.plan.resource_changes) {
          if (change.actions.join() !== 'delete') continue;
          const [is, was] = [seen(live, type, id), seen(then, type, id)];
          expect([type, id, rest(type, is)]).toEqual([type, id, rest(type, was)]);
          expect(membersOf(type, was)).toEqual(expect.arrayContaining([...membersOf(type, is)]));
        }
        if (now.plan.routing === null) return;
        const known = (at: typeof live) => new Set(at.ruleOrder);
        const [before, after] = [known(then), known(live)];
        expect(live.ruleOrder.filter((each) => before.has(each))).toEqual(
          then.ruleOrder.filter((each) => after.has(each)),
        );
        for (const { type, id } of approved.plan.unmanaged)
          if (type === 'auto_access') expect(seen(live, type, id)).toEqual(seen(then, type, id));
      }),
      { numRuns: tries(40, 5) },
    );
  });

  test('whatever a large change is cut off at, what it leaves was approved', async () => {
    const desired = await desiredIn(after(version), version);
    const options = {
      acknowledged: new Set(['deletes', ...acknowledged(desired)]),
      prune: { agent: 'owned' },
    } as const;
    const staged = async (): Promise<Stage> => ({
      world: await begun(await desiredIn(before(version), version)),
      desired,
      options,
    });
    const begun = async (was: Desired): Promise<World> => {
      const made = world({ version, seed: { installed_clients: [CLIENT] } });
      const first = { acknowledged: new Set(acknowledged(was)) };
      await made.apply(await made.plan(was, first), was, { options: first });
      await made.clock.sleep(DAY);
      return made;
    };
    const whole = await staged();
    const count = await cutOff(whole, await saved(whole), Number.POSITIVE_INFINITY);
    expect((await current(whole)).effects).toEqual([]);
    for (let at = 0; at < count; at += STRIDE) {
      const each = await staged();
      const approved = await saved(each);
      await cutOff(each, approved, at);
      expect([at, beyond(approved, await current(each))]).toEqual([at, []]);
    }
  });
});
