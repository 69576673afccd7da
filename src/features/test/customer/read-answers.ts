// The questions of a test of customers, one request after the other, and after an apply again until it shows.

import { ApiError, InternalError } from '../../../base/errors.ts';
import type { Address } from '../../../base/model.ts';
import { until } from '../../../base/until.ts';
import type { CustomerClient } from '../../../service/customer.ts';
import { isTimeUp } from '../../../service/patience/deadline.ts';
import { pauseBeforeReading } from '../../../service/patience/pause.ts';
import type { CallResult } from '../../../service/reply.ts';
import type { RunContext } from '../../../target/context.ts';
import type { Declared } from '../../../target/prepare.ts';
import {
  type CheckResults,
  type ConfigVersions,
  configVersions,
  differingGroups,
  judged,
  openQuestions,
  unchangedGroups,
  withoutDoubtful,
} from './checks.ts';
import { type Answers, askedText, type CustomerQuestion, isAnswer } from './questions.ts';
import type { AwaitedApply } from './schema.ts';
import type { PageVisits } from './send-visit.ts';
import type { CustomerSubject } from './subject.ts';

/** What customers saw before an apply, and of which groups it changes something for them. */
export interface SeenBefore {
  readonly touched: readonly Address[];
  readonly versions: ConfigVersions;
}

export interface SeeOptions {
  /** Ask what differs again, at most for propagation_timeout. */
  readonly afterApply?: boolean;
  /** What customers saw before the apply; without it, only what differs is waited for. */
  readonly before?: SeenBefore;
  /** Visit the pages of routes on the real-time interface first: leaves a visitor in the list of visitors. */
  readonly visitor?: boolean;
}

/** Who asks the questions of a visitor, and those of a customer. */
export interface Askers {
  readonly visitor: CustomerClient;
  readonly customer: CustomerClient;
  /** Null where pages are not visited. */
  readonly visits: PageVisits | null;
  readonly signal: AbortSignal;
}

interface SettledResults {
  readonly results: CheckResults;
  readonly awaited: AwaitedApply | null;
}

/** The results, and after an apply those of the last reading: what differs is asked again until it shows, or the time is up. */
export async function settledResults(
  subject: CustomerSubject,
  askers: Askers,
  { settings, options }: { readonly settings: Declared['settings']; readonly options: SeeOptions },
  { clock, notice }: RunContext,
): Promise<SettledResults> {
  const started = clock.now();
  const seenIn = (answers: Answers, results: CheckResults, unchanged: readonly Address[]) => {
    // Without an earlier reading only the differences tell whether something is still to come.
    const pending = options.before === undefined ? [] : unchanged;
    return { answers, results, unchanged, pending };
  };
  const first = await answersTo(subject, new Map(), askers);
  const found = judged(subject, first);
  if (options.afterApply !== true) return { results: found, awaited: null };
  const { touched, versions } = options.before ?? {
    touched: differingGroups(subject, found),
    versions: configVersions(subject, first),
  };
  const unchangedIn = (answers: Answers): readonly Address[] =>
    unchangedGroups(touched, versions, configVersions(subject, answers));
  let seen = seenIn(first, found, unchangedIn(first));
  let isFirst = true;
  const look = async () => {
    if (isFirst) {
      isFirst = false;
      return seen;
    }
    const known = withoutDoubtful(subject, seen.answers, seen.results, seen.pending);
    try {
      const answers = await answersTo(subject, known, askers);
      seen = seenIn(answers, judged(subject, answers), unchangedIn(answers));
    } catch (error) {
      // The last whole reading is the result.
      if (!isTimeUp(askers.signal)) throw error;
    }
    return seen;
  };
  const { results, unchanged } = await until(look, {
    clock,
    signal: askers.signal,
    deadline: started + patienceOf(settings, askers.visitor),
    isEnough: ({ results: { summary }, pending }) => summary.differs === 0 && pending.length === 0,
    pause: pauseBeforeReading,
    onWait: (elapsed, { results: { checks }, pending }) => {
      const subjects = checks.flatMap((each) => (each.outcome === 'differs' ? [each.subject] : []));
      notice({ type: 'unsettled', elapsed, subjects: [...new Set([...pending, ...subjects])] });
    },
  });
  return { results, awaited: { elapsed_ms: clock.now() - started, unchanged } };
}

/** Milliseconds. A service that says how long it lags is not waited for any longer. */
function patienceOf(
  { propagationTimeout, propagationDelay }: Declared['settings'],
  { lag }: Pick<CustomerClient, 'lag'>,
): number {
  const stated = propagationDelay?.to ?? lag();
  return stated === null ? propagationTimeout : Math.min(propagationTimeout, stated + LEEWAY);
}

/** Milliseconds by which a reading may be late. */
const LEEWAY = 1_000;

async function answersTo(subject: CustomerSubject, known: Answers, askers: Askers): Promise<Answers> {
  const answers = new Map(known);
  try {
    for (let open = openQuestions(subject, answers); open.length > 0; open = openQuestions(subject, answers))
      for (const question of open) answers.set(askedText(question), await answerTo(question, subject, askers));
  } finally {
    await askers.visits?.leave();
  }
  return answers;
}

/** No rate is published, so one request follows the other. */
export async function answerTo(
  question: CustomerQuestion,
  { hasCustomer }: Pick<CustomerSubject, 'hasCustomer'>,
  askers: Askers,
): Promise<CallResult> {
  const client = question.as === 'visitor' ? askers.visitor : askers.customer;
  const { action, body } = question;
  try {
    if (action === 'update_customer_page') {
      if (askers.visits === null) throw new InternalError('a page is asked for, and none is visited');
      return { ok: await askers.visits.pageReply(String(body['url'])) };
    }
    return { ok: await client.call(action, body, { signal: askers.signal }) };
  } catch (error) {
    if (!(error instanceof ApiError) || !isAnswer(question, error.failure.type, hasCustomer)) throw error;
    return { error: error.failure };
  }
}
