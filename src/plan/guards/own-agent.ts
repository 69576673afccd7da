// Who the token belongs to in; what keeps a run from taking its own rights away out. The API does not say whose a token is: a setting does, or the
// account that a personal access token is sent with.

import type { Address, Live, LiveObject } from '../../base/model.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import { aftermath } from '../aftermath.ts';
import type { Draft } from '../draft.ts';
import type { Note, Withheld } from '../plan.ts';

/** How the token's own agent is told from the others; null when nothing says whose the token is. */
export type Own = { readonly id: string } | { readonly account: string } | null;

export function isOwn(own: Own, { kind, id, facts }: LiveObject): boolean {
  if (own === null || KINDS[kind].standing === undefined) return false;
  return 'id' in own ? String(id) === own.id : facts.account === own.account;
}

/** Fields by which somebody loses rights, or the way in; empty when nothing is lost. */
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

export function ownAgent(drafts: readonly Draft[], own: Own, acknowledged: ReadonlySet<string>): readonly Withheld[] {
  return drafts.flatMap((made): readonly Withheld[] => {
    const { object, address } = made;
    if (object === null || !isOwn(own, object) || acknowledged.has(address)) return [];
    const lost = losses(made);
    if (lost.length === 0) return [];
    return [
      {
        guard: 'own-agent',
        addresses: [address],
        message: `the token is that of ${address}, who ${lost.join(' and ')}, so nothing with this token might set it right`,
        remedy: `--acknowledge ${address}, if somebody else can set it right`,
      },
    ];
  });
}

/** A misspelt name would protect nobody, in silence. */
export function missedOwn(drafts: readonly Draft[], live: Live, own: Own): readonly Note[] {
  if (own === null || !('id' in own)) return [];
  return KIND_NAMES.flatMap((kind): readonly Note[] => {
    const objects = live.objects[kind];
    if (KINDS[kind].standing === undefined || objects === undefined) return [];
    const isMade = drafts.some(
      ({ verb, resource }) =>
        resource?.kind === kind && verb === 'create' && String(resource.id ?? resource.key) === own.id,
    );
    if (isMade || objects.some((object) => isOwn(own, object))) return [];
    const address: Address = `${kind}/${own.id}`;
    const message = `own_agent names no ${KINDS[kind].noun.one} of this license, so none is kept from being locked out; correct it in chatform.yaml`;
    return [{ address, kind: 'own-agent', message }];
  });
}
