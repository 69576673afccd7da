// Argument of `show`: what it asks about, the part of the license to read for it, and the resource that it means.

import type { DesiredResource, KindName, Version } from '../../base/model.ts';
import { nearest } from '../../base/nearest.ts';
import { personOf } from '../../base/person.ts';
import { inNfc } from '../../base/text.ts';
import { lookOf } from '../../base/unseen.ts';
import { KIND_NAMES, KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { type LicenseReading, listsOf } from '../../license/reading/view.ts';
import { STAFFING } from '../../routing/staff/placed.ts';
import type { ShownObject } from './schema.ts';

export type ShowQuestion =
  | { readonly about: 'license' }
  | { readonly about: 'members' }
  | { readonly about: 'kind'; readonly kind: KindName }
  /** `called` is a key, an id or a name; `kind` is null for an object of any kind. */
  | { readonly about: 'resource'; readonly kind: KindName | null; readonly called: string };

export function questionOf(asked: string | null): ShowQuestion {
  if (asked === null) return { about: 'license' };
  const text = inNfc(asked);
  if (text === MEMBERS) return { about: 'members' };
  const kind = kindCalled(text);
  if (kind !== null) return { about: 'kind', kind };
  const [first, rest] = splitName(text);
  const of = kindCalled(first);
  return of !== null && rest !== ''
    ? { about: 'resource', kind: of, called: rest }
    : { about: 'resource', kind: null, called: text };
}

const MEMBERS = 'members';

/** The kind of this name, singular or plural: `group`, `groups`, `bot-templates`, `rules`. */
function kindCalled(text: string): KindName | null {
  const called = text.replaceAll('-', '_');
  return KIND_NAMES.find((name) => namesOf(name).includes(called)) ?? null;
}

function namesOf(name: KindName): readonly string[] {
  const { one, many } = KINDS[name].noun;
  const plural = name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
  return [name, plural, ...[one, many].map((noun) => noun.replaceAll(' ', '_'))];
}

/** Kinds that can be read: some are listed only per owner client, and need a known client. */
export function readable(version: Version, namespaces: readonly string[]): ReadonlySet<KindName> {
  return new Set(
    KIND_NAMES.filter((name) => {
      const { versions, namespace } = KINDS[name];
      return versions.includes(version) && (namespace === undefined || namespaces.length > 0);
    }),
  );
}

/** Kinds that a kind refers to: without them, declared objects cannot be recognised. */
function referredBy(kind: KindName): readonly KindName[] {
  const { fields, parents } = KINDS[kind];
  const pointed = Object.values(fields).flatMap(({ references }) =>
    references === undefined ? [] : [references.kind],
  );
  return [...pointed, ...(parents === undefined ? [] : [MEMBERSHIP.right.kind.name])];
}

/** The view for a question. `usual` is the view of a plan. */
export function viewFor(question: ShowQuestion, usual: LicenseReading, version: Version): LicenseReading {
  if (question.about === 'members') return membersView(usual);
  const there = readable(version, usual.namespaces);
  const wanted = new Map(usual.wanted);
  const chosen = question.about === 'kind' ? [question.kind, ...referredBy(question.kind)] : [...there];
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
      const known = wanted.get(kind) ?? { ids: new Set(), looks: new Set() };
      if (known === 'all') continue;
      wanted.set(kind, {
        ids: new Set([...known.ids, question.called]),
        looks: new Set([...known.looks, lookOf(question.called)]),
      });
    }
  }
  return listsOf(kinds, { fields, wanted, namespaces: usual.namespaces });
}

/**
 * Agents, bots and groups, with the fields that say who is in which group, and those by which they are recognised. Hours may cost a request each, and
 * which bots a template made costs one for each client.
 */
function membersView({ fields, wanted }: LicenseReading): LicenseReading {
  const asked = [...STAFFING].map(([name, { kind, fields: staffing }]): readonly [KindName, ReadonlySet<string>] => {
    const known = (kind.identity ?? []).filter((field) => fields.get(name)?.has(field) === true);
    return [name, new Set([...staffing, ...known].filter((field) => field !== kind.serving?.hours))];
  });
  return listsOf(STAFFING.keys(), { fields: new Map(asked), wanted });
}

type ResourceQuestion = Extract<ShowQuestion, { readonly about: 'resource' }>;

function keyOf({ address }: Pick<ShownObject, 'address'>): string {
  return splitName(address)[1];
}

/** The resource that the question means, by key, then id, then name: a key may look like an id. Without an entry, `refusal` says why. */
export function find(
  asked: ResourceQuestion,
  entries: readonly ShownObject[],
  declared: readonly DesiredResource[],
): { readonly entry: ShownObject } | { readonly entry: null; readonly refusal: string; readonly isAbsent: boolean } {
  const { kind, called } = asked;
  const candidates = entries.filter(({ type }) => kind === null || type === kind);
  const person = personOf(called);
  const ways: readonly ((entry: ShownObject) => boolean)[] = [
    (entry) => keyOf(entry) === called,
    ({ id }) => String(id) === called,
    ({ type, id }) => KINDS[type].choosesId === true && personOf(String(id)) === person,
    ({ name }) => name === called,
  ];
  for (const isMeant of ways) {
    const [first, ...others] = candidates.filter(isMeant);
    if (first === undefined) continue;
    if (others.length === 0) return { entry: first };
    const all = [first, ...others].map(({ address, type, id }) =>
      address === `${type}/${id}` ? address : `${address} (${id})`,
    );
    return { entry: null, refusal: `${called} could be any of ${all.join(', ')}: say which one`, isAbsent: false };
  }
  return { entry: null, refusal: refusalOf(asked, candidates, declared), isAbsent: true };
}

function refusalOf(
  { kind, called }: ResourceQuestion,
  candidates: readonly ShownObject[],
  declared: readonly DesiredResource[],
): string {
  const noun = kind === null ? 'resource' : KINDS[kind].noun.one;
  const missing = declared.find((resource) => (kind === null || resource.kind === kind) && resource.key === called);
  if (missing !== undefined) {
    const { file, line } = missing.place;
    return `${missing.address} is declared (${file}:${line}), and not on the license; \`chatform plan\` says what an apply would do`;
  }
  const kinds = KIND_NAMES.flatMap((name) =>
    namesOf(name).map((each) => [each, namesOf(name).at(-1) ?? name] as const),
  );
  const names = new Map<string, string>(kind === null ? [...kinds, [MEMBERS, MEMBERS]] : []);
  for (const entry of candidates) {
    for (const name of [entry.name, String(entry.id), keyOf(entry), entry.address]) names.set(name, entry.address);
  }
  const near = nearest(called, [...names.keys()]);
  // A first name begins several names of one person.
  const meant = near === null ? nearest(called, [...new Set(names.values())]) : names.get(near);
  const hint =
    meant === null
      ? `\`chatform show${kind === null ? '' : ` ${kind}`}\` lists what there is`
      : `did you mean ${meant}?`;
  return `there is no ${noun} ${called} on the license; ${hint}`;
}
