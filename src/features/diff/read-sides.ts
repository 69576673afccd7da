// Reads the two sides of a comparison: what the files of a target declare, or what its license has. Sends reads only.

import { UsageError } from '../../base/errors.ts';
import type { DesiredResource } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { connected, type Requests } from '../../license/connect.ts';
import { fetchLive } from '../../license/reading/live.ts';
import { wholeView } from '../../license/reading/view.ts';
import { identify } from '../../plan/binding/identify.ts';
import { sourceOf } from '../../plan/reference.ts';
import type { TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { type DeclaredFiles, prepareDeclared } from '../../target/prepare.ts';
import { ledgerAt } from '../../target/stores.ts';
import { catalogue } from '../show/catalogue.ts';
import type { ComparedObject } from './compare.ts';

export interface ReadSide {
  /** Name of the target. */
  readonly name: string;
  readonly objects: readonly ComparedObject[];
  readonly declared: DeclaredFiles;
  /** Null where no service was asked. */
  readonly requests: Requests | null;
}

/** @throws UsageError when the files have errors; what a reading throws */
export async function readSide(choice: TargetChoice, on: 'files' | 'live', context: RunContext): Promise<ReadSide> {
  const declared = await prepareDeclared(choice, context);
  const { name } = declared.settings;
  if (on === 'files') return { name, objects: declaredObjects(declared), declared, requests: null };
  return { name, declared, ...(await liveObjects(declared, context)) };
}

function declaredObjects({ desired: { resources, ruleOrder } }: DeclaredFiles): readonly ComparedObject[] {
  const places = new Map(ruleOrder.map((address, place) => [address, place]));
  const placeOf = ({ address }: DesiredResource): number => places.get(address) ?? -1;
  return resources
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ address, kind: type, key, spec, place }) => {
      const name = spec['name'] ?? spec['description'];
      return {
        address,
        type,
        name: typeof name === 'string' && name !== '' ? name : key,
        hasKey: true,
        spec,
        source: sourceOf(place),
      };
    });
}

async function liveObjects(
  { settings, desired, moved }: DeclaredFiles,
  context: RunContext,
): Promise<Pick<ReadSide, 'objects' | 'requests'>> {
  const known = foldLedger(await ledgerAt(settings.ledger, context).read());
  const version = settings.apiVersion;
  return connected(settings, context, async ({ ask, client }) => {
    const live = await fetchLive(ask, wholeView(desired, known, version), version);
    const identified = identify({ desired: { ...desired, complete: [] }, live, known, moved, stays: () => null });
    if (identified.problems.length > 0)
      throw new UsageError('the license has what cannot be told apart', identified.problems);
    const entries = catalogue(live, identified);
    const names = new Map(entries.map(({ type, id, name }) => [`${type}/${id}`, name]));
    const objects = entries.map(({ address, type, id, name, ownership, spec, source }) => {
      const isNamed = KINDS[type].choosesId === true || name === String(id);
      const [owner] = isNamed ? [] : (KINDS[type].parents?.(String(id)) ?? []);
      return {
        address,
        type,
        // Values of two groups have one name.
        name: owner === undefined ? name : `${names.get(owner) ?? owner}/${name}`,
        hasKey: ownership !== 'unmanaged' || isNamed,
        spec,
        source,
      };
    });
    return { objects, requests: client.requests() };
  });
}
