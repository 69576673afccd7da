// Settings of routing and their defaults; src/project/routing-settings.ts reads them from chatform.yaml.

import type { Diagnostic, LintId } from '../base/model.ts';
import { ASSUMED, type Assumptions } from './rules.ts';

/** What each lint finds. */
export const LINTS = {
  'unreachable-rule': 'A rule that never decides, because earlier rules take every visitor it matches.',
  'never-matches': 'A rule whose conditions no visitor can meet.',
  'duplicate-rule': 'Two rules with the same conditions.',
  'unlike-a-browser': 'A URL in a spelling that no browser reports: an exact one, or a part with the port 443 or 80.',
  'nobody-there': 'A rule that sends chats to a group in which no member can get them.',
  'idle-agent': 'An agent in no group, or who takes no chats of one.',
  'unrouted-group': 'A group that no rule sends chats to.',
  'hand-over': 'A bot that hands chats over to groups while no agent of them is at work.',
  'lost-cover': 'Hours in which a group no longer has a member at work.',
  'suspended-member': 'An agent who is suspended and is added to a group.',
  'overnight-shift': 'A shift that does not end after it starts, which counts as nothing.',
  'past-exception': 'An exception of working hours whose days are over.',
  expired: 'A rule, a membership or a person whose last day is over.',
  'absence-without-hours': 'An absence of an agent who has no hours that it could change.',
  'unused-calendar': 'A calendar that no schedule and no hours name.',
  'greeting-never-shows':
    'A greeting that no visitor can see: its rules exclude each other, or its page goes to another group.',
  'greeting-without-text': 'An active greeting that has neither a text nor a rich message, also not on the license.',
  'greetings-together': 'Two greetings of a group that always show together.',
  'past-greeting': 'An active greeting whose last moment is over.',
  'greeting-switched-off': 'An active greeting on a license whose greetings are switched off.',
  'greeting-when-offline': 'An active greeting of a group that hides its greetings while it is offline.',
  'bot-webhook-without-bot':
    'A webhook for bots of a client that has no bot in the files, or whose bots are all offline.',
  'bots-without-webhooks': 'Bots of a client without webhooks in files that have some of other clients.',
  'webhook-switched-off': 'A license webhook of a client whose license webhooks are declared off.',
  'overlay-near-key': 'An entry that an overlay adds, and whose key is nearly that of an entry of the manifest.',
  'like-a-pattern': 'A text of a rule or a greeting with `*`, `^` or `$`, which is looked for as it is written.',
  'unused-column': 'Columns of a table of people or of absences that nothing uses.',
  'stray-blank': 'A name, a key or a text of a rule with a blank at an end, or with a character that shows nothing.',
} as const satisfies { readonly [id in LintId]: string };

export const LINT_LEVELS = ['error', 'warning', 'off'] as const;

export type LintLevel = (typeof LINT_LEVELS)[number];

/** How rules change places: in the fewest requests, or in an order in which no visitor is exposed to a group that is neither old nor new. */
export const REORDERS = ['minimal', 'safe'] as const;

/** Objects about which a lint says nothing. */
export interface LintException {
  readonly lint: LintId;
  /** Address; `*` stands for any text. */
  readonly address: string;
  readonly reason: string;
  /** Null for one in `defaults` of several targets: it may be about another target. */
  readonly mark: Pick<Diagnostic, 'place' | 'excerpt'> | null;
}

export interface RoutingSettings {
  readonly assumptions: Assumptions;
  readonly reorder: (typeof REORDERS)[number];
  /** Every lint has its level. */
  readonly lint: { readonly [id in LintId]: LintLevel };
  readonly except: readonly LintException[];
  /** Domain of pages that are given as a path, and of examples; null when it is not set. */
  readonly domain: string | null;
  /** IANA name of the zone in which weeks are shown, and times without an offset are read. */
  readonly timezone: string;
}

export const ROUTING_DEFAULTS: RoutingSettings = {
  assumptions: ASSUMED,
  reorder: 'minimal',
  lint: {
    'unreachable-rule': 'warning',
    'never-matches': 'warning',
    'duplicate-rule': 'warning',
    'unlike-a-browser': 'warning',
    'nobody-there': 'warning',
    'hand-over': 'warning',
    'idle-agent': 'warning',
    // Chats also come to groups in other ways, and on many licenses that is what groups are for.
    'unrouted-group': 'off',
    'lost-cover': 'warning',
    'suspended-member': 'warning',
    'overnight-shift': 'warning',
    'past-exception': 'warning',
    expired: 'warning',
    'absence-without-hours': 'warning',
    'unused-calendar': 'warning',
    'overlay-near-key': 'warning',
    'like-a-pattern': 'warning',
    'stray-blank': 'warning',
    'unused-column': 'warning',
    'greeting-never-shows': 'warning',
    'greeting-without-text': 'warning',
    'greetings-together': 'warning',
    'past-greeting': 'warning',
    'greeting-switched-off': 'warning',
    // It is how greetings have hours of the day.
    'greeting-when-offline': 'off',
    'bot-webhook-without-bot': 'warning',
    'bots-without-webhooks': 'warning',
    'webhook-switched-off': 'warning',
  },
  except: [],
  domain: null,
  timezone: 'UTC',
};
