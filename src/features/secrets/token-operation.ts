// Tokens of bots: one is issued with the secret of its bot, kept in the sink and recorded. Needs no manifest, and prints nothing.

import { ApiError, type ApiFailure, UsageError } from '../../base/errors.ts';
import { byText } from '../../base/json.ts';
import type { Address, Json, ObjectId } from '../../base/model.ts';
import { noValue } from '../../base/text.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import type { TokenIssue } from '../../kinds/kind.ts';
import { type RunOutcome, stampOf, type TokenEvent } from '../../ledger/events.ts';
import { type Folded, fold, foldLedger } from '../../ledger/ledger.ts';
import { type Connection, connected, type Requests } from '../../license/connect.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { type RunContext, scrubbed } from '../../target/context.ts';
import type { Stopped } from '../../target/lock.ts';
import { lockOf, lossOf, whileLocked } from '../../target/lock.ts';
import { createScrubber } from '../../target/secrets/scrub.ts';
import type { TokenSink } from '../../target/secrets/secrets.ts';
import { sinkOf } from '../../target/secrets/sink.ts';
import { endOfRun, startedBy } from '../../target/started-by.ts';
import { ledgerAt } from '../../target/stores.ts';
import { type Chosen, choose, ownerOf, placeName, type SecretsTarget } from './operation.ts';
import { secretIn } from './rotate-operation.ts';

/** A token that was issued, without the token. `lost`: it could not be kept, for this reason; `asked`: its answer was lost, so it may exist. */
export interface IssuedToken extends Pick<TokenEvent, 'address' | 'id'> {
  readonly state: Exclude<TokenEvent['state'], 'refused'>;
  /** When it ends, RFC 3339. */
  readonly until: string;
  readonly reason: string | null;
  readonly requests: Requests;
}

/**
 * Issues a token of an owned bot and keeps it in the sink. `secretEnv` names the variable with the secret of the bot, where the sink cannot be read. The
 * ledger knows of the request before it is sent, and of its answer.
 * @throws UsageError before anything is sent when something is missing, ApiError when the service refuses
 */
export function issueToken(
  target: SecretsTarget,
  address: string,
  secretEnv: string | null,
  context: RunContext,
): Promise<IssuedToken | Stopped> {
  const { settings, clients, sink } = target;
  const { apiVersion: version } = settings;
  return whileLocked(lockOf(settings), 'secrets token', context, async (tenure) => {
    const ledger = ledgerAt(settings.ledger, context);
    const known = foldLedger(await ledger.read());
    const { issue, ...bot } = bearer(choose([address], known, version), address);
    const organization = organizationOf(settings);
    const secret = await secretOf(bot, target, secretEnv, context);
    await sink.probeToken(bot);
    const scrub = createScrubber([secret]);
    const work = async ({ client, ask, signal }: Connection): Promise<IssuedToken | Stopped> => {
      const owner = await ownerOf(bot, { ledger: known, clients, ask, version });
      const lost = await lossOf(tenure);
      if (lost !== null) return { stopped: lost };
      const { action, body } = issue.call(bot.id, { client: owner, secret, organization });
      // Before it is asked for, so that it does not end earlier than recorded.
      const until = new Date(context.clock.now() + issue.lasts).toISOString();
      const event = (state: TokenEvent['state']): TokenEvent => {
        return {
          ...stampOf(tenure.run, context.clock.now()),
          type: 'token',
          address: bot.address,
          id: bot.id,
          state,
          until,
        };
      };
      const ended = (outcome: RunOutcome) => endOfRun('secrets token', outcome, settings, tenure, context);
      const begun = stampOf(tenure.run, context.clock.now());
      await ledger.append([
        { ...begun, type: 'begun', command: 'secrets token', by: startedBy(context) },
        event('asked'),
      ]);
      const answer = await answerOf(client.call(action, body, { stop: signal }), issue);
      if ('failure' in answer && !answer.failure.ambiguous) {
        const { failure } = answer;
        await ledger.append([event('refused'), ended(failure.type === 'aborted' ? 'interrupted' : 'failed')]);
        throw explained(failure, bot.address, scrub);
      }
      const [state, reason] = await resultOf(answer, (token) => keep(sink, { ...bot, token, until }), scrub);
      const answered = state === 'asked' ? [] : [event(state)];
      await ledger.append([...answered, ended(state === 'kept' ? 'done' : 'partial')]);
      return { address: bot.address, id: bot.id, state, until, reason, requests: client.requests() };
    };
    return connected(settings, { ...context, log: scrubbed(context.log, scrub) }, work, tenure);
  });
}

/** @throws UsageError unless the glob covers one object, and tokens of it can be issued */
function bearer(chosen: readonly Chosen[], glob: string): Chosen & { readonly issue: TokenIssue } {
  const [one, another] = chosen;
  if (one === undefined || another !== undefined)
    throw new UsageError(`${glob} covers ${chosen.length} objects, and a token is of one bot: name that`);
  const issue = one.kind.secret?.token;
  if (issue !== undefined) return { ...one, issue };
  const noun = Object.values(KINDS).find(({ secret }) => secret?.token !== undefined)?.noun.many;
  throw new UsageError(`${one.address} has no token: only ${noun} have one`);
}

