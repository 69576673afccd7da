// The license and the ledger of a snapshot, as a plan reads them. A field that the snapshot leaves out counts as withheld.

import type { Facts, KindName, Live, LiveObject } from '../../base/model.ts';
import { inNfc } from '../../base/text.ts';
import { perVersion } from '../../kinds/field.ts';
import { normalise } from '../../kinds/fields.ts';
import { isAddress, KIND_NAMES, KINDS, ORDERED } from '../../kinds/index.ts';
import type { AppliedEvent, BoundEvent, LedgerEvent, SecretEvent } from '../../ledger/events.ts';
import type { LicenseReading } from '../../license/reading/view.ts';
import type { TokenOwner } from '../../plan/guards/lockout.ts';
import type { SeenObject, Snapshot } from './snapshot.ts';

/** The license of a snapshot. */
export interface Restored {
  readonly live: Live;
  /** Wanted kinds that the snapshot does not have. */
  readonly missing: readonly KindName[];
}

/** The same as a reading of the license: it has the kinds of the view and no others. */
export function restored(snapshot: Snapshot, view: Pick<LicenseReading, 'kinds'>, own: TokenOwner): Restored {
  const wanted = KIND_NAMES.filter((kind) => view.kinds.has(kind));
  const looked = wanted.filter((kind) => snapshot.objects[kind] !== undefined);
  const isIn = new Set<KindName>(looked);
  const objects = looked.map((kind) => {
    const byId = new Map((snapshot.objects[kind] ?? []).map((object) => [String(object.id), object]));
    const listed = kind === ORDERED.name ? snapshot.rule_order : [...byId.keys()];
    const all = listed.flatMap((id) => byId.get(id) ?? []);
    return [kind, all.map((object) => liveObject(kind, object, snapshot, own))] as const;
  });
  return {
    live: {
      version: snapshot.api_version,
      objects: Object.fromEntries(objects),
      ruleOrder: isIn.has(ORDERED.name) ? snapshot.rule_order : [],
      scopes: snapshot.scopes,
    },
    missing: wanted.filter((kind) => !isIn.has(kind)),
  };
}

function liveObject(
  kind: KindName,
  seen: SeenObject,
  { full, api_version: version, own: whose }: Snapshot,
  own: TokenOwner,
): LiveObject {
  const { fields } = KINDS[kind];
  const { id, name, unread = [], unset = [], masked = [] } = seen;
  const covered = new Set([...Object.keys(seen.spec), ...unread, ...unset]);
  const readable = Object.entries(fields).filter(([, field]) => perVersion(field.readable, version) !== 'never');
  const leftOut = full ? [] : readable.map(([field]) => field).filter((field) => !covered.has(field));
  const withheld = [...leftOut, ...masked];
  const isOwner = own !== null && 'account' in own && whose?.type === kind && String(whose.id) === String(id);
  const facts: Facts = {
    ...(seen.owner === true ? { owner: true } : {}),
    ...(seen.derived === true ? { derived: true } : {}),
    ...(seen.builtin === true ? { builtin: true } : {}),
    ...(seen.pending_approval === true ? { pendingApproval: true } : {}),
    ...(seen.possibly_unset === true ? { possiblyUnset: true } : {}),
    ...(seen.members === undefined ? {} : { members: seen.members }),
    ...(seen.spared === undefined ? {} : { spared: seen.spared }),
    ...(isOwner ? { account: own.account } : {}),
    ...(unread.length + withheld.length === 0 ? {} : { unread: [...unread, ...withheld] }),
    ...(withheld.length === 0 ? {} : { withheld }),
  };
  return { kind, id, name: inNfc(name), spec: normalise(KINDS[kind], seen.spec), facts };
}

/** A log that folds to the ledger of the snapshot, without kinds that only a newer chatform knows. */
export function eventsOf({ ledger, created_at: at }: Snapshot): readonly LedgerEvent[] {
  const isKnown = ({ address }: { readonly address: string }): boolean => isAddress(address);
  const stamp = { v: 1, at, run: 'snapshot' } as const;
  const ids = new Map(ledger.bindings.map(({ address, id }) => [address, id]));
  return [
    ...ledger.bindings.filter(isKnown).map((bound): BoundEvent => ({ ...stamp, type: 'bound', ...picked(bound) })),
    ...ledger.applied.filter(isKnown).map(
      ({ address, spec, digests, at: then, reads }): AppliedEvent => ({
        ...stamp,
        at: then,
        type: 'applied',
        address,
        spec,
        digests,
        ...(reads === undefined ? {} : { reads }),
      }),
    ),
    ...ledger.secrets.filter(isKnown).flatMap(({ address, state }): readonly SecretEvent[] => {
      const id = ids.get(address);
      return id === undefined ? [] : [{ ...stamp, type: 'secret', address, id, state }];
    }),
  ];
}

function picked({ address, id, origin }: Snapshot['ledger']['bindings'][number]) {
  return { address, id, origin };
}
