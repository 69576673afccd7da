// Ids of the groups that the files declare or name: from the ledger, and where it does not know them all, from the license.

import { ApiError, UsageError } from '../base/errors.ts';
import type { Address, LedgerState, Live } from '../base/model.ts';
import { ROUTED } from '../kinds/index.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { identify } from '../plan/binding/identify.ts';
import { credentialOf } from './apis.ts';
import type { Declared } from './prepare.ts';
import { readPart } from './routing-license.ts';
import type { Surroundings } from './surroundings.ts';

export type GroupIds = ReadonlyMap<Address, number>;

/** Sends one read where the ledger does not know all of them and there is a token; a read that fails leaves them unknown. */
export async function groupIds(declared: Declared, surroundings: Surroundings): Promise<GroupIds> {
  const { settings, desired } = declared;
  const known = foldLedger(await fileLedger(settings.ledger).read());
  const trusted = idsIn(declared, { version: settings.apiVersion, objects: {}, ruleOrder: [], scopes: [] }, known);
  const wanted = [...desired.resources, ...desired.externals].filter(({ kind }) => kind === ROUTED.name);
  if (wanted.every(({ address }) => trusted.has(address)) || !hasToken(declared, surroundings)) return trusted;
  try {
    const read = await readPart(declared, surroundings, new Map([[ROUTED.name, new Set<string>()]]));
    return idsIn(declared, read.live, read.known);
  } catch (error) {
    if (error instanceof ApiError) return trusted;
    throw error;
  }
}

function idsIn({ desired, moved }: Declared, live: Live, known: LedgerState): GroupIds {
  const { bindings } = identify({ desired: { ...desired, complete: [] }, live, known, moved, stays: () => null });
  return new Map(
    [...bindings.ids].flatMap(([address, id]): readonly (readonly [Address, number])[] =>
      address.startsWith(`${ROUTED.name}/`) && typeof id === 'number' ? [[address, id]] : [],
    ),
  );
}

function hasToken({ settings }: Declared, surroundings: Surroundings): boolean {
  try {
    credentialOf(settings, surroundings);
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}
