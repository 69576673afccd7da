// Requests and replies of the Agent Chat API. today/configuration.md, "Routing status of bots".

import type { Version } from '../base/model.ts';
import type { RoutingStatus } from '../base/routing-status.ts';
import type { EmptyReply, SameIn } from './messages.ts';

/** The status of one member of groups; nothing in it tells whether the member is an agent or a bot. */
export interface MemberRoutingStatus {
  readonly agent_id: string;
  readonly status: RoutingStatus;
}

export interface AgentMessages {
  /** `agent_id` is an agent or a bot; without it, the owner of the token. Only a bot can be `offline`. */
  readonly set_routing_status: SameIn<
    Version,
    { readonly status: RoutingStatus; readonly agent_id?: string },
    EmptyReply
  >;
  /** Members of these groups; without filters, of the license. */
  readonly list_routing_statuses: SameIn<
    Version,
    { readonly filters?: { readonly group_ids?: readonly number[] } },
    readonly MemberRoutingStatus[]
  >;
}
