// A wish in; the same wish as far as a version can be asked for it, out. Knows nothing of planner or emulator.

import { isList, isObject } from '../../src/base/json.ts';
import type { Json, Spec, Version } from '../../src/base/model.ts';
import { DRAWINGS } from './kinds/index.ts';
import { AGENTS, GROUPS } from './slots.ts';
import type { Wish } from './wish.ts';

/** Types of bots begin with 3.6. */
function untyped({ type: _, ...rest }: Spec): Spec {
  return rest;
}

/** 3.3 has one span a day, none that is switched off, and needs the zone of a bot. */
function older(spec: Spec, worker: 'agent' | 'bot'): Spec {
  const { work_scheduler: hours, owner_client_id: _, ...rest } = spec;
  if (!isObject(hours)) return rest;
  const days = new Map<Json | undefined, Json>();
  for (const item of isList(hours['schedule']) ? hours['schedule'] : []) {
    if (isObject(item) && !days.has(item['day'])) days.set(item['day'], { ...item, enabled: true });
  }
  const zone = worker === 'bot' || days.size > 0 ? { timezone: 'UTC' } : {};
  return { ...rest, work_scheduler: { ...zone, ...hours, ...(days.size > 0 ? { schedule: [...days.values()] } : {}) } };
}

/** Since 3.5 an agent has at most 20 chats. */
export function withFewChats<S extends Spec>(spec: S): S {
  const { max_chats_count: chats } = spec;
  return typeof chats === 'number' ? { ...spec, max_chats_count: Math.min(chats, 20) } : spec;
}

function agentsWithFewChats(agents: Wish['agents']): Wish['agents'] {
  return agents.map((agent) => agent && { ...agent, spec: withFewChats(agent.spec) });
}

/** Kinds that stand by themselves say which versions have them. */
function drawnIn(version: Version, { drawn }: Wish): Wish['drawn'] {
  const there = DRAWINGS.filter(({ versions }) => versions.includes(version));
  return Object.fromEntries(there.map(({ kind }) => [kind, drawn[kind]]));
}

export function wishFor(version: Version, given: Wish): Wish {
  const wish = { ...given, drawn: drawnIn(version, given) };
  if (version === '3.6' || version === '3.7') return { ...wish, agents: agentsWithFewChats(wish.agents) };
  // The first agent that no manifest declares is the owner: a group that may be new needs one of priority `normal`.
  const edges = wish.edges.map((row, agent) =>
    row.map((priority, column) => (agent === AGENTS.length && column < GROUPS.length ? 'normal' : priority)),
  );
  const untypedBots = wish.bots.map((bot) => bot && { ...bot, spec: untyped(bot.spec) });
  const groups = wish.groups.map((group) => group && { ...group, declaresAgents: true, keepsOthers: false });
  if (version === '3.5') return { ...wish, edges, groups, agents: agentsWithFewChats(wish.agents), bots: untypedBots };
  return {
    ...wish,
    edges,
    agents: wish.agents.map((agent) => agent && { ...agent, spec: older(agent.spec, 'agent') }),
    groups,
    bots: untypedBots.map((bot) => bot && { ...bot, spec: older(bot.spec, 'bot') }),
    templates: wish.templates.map(() => null),
  };
}
