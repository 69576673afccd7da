// The Configuration API. Specification: "Endpoints", "Authentication", "Versioning".

import type { EmulatedApi } from '../engine/api.ts';
import { readJsonBody } from '../engine/body.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { queryOf, type WireRequest } from '../engine/wire.ts';
import { accountKind, authenticate } from './account.ts';
import { batchOf } from './action.ts';
import { agentKind } from './agents.ts';
import { allowedDomainKind } from './allowed-domains.ts';
import { autoAccessKind } from './auto-access.ts';
import { botTemplateKind } from './bot-templates.ts';
import { botKind } from './bots.ts';
import { cannedResponseKind } from './canned-responses.ts';
import { greetingKind } from './greetings.ts';
import { groupKind } from './groups.ts';
import { propertyKind } from './properties.ts';
import { propertyValueKind } from './property-values.ts';
import { registeredWebhookKind } from './registered-webhooks.ts';
import { type ConfigurationSettings, configurationSettings, has, VERSIONS } from './settings.ts';
import { tagKind } from './tags.ts';
import { webhookIn } from './webhook-forms.ts';
import { withWebhooks } from './webhooks.ts';

/** A kind may refer to those above it: what a seed says of them is planted before. */
const kinds = [
  agentKind,
  groupKind,
  botKind,
  botTemplateKind,
  autoAccessKind,
  greetingKind,
  propertyKind,
  propertyValueKind,
  registeredWebhookKind,
  tagKind,
  cannedResponseKind,
  allowedDomainKind,
  accountKind,
];

const single = withWebhooks(kinds.flatMap(({ actions }) => actions));
const batches = single.flatMap((action) => (action.batchName === null ? [] : [batchOf(action, action.batchName)]));

/** The query of a GET in the shape of a body: ids are numbers, everything else is text. */
function readQuery(request: WireRequest): object {
  const pairs = Array.from(queryOf(request), ([name, value]) => {
    return [name, name === 'id' && /^\d+$/.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(pairs);
}

export const configurationApi = {
  path: 'configuration/action',
  prefix: '',
  versions: VERSIONS,
  versionHeader: true,
  settings: configurationSettings,
  kinds,
  actions: [...single, ...batches],
  isRegional: (version: string, { regionIn33 }: ConfigurationSettings) =>
    has('region', version) || regionIn33 === 'checked',
  authenticate,
  webhookIn,
  read: async (request: WireRequest, settings: EngineSettings) =>
    request.method === 'GET' ? readQuery(request) : readJsonBody(request, settings),
} satisfies EmulatedApi;
