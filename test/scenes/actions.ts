// Situations of single actions of an API: the question before a write, and what is said of its end.

import type { JsonObject } from '../../src/base/model.ts';
import type { PreparedAction } from '../../src/features/api/read-action.ts';
import { replyText, sendQuestion, sentText, unknownEffectText } from '../../src/features/api/view.ts';
import { TARGET_APIS, type TargetApi } from '../../src/license/apis.ts';
import { targetSettings } from '../../src/project/settings.ts';
import { namedActions } from '../../src/service/api.ts';
import { lines, type Outputs, painted } from './outputs.ts';

const HOSTILE = '\u001b[31m::x\u202e';

function prepared(name: string, through: TargetApi, more: Partial<PreparedAction> = {}): PreparedAction {
  const named = namedActions(through.api).get(name);
  if (named === undefined) throw new Error(`${name} is no action`);
  const settings = targetSettings('production', { base_url: 'https://api.example.com' }, 'chatform.yaml');
  const access = { api: through.api, version: through.versionOf(settings), credential: null, account: null };
  const body: JsonObject = { name: `Night${HOSTILE}`, agent_priorities: { 'ann@example.com': 'first' } };
  const nothing = { isBare: false, headers: {}, upload: null };
  return { settings, through, access, name, named, body, shown: body, ...nothing, ...more };
}

const { configuration, customer } = TARGET_APIS;
const UPLOAD = { name: `photo${HOSTILE}.png`, type: 'image/png', size: 2_100_000, read: async function* () {} };

/** What is known of an action that ended well. */
const DONE = { withheld: 0, unrecorded: null, isChanged: true };

function api(): Outputs {
  const group = prepared('create_group', configuration);
  const bot = prepared('create_bot', configuration);
  const long = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`property-${index}`, index]));
  const chat = prepared('start_chat', customer, {
    shown: { continuous: true },
    headers: { referer: `https://shop.example/${HOSTILE}` },
  });
  const ends = ['create_group', 'update_group', 'create_agent', 'reset_bot_secret', 'request_agent_unsuspension'];
  return {
    ...painted('question', (paint) => sendQuestion(group, { reveal: false }, paint)),
    ...painted('question-secret', (paint) => sendQuestion(bot, { reveal: false }, paint)),
    ...painted('question-revealed', (paint) => sendQuestion(bot, { reveal: true }, paint)),
    ...painted('question-long', (paint) => sendQuestion({ ...group, shown: long }, { reveal: false }, paint)),
    ...painted('question-chat', (paint) => sendQuestion(chat, { reveal: false }, paint)),
    ...painted('question-file', (paint) =>
      sendQuestion(prepared('upload_file', customer, { upload: UPLOAD }), { reveal: false }, paint),
    ),
    'reply.txt': replyText({ name: `Night${HOSTILE}`, groups: [] }),
    ...painted('sent', (paint) =>
      [
        sentText(group, DONE, paint),
        sentText(bot, { ...DONE, withheld: 1 }, paint),
        sentText(prepared('list_bots', configuration), { ...DONE, withheld: 2 }, paint),
        sentText(group, { ...DONE, unrecorded: `the ledger cannot be written: ENOSPC${HOSTILE}` }, paint),
        sentText(chat, DONE, paint),
      ].join('--\n'),
    ),
    'unknown.txt': lines([
      ...ends.map((name) => unknownEffectText(prepared(name, configuration))),
      unknownEffectText(chat),
      unknownEffectText(prepared('check_goals', customer)),
    ]),
  };
}

export const ACTIONS = { api };
