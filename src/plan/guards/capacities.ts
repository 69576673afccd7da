// Drafts and the live objects in; creates that the license has no room for out, before anything is sent. Specification: "Limits".

import type { Diagnostic, KindName, Live } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Limits } from '../../kinds/limits.ts';
import type { Draft } from '../draft.ts';
import { diagnostic } from '../problems.ts';

/** The namespace of one object; null is the license itself. */
type Holder = string | null;

/**
 * New objects are made before old ones are deleted (or beside them), so there has to be room for both at once: a create that is refused in the
 * middle of an apply would leave a list of rules that nobody wrote.
 */
export function overfull(drafts: readonly Draft[], live: Live, limits: Limits): readonly Diagnostic[] {
  const growing = new Set(drafts.flatMap(({ kind, verb }) => (verb === 'create' ? [kind] : [])));
  return Object.values(KINDS).flatMap((kind): readonly Diagnostic[] => {
    if (kind.capacity === undefined || !growing.has(kind)) return [];
    const own = drafts.filter((made) => made.kind === kind);
    const created = own.filter(({ verb }) => verb === 'create');
    const holders = new Set(created.map((made) => holderOf(kind, made)));
    return [...holders].flatMap((holder) => full(kind, holder, own, live.objects[kind.name] ?? [], limits));
  });
}

function holderOf(kind: Kind, { resource, desired }: Draft): Holder {
  if (kind.capacity?.per !== 'namespace' || resource === null) return null;
  return kind.namespace?.({ key: resource.key, spec: desired ?? {} }) ?? null;
}

function full(
  kind: Kind,
  holder: Holder,
  drafts: readonly Draft[],
  objects: NonNullable<Live['objects'][KindName]>,
  limits: Limits,
): readonly Diagnostic[] {
  if (kind.capacity === undefined) return [];
  const isHere = (made: Draft): boolean =>
    holder === null || (made.object === null ? holderOf(kind, made) === holder : holds(kind, holder, made.object));
  const here = drafts.filter(isHere);
  const present = objects.filter((object) => holder === null || holds(kind, holder, object)).length;
  const created = here.filter(({ verb }) => verb === 'create');
  const most = limits[kind.capacity.limit];
  const first = created[Math.max(0, most - present)];
  if (first === undefined) return [];
  const declared = here.filter(
    ({ resource, object, verb }) => resource !== null && (object !== null || verb === 'create'),
  );
  const total = present + created.length - here.filter(({ verb }) => verb === 'delete').length;
  const name = holder === null ? 'the license' : `\`${holder}\``;
  const raise = `unless \`limits: { ${kind.capacity.limit} }\` in chatform.yaml says more`;
  return total > most
    ? [
        diagnostic(
          first,
          'too-many',
          `${name} would have ${total} ${kind.noun.many}, ${total - declared.length} of them undeclared, and can have ${most}`,
          `remove ${total - most} of them, ${raise}`,
        ),
      ]
    : [
        diagnostic(
          first,
          'too-many',
          `${name} has ${present} ${kind.noun.many} and can have ${most}: there is no room for new ones before old ones are deleted`,
          `apply first without what is new, then with it, ${raise}`,
        ),
      ];
}

function holds(
  kind: Kind,
  holder: string,
  { id, spec }: { readonly id: string | number; readonly spec: Draft['live'] },
) {
  return kind.namespace?.({ key: String(id), spec: spec ?? {} }) === holder;
}
