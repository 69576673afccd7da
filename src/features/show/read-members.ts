// Who is in which group by the files, or on the license before and after an apply. show.ts has what the license says alone.

import type { Desired } from '../../base/model.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import type { Requests } from '../../license/connect.ts';
import type { PlanningChoice } from '../../planning/planning.ts';
import { declaredPlaces } from '../../routing/staff/placed.ts';
import { type Placed, type Staff, staffOf } from '../../routing/staff/staff.ts';
import type { Surroundings } from '../../target/context.ts';
import type { Declared } from '../../target/prepare.ts';
import { ledgerAt } from '../../target/stores.ts';
import { readStaffing } from '../coverage/read-coverage.ts';
import { type MembersInput, membersOf } from './member-lists.ts';
import type { ShownMembers } from './schema.ts';

interface DeclaredMembers {
  readonly members: ShownMembers;
  readonly requests: Requests;
}

/** `desired` sends no request. @throws as a reading of the staff does */
export async function declaredMembers(
  view: 'desired' | 'both',
  declared: Declared,
  choice: PlanningChoice,
  surroundings: Surroundings,
): Promise<DeclaredMembers> {
  const { settings, desired } = declared;
  const staffed = (placed: readonly Placed[], isRead: boolean): Staff =>
    staffOf(placed, { zone: settings.routing.timezone, version: settings.apiVersion, isRead });
  const { bindings } = foldLedger(await ledgerAt(settings.ledger, surroundings).read());
  const ownershipOf = ownerships(desired, new Set(bindings.keys()));
  if (view === 'desired') {
    const staff = staffed(declaredPlaces(desired), false);
    return { members: membersOf({ view, before: null, staff, ownershipOf }), requests: {} };
  }
  const { before, after, requests } = await readStaffing(declared, choice, surroundings);
  const sides = { before: staffed(before, true), staff: staffed(after, true) };
  return { members: membersOf({ view, ...sides, ownershipOf }), requests };
}

function ownerships({ resources }: Desired, owned: ReadonlySet<string>): MembersInput['ownershipOf'] {
  const declared = new Set<string>(resources.map(({ address }) => address));
  return (address) => (declared.has(address) ? 'declared' : owned.has(address) ? 'owned' : 'unmanaged');
}
