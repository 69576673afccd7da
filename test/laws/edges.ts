// A plan in; every two writes of it that disagree about one edge of the membership relation, out.

import { isObject } from '../../src/base/json.ts';
import type { Json, Live } from '../../src/base/model.ts';
import type { Plan } from '../../src/plan/plan.ts';

/**
 * A write of an agent speaks of all groups that exist when it is sent, a write of a group of all its agents; `null` is "no edge". A group that
 * is created in the same run does not exist for an agent that is created before it.
 */
export function contradictions(plan: Plan, live: Live): readonly string[] {
  const whole = (field: string): readonly (readonly [string, Json])[] =>
    plan.steps.flatMap((step) => {
      const value = step.fields[field];
      if (step.type === 'bot' || !isObject(value)) return [];
      return [[step.address ?? String(step.object), value] as const];
    });
  const created = new Set<string | null>(
    plan.steps.flatMap((step) => (step.operation === 'create' ? [step.address] : [])),
  );
  const priority = (value: Json, reference: string): Json => (isObject(value) ? (value[reference] ?? null) : null);
  const bots = new Set((live.objects.bot ?? []).map(({ id }) => String(id)));
  return whole('groups').flatMap(([agent, groups]) =>
    whole('agent_priorities')
      .filter(([group]) => !bots.has(agent) && !(created.has(agent) && created.has(group)))
      .filter(([group, agents]) => priority(groups, group) !== priority(agents, agent))
      .map(([group]) => `${agent} and ${group}`),
  );
}
