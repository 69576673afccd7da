// Guards against a lockout: the agent of the token loses rights, or only the owner could administer the license. The API does not say whose a token
// is: a setting does, or the account of a personal access token.

import type { Address, Facts, Live, LiveObject, Spec } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { identityOfId, KIND_NAMES, KINDS, subjectOf } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Draft } from '../draft.ts';
import type { Note, Withheld } from '../plan.ts';
import { aftermath } from '../sent.ts';

/** The agent of the token, by id or by account; null when unknown. */
export type TokenOwner = { readonly id: string } | { readonly account: string } | null;

export function isOwn(own: TokenOwner, { kind, id, facts }: LiveObject): boolean {
  if (own === null || KINDS[kind].standing === undefined) return false;
  return 'id' in own ? identityOfId(kind, id) === identityOfId(kind, own.id) : facts.account === own.account;
}

/** Rights that the agent of a draft loses, as verbs for a message. */
function losses(made: Draft): readonly string[] {
  const { object, kind } = made;
  const after = aftermath(made);
  if (object === null || after === null || kind.standing === undefined) return [];
  const now = kind.standing(object.spec, object.facts);
  const then = kind.standing(after, object.facts);
  return [
    ...(then.rank < now.rank ? ['could do less than now'] : []),
    ...(now.active && !then.active ? ['could no longer log in'] : []),
  ];
}

export function ownAgent(
  drafts: readonly Draft[],
  own: TokenOwner,
  acknowledged: ReadonlySet<string>,
): readonly Withheld[] {
  return drafts.flatMap((made): readonly Withheld[] => {
    const { object, address } = made;
    if (object === null || !isOwn(own, object) || acknowledged.has(subjectOf(address))) return [];
    const lost = losses(made);
    if (lost.length === 0) return [];
    return [
      {
        guard: 'own-agent',
        addresses: [address],
        message: `the token is that of ${address}, who ${lost.join(' and ')}, so nothing with this token might set it right`,
        remedy: `--acknowledge ${address}, if another administrator can set it right`,
      },
    ];
  });
}

/** A misspelled name would protect no agent, without a word. */
export function missedOwn(drafts: readonly Draft[], live: Live, own: TokenOwner): readonly Note[] {
  if (own === null || !('id' in own)) return [];
  return KIND_NAMES.flatMap((kind): readonly Note[] => {
    const objects = live.objects[kind];
    if (KINDS[kind].standing === undefined || objects === undefined) return [];
    const isMade = drafts.some(
      ({ verb, resource }) =>
        resource?.kind === kind &&
        verb === 'create' &&
        identityOfId(kind, resource.id ?? resource.key) === identityOfId(kind, own.id),
    );
    if (isMade || objects.some((object) => isOwn(own, object))) return [];
    const address: Address = `${kind}/${own.id}`;
    const message = `own_agent names no ${KINDS[kind].noun.one} of this license, so none is kept from being locked out; correct it in chatform.yaml`;
    return [{ address, kind: 'own-agent', message }];
  });
}

/** The owner does not count: with the owner as the only administrator, one lost password closes the license. */
export function administers(kind: Kind, spec: Spec | null, facts: Facts): boolean {
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
  // An agent that the plan does not change administers as before.
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
  const open = addresses.filter((address) => !acknowledged.has(subjectOf(address)));
  if (open.length === 0) return [];
  return [
    {
      guard: 'last-administrator',
      addresses: open,
      message: `only the owner could still administer the license; now ${few(addresses)} can`,
      remedy: `keep one administrator who can log in, or ${open.map((address) => `--acknowledge ${address}`).join(' ')}`,
    },
  ];
}
