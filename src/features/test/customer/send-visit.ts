// A visit on the real-time interface: which groups each page gets. Leaves a visitor in the list of visitors.
// The public reference of the real-time API, "Update Customer Page": the groups are told only where they are not those of the page before.

import type { JsonObject } from '../../../base/model.ts';
import { addressOf, requestLog, type TargetLine } from '../../../license/transport.ts';
import { type Credential, createRedactor } from '../../../service/credential.ts';
import { CUSTOMER } from '../../../service/customer.ts';
import type { PageGroup, RealtimeVisit } from '../../../service/realtime.ts';
import { type RunContext, scrubbed } from '../../../target/context.ts';
import type { Declared } from '../../../target/prepare.ts';
import { pagesElsewhere } from './routes.ts';
import type { CustomerSubject } from './subject.ts';

/** The groups of pages, as a visit that goes from one to the next learns them. */
export interface PageVisits {
  /** `{ groups }`; `{}` where no page was found that gets others. @throws ApiError */
  readonly pageReply: (url: string) => Promise<JsonObject>;
  /** Ends the visit; the next page begins another. */
  readonly leave: () => Promise<void>;
  /** Whether any visit has begun. */
  readonly isLeft: () => boolean;
  /** How many requests were sent, by action. */
  readonly requests: () => Readonly<Record<string, number>>;
}

/** One visit, and what it knows of the page that it is on. */
interface VisitState {
  readonly visit: RealtimeVisit;
  page: string | null;
  /** The groups of the page; null as long as they are those of a visit without a page. */
  groups: readonly PageGroup[] | null;
  /** No page of those that may differ gets other groups. */
  isUniform: boolean;
}

/** `elsewhere`: pages that may get other groups than a page in question, the likeliest first. */
export function visitPages(begin: () => Promise<RealtimeVisit>, elsewhere: readonly string[]): PageVisits {
  const counts = new Map<string, number>();
  let current: VisitState | null = null;
  let isLeft = false;

  async function go(state: VisitState, url: string): Promise<boolean> {
    const groups = await state.visit.update(url);
    state.page = url;
    if (groups !== null) state.groups = groups;
    return groups !== null;
  }

  /** Goes to a page with other groups, so that the way back tells those of the page before. */
  async function goElsewhere(state: VisitState, url: string): Promise<boolean> {
    for (const other of elsewhere) if (other !== url && (await go(state, other))) return true;
    return false;
  }

  return {
    pageReply: async (url) => {
      if (current === null) {
        current = { visit: await begin(), page: null, groups: null, isUniform: false };
        isLeft = true;
      }
      const state = current;
      // A service need not look again at the page that the visitor is on.
      const other = state.page === url ? elsewhere.find((page) => page !== url) : undefined;
      if (other !== undefined) await go(state, other);
      if (!(await go(state, url)) && state.groups === null && !state.isUniform) {
        if (await goElsewhere(state, url)) await go(state, url);
        else state.isUniform = true;
      }
      return state.groups === null ? {} : { groups: state.groups.map(({ id, status }) => ({ id, status })) };
    },
    leave: async () => {
      const state = current;
      current = null;
      if (state === null) return;
      await state.visit.close();
      for (const [action, count] of Object.entries(state.visit.requests()))
        counts.set(action, (counts.get(action) ?? 0) + count);
    },
    isLeft: () => isLeft,
    requests: () => Object.fromEntries(counts),
  };
}

/** Visits by the customer of the token. Nothing is sent before the first page. */
export async function visitsOver(
  { sockets, signal }: TargetLine,
  subject: CustomerSubject,
  { customer, account }: { readonly customer: Credential; readonly account: string | null },
  { settings, context }: { readonly settings: Declared['settings']; readonly context: RunContext },
): Promise<PageVisits> {
  const { visitRealtime } = await import('../../../service/realtime.ts');
  const parameter = CUSTOMER.account?.[subject.version];
  const begin = () =>
    visitRealtime({
      baseUrl: addressOf(settings),
      version: subject.version,
      credential: customer,
      account: parameter === undefined || account === null ? {} : { [parameter.name]: account },
      carrier: sockets,
      clock: context.clock,
      timeout: settings.requestTimeout,
      signal,
      onRequest: requestLog(scrubbed(context.log, createRedactor(customer))),
    });
  return visitPages(begin, pagesElsewhere(subject));
}
