// The versions of the Customer Chat Web API, and its settings. Says what each setting decides, not how it is carried out.

import type { ChatSettings } from '../chats/settings.ts';
import { featuresIn } from '../engine/api.ts';
import type { SettingDefinitions, SettingsOf } from '../engine/settings.ts';
import { about, choice, flag, limit, nullable, stage } from '../engine/settings.ts';
import { int } from '../engine/shape.ts';

/** A version as it stands in the URL path, without its `v`. */
export type EmulatedCustomerVersion = '3.3' | '3.5' | '3.6' | '3.7';
export const VERSIONS: readonly EmulatedCustomerVersion[] = ['3.3', '3.5', '3.6', '3.7'];

/** Which versions have what others have not. today/customer.md, "Actions". */
export const FEATURES = {
  /** The query names the account with `license_id`; otherwise with `organization_id`. */
  licenseId: ['3.3'],
  /** A change of the customer waits for the end of an active chat. */
  waitingUpdates: ['3.3'],
  predictedAgent: ['3.3', '3.5', '3.6'],
  /** The errors `chat_anonymized`, `chat_inactive` and `limit_reached`, in the place of `validation`. */
  chatErrors: ['3.5', '3.6', '3.7'],
  welcomeMessage: ['3.6', '3.7'],
  deletedEvents: ['3.6', '3.7'],
  greetingButtons: ['3.6', '3.7'],
  /** What a postback says of its button. */
  buttonValues: ['3.6', '3.7'],
  /** `omnichannel`, `address` and `phone_number` of a customer. */
  channels: ['3.6', '3.7'],
  /** Events of the type `system`. */
  systemEvents: ['3.6', '3.7'],
  /** Rich messages of the template `ecommerce`. */
  ecommerceMessages: ['3.6', '3.7'],
  /** `form_type` of forms and filled forms. */
  formTypes: ['3.5', '3.6', '3.7'],
  /** `visibility` of rich messages. */
  visibility: ['3.7'],
  /** The channel `chatapp` of `omnichannel`. */
  chatapp: ['3.7'],
  botType: ['3.6', '3.7'],
  refusedExecutables: ['3.6', '3.7'],
  /** The state of the widget inside of that of the organization. */
  nestedConfiguration: ['3.6', '3.7'],
  aiAgentActive: ['3.7'],
  /** `chats_info`, with what is said of the last thread in one member; otherwise `chats_summary`. */
  chatsInfo: ['3.7'],
  /** An empty text clears a member of the customer; in 3.6 the setting `emptyTextIn36` decides. */
  clearable: ['3.6', '3.7'],
  cleared: ['3.7'],
  /** Real-time: `update_customer_page` answers the groups, where they are other ones. */
  pageGroups: ['3.6', '3.7'],
  /** Real-time: the push `groups_status_updated`. */
  groupStatusPush: ['3.5', '3.6', '3.7'],
} as const satisfies { readonly [feature: string]: readonly EmulatedCustomerVersion[] };

export const has = featuresIn(FEATURES);

