// Groups at the moment that a request sees. Specification: "Configuration and localization", "Status and other".

import type { RoutingView } from '../chats/routing.ts';
import { type GroupRecord, groupKey, groupTable } from '../configuration/memberships.ts';
import { refuse } from '../engine/refusal.ts';
import type { CustomerContext } from './action.ts';

/** The license as a read sees it: its configuration at the moment of the read, and the presence and the chats of now. */
export function viewOf({ license, settings, at }: CustomerContext): RoutingView {
  const { now } = license.history;
  return { license, settings, now, effectiveAt: at >= now ? Infinity : at };
}

/** The group that a read asks about, or that a write refers to. */
export function requireGroup({ license, at, refersAt }: CustomerContext, id: number): GroupRecord {
  const groups = groupTable.of(license);
  const isKnown = refersAt === Infinity || groups.get(groupKey(id), refersAt) !== undefined;
  const found = isKnown ? groups.get(groupKey(id), at) : undefined;
  return found ?? refuse('group_not_found', `group ${id} does not exist`);
}
