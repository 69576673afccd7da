// What is verified: the files, the ids of their groups, and who asks. Sends nothing.

import type { Address, CustomerVersion, Desired, LedgerState, Place, Reference, Version } from '../../../base/model.ts';
import { ROUTED } from '../../../kinds/index.ts';
import type { Route } from '../../../manifest/routes.ts';
import type { SourcePlace } from '../../../plan/plan.ts';
import { sourceOf } from '../../../plan/reference.ts';
import type { Assumptions } from '../../../routing/rules.ts';
import type { Path } from '../../../yaml/places.ts';

/** A license and its files, as a verification asks about them. */
export interface CustomerSubject {
  readonly target: string;
  /** Of the Customer Chat Web API. */
  readonly version: CustomerVersion;
  readonly desired: Desired;
  readonly routes: readonly Route[];
  readonly assumptions: Assumptions;
  /** Live ids of the groups that the files declare or name, as far as they are known. */
  readonly groups: ReadonlyMap<Address, number>;
  /** What the ledger says was applied, with the forms in which the service keeps it. */
  readonly applied: LedgerState['applied'];
  /** Groups whose state is read although nothing else asks for it. */
  readonly watched: readonly Address[];
  /** Whether there is the token of a customer. */
  readonly hasCustomer: boolean;
  /** Whether pages are visited on the real-time interface. */
  readonly visits: boolean;
  /** Whether it is asked who would answer. */
  readonly predicts: boolean;
  /** Whether the version tells who would answer in a group. */
  readonly predictsByGroup: boolean;
  readonly staffed: StaffedAt;
  /** Where a member of an entry is written; null for an address that is not declared. */
  readonly placeOf: (address: Address, path?: Path) => Place | null;
}

/** When and how working hours are read. */
export interface StaffedAt {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Zone of hours that name none. */
  readonly zone: string;
  /** Of the Configuration API, which keeps the hours. */
  readonly version: Version;
}

/** The group of customers for whom no rule decides. Service notes: "Groups". */
export const DEFAULT_GROUP = 0;

/** What people call it where the files do not declare it. */
export const DEFAULT_CALLED = 'the default group';

export function isGroup(address: string): address is Address {
  return address.startsWith(`${ROUTED.name}/`);
}

/** The declared groups whose ids are known, sorted by address. */
export function declaredGroups({ desired, groups }: CustomerSubject) {
  return desired.resources.flatMap(({ address, kind, key, spec }) => {
    const id = kind === ROUTED.name ? groups.get(address) : undefined;
    return id === undefined ? [] : [{ address, key, id, spec }];
  });
}

/** The declared groups whose ids are not known. */
export function unknownGroups({ desired, groups }: CustomerSubject): readonly Address[] {
  return desired.resources.flatMap(({ address, kind }) =>
    kind === ROUTED.name && !groups.has(address) ? [address] : [],
  );
}

/** The id of a group by its address, or by itself; null when it is not known. */
export function groupId({ groups }: Pick<CustomerSubject, 'groups'>, reference: Reference): number | null {
  const id = isGroup(reference) ? groups.get(reference) : Number(reference);
  return id === undefined || !Number.isInteger(id) ? null : id;
}

/** What people call the group of an id: its address, if the files declare it. */
export function groupCalled(subject: CustomerSubject, id: number): string {
  const declared = declaredGroups(subject).find((group) => group.id === id);
  return declared?.address ?? (id === DEFAULT_GROUP ? DEFAULT_CALLED : `group ${id}`);
}

/** The place of a member of an entry, for a report. */
export function sourceAt(
  { placeOf }: Pick<CustomerSubject, 'placeOf'>,
  address: Address,
  path: Path = [],
): SourcePlace | null {
  const place = placeOf(address, path);
  return place === null ? null : sourceOf(place);
}
