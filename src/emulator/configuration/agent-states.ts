// Suspension and approval of agents. Must not know anything else about an agent.
// Specification: "States and transitions".

import { refuse } from '../engine/refusal.ts';
import { object, quoted, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { changes } from './action.ts';
import { refuseAbove, refuseOwner, requireAgent } from './agents.ts';
import { permit } from './caller.ts';
import type { Agent } from './records.ts';
import { agentTable } from './records.ts';
import { BOTH } from './version.ts';

const byId = object({ id: text });
const nothing = object({});

/** Writes the agent in its next state, or says that it is in it already. */
function move(context: Context, agent: Agent, flag: 'suspended' | 'awaiting_approval', next: boolean): void {
  if (agent[flag] !== next) agentTable.of(context.license).set({ ...agent, [flag]: next });
  else if (context.settings.repeatedTransition === 'validation')
    refuse('validation', `agent ${quoted(agent.id)} has ${quoted(flag)} ${next} already`);
}

function suspend(body: unknown, context: Context): void {
  const { id } = byId(body, '');
  permit(context.caller, 'agents--all:rw', 'sessions--all:rw');
  const agent = requireAgent(context.license, id);
  requireAgent(context.license, id, context.refersAt);
  refuseOwner(agent, context.version);
  refuseAbove(context, agent.role);
  move(context, agent, 'suspended', true);
}

function unsuspend(body: unknown, context: Context): void {
  const { id } = byId(body, '');
  permit(context.caller, 'agents--all:rw', 'accounts--all:rw', 'subscription.lc:rw');
  const agent = requireAgent(context.license, id);
  requireAgent(context.license, id, context.refersAt);
  refuseAbove(context, agent.role);
  move(context, agent, 'suspended', false);
}

function approve(body: unknown, context: Context): void {
  const { id } = byId(body, '');
  permit(context.caller, 'agents--all:rw', 'accounts--all:rw', 'subscription.lc:rw');
  const agent = requireAgent(context.license, id);
  requireAgent(context.license, id, context.refersAt);
  refuseAbove(context, agent.role);
  move(context, agent, 'awaiting_approval', false);
}

/** Only e-mails go out, so nothing changes; who calls in open mode is not known and is believed to be suspended. */
function requestUnsuspension(body: unknown, { license, caller }: Context): void {
  nothing(body, '');
  if (caller.scopes === 'every') return;
  const { agentId } = caller;
  if (agentId === undefined) refuse('validation', 'the token is not that of an agent');
  else if (!requireAgent(license, agentId).suspended) refuse('validation', `agent ${quoted(agentId)} is not suspended`);
}

export const agentStateActions: readonly Action[] = [
  changes('suspend_agent', BOTH, suspend, { batchable: true }),
  changes('unsuspend_agent', BOTH, unsuspend, { batchable: true }),
  changes('approve_agent', BOTH, approve, { batchable: true }),
  // Marked batch-capable without a URL in the list: it is given the one that the pattern makes.
  changes('request_agent_unsuspension', BOTH, requestUnsuspension, { batchable: true, inactiveToo: true }),
];
