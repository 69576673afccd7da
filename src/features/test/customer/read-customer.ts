// Tests of a target as its customers see it: by itself, after an apply, and the versions that an apply begins from. Holds the lease for what acts on
// the license, which is a rehearsed chat and a welcome message.

import { ApiError, UsageError } from '../../../base/errors.ts';
import { addCounts, sumOf } from '../../../base/grouped.ts';
import type { Address } from '../../../base/model.ts';
import type { Tenure } from '../../../ledger/tenure.ts';
import { clientOver, type Requests } from '../../../license/connect.ts';
import { customerSource } from '../../../license/customer.ts';
import { groupIds } from '../../../license/group-ids.ts';
import { isEmulated, openLine, type TargetLine } from '../../../license/transport.ts';
import type { Credential } from '../../../service/credential.ts';
import { CUSTOMER, type CustomerClient, PAGE_GROUP_VERSIONS } from '../../../service/customer.ts';
import { stopText } from '../../../service/patience/deadline.ts';
import type { CallResult } from '../../../service/reply.ts';
import type { RunContext } from '../../../target/context.ts';
import type { Agree, Stopped } from '../../../target/lock.ts';
import { lockOf, lossOf, whileLocked } from '../../../target/lock.ts';
import type { Declared } from '../../../target/prepare.ts';
import { CHAT_LEAVES, type Rehearsal, rehearsalOf } from './chat.ts';
import { type ConfigVersions, summaryOf, versionsIn } from './checks.ts';
import { askedText, groupQuestion } from './questions.ts';
import { type CustomerAccess, customerAccess } from './read-access.ts';
import { answerTo, type SeeOptions, settledResults } from './read-answers.ts';
import { visitQuestions } from './routes.ts';
import type { CustomerView } from './schema.ts';
import { rehearseChat } from './send-chat.ts';
import { visitsOver } from './send-visit.ts';
import type { CustomerSubject } from './subject.ts';

/** Requests of a verification that are sent before it asks. */
export interface RequestsAhead {
  readonly visitor: Requests;
  /** Ids of groups, and the token of a customer. */
  readonly agent: Requests;
}

/** What an apply has done of its verification. */
export interface SeenAhead {
  readonly access: CustomerAccess;
  /** Those before the apply. */
  readonly requests: RequestsAhead;
}

/** What also acts, and so leaves something behind. */
export interface ActingOptions extends SeeOptions {
  /** Ask who would answer: leaves a visitor in the list of visitors. */
  readonly predict?: boolean;
  /** What wants the visits, as errors name it; by default `--visitor`. */
  readonly visitorFor?: string;
  /** The route whose chat is rehearsed, by its name or the URL of its page: leaves a chat behind. */
  readonly chat?: string;
  /** Asked before a chat begins, with the lease held. */
  readonly agree?: Agree<Rehearsal>;
}

export interface CustomersSeen {
  readonly view: CustomerView;
  readonly requests: Requests;
}

/**
 * Verifies after an apply, which has held the license against the ledger. Changes nothing.
 * @throws ApiError for a request that failed and is no answer
 */
export async function testApplied(
  declared: Declared,
  options: SeeOptions,
  { access, requests }: SeenAhead,
  context: RunContext,
): Promise<CustomersSeen> {
  const run = await prepared(declared, options, access, requests, context);
  return testWith(run, context, null);
}

/**
 * Verifies, perhaps with a prediction or the rehearsal of a chat.
 * @throws ApiError for a request that failed and is no answer; UsageError for what the target lacks, a license that is not the ledger's, and a chat that
 * cannot be rehearsed
 */
export async function testActing(
  declared: Declared,
  options: ActingOptions,
  context: RunContext,
): Promise<CustomersSeen | Stopped> {
  const { settings } = declared;
  const rehearsal = options.chat === undefined ? null : rehearsalOf(options.chat, declared, settings.chatMark);
  if (rehearsal !== null) requireCustomer('--chat', settings, context);
  if (options.visitor === true) requireVisitor(options.visitorFor ?? '--visitor', settings, context);
  const access = await customerAccess(settings, context);
  const verify = async (tenure: Tenure | null): Promise<CustomersSeen> => {
    const run = await prepared(declared, options, access, null, context);
    return testWith({ ...run, rehearsal }, context, tenure);
  };
  // A welcome message is sent with the prediction, so it is no read.
  const isWriting =
    rehearsal !== null || (options.predict === true && predictsByGroup(settings) && access.customer !== null);
  if (!isWriting) return verify(null);
  return whileLocked(lockOf(settings), 'test --on customer', context, async (tenure) => {
    const declined = rehearsal === null ? null : ((await options.agree?.(rehearsal)) ?? null);
    const stopped = declined ?? (await lossOf(tenure));
    return stopped === null ? verify(tenure) : { stopped };
  });
}

