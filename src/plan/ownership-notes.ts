// Drafts and bindings in; what a person should know about whose an object is, and about what goes with it, out.

import { equalJson } from '../base/json.ts';
import type { Spec, Version } from '../base/model.ts';
import { isMembership, KINDS } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Bindings } from './binding/bind.ts';
import { diffFields } from './diff.ts';
import type { Draft, DraftOptions } from './draft.ts';
import type { Note } from './plan.ts';

export function ownershipNotes(drafts: readonly Draft[], bindings: Bindings, options: DraftOptions): readonly Note[] {
  const comingOrGoing = drafts.filter(({ verb }) => verb === 'create' || verb === 'delete');
  return [
    ...drafts.filter(({ foreign }) => foreign).map(intruderNote),
    ...drafts.flatMap((made) => rebindingNote(made, bindings, options.version)),
    ...Object.values(KINDS).flatMap((kind) => renameNote(kind, comingOrGoing, options)),
  ];
}

function intruderNote({ address, kind }: Draft): Note {
  const message = `it was never ours; \`prune: { ${kind.name}: all }\` deletes what is not declared, unless \`protect:\` names it`;
  return { address, kind: 'stranger', message };
}

/** An object that was deleted and made again by hand: known by its looks alone, and new to everything that knew the old one. */
function rebindingNote(made: Draft, bindings: Bindings, version: Version): readonly Note[] {
  const { address, kind, object, lost, adopting } = made;
  if (!adopting || object === null || lost === null) return [];
  const recognisedBy = bindings.bound.get(address)?.recognisedBy ?? null;
  // A key that is the whole identity names the same thing again.
  if (recognisedBy === null || kind.id === undefined) return [];
  const secret = hasSecret(kind, version) ? ', and the secret that is kept is not its own: have it reset' : '';
  const message = `${kind.noun.one} ${lost} is gone; ${kind.noun.one} ${object.id} is adopted in its place, known by ${recognisedBy}. What points at ${lost} and is not declared does not follow${secret}`;
  return [{ address, kind: 'rebinding', message }];
}

/** One goes and one comes, and but for the name they are the same: more than one of either would be guessing. */
function renameNote(kind: Kind, drafts: readonly Draft[], options: DraftOptions): readonly Note[] {
  const own = drafts.filter((made) => made.kind === kind);
  const [gone, ...others] = own.filter(({ verb, foreign }) => verb === 'delete' && !foreign);
  const [fresh, ...more] = own.filter(({ verb, lost }) => verb === 'create' && lost === null);
  if (gone === undefined || fresh === undefined || others.length + more.length > 0) return [];
  if (!isRenamed(gone, fresh, options)) return [];
  const [from, to] = [gone.address, fresh.address];
  const kept = hasSecret(kind, options.version) ? 'the object, its id and its secret' : 'the object and its id';
  const message = `is it ${to} now? Then \`moved: [{ from: ${from}, to: ${to} }]\` keeps ${kept}`;
  return [{ address: from, kind: 'rename', message }];
}

/** Something beside the name and what every object must have is declared, and nothing of it differs, or is unknown. */
function isRenamed({ address, kind, object, live }: Draft, { desired }: Draft, options: DraftOptions): boolean {
  const [name] = kind.unique ?? [];
  if (name === undefined || object === null || live === null || desired === null) return false;
  const told: Spec = Object.fromEntries(
    Object.entries(desired).filter(([field]) => field !== name && kind.fields[field]?.option !== true),
  );
  const evidence = Object.keys(told).filter((field) => !kind.required.includes(field));
  const edges = Object.keys(told).filter((field) => isMembership(kind.name, field));
  const sure = { applied: options.applied.get(address) ?? null, complete: false };
  return (
    evidence.length > 0 &&
    edges.every((field) => equalJson(live[field] ?? {}, told[field] ?? {})) &&
    diffFields(kind, told, object, live, sure, options).length === 0
  );
}

function hasSecret({ secret }: Kind, version: Version): boolean {
  return secret?.versions.includes(version) === true;
}
