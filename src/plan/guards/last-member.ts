// Groups that would lose the last agent of the priority that the version requires: by a write of either side, by the deletion of the agent, or
// because the agent can no longer log in. Groups without one today do not count.

import { isObject } from '../../base/json.ts';
import type { Address, Facts, Live, LiveObject, Reference, Spec } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { MEMBERSHIP, subjectOf } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Bindings } from '../binding/bind.ts';
import { liveSpec } from '../diff.ts';
import type { Draft } from '../draft.ts';
import type { Memberships } from '../membership/edges.ts';
import type { Edge } from '../membership/membership.ts';
import type { Withheld } from '../plan.ts';
import { aftermath } from '../sent.ts';

/** One agent or one group of the license, now and after the plan. */
interface MemberOrGroup {
  readonly reference: Reference;
  readonly live: Spec;
  /** null when it is deleted. */
  readonly after: Spec | null;
  readonly facts: Facts;
}

const { left, right } = MEMBERSHIP;

function endsOf(kind: Kind, drafts: readonly Draft[], bindings: Bindings, live: Live): readonly MemberOrGroup[] {
  const drafted = new Map<LiveObject | null, Draft>(drafts.map((made) => [made.object, made]));
  return (live.objects[kind.name] ?? []).map((object) => {
    const made = drafted.get(object);
    const spec = made?.live ?? liveSpec(kind, object, bindings);
    return {
      reference: bindings.referenceTo(kind.name, object.id),
      live: spec,
      after: made === undefined ? spec : aftermath(made),
      facts: object.facts,
    };
  });
}

/** Groups are known from the side of the agents when their own list was not read. */
function groupsOf(people: readonly MemberOrGroup[], listed: readonly MemberOrGroup[]): readonly MemberOrGroup[] {
  const known = new Set(listed.map(({ reference }) => reference));
  const named = new Set(people.flatMap(({ live }) => Object.keys(edgesIn(live, left.field))));
  const others = [...named].filter((reference) => !known.has(reference)).sort();
  return [...listed, ...others.map((reference) => ({ reference, live: {}, after: {}, facts: {} }))];
}

function edgesIn(spec: Spec, field: string): Spec {
  const edges = spec[field];
  return isObject(edges) ? edges : {};
}

/** An agent that waits for approval counts as present. */
function isPresent(spec: Spec | null, facts: Facts): boolean {
  if (spec === null) return false;
  return facts.pendingApproval === true || left.kind.standing?.(spec, facts).active !== false;
}

/** Priorities that this run writes, by group and agent; null where the edge goes. */
function prioritiesIn(written: readonly Edge[]): ReadonlyMap<Reference, ReadonlyMap<Reference, string | null>> {
  const priorities = new Map<Reference, Map<Reference, string | null>>();
  for (const { left: agent, right: group, desired } of written) {
    const known = priorities.get(group) ?? new Map<Reference, string | null>();
    priorities.set(group, known.set(agent, desired));
  }
  return priorities;
}

/** An agent that does not change stays where it is, and a new one leaves no group. */
function leavesOrChanges({ kind, verb }: Draft): boolean {
  return kind === left.kind && verb !== 'none' && verb !== 'create';
}

export function lastMember(
  drafts: readonly Draft[],
  { planned, written }: Memberships,
  bindings: Bindings,
  live: Live,
  acknowledged: ReadonlySet<string>,
): readonly Withheld[] {
  const needed = right.needed[live.version];
  if (needed === null || (planned.changed.length === 0 && !drafts.some(leavesOrChanges))) return [];
  const people = endsOf(left.kind, drafts, bindings, live);
  const priorities = prioritiesIn(written);
  const created = drafts.flatMap(({ kind, verb, address }) =>
    kind === left.kind && verb === 'create' ? [address] : [],
  );
  return groupsOf(people, endsOf(right.kind, drafts, bindings, live)).flatMap((group): readonly Withheld[] => {
    const wishes = priorities.get(group.reference);
    const wish = (agent: Reference): string | null | undefined => wishes?.get(agent);
    if (group.after === null || created.some((agent) => wish(agent) === needed)) return [];
    const now = people.filter(
      (agent) =>
        edgesIn(agent.live, left.field)[group.reference] === needed ||
        edgesIn(group.live, right.field)[agent.reference] === needed,
    );
    const members = new Set(now);
    const then = people.filter((agent) => {
      const priority = wish(agent.reference);
      return agent.after !== null && (priority === undefined ? members.has(agent) : priority === needed);
    });
    const lost = then.length === 0 ? now : now.filter((agent) => isPresent(agent.live, agent.facts));
    const isStaffed = then.some((agent) => isPresent(agent.after, agent.facts));
    return lost.length === 0 || isStaffed ? [] : withheld(group, lost, needed, live, acknowledged);
  });
}

/** An undeclared group has no address; the agents that leave it do. */
function withheld(
  group: MemberOrGroup,
  lost: readonly MemberOrGroup[],
  needed: string,
  { version }: Live,
  acknowledged: ReadonlySet<string>,
): readonly Withheld[] {
  const isAddress = (reference: Reference): reference is Address => reference.includes('/');
  const own = [group.reference].filter(isAddress);
  const addresses = (own.length > 0 ? own : lost.map(({ reference }) => reference).filter(isAddress)).filter(
    (address) => !acknowledged.has(subjectOf(address)),
  );
  if (addresses.length === 0) return [];
  const name = own[0] ?? `${right.kind.noun.one} ${group.reference}`;
  const leaving = few(lost.map(({ reference }) => reference));
  return [
    {
      guard: 'last-member',
      addresses,
      message: `${name} would be left without ${left.kind.noun.one} of priority \`${needed}\`, which ${version} asks of every ${right.kind.noun.one}; now it has ${leaving}`,
      remedy: `give another ${left.kind.noun.one} that priority, or ${addresses.map((address) => `--acknowledge ${address}`).join(' ')}`,
    },
  ];
}
