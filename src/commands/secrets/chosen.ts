// Addresses and a ledger in; the objects they mean and how each is reset, out. Reads the license only for an owner client that nobody wrote down.

import type { Rotation } from '../../apply/rotate.ts';
import { UsageError } from '../../base/errors.ts';
import type { Address, KindName, LedgerState, ObjectId, Version } from '../../base/model.ts';
import { rightNames } from '../../base/nearest.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import type { Kind, SecretReset } from '../../kinds/kind.ts';
import { covers } from '../../plan/select.ts';
import { type Ask, fetchLive } from '../../reading/live.ts';
import type { Credential } from '../../service/credential.ts';

/** An object of ours that has a secret. */
export interface Chosen {
  readonly address: Address;
  readonly id: ObjectId;
  readonly kind: Kind;
  readonly reset: SecretReset;
}

/** @throws UsageError for a glob that covers nothing with a secret, which names what there is */
export function choose(globs: readonly string[], { bindings }: LedgerState, version: Version): readonly Chosen[] {
  const all = [...bindings].flatMap(([address, { id }]): readonly Chosen[] => {
    const kind = KINDS[kindOf(address)];
    return kind.secret === undefined ? [] : [{ address, id, kind, reset: kind.secret.reset }];
  });
  for (const glob of globs) {
    const isMeant = covers([glob]);
    if (all.some(({ address }) => isMeant(address))) continue;
    const other = [...bindings.keys()].find(isMeant);
    if (other !== undefined) throw new UsageError(`${other} has no secret: ${holders()} have one`);
    const names = all.map(({ address }) => address);
    throw new UsageError(
      names.length === 0
        ? `${glob} is not ours, and neither is anything else that has a secret: apply it first`
        : `${glob} is not ours, so its id is not known; ${rightNames(glob, names)}`,
    );
  }
  const isMeant = covers(globs);
  const chosen = all.filter(({ address }) => isMeant(address)).sort((a, b) => (a.address < b.address ? -1 : 1));
  const untold = chosen.find(({ kind }) => kind.secret?.versions.includes(version) !== true);
  if (untold !== undefined)
    throw new UsageError(
      `version ${version} of the service knows no secret of a ${untold.kind.noun.one}: set \`api_version\` to ${untold.kind.secret?.versions.join(' or ')}`,
    );
  return chosen;
}

function holders(): string {
  const kinds = Object.values(KINDS).filter(({ secret }) => secret !== undefined);
  return kinds.map(({ noun }) => noun.many).join(' and ');
}

export interface Owners {
  readonly ledger: LedgerState;
  readonly credential: Credential['kind'];
  readonly clients: readonly string[];
  readonly ask: Ask;
  readonly version: Version;
}

/** @throws UsageError when an owner client has to be named and is not known, or there are no installations to reach */
export async function rotationsOf(
  chosen: readonly Chosen[],
  installations: boolean,
  owners: Owners,
): Promise<readonly Rotation[]> {
  const without = chosen.find(({ reset }) => installations && reset.installations !== true);
  if (without !== undefined)
    throw new UsageError(
      `--existing-installations: nothing is installed from ${without.address}, it has one secret; leave the flag out`,
    );
  return Promise.all(
    chosen.map(async (one) => {
      const { address, id, reset } = one;
      const owner = reset.owner.isNeeded(owners.credential) ? await ownerOf(one, owners) : null;
      return { address, id, call: reset.call(id, { owner, installations }), of: reset.of };
    }),
  );
}

async function ownerOf({ address, id, kind, reset }: Chosen, owners: Owners): Promise<string> {
  const { field } = reset.owner;
  const written = owners.ledger.applied.get(address)?.spec[field];
  if (typeof written === 'string') return written;
  const of = <T>(value: T): ReadonlyMap<KindName, T> => new Map([[kind.name, value]]);
  const view = {
    kinds: new Set([kind.name]),
    fields: of(new Set([field])),
    namespaces: owners.clients,
    wanted: of({ ids: new Set([id]), names: new Set<string>() }),
    losing: new Set<KindName>(),
    complete: new Set<KindName>(),
  };
  const { objects } = await fetchLive(owners.ask, view, owners.version);
  const read = objects[kind.name]?.find((object) => object.id === id)?.spec[field];
  if (typeof read === 'string') return read;
  throw new UsageError(
    `the owner client of ${address} is not known: declare its \`${field}\` and apply, or name the client under \`clients\` in chatform.yaml`,
  );
}
