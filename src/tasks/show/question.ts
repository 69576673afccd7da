// What a person typed after `show` in; what is meant, and which part of the license has to be read for it, out. Asks nobody.

import type { KindName, Version } from '../../base/model.ts';
import { isKind, KIND_NAMES, KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import type { View } from '../../reading/view.ts';

export type Question =
  | { readonly about: 'license' }
  | { readonly about: 'kind'; readonly kind: KindName }
  /** `called` is a key, an id or a name; without a kind, of whatever there is. */
  | { readonly about: 'resource'; readonly kind: KindName | null; readonly called: string };

export function questionOf(text: string | null): Question {
  if (text === null) return { about: 'license' };
  if (isKind(text)) return { about: 'kind', kind: text };
  const [first, rest] = splitName(text);
  return isKind(first) && rest !== ''
    ? { about: 'resource', kind: first, called: rest }
    : { about: 'resource', kind: null, called: text };
}

/** Kinds that can be read there: some are listed only per owner client, and then one has to be known. */
export function readable(version: Version, namespaces: readonly string[]): ReadonlySet<KindName> {
  return new Set(
    KIND_NAMES.filter((name) => {
      const { versions, namespace } = KINDS[name];
      return versions.includes(version) && (namespace === undefined || namespaces.length > 0);
    }),
  );
}

/** Kinds that one refers to: what is declared can be recognised only beside them. */
function beside(kind: KindName): readonly KindName[] {
  const { fields, parents } = KINDS[kind];
  const pointed = Object.values(fields).flatMap(({ references }) =>
    references === undefined ? [] : [references.kind],
  );
  return [...pointed, ...(parents === undefined ? [] : [MEMBERSHIP.right.kind.name])];
}

/** `usual` is what a plan would look at: its names tell what is declared. */
export function viewFor(question: Question, usual: View, version: Version): View {
  const there = readable(version, usual.namespaces);
  const wanted = new Map(usual.wanted);
  const chosen = question.about === 'kind' ? [question.kind, ...beside(question.kind)] : [...there];
  const kinds = new Set(chosen.filter((kind) => there.has(kind)));
  const detailed = question.about === 'license' ? new Set<KindName>() : kinds;
  const fields = new Map(
    [...kinds].map((kind) => [
      kind,
      detailed.has(kind) ? new Set(Object.keys(KINDS[kind].fields)) : (usual.fields.get(kind) ?? new Set<string>()),
    ]),
  );
  if (question.about === 'resource') {
    for (const kind of kinds) {
      const known = wanted.get(kind) ?? { ids: new Set(), names: new Set() };
      if (known === 'all') continue;
      wanted.set(kind, {
        ids: new Set([...known.ids, question.called]),
        names: new Set([...known.names, question.called]),
      });
    }
  }
  return { kinds, fields, wanted, namespaces: usual.namespaces, losing: new Set(), complete: new Set() };
}
