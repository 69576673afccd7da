// Schema and types of `test --on customer --json`: what each check saw of a license through the eyes of its customers.

import * as s from '../../../base/documents.ts';
import { type Address, CUSTOMER_VERSIONS, type Diagnostic } from '../../../base/model.ts';

export const CHECKS = [
  'product',
  'page',
  'route',
  'language',
  'translation',
  'property',
  'status',
  'form',
  'prediction',
  'chat',
] as const;
export type CustomerCheck = (typeof CHECKS)[number];

const OUTCOMES = ['ok', 'differs', 'unseen', 'reported'] as const;
export type CheckOutcome = (typeof OUTCOMES)[number];

/** Why something cannot be seen. */
const HINDRANCES = [
  'place',
  'routes-not-shown',
  'page-not-taken',
  'no-token',
  'refused',
  'no-group-id',
  'inactive',
  'type-default',
  'not-logged-in',
  'not-told',
] as const;
export type Hindrance = (typeof HINDRANCES)[number];

const checked = s.record('The result of one check.', {
  check: s.oneOf('What was checked. Stable: people filter by it.', CHECKS),
  outcome: s.oneOf(
    'ok: as the files say. differs: not so. unseen: it cannot be seen from here. reported: worth knowing, and no difference.',
    OUTCOMES,
  ),
  as: s.oneOf('Who asked: a visitor, or a customer with a token.', ['visitor', 'customer']),
  subject: s.text('What it is about: the name of a route, the address of a group, a domain.'),
  message: s.text('One sentence without a full stop.'),
  asked: s.orNull(s.text('The request; null when none was sent.')),
  expected: s.orNull(s.text('What the files say; the value of a property as a digest.')),
  found: s.orNull(s.text('What the service answered; the value of a property as a digest.')),
  hindrance: s.orNull(s.oneOf('Why it is unseen; null otherwise.', HINDRANCES)),
  source: s.orNull(s.place('Where it is declared.')),
});
export type Checked = s.ValueOf<typeof checked>;

const chat = s.record('The chat that was rehearsed.', {
  chat_id: s.orNull(s.text('Its id; null when no chat began.')),
  thread_id: s.orNull(s.text('Its thread; null when no chat began.')),
  ended: s.flag('It was ended, or none began.'),
  message: s.orNull(s.text('Why it did not begin, or could not be ended; null otherwise.')),
});
export type RehearsedChat = s.ValueOf<typeof chat>;

const waiting = s.record('How an apply was waited for.', {
  elapsed_ms: s.whole('Milliseconds.'),
  unchanged: s.list(
    'Groups whose change customers did not see in time.',
    s.typed<Address>(s.text('Address of a group.')),
  ),
});
export type AwaitedApply = s.ValueOf<typeof waiting>;

const verification = s.record(
  'A license as its customers see it.',
  {
    format_version: s.formatVersion,
    errored: s.flag('Always false: a failure has a document of its own.'),
    target: s.text('Name of the target.'),
    api_version: s.oneOf('Version of the Customer Chat Web API.', CUSTOMER_VERSIONS),
    at: s.time('When it was verified.'),
    summary: s.record('How many checks have which outcome.', s.counts('How many.', OUTCOMES)),
    routes_shown: s.orNull(
      s.flag(
        'Whether the service shows which group a page gets; null when the replies do not tell, or no page was asked.',
      ),
    ),
    token: s.oneOf('Whose token the requests of a visitor had.', ['none', 'customer']),
    checks: s.list('In the order of the files.', checked),
    after_apply: s.orNull(waiting),
    chat: s.orNull(chat),
    left_behind: s.list('What stays on the license after it.', s.text('One sentence.')),
    requests: s.record(
      'Requests by who asked: each is billed.',
      { visitor: s.whole('As a visitor.'), customer: s.whole('As a customer.') },
      { agent: s.whole('With the token of an agent: for ids of groups, and for the token of a customer.') },
    ),
    requests_sent: s.map('Requests by action.', s.whole('How many.')),
    diagnostics: s.list('Findings in the files.', s.typed<Diagnostic>({ type: 'object' })),
  },
  {
    routes_by: s.orNull(
      s.oneOf(
        'What showed the groups of pages: a visit on the real-time interface, or the configuration of the widget; null when nothing did.',
        ['visit', 'configuration'],
      ),
    ),
  },
);
export type CustomerView = s.ContentOf<typeof verification>;

export const customerSchema = s.published('chatform test --on customer', verification);
