// Notes on ownership: objects that were never owned, adoptions in place of lost objects, and probable renames.

import { equalJson } from '../base/json.ts';
import type { Spec, Version } from '../base/model.ts';
import { isMembership, KINDS } from '../kinds/index.ts';
import { hasSecret, type Kind } from '../kinds/kind.ts';
import type { Bindings } from './binding/bind.ts';
import { diffFields } from './diff.ts';
import type { Draft, DraftOptions } from './draft.ts';
import type { Note } from './plan.ts';

export function ownershipNotes(drafts: readonly Draft[], bindings: Bindings, options: DraftOptions): readonly Note[] {
  const comingOrGoing = drafts.filter(({ verb }) => verb === 'create' || verb === 'delete');
  return [
    ...drafts.filter(({ neverOwned }) => neverOwned).map(neverOwnedNote),
    ...drafts.flatMap((made) => rebindingNote(made, bindings, options.version)),
    ...Object.values(KINDS).flatMap((kind) => renameNote(kind, comingOrGoing, options)),
  ];
}

function neverOwnedNote({ address, kind }: Draft): Note {
  const message = `it was never ours; \`prune: { ${kind.name}: all }\` deletes what is not declared, unless \`protect:\` names it`;
  return { address, kind: 'stranger', message };
}

/**
 * An object that was deleted and created again by hand. Only a natural key recognises it, and what refers to the old id
 * does not follow.
 */
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

/**
 * One object goes, one comes, and they are equal except for the name. With more than one of either it would be a guess.
 */
function renameNote(kind: Kind, drafts: readonly Draft[], options: DraftOptions): readonly Note[] {
  const own = drafts.filter((made) => made.kind === kind);
  const [gone, ...others] = own.filter(({ verb, neverOwned }) => verb === 'delete' && !neverOwned);
  const [fresh, ...more] = own.filter(({ verb, lost }) => verb === 'create' && lost === null);
  if (gone === undefined || fresh === undefined || others.length + more.length > 0) return [];
  if (!isRenamed(gone, fresh, options)) return [];
  const [from, to] = [gone.address, fresh.address];
  const kept = hasSecret(kind, options.version) ? 'the object, its id and its secret' : 'the object and its id';
  const message = `is it ${to} now? Then \`moved: [{ from: ${from}, to: ${to} }]\` keeps ${kept}`;
  return [{ address: from, kind: 'rename', message }];
}

/** Whether fields other than the name and the required ones are declared, and none of them differs or is unknown. */
function isRenamed({ address, kind, object, live }: Draft, { desired }: Draft, options: DraftOptions): boolean {
  const [name] = kind.unique ?? [];
  if (name === undefined || object === null || live === null || desired === null) return false;
  const declared: Spec = Object.fromEntries(
    Object.entries(desired).filter(([field]) => field !== name && kind.fields[field]?.option !== true),
  );
  const evidence = Object.keys(declared).filter((field) => !kind.required.includes(field));
  const edges = Object.keys(declared).filter((field) => isMembership(kind.name, field));
  const last = { applied: options.applied.get(address) ?? null, complete: false };
  return (
    evidence.length > 0 &&
    edges.every((field) => equalJson(live[field] ?? {}, declared[field] ?? {})) &&
    diffFields(kind, declared, object, live, last, options).length === 0
  );
}
