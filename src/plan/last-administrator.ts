// Drafts and the license in; whether anybody but the owner could still administer it afterwards out.

import { few } from '../few.ts';
import { KIND_NAMES, KINDS } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Facts, Live, Spec } from '../model.ts';
import { aftermath } from './aftermath.ts';
import type { Draft } from './draft.ts';
import type { Withheld } from './plan.ts';

/** The owner does not count: whose only administrator the owner is, one lost password closes. */
function administers(kind: Kind, spec: Spec | null, facts: Facts): boolean {
  if (spec === null || facts.owner === true) return false;
  const standing = kind.standing?.(spec, facts);
  return standing?.administers === true && standing.active;
}

export function lastAdministrator(
  drafts: readonly Draft[],
  live: Live,
  acknowledged: ReadonlySet<string>,
): readonly Withheld[] {
  const drafted = new Map(drafts.map((made) => [made.object, made]));
  const people = KIND_NAMES.filter((name) => KINDS[name].standing !== undefined).flatMap(
    (name) => live.objects[name] ?? [],
  );
  const now = people.filter(({ kind, spec, facts }) => administers(KINDS[kind], spec, facts));
  const stay = now.filter((object) => {
    const made = drafted.get(object);
    return made === undefined || administers(made.kind, aftermath(made), object.facts);
  });
  const come = drafts.filter((made) => administers(made.kind, aftermath(made), made.object?.facts ?? {}));
  if (now.length === 0 || stay.length > 0 || come.length > 0) return [];
  const addresses = now.flatMap((object) => drafted.get(object)?.address ?? []);
  const open = addresses.filter((address) => !acknowledged.has(address));
  if (open.length === 0) return [];
  return [
    {
      guard: 'last-administrator',
      addresses: open,
      message: `nobody but the owner could administer the license any more; now ${few(addresses)} can`,
      remedy: `keep one administrator who can log in, or ${open.map((address) => `--acknowledge ${address}`).join(' ')}`,
    },
  ];
}
