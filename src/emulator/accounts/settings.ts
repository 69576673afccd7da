// Settings of the accounts service. No specification describes it; customer-and-reports-notes.md, section 3.

import type { ConfigurationSettings } from '../configuration/settings.ts';
import type { SettingDefinitions, SettingsOf } from '../engine/settings.ts';
import { about, flag, nullable } from '../engine/settings.ts';
import { list, text } from '../engine/shape.ts';

export const accountsSettings = {
  accountsService: about(
    'Whether the accounts service answers, which gives tokens of customers: `/v2/customer/token` and `/v2/customer/info`. No specification describes it',
    flag(true),
  ),
  redirectUris: about(
    'The values of `redirect_uri`, or of the header `Origin`, with which a customer gets a token by cookies; `null` accepts any',
    nullable<readonly string[]>(null, list(text, 1)),
  ),
} satisfies SettingDefinitions;

type AccountsSettingValues = ConfigurationSettings & SettingsOf<typeof accountsSettings>;
export interface AccountsSettings extends AccountsSettingValues {}
