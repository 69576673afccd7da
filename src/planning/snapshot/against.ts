// What a plan against a snapshot adds to a plan: what it was made from, what only the license knows, and what cannot be planned from it.

import type { Desired, Diagnostic, External, KindName, Live } from '../../base/model.ts';
import { KINDS, ORDERED } from '../../kinds/index.ts';
import type { Note, Plan, ResourceChange } from '../../plan/plan.ts';
import { keyOf } from '../../plan/reference.ts';
import type { Snapshot } from './snapshot.ts';

/** Declared objects that the snapshot does not have, at their places: the first of each kind. */
export function notInSnapshot(
  snapshot: Snapshot,
  { resources, externals, complete }: Desired,
  missing: readonly KindName[],
  live: Live,
): readonly Diagnostic[] {
  const absent = missing.flatMap((kind): readonly Diagnostic[] => {
    const first = [...resources, ...externals].find((each) => each.kind === kind);
    const { many } = KINDS[kind].noun;
    if (first === undefined && !complete.includes(kind)) return [];
    const message = `the snapshot has no ${many}: the files that it was taken with manage none`;
    return [finding(first?.place ?? NOWHERE, message)];
  });
  const unknown = externals.filter((external) => isUnknown(external, snapshot, live));
  return [
    ...absent,
    ...unknown.map((external) => {
      const { noun } = KINDS[external.kind];
      const sought = external.id === null ? `named \`${external.name}\`` : `with id \`${external.id}\``;
      return finding(
        external.place,
        `no ${noun.one} ${sought} is in the snapshot, which names only those of the files`,
      );
    }),
  ];
}

const NOWHERE: Diagnostic['place'] = { file: 'chatform.yaml', line: 1, column: 1, length: 1 };

function finding(place: Diagnostic['place'], message: string): Diagnostic {
  const remedy = 'plan it against the license itself, or against a snapshot that was taken with `--full`';
  return { code: 'not-in-snapshot', severity: 'error', place, message, remedy, excerpt: null, related: [] };
}

function isUnknown({ kind, id, name }: External, { nameless }: Snapshot, live: Live): boolean {
  if ((nameless[kind] ?? 0) === 0) return false;
  const objects = live.objects[kind] ?? [];
  return !objects.some((object) => (id === null ? object.name === name : object.id === id));
}

/** Seconds by which the clocks of two machines may differ. */
const LEEWAY = 60;

/** The plan with what it was made from. `now`: milliseconds since the epoch. */
export function against(plan: Plan, snapshot: Snapshot, missing: readonly KindName[], now: number): Plan {
  const { created_at: taken_at, digest, full, nameless } = snapshot;
  const age = Math.floor((now - Date.parse(taken_at)) / 1000);
  const age_seconds = age < -LEEWAY ? null : Math.max(0, age);
  const notes = plan.resource_changes.flatMap((change) => doubts(change, snapshot, missing));
  return {
    ...plan,
    against: { taken_at, age_seconds, digest, full, nameless },
    notes: [...plan.notes, ...notes],
  };
}

function doubts(
  change: ResourceChange,
  { nameless, namespaces }: Snapshot,
  missing: readonly KindName[],
): readonly Note[] {
  const { address, type, change: what } = change;
  const kind = KINDS[type];
  const note = (message: string): Note => ({ address, kind: 'not-in-snapshot', message });
  if (what.actions[0] === 'delete' && missing.includes(ORDERED.name) && isRoutedTo(type))
    return [note(`the snapshot has no ${ORDERED.noun.many}, so it is unknown whether one leads to it`)];
  if (change.id !== null) return [];
  const hidden = nameless[type] ?? 0;
  const key = keyOf(address);
  const namespace = kind.namespace?.({ key, spec: what.after ?? {} }) ?? null;
  return [
    ...(hidden === 0
      ? []
      : [
          note(
            `the snapshot has ${hidden} ${hidden === 1 ? kind.noun.one : kind.noun.many} without a name: if this is one of them, it exists already, and is adopted`,
          ),
        ]),
    ...(namespace === null || namespaces.includes(namespace)
      ? []
      : [note(`the snapshot does not include the client \`${namespace}\`: it may exist already`)]),
  ];
}

function isRoutedTo(kind: KindName): boolean {
  return Object.values(ORDERED.fields).some(({ references }) => references?.kind === kind);
}
