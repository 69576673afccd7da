// The kinds, one line each, in the order in which people read a license.

import { InternalError } from '../base/errors.ts';
import type { Address, KindName, ObjectId, Spec } from '../base/model.ts';
import { personOf } from '../base/person.ts';
import { agent } from './agent.ts';
import { allowedDomain } from './allowed-domain.ts';
import { autoAccess } from './auto-access.ts';
import { bot } from './bot.ts';
import { botTemplate } from './bot-template.ts';
import { cannedResponse } from './canned-response.ts';
import { greeting } from './greeting.ts';
import { group, NEEDED_PRIORITY } from './group.ts';
import type { Kind } from './kind.ts';
import { property } from './property.ts';
import { groupProperty, licenseProperty } from './property-values.ts';
import { tag } from './tag.ts';
import { webhook } from './webhook.ts';
import { webhookState } from './webhook-state.ts';

export const KINDS: { readonly [name in KindName]: Kind } = {
  agent,
  group,
  bot,
  bot_template: botTemplate,
  auto_access: autoAccess,
  greeting,
  tag,
  canned_response: cannedResponse,
  property,
  license_property: licenseProperty,
  group_property: groupProperty,
  webhook,
  webhook_state: webhookState,
  allowed_domain: allowedDomain,
};

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

export function isKind(name: string): name is KindName {
  return Object.hasOwn(KINDS, name);
}

/** Whether a text is a kind and a key; any other text with a slash may be an id. */
export function isAddress(text: string): text is Address {
  const slash = text.indexOf('/');
  return slash >= 0 && slash < text.length - 1 && isKind(text.slice(0, slash));
}

/** The kind that an address begins with. */
export function kindOf(address: Address): KindName {
  const name = address.slice(0, address.indexOf('/'));
  if (!isKind(name)) throw new InternalError(`no kind in address ${address}`);
  return name;
}

/** The kinds with whose objects the service deletes those of a kind. */
export function ownersOf(kind: Kind): readonly KindName[] {
  const { parents, madeBy } = kind;
  const owner = kindGoneWith(kind);
  return [
    ...(parents?.('owner/namespace/name') ?? []).map((parent) => kindOf(parent as Address)),
    ...(owner === undefined ? [] : [owner]),
    ...(madeBy === undefined ? [] : [madeBy]),
  ];
}

/** The kind that `goesWith` refers to. */
export function kindGoneWith({ goesWith, fields }: Kind): KindName | undefined {
  return goesWith === undefined ? undefined : fields[goesWith]?.references?.kind;
}

/** The id of an object as far as it tells objects of its kind apart: people have one in any capitals. For comparisons only. */
export function identityOfId(kind: KindName, id: ObjectId): ObjectId {
  return KINDS[kind].choosesId === true ? personOf(String(id)) : id;
}

/** Whether an address is that of a person. */
export function isPersonal(address: string): boolean {
  const kind = address.slice(0, address.indexOf('/'));
  return isKind(kind) && KINDS[kind].choosesId === true;
}

/** What an address is about: equal for two addresses of one person in other capitals. For comparisons only. */
export function subjectOf(address: string): string {
  return isPersonal(address) ? personOf(address) : address;
}

/**
 * The membership relation, which two kinds describe from their sides. Its fields are compared and written as edges, never as values.
 * `write` is the action that writes a side; `needed` the priority that every object of the right side needs at one of its edges, or null.
 */
export const MEMBERSHIP = {
  left: { kind: agent, field: 'groups', write: 'update_agent' },
  right: { kind: group, field: 'agent_priorities', write: 'update_group', needed: NEEDED_PRIORITY },
} as const;

/** What the account of a person who left has: it is suspended, and in no group. */
export const FORMER: Spec = { ...agent.retired, [MEMBERSHIP.left.field]: {} };

/** Whether a field is one side of the membership relation. */
export function isMembership(kind: KindName, field: string): boolean {
  const { left, right } = MEMBERSHIP;
  return (kind === left.kind.name && field === left.field) || (kind === right.kind.name && field === right.field);
}

/** The kind whose objects form one ordered list, the order of which is desired also. */
export const ORDERED = autoAccess;

/** The kind that the objects of the ordered list send chats to. */
export const ROUTED = group;
