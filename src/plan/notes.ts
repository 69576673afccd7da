// Notes of a plan: what a user should know in addition to the changes.

import type { Address, Desired, KindName, LedgerState, LiveObject, SecretState } from '../base/model.ts';
import { kindOf } from '../kinds/index.ts';
import type { Bindings } from './binding/bind.ts';
import type { Recovered } from './binding/recover.ts';
import type { Comparison } from './compare.ts';
import { readsAsUnset } from './diff.ts';
import type { Draft } from './draft.ts';
import { dangerLine, dangersOf } from './guards/guard.ts';
import type { Memberships } from './membership/edges.ts';
import type { Note, Unmanaged } from './plan.ts';

/**
 * Returns live objects that are neither declared nor owned, of the kinds that are managed. An external object is
 * included
 * only where everything else undeclared goes.
 */
export function unmanagedObjects({ bindings, desired, ledger }: Comparison): readonly LiveObject[] {
  if (bindings.unmanaged.length === 0) return [];
  const managed = managedKinds(desired, ledger);
  const lookedUp = new Set(desired.externals.map(({ kind, address }) => `${kind} ${bindings.ids.get(address)}`));
  return bindings.unmanaged
    .filter(({ kind, facts }) => managed.has(kind) && facts.builtin !== true)
    .filter((object) => !lookedUp.has(`${object.kind} ${object.id}`) || bindings.keptBecause.has(object))
    .filter((object) => !readsAsUnset(String(object.id), object, desired));
}

export function unmanagedEntry(object: LiveObject, { keptBecause }: Bindings): Unmanaged {
  return {
    type: object.kind,
    id: object.id,
    name: object.name,
    released: null,
    reason: keptBecause.get(object) ?? (object.facts.derived === true ? 'made by a bot template' : null),
  };
}

/** Kinds that are only read because something refers to them are not managed. */
function managedKinds(desired: Desired, ledger: LedgerState): ReadonlySet<KindName> {
  const managed = new Set(desired.complete);
  for (const { kind } of desired.resources) managed.add(kind);
  for (const address of ledger.bindings.keys()) managed.add(kindOf(address));
  return managed;
}

/** Returns notes in the order of the drafts. */
export function notesOf(drafts: readonly Draft[], edges: Memberships): readonly Note[] {
  const own = drafts.flatMap((made): readonly Note[] => {
    const { address } = made;
    if (made.verb === 'none' && made.fields.length === 0) return approvalNotes(made);
    const dangers = dangersOf(made).flatMap((kind): readonly Note[] =>
      kind === 'destroy' ? [] : [{ address, kind, message: dangerLine(kind, made) }],
    );
    const outOfReach = made.fields.flatMap(({ field, reach, reason }): readonly Note[] =>
      reach === 'unreachable' || reach === 'unreadable' || reach === 'unverified'
        ? [{ address, kind: reach, message: `${field}: ${reason}` }]
        : [],
    );
    return [
      ...dangers,
      ...outOfReach,
      ...(made.verb === 'create' && made.lost !== null
        ? [
            {
              address,
              kind: 'recreating' as const,
              message: `${made.kind.noun.one} ${made.lost} is gone from the license, so it is created again`,
            },
          ]
        : []),
      ...(made.verb === 'create' && made.kind.manualStep !== undefined
        ? [{ address, kind: 'manual-step' as const, message: made.kind.manualStep }]
        : []),
      ...approvalNotes(made),
    ];
  });
  const leftOut = edges.planned.uncovered.map(
    ({ left, right }): Note => ({
      address: right as Address,
      kind: 'left-out',
      message: `the membership of ${left} differs, and nothing selected may write it; select one of the two`,
    }),
  );
  return [...own, ...leftOut];
}

function approvalNotes({ address, object }: Draft): readonly Note[] {
  if (object?.facts.pendingApproval !== true) return [];
  const message =
    'waiting for an approval that an ordinary token cannot give; approve it in the application of the service';
  return [{ address, kind: 'pending-approval', message }];
}

/** Notes on objects that an interrupted run made and did not record. */
export function recoveredNotes(recovered: readonly Recovered[]): readonly Note[] {
  return recovered.map(({ address, id }) => ({
    address,
    kind: 'recovered',
    message: `created as ${id} by a run that was cut off, so it is ours and is not created again`,
  }));
}

/** Notes on one-time secrets that did not reach the sink. */
export function secretNotes(secrets: LedgerState['secrets'], { bound }: Bindings): readonly Note[] {
  return [...secrets].flatMap(([address, state]): readonly Note[] =>
    bound.has(address) && state !== 'kept'
      ? [{ address, kind: 'secret-lost', message: whereSecretIs(address, state) }]
      : [],
  );
}

function whereSecretIs(address: Address, state: Exclude<SecretState, 'kept'>): string {
  return state === 'rescued'
    ? 'its secret is in a rescue file and not yet in the sink'
    : `its secret is lost; \`chatform secrets rotate ${address}\` makes a new one`;
}
