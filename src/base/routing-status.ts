// Routing statuses, as requests and pushes spell them; webhooks have blanks in the place of underscores.

export const ROUTING_STATUSES = ['accepting_chats', 'not_accepting_chats', 'offline'] as const;
export type RoutingStatus = (typeof ROUTING_STATUSES)[number];
