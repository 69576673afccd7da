// The only domains whose pages may show the widget, and every action on them. today/configuration.md, "Only in 3.7 (developer preview)".

import { parsedUrl } from '../../base/url.ts';
import { defineTable, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { type ConfigurationKind, changeAction, findForWrite, readAction } from './action.ts';
import { setLicenseValue } from './property-values.ts';
import { type ConfigurationSettings, FEATURES } from './settings.ts';

const table = defineTable('allowedDomains', s.object({ domain: s.text }), ({ domain }) => domain, {});

/** In the order in which they were added; none: every page may show the widget. */
export function allowedDomains(license: EmulatedLicense, at = Infinity): readonly string[] {
  return table
    .of(license)
    .all(at)
    .map(({ domain }) => domain);
}

const MOST_CHARACTERS = 255;

/** Whether a text is the name of a host and nothing more. */
function isHost(text: string): boolean {
  return !/[/@?#:*\s]/.test(text) && (parsedUrl(`https://${text}`)?.hostname ?? '') !== '';
}

function requireDomain(given: string, path: string, { domainForms }: ConfigurationSettings): void {
  if (Array.from(given).length > MOST_CHARACTERS)
    refuse('validation', `${s.quoted(path)} must have at most ${MOST_CHARACTERS} characters`);
  if (domainForms === 'hosts' && !isHost(given))
    refuse('validation', `${s.quoted(path)} must be the name of a host, such as shop.example`);
}

/** `monitoring/whitelist_enabled` follows the list. */
function follow(license: EmulatedLicense): void {
  setLicenseValue(license, 'monitoring', 'whitelist_enabled', table.of(license).size() > 0);
}

const seed = {
  allowed_domains: s.described(
    { description: 'The only domains, with their subdomains, whose pages may show the widget; default every page.' },
    s.optional(s.distinct(s.text)),
  ),
};

function plant(
  license: EmulatedLicense,
  { allowed_domains: domains = [] }: s.ObjectShape<typeof seed>,
  settings: ConfigurationSettings,
): void {
  for (const [index, domain] of domains.entries()) {
    requireDomain(domain, `allowed_domains[${index}]`, settings);
    table.of(license).set({ domain });
  }
  if (domains.length > 0) follow(license);
}

const request = s.object({ domain: s.text });
const about = { versions: FEATURES.allowedDomains, scopes: ['domain_manage'] };

const actions = [
  changeAction('add_allowed_domain', request, {
    ...about,
    run: ({ domain }, { license, settings }) => {
      requireDomain(domain, 'domain', settings);
      if (table.of(license).get(domain) !== undefined) {
        if (settings.duplicateDomain === 'accepted') return;
        refuse(settings.duplicateDomain, `domain ${s.quoted(domain)} is allowed already`);
      }
      table.of(license).set({ domain });
      follow(license);
    },
  }),
  changeAction('delete_allowed_domain', request, {
    ...about,
    run: ({ domain }, context) => {
      const { license } = context;
      findForWrite(
        context,
        (at) =>
          table.of(license).get(domain, at) ?? refuse('not_found', `domain ${s.quoted(domain)} is not on the list`),
      );
      table.of(license).delete(domain);
      follow(license);
    },
  }),
  readAction('list_allowed_domains', s.object({}), {
    ...about,
    run: (_, { license, at }) => ({ domains: allowedDomains(license, at) }),
  }),
];

export const allowedDomainKind = { tables: [table], seed, plant, actions } satisfies ConfigurationKind;