/** @throws UsageError where there is no token of a customer, which `asker` needs: a flag, or a gate */
function requireCustomer(asker: string, settings: Declared['settings'], context: Pick<RunContext, 'env'>): void {
  const source = customerSource(settings, context);
  if (source.from === 'nowhere' && !isEmulated(settings)) throw new UsageError(`${asker}: ${source.missing}`);
}

/** @throws UsageError where pages cannot be visited: without a token of a customer, or in a version whose replies name no groups */
export function requireVisitor(asker: string, settings: Declared['settings'], context: Pick<RunContext, 'env'>): void {
  requireCustomer(asker, settings, context);
  const { customerApiVersion: version } = settings;
  if (PAGE_GROUP_VERSIONS.includes(version)) return;
  throw new UsageError(
    `${asker}: version ${version} of the Customer API does not name the groups of a page: set customer_api_version to ${PAGE_GROUP_VERSIONS.join(' or ')}`,
  );
}

/** `before`: requests of an apply, which has held the license against the ledger; null where none has. */
async function prepared(
  declared: Declared,
  options: SeeOptions & Pick<ActingOptions, 'predict'>,
  access: CustomerAccess,
  before: RequestsAhead | null,
  context: RunContext,
): Promise<CustomerRun> {
  const { ids, applied, requests } = await groupIds(declared, context, {
    isChecked: before !== null || access.isChecked,
  });
  const subject = subjectOf(declared, context, {
    groups: ids,
    applied,
    watched: options.before?.touched ?? [],
    hasCustomer: access.customer !== null,
    visits: options.visitor === true,
    predicts: options.predict === true,
  });
  const ahead = {
    visitor: before?.visitor ?? {},
    agent: addCounts([access.requests, before?.agent ?? {}, requests]),
  };
  return { declared, subject, access, rehearsal: null, options, ahead };
}

function predictsByGroup({ customerApiVersion }: Declared['settings']): boolean {
  return CUSTOMER.actions['request_welcome_message']?.versions.includes(customerApiVersion) === true;
}

function subjectOf(
  declared: Declared,
  context: RunContext,
  asked: Pick<CustomerSubject, 'groups' | 'applied' | 'watched' | 'hasCustomer' | 'visits' | 'predicts'>,
): CustomerSubject {
  const { settings, desired, routes, markOf } = declared;
  return {
    ...asked,
    target: settings.name,
    version: settings.customerApiVersion,
    predictsByGroup: predictsByGroup(settings),
    desired,
    routes,
    assumptions: settings.routing.assumptions,
    staffed: {
      at: context.clock.now(),
      zone: settings.routing.timezone,
      version: settings.apiVersion,
    },
    placeOf: (address, path = []) => markOf(address, path, path.length === 0 ? 'key' : 'value')?.place ?? null,
  };
}

/** One verification, and who asks. */
export interface CustomerRun {
  readonly declared: Declared;
  readonly subject: CustomerSubject;
  readonly access: CustomerAccess;
  readonly rehearsal: Rehearsal | null;
  readonly options: SeeOptions;
  readonly ahead: RequestsAhead;
}

async function testWith(run: CustomerRun, context: RunContext, tenure: Tenure | null): Promise<CustomersSeen> {
  const line = await openLine(run.declared.settings, context);
  try {
    return await testOver(line, run, context, tenure);
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure.type !== 'aborted' || !line.signal.aborted) throw error;
    throw new UsageError(`${stopText(line.signal)} before everything was verified`);
  } finally {
    await line.close();
  }
}

