// The secret of a bot comes in, a token for it goes out. Must not know what the token is used for.
// Specification: "Bot templates and bot tokens (3.6)", Issue Bot Token.

import { digest } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import { object, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { writes } from './action.ts';
import { botTable, botTokenTable } from './records.ts';
import { ONLY_36 } from './version.ts';

const issueRequest = object({ bot_id: text, client_id: text, bot_secret: text, organization_id: text });

/** "The issued bot token is valid 24 hours", in ms. */
const VALIDITY = 24 * 60 * 60 * 1000;

/** Whatever is wrong, the answer is the same: it must not help to guess. */
function issueToken(body: unknown, { license, settings, ids }: Context): object {
  const { bot_id, client_id, bot_secret, organization_id } = issueRequest(body, '');
  const bot = botTable.of(license).get(bot_id);
  const organization = settings.organizationId ?? organization_id;
  if (
    bot?.owner_client_id !== client_id ||
    bot.secret_digest !== digest(bot_secret) ||
    organization !== organization_id
  )
    return refuse('authentication', 'the credentials of the bot are not valid');
  const token = `${settings.region ?? 'dal'}:${ids.secret()}`;
  const expires = license.history.now + VALIDITY;
  botTokenTable.of(license).set({ digest: digest(token), bot_id, client_id, organization_id, expires });
  return { token };
}

export const botTokenActions: readonly Action[] = [writes('issue_bot_token', ONLY_36, issueToken, { anonymous: true })];
