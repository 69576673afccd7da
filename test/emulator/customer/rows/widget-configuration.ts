// Rows of the configuration of the widget, its texts, and the properties that customers may read.
// Specification: "Configuration and localization", "Properties".

import { expect } from 'vitest';
import { standardPhrases } from '../../../../src/emulator/customer/localization.ts';
import { NO_BOOL, NO_INT, NO_STRING, NO_TEXT, optional, required } from '../../conformance/row.ts';
import type { CustomerRow } from './row.ts';

const QUERY = { inQuery: true, anonymous: true } as const;
const HEX = expect.stringMatching(/^[0-9a-f]{32}$/);
const PRODUCT = {
  group_id: 1,
  client_limit_exceeded: false,
  domain_allowed: true,
  online_group_ids: [0, 1],
  config_version: HEX,
  localization_version: expect.stringMatching(/^[0-9a-f]{32}_[0-9a-f]{32}$/),
  language: 'pl',
};

const EMAIL = { id: '0', type: 'email', label: 'Your e-mail', required: true };
const CHOOSER = {
  id: '1',
  type: 'group_chooser',
  label: 'Ask',
  options: [
    { id: '0', label: 'Sales', group_id: 1 },
    { id: '1', label: 'Night', group_id: 2 },
  ],
};
export const PRECHAT = { id: 'before', fields: [EMAIL, CHOOSER] };

type Members = CustomerRow['members'];
const GROUP_MEMBERS: Members = [required('group_id', NO_INT), required('version', NO_TEXT)];
const noGroup = (body: object) => [{ type: 'group_not_found', body: { ...body, group_id: 9 } }];
const FILTER_MEMBERS: Members = [optional('namespace', NO_STRING), optional('name', NO_STRING)];

export const WIDGET_CONFIGURATION: readonly CustomerRow[] = [
  {
    ...QUERY,
    action: 'get_dynamic_configuration',
    request: { group_id: 1, url: 'https://www.shop.example/pricing', channel_type: 'code', test: true },
    reply: (version) =>
      version === '3.3' || version === '3.5'
        ? PRODUCT
        : {
            organization_id: expect.any(String),
            default_widget: 'product',
            product_active: true,
            product: { ...PRODUCT, ...(version === '3.7' ? { ai_agent_active: true } : {}) },
          },
    members: [
      optional('group_id', NO_INT),
      optional('url', NO_STRING),
      optional('channel_type', NO_STRING),
      optional('test', NO_BOOL),
    ],
    accepts: [{}, { url: 'no url' }, { url: '' }],
    refused: noGroup({}),
  },
  {
    ...QUERY,
    action: 'get_configuration',
    request: { group_id: 1, version: 'any' },
    reply: {
      buttons: [{ id: 'b1', type: 'text', online_value: 'Chat', offline_value: 'Write' }],
      ticket_form: { id: 'ticket', fields: [{ id: '0', type: 'subject', label: 'Subject' }] },
      prechat_form: PRECHAT,
      allowed_domains: ['shop.example'],
      integrations: { analytics: { enabled: true } },
      properties: { group: { shop: { tier: 'silver' } }, license: { shop: { tier: 'gold' } } },
    },
    members: GROUP_MEMBERS,
    accepts: [{ group_id: 0, version: 'any' }],
    refused: noGroup({ version: 'any' }),
  },
  {
    ...QUERY,
    action: 'get_localization',
    request: { group_id: 1, language: 'pl', version: 'any' },
    reply: { ...standardPhrases('pl'), chat_now: 'Czat' },
    members: [...GROUP_MEMBERS, required('language', NO_TEXT)],
    accepts: [{ group_id: 1, language: 'de', version: 'any' }],
    refused: noGroup({ language: 'pl', version: 'any' }),
  },
  {
    ...QUERY,
    action: 'list_license_properties',
    request: { namespace: 'shop', name: 'tier' },
    reply: { shop: { tier: 'gold' } },
    members: FILTER_MEMBERS,
    accepts: [{}, { namespace: 'none' }],
  },
  {
    ...QUERY,
    action: 'list_group_properties',
    request: { id: 1, namespace: 'shop', name: 'tier' },
    reply: { shop: { tier: 'silver' } },
    members: [required('id', NO_INT), ...FILTER_MEMBERS],
    accepts: [{ id: 0 }],
    refused: [{ type: 'group_not_found', body: { id: 9 } }],
  },
];