/** Over a line that stays open. `tenure` is the lease of what acts; null refuses it. */
export async function testOver(
  line: TargetLine,
  { declared, subject, access, rehearsal, options, ahead }: CustomerRun,
  context: RunContext,
  tenure: Tenure | null,
): Promise<CustomersSeen> {
  const { settings } = declared;
  const { account, visitor, customer, isNew } = access;
  const over = (credential: Credential | null, held: Tenure | null): CustomerClient =>
    clientOver(
      line,
      { api: CUSTOMER, version: subject.version, credential, account },
      settings,
      context,
      held === null ? {} : { tenure: held },
    ).client;
  const { signal } = line;
  const visits =
    customer !== null && visitQuestions(subject).length > 0
      ? await visitsOver(line, subject, { customer, account }, { settings, context })
      : null;
  if (visits !== null || (subject.predicts && subject.hasCustomer))
    context.notice({ type: 'visitor', target: subject.target });
  const askers = { visitor: over(visitor, null), customer: over(customer, tenure), visits, signal };
  const read = await settledResults(subject, askers, { settings, options }, context);
  // A chat is ended with or without the lease.
  const ending = tenure === null ? null : over(customer, { ...tenure, refusal: async () => null });
  const rehearsed =
    rehearsal === null || ending === null
      ? null
      : await rehearseChat(rehearsal, subject, { client: askers.customer, ending, signal });
  const checks = [...read.results.checks, ...(rehearsed?.checks ?? [])];
  const senders = [
    askers.visitor,
    askers.customer,
    ...(ending === null ? [] : [ending]),
    ...(visits === null ? [] : [visits]),
  ];
  const counts = senders.map((each) => each.requests());
  const [asVisitor = {}, ...asCustomer] = counts;
  const asked = {
    visitor: addCounts([ahead.visitor, asVisitor]),
    customer: addCounts(asCustomer),
    agent: ahead.agent,
  };
  const view: CustomerView = {
    target: subject.target,
    api_version: subject.version,
    at: new Date(context.clock.now()).toISOString(),
    ...read.results,
    checks,
    summary: summaryOf(checks),
    token: visitor === null ? 'none' : 'customer',
    after_apply: read.awaited,
    chat: rehearsed?.chat ?? null,
    left_behind: [
      ...(isNew ? [NEW_CUSTOMER] : []),
      ...leftBehind(subject, visits?.isLeft() === true, rehearsed?.chat.chat_id ?? null),
    ],
    requests: { visitor: sumOf(asked.visitor), customer: sumOf(asked.customer), agent: sumOf(asked.agent) },
  };
  return { view, requests: addCounts([asked.agent, asked.visitor, asked.customer]) };
}

/** Made once: later runs are the same customer. */
const NEW_CUSTOMER = 'the customer that all later runs are';

function leftBehind(
  { predicts, hasCustomer }: CustomerSubject,
  hasVisited: boolean,
  chat: string | null,
): readonly string[] {
  return [
    ...(hasVisited || (predicts && hasCustomer) ? ['a visitor in the list of visitors'] : []),
    ...(chat === null ? [] : CHAT_LEAVES),
  ];
}

/** The `config_version` of these groups as customers have them now, one request each; null where the service does not tell. */
export async function versionsNow(
  touched: readonly Address[],
  declared: Declared,
  { account, visitor }: CustomerAccess,
  context: RunContext,
): Promise<{ readonly versions: ConfigVersions | null; readonly requests: RequestsAhead }> {
  const { settings } = declared;
  const version = settings.customerApiVersion;
  // The plan has held the license against the ledger.
  const { ids, requests: agent } = await groupIds(declared, context, { isChecked: true });
  const line = await openLine(settings, context);
  try {
    const access = { api: CUSTOMER, version, credential: visitor, account };
    const { client } = clientOver(line, access, settings, context);
    const askers = { visitor: client, customer: client, visits: null, signal: line.signal };
    const answers = new Map<string, CallResult>();
    const known = touched.flatMap((address) => {
      const id = ids.get(address);
      return id === undefined ? [] : [{ address, question: groupQuestion(id) }];
    });
    const asked = async (): Promise<ConfigVersions | null> => {
      try {
        for (const { question } of known)
          answers.set(askedText(question), await answerTo(question, { hasCustomer: visitor !== null }, askers));
        return versionsIn(known, answers);
      } catch (error) {
        if (error instanceof ApiError) return null;
        throw error;
      }
    };
    const versions = await asked();
    return { versions, requests: { visitor: client.requests(), agent } };
  } finally {
    await line.close();
  }
}
