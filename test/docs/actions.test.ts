// The tables of docs/reference/api.md against the tables of the APIs: every action by what it does, its versions, its batch, and whether it needs a token.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { AGENT } from '../../src/service/agent.ts';
import type { Api, ApiAction } from '../../src/service/api.ts';
import { CONFIGURATION } from '../../src/service/configuration.ts';
import { CUSTOMER } from '../../src/service/customer.ts';
import { REPORTS } from '../../src/service/reports.ts';

const EFFECTS = ['read', 'create', 'update', 'delete'] as const;

/** Every action of the public pages of the Configuration API, in the versions that chatform has. */
const PUBLISHED = `
  create_agent get_agent list_agents update_agent delete_agent suspend_agent unsuspend_agent approve_agent request_agent_unsuspension
  add_auto_access list_auto_accesses update_auto_access delete_auto_access
  create_bot update_bot delete_bot list_bots get_bot reset_bot_secret issue_bot_token
  create_bot_template update_bot_template delete_bot_template reset_bot_template_secret list_bot_templates
  create_group update_group delete_group get_group list_groups
  register_property unregister_property publish_property list_properties
  update_license_properties list_license_properties delete_license_properties
  update_group_properties list_groups_properties list_group_properties delete_group_properties
  create_tag update_tag delete_tag list_tags
  register_webhook list_webhooks unregister_webhook list_webhook_names
  enable_license_webhooks disable_license_webhooks get_license_webhooks_state
  create_greeting update_greeting delete_greeting get_greeting list_greetings
  list_customer_bans unban_customer ban_customer
  list_channels check_product_limits_for_plan get_product_source reactivate_email update_company_details
  add_allowed_domain list_allowed_domains delete_allowed_domain
  create_canned_response update_canned_response delete_canned_response list_canned_responses
  update_translations list_translations
`
  .trim()
  .split(/\s+/);

/** Rows under a heading, of the table whose first column has this title. */
async function rowsUnder(heading: string, title = 'Effect'): Promise<readonly string[]> {
  const text = await readFile(new URL('../../docs/reference/api.md', import.meta.url), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const table = section.split(`\n| ${title} |`)[1]?.split('\n\n')[0] ?? '';
  return Array.from(table.matchAll(/^\| .+ \|$/gm), ([row]) => row);
}

/** `create_agent` (batch), `issue_bot_token` (3.6). */
function actionText(api: Api, [name, { versions, batch, token }]: readonly [string, ApiAction]): string {
  const about = [
    ...(versions.length === api.versions.length ? [] : [versions.join(', ')]),
    ...(batch === null ? [] : ['batch']),
    ...(token === 'optional' ? ['no token'] : []),
  ];
  return `\`${name}\`${about.length === 0 ? '' : ` (${about.join(', ')})`}`;
}

/** A row for each effect that the API has. */
function rowsOf(api: Api): readonly string[] {
  return EFFECTS.flatMap((effect) => {
    const actions = Object.entries(api.actions).filter(([, action]) => action.effect === effect);
    return actions.length === 0 ? [] : [`| ${effect} | ${actions.map((entry) => actionText(api, entry)).join(', ')} |`];
  });
}

test.each([
  ['Actions of the Configuration API', CONFIGURATION],
  ['Actions of the Agent Chat API', AGENT],
  ['Actions of the Customer Chat Web API', CUSTOMER],
  ['Actions of the Reports API', REPORTS],
] as const)('%s', async (heading, api) => {
  expect(await rowsUnder(heading)).toEqual(rowsOf(api));
});

test('The published actions that chatform does not have are those that the page names', async () => {
  const rows = await rowsUnder('Actions of the Configuration API', 'About');
  const lacking = rows.flatMap((row) => Array.from(row.matchAll(/`([a-z_]+)`/g), ([, name]) => name));
  const known = Object.keys(CONFIGURATION.actions);
  expect(lacking.toSorted()).toEqual(PUBLISHED.filter((name) => !known.includes(name)).toSorted());
  expect(known.filter((name) => !PUBLISHED.includes(name))).toEqual([]);
});

test.each([
  ['3.3', 33],
  ['3.6', 36],
  ['3.7', 35],
] as const)('The Customer Chat Web API %s has all of its %i published actions', (version, count) => {
  expect(Object.values(CUSTOMER.actions).filter(({ versions }) => versions.includes(version))).toHaveLength(count);
});
