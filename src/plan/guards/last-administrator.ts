// Drafts and the license in; whether anybody but the owner could still administer it afterwards out.

import type { Facts, Live, LiveObject, Spec } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { aftermath } from '../aftermath.ts';
import type { Draft } from '../draft.ts';
import type { Withheld } from '../plan.ts';

/** The owner does not count: whose only administrator the owner is, one lost password closes. */
function administers(kind: Kind, spec: Spec | null, facts: Facts): boolean {
  if (spec === null || facts.owner === true) return false;
  const standing = kind.standing?.(spec, facts);
  return standing?.administers === true && standing.active;
}

function willAdminister(made: Draft): boolean {
  return made.kind.standing !== undefined && administers(made.kind, aftermath(made), made.object?.facts ?? {});
}

export function lastAdministrator(
  drafts: readonly Draft[],
  live: Live,
  acknowledged: ReadonlySet<string>,
): readonly Withheld[] {
  // Who is left alone administers as before.
  const drafted = new Map(drafts.flatMap((made) => (made.verb === 'none' ? [] : [[made.object, made] as const])));
  const people = KIND_NAMES.filter((name) => KINDS[name].standing !== undefined).flatMap(
    (name) => live.objects[name] ?? [],
  );
  const now = people.filter(({ kind, spec, facts }) => administers(KINDS[kind], spec, facts));
  const stays = (object: LiveObject): boolean => {
    const made = drafted.get(object);
    return made === undefined || willAdminister(made);
  };
  if (now.length === 0 || now.some(stays) || drafts.some(willAdminister)) return [];
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
