// A part of a license, read once: by default the one that routing asks about. Sends reads only.

import type { KindName, LedgerState, Live } from '../base/model.ts';
import { ORDERED, ROUTED } from '../kinds/index.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { connected } from '../license/connect.ts';
import { requireOwnLicense } from '../license/identity.ts';
import { fetchLive } from '../license/reading/live.ts';
import { type LicenseReading, listsOf, viewOf } from '../license/reading/view.ts';
import type { BoundLicense } from '../routing/sources.ts';
import type { RunContext } from '../target/context.ts';
import type { Declared } from '../target/prepare.ts';
import { ledgerAt } from '../target/stores.ts';
import { licenseOf } from './routes.ts';

/** By kind, the fields to read. */
export type WantedFields = ReadonlyMap<KindName, ReadonlySet<string>>;

/** The rules, and the groups that tell which of them are declared. */
const RULES: WantedFields = new Map([
  [ORDERED.name, new Set(Object.keys(ORDERED.fields))],
  [ROUTED.name, new Set<string>()],
]);

function viewFor(fields: WantedFields, { desired, settings }: Declared, known: LedgerState): LicenseReading {
  const { wanted, namespaces } = viewOf(desired, known, settings.apiVersion);
  return listsOf(fields.keys(), { fields, wanted, namespaces });
}

/** A part of the license, what the ledger knows, and the requests. */
interface ReadPart {
  readonly live: Live;
  readonly known: LedgerState;
  readonly requests: { readonly [action: string]: number };
}

/** These kinds of the license. @throws what the first request that failed met, and UsageError for a license that is not the ledger's */
async function readPart(declared: Declared, context: RunContext, wanted: WantedFields): Promise<ReadPart> {
  const { settings } = declared;
  const events = await ledgerAt(settings.ledger, context).read();
  const known = foldLedger(events);
  return connected(settings, context, async ({ client, ask }) => {
    const live = await fetchLive(ask, viewFor(wanted, declared, known), settings.apiVersion);
    requireOwnLicense(events, live, settings, client.identity(), context);
    return { live, known, requests: client.requests() };
  });
}

/** Rules and groups of the license, and in addition what `wanted` names. @throws what the first request that failed met, and UsageError for a license that is not the ledger's */
export async function readRouting(
  declared: Declared,
  context: RunContext,
  wanted: WantedFields = new Map(),
): Promise<{ readonly license: BoundLicense; readonly requests: ReadPart['requests'] }> {
  const { live, known, requests } = await readPart(declared, context, new Map([...RULES, ...wanted]));
  return { license: licenseOf(declared, live, known), requests };
}