export const customerSettings = {
  lifecycle: {
    'customer/3.3': about(
      'The header that says when version 3.3 of the Customer Chat Web API ends',
      stage({ header: 'Legacy', date: '2027-12-31' }),
    ),
    'customer/3.5': about('The same for 3.5', stage({ header: 'Legacy', date: '2027-12-31' })),
    'customer/3.6': about('The same for 3.6, the stable version', stage(null)),
    'customer/3.7': about('The same for 3.7, which is a preview', stage(null)),
  },
  limits: {
    uploadBytes: about('Largest uploaded file in bytes', limit(10 * 1024 * 1024)),
    sessionFields: about('Most keys of `session_fields`', limit(100)),
    replySeconds: about('Seconds from which on a reply is too late, and `request_timeout` takes its place', limit(15)),
  },
  licenseId: about(
    'The `license_id` of the license; another one gets `license_not_found`, and `null` accepts any',
    nullable<number>(null, int(0)),
  ),
  accountParameter: about(
    'Which parameter of the query names the account: that of the version (3.3 `license_id`, later ones `organization_id`), or either',
    choice(['of_version', 'either']),
  ),
  customerTokens: about(
    'Which tokens are those of customers: every one, of a customer of its own; or those of the seed and of the accounts service',
    choice(['any', 'known']),
  ),
  configurationToken: about(
    'Whether the three actions of the configuration need a token. Recordings show them without one; the specification promises that for lists of properties only',
    choice(['optional', 'required']),
  ),
  productName: about(
    'What `get_dynamic_configuration` of 3.6 and 3.7 calls the product: as the specification; or as the public pages, which also call the widget `openwidget`',
    choice(['product', 'livechat']),
  ),
  productActive: about('Whether the product is active on the license', flag(true)),
  defaultWidget: about(
    'Which widget `get_dynamic_configuration` of 3.6 and 3.7 names as the default one',
    choice(['product', 'widget', 'chatbot']),
  ),
  clientLimitExceeded: about('Whether the license has more customers in chats than it may', flag(false)),
  wrongProductVersion: about('Every request gets `wrong_product_version`', flag(false)),
  dynamicConfigurationGroup: about(
    'Group that `get_dynamic_configuration` answers without `group_id`: the default group, as the specification and the public pages say; or that of the rule which matches `url`, as one recording shows',
    choice(['requested', 'routed']),
  ),
  allowedSubdomains: about(
    'Whether the widget also shows on the subdomains of an allowed domain',
    choice(['shown', 'hidden']),
  ),
  allowedDomains: about(
    'Whether `get_configuration` has `allowed_domains`, which the public sample lacks',
    choice(['shown', 'hidden']),
  ),
  customerPage: about(
    'Page of a customer who was never logged in: that of the header `Referer`, or none',
    choice(['referer', 'control']),
  ),
  staleConfigurationVersion: about(
    'Answer to a `version` which is not the present one: the present content, or `validation`',
    choice(['answered', 'validation']),
  ),
  missingChat: about(
    'Error of a chat, a thread or an event that does not exist or belongs to another customer',
    choice(['authorization', 'validation', 'not_found']),
  ),
  predictionsNeedLogin: about(
    'Whether `get_predicted_agent` and `request_welcome_message` need a customer who is logged in on the real-time interface, or guess for others',
    choice(['required', 'guessed']),
  ),
  botType: about('`bot_type` in predictions of a bot that was given no `type`', choice(['chatbot', 'ai_agent'])),
  goalsOfOnlineCustomer: about(
    'What `check_goals` does for a customer who is logged in on the real-time interface: nothing, or `validation`',
    choice(['ignored', 'validation']),
  ),
  sessionFieldsOnUpdate: about(
    'What `update_customer` does with `session_fields`: adds them to those that are there, or replaces them',
    choice(['merge', 'replace']),
  ),
  phoneNumberOnUpdate: about(
    'What `update_customer` of 3.6 and 3.7 does with `phone_number`, which no table of parameters names: keeps it, or ignores it',
    choice(['accepted', 'ignored']),
  ),
  emptyTextIn36: about(
    'What an empty text does in `update_customer` of 3.6, where 3.7 clears: it is `validation`, or it clears as well',
    choice(['validation', 'cleared']),
  ),
  omnichannelReading: about(
    'How `omnichannel` reads: as it was sent, or in the lists of the public sample',
    choice(['as_sent', 'listed']),
  ),
  updateDuringChat: about(
    'When `update_customer` of 3.3 takes effect while the customer has an active chat: after it ends, or at once',
    choice(['after_chat', 'at_once']),
  ),
  emailCallbacks: about(
    'Where callbacks of e-mail verification may go: to this machine only, so that another `callback_uri` gets `validation`; or anywhere',
    choice(['loopback', 'anywhere']),
  ),
} satisfies SettingDefinitions;

type CustomerSettingValues = ChatSettings & SettingsOf<typeof customerSettings>;
export interface CustomerSettings extends CustomerSettingValues {}
