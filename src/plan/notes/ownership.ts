// Notes on what the ledger owns: what a cut-off run left, what was never owned, what is adopted in place of another, and what is probably the same.

import { groupedBy } from '../../base/grouped.ts';
import type { Address, LedgerState, Live, SecretState, Version } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { clear } from '../../base/text.ts';
import { lookOf } from '../../base/unseen.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import { hasSecret, type Kind, secretField } from '../../kinds/kind.ts';
import type { Bindings } from '../binding/bind.ts';
import type { Recovered } from '../binding/recover.ts';
import type { Draft, DraftOptions } from '../draft.ts';
import type { Note } from '../plan.ts';
import { probableRename } from '../renames.ts';

/** Notes on objects that an interrupted run made and did not record. */
export function recoveredNotes(recovered: readonly Recovered[]): readonly Note[] {
  return recovered.map(({ address, id }) => ({
    address,
    kind: 'recovered',
    message: `created as ${id} by a run that was cut off, so it is owned and is not created again`,
  }));
}

/** An object whose create carries its secret is made again where the secret is lost, which the plan shows as a change. */
export function secretNotes(secrets: LedgerState['secrets'], { bound }: Bindings): readonly Note[] {
  return [...secrets].flatMap(([address, state]): readonly Note[] =>
    bound.has(address) && state !== 'kept' && !(state === 'lost' && secretField(KINDS[kindOf(address)]) !== null)
      ? [{ address, kind: 'secret-lost', message: whereSecretIs(address, state) }]
      : [],
  );
}

function whereSecretIs(address: Address, state: Exclude<SecretState, 'kept'>): string {
  return state === 'rescued'
    ? 'its secret is in a rescue file and not yet in the sink'
    : `its secret is lost; \`chatform secrets rotate ${address}\` makes a new one`;
}

/** Notes on objects that were never owned, on adoptions in place of lost objects, and on probable renames. */
export function ownershipNotes(drafts: readonly Draft[], bindings: Bindings, options: DraftOptions): readonly Note[] {
  const comingOrGoing = drafts.filter(({ verb }) => verb === 'create' || verb === 'delete');
  return [
    ...drafts.filter(({ neverOwned, rival }) => neverOwned && rival === null).map(neverOwnedNote),
    ...drafts.flatMap((made) => rebindingNote(made, bindings, options.version)),
    ...Object.values(KINDS).flatMap((kind) => renameNote(kind, comingOrGoing, options)),
  ];
}

function neverOwnedNote({ address, kind }: Draft): Note {
  const message = `it was never owned; \`prune: { ${kind.name}: all }\` deletes what is not declared, unless \`protect:\` names it`;
  return { address, kind: 'never-owned', message };
}

/** An object that was deleted and created again by hand. Only a natural key recognises it, and what refers to the old id does not follow. */
function rebindingNote(made: Draft, bindings: Bindings, version: Version): readonly Note[] {
  const { address, kind, object, lost, adopting } = made;
  if (!adopting || object === null || lost === null) return [];
  const recognisedBy = bindings.bound.get(address)?.recognisedBy ?? null;
  // A key that is the whole identity names the same object again.
  if (recognisedBy === null || kind.id === undefined) return [];
  const secret = hasSecret(kind, version) ? ', and the stored secret belongs to the old one: reset it' : '';
  const message = `${kind.noun.one} ${lost} is gone; ${kind.noun.one} ${object.id} is adopted in its place, known by ${recognisedBy}. What points at ${lost} and is not declared does not follow${secret}`;
  return [{ address, kind: 'rebinding', message }];
}

/** How the manifest keeps an object that is probably renamed. Of a kind that the service renames nothing of, a guard speaks. */
function renameNote(kind: Kind, drafts: readonly Draft[], options: DraftOptions): readonly Note[] {
  const pair = kind.soleSpelling === undefined ? probableRename(kind, drafts, options) : null;
  if (pair === null) return [];
  const [from, to] = [pair.gone.address, pair.fresh.address];
  const secret = secretField(kind);
  // Another URL is another webhook, whatever its key: a rename keeps a secret that chatform made, and nothing else.
  if (secret !== null && pair.fresh.desired?.[secret] !== undefined) return [];
  const whole = hasSecret(kind, options.version) ? 'the object, its id and its secret' : 'the object and its id';
  const kept = secret === null ? whole : 'its secret';
  const message = `is it ${to} now? Then \`moved: [{ from: ${from}, to: ${to} }]\` keeps ${kept}`;
  return [{ address: from, kind: 'rename', message }];
}

/** Notes on objects that are made next to one that people take for the same, live or new: its name, or what else it is known by, looks equal. */
export function secondNotes(drafts: readonly Draft[], { objects }: Live, { idOf }: Bindings): readonly Note[] {
  const going = new Set(drafts.flatMap(({ verb, object }) => (verb === 'delete' ? [object] : [])));
  const likeIn = oncePer(({ naturalKeys, name }: Kind) => {
    const staying = (objects[name] ?? []).filter((object) => !going.has(object));
    return naturalKeys.map(({ ofLive }) => groupedBy(staying, (object) => lookOf(ofLive(object) ?? '')));
  });
  const made = new Map<string, { readonly own: string; readonly address: Address }>();
  return drafts.flatMap(({ verb, kind, resource, address }): readonly Note[] => {
    if (verb !== 'create' || resource === null || kind.choosesId === true) return [];
    for (const [level, key] of kind.naturalKeys.entries()) {
      const own = key.ofDesired(resource, idOf);
      if (own === null) continue;
      const look = lookOf(own);
      const other = likeIn(kind)
        [level]?.get(look)
        ?.find((object) => key.ofLive(object) !== own);
      const first = made.get(`${kind.name} ${level} ${look}`) ?? { own, address };
      made.set(`${kind.name} ${level} ${look}`, first);
      if (other === undefined && first.own === own) continue;
      const remedy = kind.id === undefined ? 'use that key' : `add \`id: ${other?.id}\``;
      const message =
        other === undefined
          ? `it differs only in capitals or blanks from ${first.address}, which is made as well; if they are the same, keep one of them`
          : `the license has the ${kind.noun.one} ${clear(other.name)}, which differs only in capitals or blanks, and a second one is made; if they are the same, ${remedy}`;
      return [{ address, kind: 'second', message }];
    }
    return [];
  });
}

/** Says that an object is gone, and where a list may hide it, when it is not. */
export function goneText({ kind, lost }: Draft): string {
  const text = `${kind.noun.one} ${lost} is gone from the license`;
  return kind.hidden === undefined ? text : `${text}, ${kind.hidden}`;
}
