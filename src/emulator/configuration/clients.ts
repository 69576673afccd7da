// Whether an owner client belongs to the caller's organization. Must not know what the client owns.
// Specification: "Bot templates and bot tokens (3.6)", "Properties".

import { refuse } from '../engine/refusal.ts';
import { quoted } from '../engine/shape.ts';
import type { Context } from './action.ts';
import { ownClients } from './records.ts';

/** A license that lists no clients takes every client for one of the caller's organization. */
export function isClientOfOrganization({ license }: Context, client: string): boolean {
  return ownClients.of(license).value?.includes(client) ?? true;
}

export function requireClient(context: Context, client: string): void {
  if (!isClientOfOrganization(context, client))
    refuse('authorization', `${quoted('owner_client_id')} does not belong to your organization`);
}
