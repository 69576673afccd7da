// Ids of groups from the ledger, which count on its own license only: its groups are read where a token may read them.

import { ApiError, UsageError } from '../base/errors.ts';
import type { Address, KindName, LedgerState, Live, Version } from '../base/model.ts';
import { KINDS, kindOf, MEMBERSHIP, ROUTED } from '../kinds/index.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { identify } from '../plan/binding/identify.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { RunContext } from '../target/context.ts';
import type { Declared } from '../target/prepare.ts';
import { ledgerAt } from '../target/stores.ts';
import { credentialOf } from './apis.ts';
import { connected, type Requests } from './connect.ts';
import { licenseMismatch, requireOwnAddress, requireOwnLicense } from './identity.ts';
import { fetchLive, survey } from './reading/live.ts';
import { knownLicense } from './reading/stated.ts';
import { listsOf } from './reading/view.ts';

/** Ids of the groups that the files declare or name, as far as they are known. */
export interface GroupIds {
  readonly ids: ReadonlyMap<Address, number>;
  /** What the ledger says was applied, groups or not. */
  readonly applied: LedgerState['applied'];
  readonly requests: Requests;
}

/**
 * At most one read, which also holds the license against the ledger: none where `isChecked` says that this was done, and the ledger knows all groups.
 * @throws UsageError for a license that is not the ledger's
 */
export async function groupIds(
  declared: Declared,
  context: RunContext,
  { isChecked = false }: { readonly isChecked?: boolean } = {},
): Promise<GroupIds> {
  const { settings, desired } = declared;
  const events = await ledgerAt(settings.ledger, context).read();
  const known = foldLedger(events);
  const { applied } = known;
  const own = idsIn(declared, { version: settings.apiVersion, objects: {}, ruleOrder: [], scopes: [] }, known);
  const wanted = [...desired.resources, ...desired.externals].filter(({ kind }) => kind === ROUTED.name);
  const areKnown = wanted.every(({ address }) => own.has(address));
  if (wanted.length === 0 || (areKnown && (isChecked || knownLicense(events) === null)))
    return { ids: own, applied, requests: {} };
  const { live, requests } = await groupsOfLedger(events, settings, context);
  // A group of the ledger may not show yet.
  const ids = live === null ? own : new Map([...idsIn(declared, live, known), ...own]);
  return { ids, applied, requests };
}

function idsIn({ desired, moved }: Declared, live: Live, known: LedgerState): GroupIds['ids'] {
  const { bindings } = identify({ desired: { ...desired, complete: [] }, live, known, moved, stays: () => null });
  return new Map(
    [...bindings.ids].flatMap(([address, id]): readonly (readonly [Address, number])[] =>
      address.startsWith(`${ROUTED.name}/`) && typeof id === 'number' ? [[address, id]] : [],
    ),
  );
}

/** The groups of a license, or why they were not read. */
export type GroupsRead = {
  readonly requests: Requests;
  /** Milliseconds by which the service's clock is ahead; null where no answer told the time. */
  readonly ahead: number | null;
} & (
  | { readonly live: Live; readonly failure: null }
  | { readonly live: null; readonly failure: ApiError | UsageError }
);

/** What else can tell that a license is that of the ledger: its owner, and what the ledger owns there. */
function otherMarks(events: readonly LedgerEvent[], version: Version): readonly KindName[] {
  const owned = [...foldLedger(events).bindings.keys()].map(kindOf);
  const owner = knownLicense(events)?.owner ?? null;
  const agents = owner === null ? [] : [MEMBERSHIP.left.kind.name];
  return [...new Set([...agents, ...owned])].filter(
    (kind) => kind !== ROUTED.name && KINDS[kind].namespace === undefined && KINDS[kind].versions.includes(version),
  );
}

/**
 * Reads the groups of the license that the ledger belongs to, and other marks of it only where they leave a doubt. Where they cannot be read, only the
 * address is held against the ledger.
 * @throws UsageError for a license that is not the ledger's; ApiError once the run is interrupted
 */
export async function groupsOfLedger(
  events: readonly LedgerEvent[],
  settings: TargetSettings,
  context: RunContext,
): Promise<GroupsRead> {
  const { apiVersion: version } = settings;
  const missing = missingToken(settings, context);
  if (missing !== null) {
    requireOwnAddress(events, settings, missing);
    return { live: null, failure: missing, requests: {}, ahead: null };
  }
  return connected(settings, context, async ({ client, ask }) => {
    try {
      const live = await fetchLive(ask, listsOf([ROUTED.name]), version);
      if (licenseMismatch(events, live, settings, client.identity()) !== null) {
        const more = await survey(ask, listsOf(otherMarks(events, version)), version);
        const whole = { ...live, objects: { ...live.objects, ...more.live.objects } };
        requireOwnLicense(events, whole, settings, client.identity(), context);
      }
      return { live, failure: null, requests: client.requests(), ahead: client.ahead() };
    } catch (failure) {
      if (!(failure instanceof ApiError) || context.signal.aborted) throw failure;
      requireOwnAddress(events, settings, failure);
      return { live: null, failure, requests: client.requests(), ahead: client.ahead() };
    }
  });
}

function missingToken(settings: TargetSettings, context: RunContext): UsageError | null {
  try {
    credentialOf(settings, context);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}
