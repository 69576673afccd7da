// Why an undeclared object stays: whose it is, what the user decided, and which other target writes it.

import { equalJson } from '../base/json.ts';
import type { Address, KindName, LiveObject, Spec, Version } from '../base/model.ts';
import { LICENSE_API } from '../kinds/actions.ts';
import { KINDS } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { splitName } from '../kinds/namespaced.ts';
import { leastScopes, neededScopes } from '../service/scopes.ts';
import type { Stays } from './binding/undeclared.ts';
import { formerAddress } from './reference.ts';

export interface PruneOptions {
  readonly version: Version;
  /** What `--only` and `--except` select. */
  readonly selects: (address: Address) => boolean;
  readonly protects: (address: Address) => boolean;
  /** Whether it is the agent whose token the run uses. */
  readonly isOwn: (object: LiveObject) => boolean;
  readonly prune: (kind: KindName) => 'owned' | 'none' | 'all';
  /** Further reasons to stay, such as those of a destroy. */
  readonly keeps: Stays;
  /** The target that writes shared objects of an owner client; null where it is this one. */
  readonly writerOf: (namespace: string) => string | null;
}

/** Returns why an undeclared object stays although it is owned or its kind is complete; null when it goes. */
export function stays(object: LiveObject, address: Address, options: PruneOptions): string | null {
  const reason = staysAnyway(object, address, options);
  if (reason !== null) return reason;
  if (isFormerOf(KINDS[object.kind], address, object)) return null;
  if (options.prune(object.kind) === 'none')
    return `${KINDS[object.kind].noun.many} are kept, unless \`prune: { ${object.kind}: owned }\` is set${suggestion(object, address, options.version)}`;
  return options.keeps(object, address);
}

/** Returns why an undeclared object stays as it is, whatever `prune` says; null when nothing else keeps it. */
export function staysAnyway(object: LiveObject, address: Address, options: PruneOptions): string | null {
  if (object.facts.owner === true) return 'the owner of the license is never deleted';
  if (options.isOwn(object)) return 'it is the agent of the token';
  if (object.facts.builtin === true) return 'it came with the license';
  if (object.facts.derived === true) return 'it is made by a bot template';
  const kind = KINDS[object.kind];
  const permanent = kind.permanent?.(object) ?? null;
  if (permanent !== null) return permanent;
  const writer = writerIn(kind, { key: String(object.id), spec: object.spec }, options);
  if (writer !== null) return `only target ${writer} writes it`;
  if ([address, ...namesOf(object)].some(options.protects)) return '`protect:` covers it';
  return options.selects(address) ? null : 'it is left out by --only or --except';
}

/** A suggestion for an object that is kept and no longer needed: the declaration that retires it, and the scopes that this needs. */
function suggestion({ kind, id, spec }: LiveObject, address: Address, version: Version): string {
  const { at, retired, transitions } = KINDS[kind];
  if (retired === undefined || Object.entries(retired).every(([field, value]) => equalJson(spec[field] ?? null, value)))
    return '';
  const wishes = Object.entries(retired);
  const fields = wishes.map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  const calls = wishes.flatMap(([field, value]) => transitions?.[field]?.(value, id, version) ?? []);
  const scopes = leastScopes(calls.flatMap(({ action, body }) => neededScopes(LICENSE_API.actions[action], body)));
  const needs = scopes.length === 0 ? '' : `, with a token that has ${scopes.join(' and ')}`;
  return `; to retire it instead, declare \`${at[0]}: { ${splitName(address)[1]}: { ${fields.join(', ')} } }\`${needs}`;
}

/** Names that a user may give to an undeclared object, in addition to its address in a plan. */
export function namesOf({ kind, id, name }: LiveObject): readonly Address[] {
  return [`${kind}/${id}`, `${kind}/${name}`, `${kind}/id/${id}`];
}

/** The target that writes an object; null where it is this one. */
export function writerIn(
  kind: Kind,
  of: { readonly key: string; readonly spec: Spec },
  { writerOf }: Pick<PruneOptions, 'writerOf'>,
): string | null {
  if (kind.shared === undefined) return null;
  const namespace = kind.namespace?.(of) ?? null;
  return namespace === null ? null : writerOf(namespace);
}

export function isFormerOf({ name, replacing }: Kind, address: Address, { id }: LiveObject): boolean {
  return replacing?.overlaps !== undefined && address === formerAddress(name, id);
}
