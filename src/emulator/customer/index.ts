// The Customer Chat Web API. Specification: "Endpoints", "Authentication", "Versioning".

import { isObject } from '../../base/json.ts';
import { chatKind } from '../chats/index.ts';
import { chatSettings } from '../chats/settings.ts';
import type { EmulatedApi } from '../engine/api.ts';
import { readJsonBody } from '../engine/body.ts';
import { isRefusal, refuse } from '../engine/refusal.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { queryOf, type WireRequest } from '../engine/wire.ts';
import type { CustomerAction } from './action.ts';
import { authenticate } from './caller.ts';
import { chatActionKind } from './chats.ts';
import { configurationKind } from './configuration.ts';
import { customerKind } from './customers.ts';
import { eventActionKind } from './events.ts';
import { formKind } from './forms.ts';
import { goalKind } from './goals.ts';
import { shownGreetingKind } from './greetings.ts';
import { localizationKind } from './localization.ts';
import { messageOf } from './messages.ts';
import { propertyActionKind } from './properties.ts';
import { propertyListKind } from './property-lists.ts';
import { type CustomerSettings, customerSettings, VERSIONS } from './settings.ts';
import { statusKind } from './statuses.ts';
import { readUpload, uploadActionKind } from './upload.ts';
import { urlInfoKind } from './url-info.ts';
import { verificationKind } from './verification.ts';

/** The actions of each file; its tables, where it has some. */
const kinds = [
  chatActionKind,
  eventActionKind,
  uploadActionKind,
  propertyActionKind,
  configurationKind,
  localizationKind,
  propertyListKind,
  customerKind,
  statusKind,
  formKind,
  shownGreetingKind,
  goalKind,
  urlInfoKind,
  verificationKind,
] as const;

/** They name the account, and belong to no action. */
const ACCOUNT = ['license_id', 'organization_id'];
const NUMBERS = ['group_id', 'id'];
const FLAGS = ['test'];

function typed(name: string, value: string): unknown {
  if (NUMBERS.includes(name) && /^\d+$/.test(value)) return Number(value);
  if (FLAGS.includes(name) && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** The query of a GET in the shape of a body; an empty value is absent. */
function readQuery(request: WireRequest): object {
  const pairs = Array.from(queryOf(request)).filter(([name, value]) => !ACCOUNT.includes(name) && value !== '');
  return Object.fromEntries(pairs.map(([name, value]) => [name, typed(name, value)]));
}

/** The JSON of a body; one that is too large has the error of this API. */
async function readBody(request: WireRequest, settings: EngineSettings): Promise<unknown> {
  try {
    return await readJsonBody(request, settings);
  } catch (error) {
    if (isRefusal(error) && error.reason.status === 413) refuse('entity_too_large', error.message);
    throw error;
  }
}

async function read(
  request: WireRequest,
  settings: CustomerSettings,
  { methods, isForm }: CustomerAction,
): Promise<unknown> {
  if (isForm) return readUpload(request, settings);
  const body = await readBody(request, settings);
  if (!methods.includes('GET') || !isObject(body)) return body;
  return { ...readQuery(request), ...body };
}

export const customerApi = {
  path: 'customer/action',
  prefix: 'customer/',
  versions: VERSIONS,
  versionHeader: true,
  settings: { ...chatSettings, ...customerSettings, limits: { ...chatSettings.limits, ...customerSettings.limits } },
  // A constant, or the type of a seed would lose the members of kinds that look like a part of another.
  kinds: [chatKind, ...kinds] as const,
  actions: kinds.flatMap(({ actions }) => actions),
  longestReply: ({ limits }: CustomerSettings) => limits.replySeconds,
  isRegional: () => true,
  authenticate,
  read,
  messageOf,
} satisfies EmulatedApi;
