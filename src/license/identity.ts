// The license of a run, held against the one that its ledger belongs to.

import { UsageError } from '../base/errors.ts';
import type { Live } from '../base/model.ts';
import type { LedgerEvent, LicenseEvent, Stamp } from '../ledger/events.ts';
import { holdingsOf, openIntentsOf } from '../ledger/history.ts';
import { foldLedger } from '../ledger/ledger.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { RunContext } from '../target/context.ts';
import {
  administratorsIn,
  type FoundLicense,
  foundLicense,
  isSameAddress,
  knownLicense,
  licenseName,
  licenseText,
  licenseToRecord,
  matchLicense,
} from './reading/stated.ts';

type Target = Pick<TargetSettings, 'baseUrl' | 'ledger'>;

/**
 * Why a ledger does not belong to the license that was read; null when it does. `isSure`: a run must not go on.
 * `identity` is what the service states of the license.
 */
export function licenseMismatch(
  events: readonly LedgerEvent[],
  live: Live,
  { baseUrl, ledger }: Target,
  identity: string | null,
): { readonly message: string; readonly isSure: boolean } | null {
  const known = knownLicense(events);
  if (known === null) return null;
  const found = foundLicense(live, baseUrl, identity);
  const match = matchLicense(known, found, foldLedger(events), live);
  if (match === 'same') return null;
  const both = `the ledger ${ledger} belongs to the license ${licenseText(known)}, and this`;
  if (match === 'doubtful') return { message: `${both} may be another: ${licenseText(found)}`, isSure: false };
  return { message: `${both} is ${licenseText(found)}: nothing was planned; ${remedyFor(found)}`, isSure: true };
}

/** Requires that what was read is of the ledger's license; a doubt is a notice. @throws UsageError */
export function requireOwnLicense(
  events: readonly LedgerEvent[],
  live: Live,
  target: Target,
  identity: string | null,
  { notice }: Pick<RunContext, 'notice'>,
): void {
  const mismatch = licenseMismatch(events, live, target, identity);
  if (mismatch?.isSure === true) throw new UsageError(mismatch.message);
  if (mismatch !== null) notice({ type: 'license-doubt', reason: mismatch.message });
}

/** Requires the address of the ledger's license, where its groups cannot be read, for this reason. @throws UsageError */
export function requireOwnAddress(
  events: readonly LedgerEvent[],
  { baseUrl, ledger }: Target,
  { message }: Pick<Error, 'message'>,
): void {
  const known = knownLicense(events);
  if (known === null || isSameAddress(known, baseUrl)) return;
  throw new UsageError(
    `the ledger ${ledger} belongs to the license ${licenseText(known)}, and ${baseUrl} may be another license, whose groups cannot be read: ${message}; let the run read them, or give the target a ledger of its own, or its former base_url`,
  );
}

function remedyFor(found: FoundLicense): string {
  return `give the target a ledger of its own, or its former base_url and token; to let the ledger forget the other license and belong to this one: chatform apply --plan --new-license ${licenseName(found)}`;
}

/** A ledger that is to belong to another license: it owns nothing of the former one. */
export interface Changeover {
  readonly events: readonly LedgerEvent[];
  /** What an apply writes first. */
  readonly unwritten: readonly LedgerEvent[];
}

/** Null when the ledger belongs to the license of that name, or owns nothing: then there is nothing to give up. */
export function changeover(events: readonly LedgerEvent[], name: string, stamp: Stamp): Changeover | null {
  const known = knownLicense(events);
  if (events.length === 0 || (known !== null && licenseName(known) === name)) return null;
  const unwritten = [
    ...holdingsOf(events).map(({ address }): LedgerEvent => ({ ...stamp, type: 'forgotten', address })),
    ...openIntentsOf(events).map(({ intent }): LedgerEvent => ({ ...stamp, type: 'done', intent, outcome: 'unknown' })),
  ];
  return { events: [...events, ...unwritten], unwritten };
}

/** @throws UsageError when the license that was read has another name, or the ledger belongs to it already */
export function requireNewLicense(
  events: readonly LedgerEvent[],
  live: Live,
  { baseUrl, ledger }: Target,
  identity: string | null,
  name: string,
): void {
  const found = foundLicense(live, baseUrl, identity);
  if (licenseName(found) !== name)
    throw new UsageError(
      `--new-license ${name}: this license is ${licenseText(found)}; its name is ${licenseName(found)}`,
    );
  const known = knownLicense(events);
  if (known !== null && matchLicense(known, found, foldLedger(events), live) === 'same')
    throw new UsageError(
      `--new-license ${name}: the ledger ${ledger} belongs to this license already; leave the flag out`,
    );
}

/** The event by which a ledger learns its license; none when it knows it. An import does not vouch for administrators that are new. */
export function licenseEvents(
  command: 'apply' | 'import',
  events: readonly LedgerEvent[],
  live: Live,
  { baseUrl }: Pick<Target, 'baseUrl'>,
  identity: string | null,
  stamp: Stamp,
): readonly LicenseEvent[] {
  const known = knownLicense(events);
  const administrators = (command === 'import' ? known?.administrators : undefined) ?? administratorsIn(live);
  const found = foundLicense(live, baseUrl, identity);
  const marks = licenseToRecord(known, administrators === undefined ? found : { ...found, administrators });
  return marks === null ? [] : [{ ...stamp, type: 'license', ...marks }];
}
