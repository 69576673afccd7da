// Webhooks in the form of a version: how older ones differ from that of the stable version. today/configuration.md, "Webhooks".

import { isObject, type ParsedObject } from '../../base/json.ts';
import type { WebhookEntry } from '../engine/journal.ts';
import { triggerIn } from './registered-webhooks.ts';
import { has, VERSIONS } from './settings.ts';

/** Members of a customer since 3.6. */
const CHANNELS: readonly string[] = ['phone_number', 'omnichannel', 'address'];

/** Members of a postback before 3.6. */
const POSTBACK: readonly string[] = ['id', 'toggled'];

function without(object: ParsedObject, isLeftOut: (name: string) => boolean): ParsedObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !isLeftOut(name)));
}

/** A payload, or a part of one, as it was before 3.6. */
function olderPayload(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => olderPayload(item, name));
  if (!isObject(value)) return value;
  switch (name) {
    // What applications put there has any names.
    case 'properties':
      return value;
    case 'postback':
      return without(value, (member) => !POSTBACK.includes(member));
    case 'queue': {
      const { queued_at, ...place } = value;
      return { ...place, queued_at_us: queued_at };
    }
    default: {
      const isCustomer = value['type'] === 'customer';
      const kept = without(value, (member) => isCustomer && CHANNELS.includes(member));
      return Object.fromEntries(Object.entries(kept).map(([member, inner]) => [member, olderPayload(inner, member)]));
    }
  }
}

/** A webhook in the form of a version; undefined where that has none of this name. */
export function webhookIn(webhook: WebhookEntry, version: string): WebhookEntry | undefined {
  const known = VERSIONS.find((one) => one === version);
  if (known === undefined || triggerIn(webhook.action, known) === undefined) return undefined;
  if (has('webhookRequester', known)) return webhook;
  const { requester: _, payload, ...rest } = webhook;
  return { ...rest, payload: Object(olderPayload(payload)) };
}
