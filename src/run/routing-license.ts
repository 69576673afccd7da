// The part of a license that routing asks about, read once. Sends reads only.

import type { KindName, LedgerState, Live } from '../base/model.ts';
import { ORDERED, ROUTED } from '../kinds/index.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { fetchLive } from '../reading/live.ts';
import { type View, viewOf } from '../reading/view.ts';
import type { BoundLicense } from '../routing/sources.ts';
import { connected } from './connect.ts';
import type { Declared } from './prepare.ts';
import { licenseOf } from './routes.ts';
import type { Surroundings } from './surroundings.ts';

/** By kind, the fields to read. */
export type WantedFields = ReadonlyMap<KindName, ReadonlySet<string>>;

/** The rules, and the groups that tell which of them are declared. */
const RULES: WantedFields = new Map([
  [ORDERED.name, new Set(Object.keys(ORDERED.fields))],
  [ROUTED.name, new Set<string>()],
]);

function viewFor(wanted: WantedFields, { desired, settings }: Declared, known: LedgerState): View {
  const usual = viewOf(desired, known, settings.apiVersion);
  const all: WantedFields = new Map([...RULES, ...wanted]);
  return {
    kinds: new Set(all.keys()),
    fields: all,
    wanted: usual.wanted,
    namespaces: usual.namespaces,
    losing: new Map(),
    complete: new Set(),
  };
}

/** Rules and groups of the license, and in addition what `wanted` names. @throws what the first request that failed met */
export async function readRouting(
  declared: Declared,
  surroundings: Surroundings,
  wanted: WantedFields = new Map(),
): Promise<{ readonly license: BoundLicense; readonly requests: { readonly [action: string]: number } }> {
  const { settings } = declared;
  const known = foldLedger(await fileLedger(settings.ledger).read());
  return connected(settings, surroundings, async ({ client, ask }) => {
    const live: Live = await fetchLive(ask, viewFor(wanted, declared, known), settings.apiVersion);
    return { license: licenseOf(declared, live, known), requests: client.requests() };
  });
}
