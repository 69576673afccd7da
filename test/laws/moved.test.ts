// Law: an address of an agent that changes is one move. The new account is what the old one was, a second plan is empty, and an undo leaves the license
// as it was; also where a group keeps who else is in.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address, Desired, Json } from '../../src/base/model.ts';
import { unafraid, undoOf } from '../features/undo/imaged.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { type World, world } from '../world.ts';
import { callByHand } from './edits.ts';
import { recordsOf } from './records.ts';
import { CLIENT } from './upheaval.ts';
import { AGENTS, manifestOf, NOTHING, OWNER, renamed, type Wanted, wanted } from './wanted.ts';

const DAY = 86_400_000;
const PLACE = { file: 'test.yaml', line: 1, column: 1, length: 1 };
const NEW = 'cid@example.com';
const addressOf = (key: string): Address => `agent/${key}`;

/** The undo of its move left the new account, because the group named it as one that is not in. */
const KEPT: Wanted = {
  ...NOTHING,
  groups: [{ key: 'a', name: 'New a', members: ['bob@example.com'] }],
  agents: [{ key: 'bob@example.com', title: 'Lead' }],
};

/** People and their groups. */
function peopleIn({ emulator }: World) {
  const { agents, agentMemberships } = recordsOf(emulator);
  const members = agentMemberships.map(({ member, group, priority }) => `${member} ${group} ${priority}`);
  return {
    agents: new Map(agents.map(({ id, job_title, suspended }) => [id, { job_title, suspended }])),
    members: members.sort(),
  };
}

function desiredBy(given: Wanted, made: World, keeps: boolean): Desired {
  const desired = manifestOf(given, made.version);
  const spec = (own: { readonly [field: string]: Json }) => {
    const members = own['agent_priorities'];
    return keeps && typeof members === 'object' ? { ...own, agent_priorities: { ...members, others: 'keep' } } : own;
  };
  return { ...desired, resources: desired.resources.map((each) => ({ ...each, spec: spec(each.spec) })) };
}

async function optionsOf(made: World, desired: Desired) {
  const named = desired.resources.map(({ address }) => address);
  return unafraid(made, { acknowledged: new Set<string>(['deletes', ...named]) });
}

describe.each(TRIED_VERSIONS)('An address that changes, in version %s,', (version) => {
  it('is one move, which is done once, and taken back whole', async () => {
    await fc.assert(
      fc.asyncProperty(wanted, fc.constantFrom(...AGENTS), fc.boolean(), async (given, old, keeps) => {
        fc.pre(given.agents.some(({ key }) => key === old));
        const made = world({ version, seed: { installed_clients: [CLIENT], owner: OWNER } });
        const first = desiredBy(given, made, keeps);
        const fearless = await optionsOf(made, first);
        const begun = await made.apply(await made.plan(first, fearless), first, { options: fearless });
        expect(begun.outcome).toBe('done');
        await made.clock.sleep(DAY);
        // Who is in by hand stays where the group keeps others.
        const [group] = recordsOf(made.emulator).groups.filter(({ id }) => id !== 0);
        if (keeps && group !== undefined && first.externals.length === 0)
          await callByHand(made.emulator, 'update_agent', {
            id: OWNER.id,
            groups: [
              { id: 0, priority: 'normal' },
              { id: group.id, priority: 'last' },
            ],
          });
        await made.clock.sleep(DAY);
        const before = peopleIn(made);

        const move = { from: addressOf(old), to: addressOf(NEW), place: PLACE };
        const desired = desiredBy(renamed(given, move), made, keeps);
        const options = await optionsOf(made, desired);
        const { plan, problems } = await made.planned(desired, options, [move]);
        expect(problems).toEqual([]);
        if (plan === null) throw new Error('no plan and no problem');
        expect(plan.withheld).toEqual([]);
        expect((await made.apply(plan, desired, { run: 'move', options })).outcome).toBe('done');
        await made.clock.sleep(DAY);
        expect((await made.planned(desired, options, [move])).plan?.steps).toEqual([]);
        const after = peopleIn(made);
        expect(after.agents.get(old)?.suspended).toBe(true);
        expect(after.agents.get(NEW)).toEqual({ ...before.agents.get(old), suspended: false });
        expect(after.members).toEqual(before.members.map((member) => member.replace(old, NEW)).sort());

        const undoing = await undoOf(made, 'move', await unafraid(made, {}));
        const back = await made.apply(undoing.plan, undoing.desired, { command: 'undo', options: undoing.options });
        expect(back.outcome).toBe('done');
        await made.clock.sleep(DAY);
        expect(peopleIn(made)).toEqual(before);
        expect((await made.plan(first, options)).steps).toEqual([]);
      }),
      { numRuns: tries(500, 8), examples: [[KEPT, 'bob@example.com', true]] },
    );
  });
});
