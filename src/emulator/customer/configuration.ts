// The configuration of the widget: what decides it for a page, and what it is for a group.
// Specification: "Configuration and localization"; customer-and-reports-notes.md, sections 1, 2 and 4 (rule 16).

import { sha256Hex } from '../../base/digest.ts';
import { pageAddress } from '../chats/matching.ts';
import { customerTable } from '../chats/records.ts';
import { groupStatus, groupsOf, hasAcceptingBot } from '../chats/routing.ts';
import { allowedDomains } from '../configuration/allowed-domains.ts';
import { groupTable } from '../configuration/memberships.ts';
import { propertyValue } from '../configuration/properties.ts';
import { customerValues } from '../configuration/property-values.ts';
import { defineFact, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { type CustomerContext, type CustomerKind, readAction } from './action.ts';
import { shownForm } from './forms.ts';
import { requireGroup, viewOf } from './group-view.ts';
import { canonical, localizationVersion, requireVersion } from './localization.ts';
import { has } from './settings.ts';

const button = s.object({
  id: s.text,
  type: s.text,
  online_value: s.string,
  offline_value: s.string,
  group_id: s.optional(s.int(0)),
});
const widgetButtons = defineFact('buttons', s.optional(s.list(button)), undefined);

/** Name -> member -> value. */
const integrationValues = s.recordOf(s.recordOf(propertyValue));
const integrations = defineFact('integrations', s.optional(integrationValues), undefined);

const seed = {
  buttons: s.described(
    { description: 'Buttons that open the widget; one without `group_id` is for all groups.' },
    s.optional(s.list(button)),
  ),
  integrations: s.described(
    { description: 'Settings of integrations of the widget: name -> member -> value.' },
    s.optional(integrationValues),
  ),
};

function plant(license: EmulatedLicense, given: s.ObjectShape<typeof seed>): void {
  for (const [index, { group_id }] of (given.buttons ?? []).entries())
    if (group_id !== undefined && groupTable.of(license).get(String(group_id)) === undefined)
      refuse('validation', `buttons[${index}] names group ${group_id}, which does not exist`);
  widgetButtons.of(license).value = given.buttons;
  integrations.of(license).value = given.integrations;
}

/** Whether the widget may show on a page: its domain is on the list, or below one that is. */
function isTrusted({ license, at, settings }: CustomerContext, page: string | undefined): boolean {
  const trusted = allowedDomains(license, at);
  if (trusted.length === 0) return true;
  const shown = page === undefined ? undefined : pageAddress(page)?.domain;
  return trusted.some((one) => {
    const wanted = pageAddress(`https://${one}`)?.domain;
    const isBelow = settings.allowedSubdomains === 'shown' && shown?.endsWith(`.${wanted}`) === true;
    return shown !== undefined && (shown === wanted || isBelow);
  });
}

/** Everything that a customer can see of a group, apart from its language. */
function configurationOf(context: CustomerContext, group: number): object {
  const { license, at } = context;
  const domains = allowedDomains(license, at);
  const buttons = widgetButtons.of(license).value ?? [];
  return {
    buttons: buttons
      .filter(({ group_id = group }) => group_id === group)
      .map(({ id, type, online_value, offline_value }) => ({ id, type, online_value, offline_value })),
    ticket_form: shownForm(context, group, 'ticket'),
    prechat_form: shownForm(context, group, 'prechat'),
    allowed_domains: context.settings.allowedDomains === 'shown' && domains.length > 0 ? domains : undefined,
    integrations: integrations.of(license).value ?? {},
    properties: { group: customerValues(context, group), license: customerValues(context, null) },
  };
}

/** Rule 16. Changes if and only if a customer can see the change. */
const configVersion = (context: CustomerContext, group: number, language: string): string =>
  sha256Hex(canonical([language, configurationOf(context, group)])).slice(0, 32);

/** The group of a visit without `group_id`: that of the rule for the page and the customer's place, else the default one. */
function groupOfVisit(context: CustomerContext, page: string | undefined): number {
  const { license, settings, caller } = context;
  if (settings.dynamicConfigurationGroup === 'requested') return 0;
  const place = customerTable.of(license).get(caller.customerId ?? '')?.geolocation ?? {};
  return groupsOf(viewOf(context), undefined, { page, place })[0] ?? 0;
}

const dynamicRequest = s.object({
  group_id: s.optional(s.int(0)),
  url: s.optional(s.string),
  channel_type: s.optional(s.string),
  // A test is not counted as a visit; the emulator counts none.
  test: s.optional(s.bool),
});

function dynamicConfiguration(context: CustomerContext, given: ReturnType<typeof dynamicRequest>): object {
  const { license, settings, version, at } = context;
  const { url } = given;
  const { id, language_code: language } = requireGroup(context, given.group_id ?? groupOfVisit(context, url));
  const view = viewOf(context);
  const online = groupTable
    .of(license)
    .all(at)
    .map((group) => group.id)
    .filter((group) => groupStatus(view, group) !== 'offline');
  return {
    group_id: id,
    client_limit_exceeded: settings.clientLimitExceeded,
    domain_allowed: isTrusted(context, url),
    ...(has('aiAgentActive', version) ? { ai_agent_active: hasAcceptingBot(view, id) } : {}),
    ...(online.length === 0 ? {} : { online_group_ids: online.sort((one, other) => one - other) }),
    config_version: configVersion(context, id, language),
    localization_version: localizationVersion(context, language),
    language,
  };
}

/** Values of `default_widget` in the public pages. today/customer.md, "Neutral names of the seed and the real ones". */
const PUBLIC_WIDGETS = { product: 'livechat', widget: 'openwidget', chatbot: 'chatbot' } as const;

const actions = [
  readAction('get_dynamic_configuration', dynamicRequest, {
    token: 'configuration',
    inQuery: true,
    run: (given, context) => {
      const { version, caller, settings } = context;
      const product = dynamicConfiguration(context, given);
      if (!has('nestedConfiguration', version)) return product;
      const { productName: name, productActive: isActive, defaultWidget } = settings;
      return {
        organization_id: caller.organizationId,
        default_widget: name === 'product' ? defaultWidget : PUBLIC_WIDGETS[defaultWidget],
        [`${name}_active`]: isActive,
        ...(isActive ? { [name]: product } : {}),
      };
    },
  }),
  readAction('get_configuration', s.object({ group_id: s.int(0), version: s.text }), {
    token: 'configuration',
    inQuery: true,
    run: ({ group_id, version }, context) => {
      const { id, language_code } = requireGroup(context, group_id);
      requireVersion(context, version, [configVersion(context, id, language_code)]);
      return configurationOf(context, id);
    },
  }),
];

export const configurationKind = {
  tables: [],
  facts: [widgetButtons, integrations],
  seed,
  plant,
  actions,
} satisfies CustomerKind;
