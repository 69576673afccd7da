// Every kind that stands by itself, and how the laws draw it. A kind that is missing here does not compile.

import type { KindName } from '../../../src/base/model.ts';
import type { Records } from '../records.ts';
import { allowedDomainDrawing } from './allowed-domain.ts';
import { cannedResponseDrawing } from './canned-response.ts';
import type { Drawing, Recorded } from './drawing.ts';
import { greetingDrawing } from './greeting.ts';
import { tagDrawing } from './tag.ts';
import { webhookDrawing } from './webhook.ts';
import { webhookStateDrawing } from './webhook-state.ts';

/** Kinds that refer to each other, drawn in wish.ts. */
export type WovenKind =
  | 'agent'
  | 'group'
  | 'bot'
  | 'bot_template'
  | 'auto_access'
  | 'property'
  | 'license_property'
  | 'group_property';
export type DrawnKind = Exclude<KindName, WovenKind>;

const BY_KIND: { readonly [kind in DrawnKind]: Drawing } = {
  allowed_domain: allowedDomainDrawing,
  canned_response: cannedResponseDrawing,
  greeting: greetingDrawing,
  tag: tagDrawing,
  webhook: webhookDrawing,
  webhook_state: webhookStateDrawing,
};

export const DRAWINGS: readonly Drawing[] = Object.values(BY_KIND);

export interface RecordedOf extends Recorded {
  readonly kind: KindName;
}

/** All that there is of them. */
export function recordedIn(records: Records): readonly RecordedOf[] {
  return DRAWINGS.flatMap(({ kind, recorded }) => recorded(records).map((each) => ({ ...each, kind })));
}

export function recordedAs(kind: DrawnKind, id: Recorded['id'], records: Records): Recorded | undefined {
  return BY_KIND[kind].recorded(records).find((found) => found.id === id);
}