function organizationOf({ name, organizationId }: TargetSettings): string {
  if (organizationId !== null) return organizationId;
  throw new UsageError(
    `target ${name} has no organization_id, which tokens of bots need: add \`organization_id: ID\` under \`targets: ${name}:\` in chatform.yaml`,
  );
}

/** @throws UsageError when the secret of the bot is in no place that can be read */
async function secretOf(
  { address, id }: Pick<Chosen, 'address' | 'id'>,
  { sink, place }: Pick<SecretsTarget, 'sink' | 'place'>,
  secretEnv: string | null,
  { env }: RunContext,
): Promise<string> {
  if (secretEnv !== null) {
    const given = env[secretEnv];
    if (given !== undefined && given !== '') return given;
    throw new UsageError(`--secret-env ${secretEnv}: ${noValue(env, secretEnv)}`);
  }
  if (sink.secretOf === undefined)
    throw new UsageError(
      `${placeName(place)} keeps the secret of ${address} and cannot be asked for it: put the secret into an environment variable, and name that with --secret-env`,
    );
  const kept = await sink.secretOf(address, id);
  if (kept !== null) return kept;
  throw new UsageError(
    `the secret of ${address} is not in ${placeName(place)}: \`chatform secrets rotate ${address}\` makes a new one, or --secret-env NAME names the variable that has it`,
  );
}

/** The token is null in a reply that lacks it. */
type TokenAnswer = { readonly token: string | null } | { readonly failure: ApiFailure };

async function answerOf(reply: Promise<Json>, issue: TokenIssue): Promise<TokenAnswer> {
  try {
    return { token: secretIn(await reply, issue) };
  } catch (error) {
    if (error instanceof ApiError) return { failure: error.failure };
    throw error;
  }
}

/** The service gives one answer for every part of the claim that is wrong, and may repeat the secret in any answer. */
function explained(failure: ApiFailure, address: Address, scrub: (text: string) => string): Error {
  return failure.type === 'authentication'
    ? new UsageError(
        `the service issues no token for ${address}: its secret, its owner client or \`organization_id\` is not the right one`,
      )
    : new ApiError({ ...failure, message: scrub(failure.message) });
}

/** The state of the token, and why it is not kept. */
async function resultOf(
  answer: TokenAnswer,
  kept: (token: string) => Promise<string | null>,
  scrub: (text: string) => string,
): Promise<readonly [state: IssuedToken['state'], reason: string | null]> {
  if ('failure' in answer) return ['asked', scrub(answer.failure.message)];
  const reason = answer.token === null ? 'the reply did not contain it' : await kept(answer.token);
  return [reason === null ? 'kept' : 'lost', reason];
}

/** Null when it is kept; otherwise why not. */
async function keep(
  sink: TokenSink,
  { address, id, token, until }: Parameters<TokenSink['storeToken']>[0],
): Promise<string | null> {
  try {
    await sink.storeToken({ address, id, token, until });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'the sink failed';
  }
}

/** `missing`: it was kept, and is not where secrets of the target are now. `due`: the next apply makes the object again with another one. */
type SecretState = 'kept' | 'missing' | 'rescued' | 'lost' | 'due';

/** An owned object that has a secret, and what the ledger knows of its secret and token. */
export interface HeldSecret {
  readonly address: Address;
  readonly id: ObjectId;
  /** Null when it was never learned, as after an adoption. */
  readonly secret: SecretState | null;
  /** Null when none was issued here. */
  readonly token: Pick<TokenEvent, 'state' | 'until'> | null;
  /** When tokens end that may have been issued, and were never received. RFC 3339. */
  readonly unanswered: readonly string[];
}

/** Sorted by address. Sends nothing. @throws UsageError where secrets are in a file that cannot be read */
export async function heldSecrets(settings: TargetSettings, context: RunContext): Promise<readonly HeldSecret[]> {
  const held = heldIn(fold(await ledgerAt(settings.ledger, context).read()));
  const holds = sinkOf(settings, context)?.holds;
  if (holds === undefined) return held;
  return Promise.all(
    held.map(async (each) =>
      // A secret of that address may be of another object.
      each.secret === 'kept' && !(await holds(each.address, each.id)) ? { ...each, secret: 'missing' } : each,
    ),
  );
}

function heldIn({ bound, secrets, tokens, asked }: Folded): readonly HeldSecret[] {
  return [...bound.values()]
    .filter(({ address }) => KINDS[kindOf(address)].secret !== undefined || secrets.has(address))
    .map(({ address, id }): HeldSecret => {
      const token = tokens.get(address);
      const state = secrets.get(address)?.state ?? null;
      const isMadeAgain = state === 'lost' && KINDS[kindOf(address)].secret === undefined;
      return {
        address,
        id,
        secret: isMadeAgain ? 'due' : state,
        token: token === undefined ? null : { state: token.state, until: token.until },
        unanswered: [...asked.values()].flatMap((event) => (event.address === address ? [event.until] : [])),
      };
    })
    .sort((a, b) => byText(a.address, b.address));
}
