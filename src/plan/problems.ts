// Problems that would make an apply fail halfway, found before anything is sent.

import type { Address, Diagnostic, KindName, Live, LiveObject, Spec, Version } from '../base/model.ts';
import { clear } from '../base/text.ts';
import { limitedFields, referencesOf } from '../kinds/fields.ts';
import { KINDS } from '../kinds/index.ts';
import type { Kind, Maker, Report } from '../kinds/kind.ts';
import { type KindLimits, sizeOf } from '../kinds/limits.ts';
import type { Bindings } from './binding/bind.ts';
import { problem } from './binding/claims.ts';
import type { VersionLimits } from './diff.ts';
import type { Draft } from './draft.ts';
import type { Step } from './plan.ts';
import { type PruneOptions, staysAnyway } from './pruning.ts';
import { sent } from './sent.ts';

/** A create that lacks a field that the service requires. */
export function missingFields(drafts: readonly Draft[]): readonly Diagnostic[] {
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb !== 'create') return [];
    const undeclared = made.kind.required.filter((field) => made.desired?.[field] === undefined);
    if (undeclared.length === 0) return [];
    const given = sent(made);
    const missing = undeclared.filter((field) => given[field] === undefined);
    if (missing.length === 0) return [];
    const names = missing.map((field) => `\`${field}\``).join(' and ');
    const message = `${made.address} does not exist yet, and creating it needs ${names}`;
    return [diagnostic(made, 'missing-field', message, `add ${names}`)];
  });
}

/** A value that only an update accepts. A create with a smaller value would need a second apply. */
export function oversized(drafts: readonly Draft[], { version, limits }: VersionLimits): readonly Diagnostic[] {
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb !== 'create') return [];
    return limitedFields(made.kind).flatMap(({ name, limit }): readonly Diagnostic[] => {
      if (sizeOf(made.desired?.[name]) <= limits[limit.create]) return [];
      const most = limits[limit.create];
      const message = `${made.address} does not exist yet, and ${version} creates it with a \`${name}\` of at most ${most}`;
      const remedy = `declare ${most} until it exists, or more under \`limits: { ${limit.create} }\` in chatform.yaml`;
      return [diagnostic(made, 'out-of-range', message, remedy)];
    });
  });
}

/** A create that this version or this credential does not allow. */
export function refusedCreates(drafts: readonly Draft[], steps: readonly Step[], maker: Maker): readonly Diagnostic[] {
  if (steps.length === 0) return [];
  const draftAt = new Map<Address | null, Draft>(drafts.map((made) => [made.address, made]));
  return steps.flatMap((step): readonly Diagnostic[] => {
    if (step.operation !== 'create') return [];
    const made = draftAt.get(step.address);
    const refusal = KINDS[step.type].creatable?.(step.fields, maker) ?? null;
    if (made === undefined || refusal === null) return [];
    const message = `${made.address} does not exist yet: ${refusal.message}`;
    return [diagnostic(made, refusal.code, message, refusal.remedy ?? 'change it')];
  });
}

/** A replacement whose create would be refused, or that an `id:` contradicts: the object would be deleted and not found again. */
export function refusedAgain(drafts: readonly Draft[], version: Version): readonly Diagnostic[] {
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb !== 'replace' || made.resource === null) return [];
    const findings: Diagnostic[] = [];
    if (made.resource.id !== null) {
      const asked = `\`id: ${made.resource.id}\` asks for the ${made.kind.noun.one} that would be deleted`;
      const message = `${made.address} must be replaced, and ${asked}: no other one can have this id`;
      findings.push(diagnostic(made, 'contradiction', message, 'remove the `id:`, or declare the object as it is'));
    }
    const report: Report = (_path, code, message, remedy, severity = 'error') => {
      if (severity === 'warning') return;
      const why = `${made.address} must be replaced, and its undeclared fields keep their values: ${message}`;
      findings.push(diagnostic(made, code, why, remedy ?? 'declare all its fields'));
    };
    made.kind.check?.(sent(made), report, version);
    return findings;
  });
}

/** A reference to an object that does not exist and is not created in this run. */
export function unresolved(
  drafts: readonly Draft[],
  steps: readonly Step[],
  bindings: Bindings,
): readonly Diagnostic[] {
  if (steps.length === 0) return [];
  const created = new Set<string>(
    steps.flatMap((step) => (step.operation === 'create' && step.address !== null ? [step.address] : [])),
  );
  const declared = new Set<string>(drafts.map(({ address }) => address));
  const lost = new Map<string, Set<string>>();
  for (const step of steps) {
    for (const reference of referencesOf(KINDS[step.type], step.fields)) {
      if (bindings.idOf(reference) !== null || created.has(reference) || !declared.has(reference)) continue;
      const known = lost.get(step.address ?? '');
      if (known === undefined) lost.set(step.address ?? '', new Set([reference]));
      else known.add(reference);
    }
  }
  if (lost.size === 0) return [];
  return drafts.flatMap((made): readonly Diagnostic[] =>
    [...(lost.get(made.address) ?? [])].map((reference) => {
      const message = `${made.address} needs ${reference}, which does not exist yet and is left out of this run`;
      return diagnostic(made, 'dangling-reference', message, `select ${reference} too`);
    }),
  );
}

/** A create that is refused because another spelling of its name stays. */
export function blocked(
  drafts: readonly Draft[],
  { inTheWay, undeclared }: Bindings,
  options: PruneOptions,
): readonly Diagnostic[] {
  if (inTheWay.size === 0) return [];
  const draftAt = new Map<Address, Draft>(drafts.map((made) => [made.address, made]));
  const addresses = new Map([...undeclared].map(([address, object]) => [object, address]));
  return [...inTheWay].flatMap(([object, rival]): readonly Diagnostic[] => {
    const [made, own] = [draftAt.get(rival), addresses.get(object)];
    const reason = own === undefined ? 'it is declared' : staysAnyway(object, own, options);
    if (made === undefined || reason === null) return [];
    const message = `${rival} cannot be created: the license has the ${made.kind.noun.one} \`${object.name}\`, which differs only in case and stays: ${reason}`;
    return [diagnostic(made, 'duplicate-name', message, `write the key as \`${object.name}\`, or let it go`)];
  });
}

/** The namespace of one object, and the values that are counted by; null for the license itself. */
type CapacityOwner = string | null;

/**
 * Creates that the license has no room for. New objects are created before old ones are deleted, so there must be room for both: a create that is
 * refused halfway would leave an unintended list of rules. Where a kind says what it means that old ones go first, they do. Specification: "Limits".
 */
export function overfull(drafts: readonly Draft[], live: Live, limits: KindLimits): readonly Diagnostic[] {
  const growing = new Set(drafts.flatMap(({ kind, verb }) => (verb === 'create' ? [kind] : [])));
  return Object.values(KINDS).flatMap((kind): readonly Diagnostic[] => {
    if (kind.capacity === undefined || !growing.has(kind)) return [];
    const own = drafts.filter((made) => made.kind === kind);
    const created = own.filter(({ verb }) => verb === 'create');
    const holders = new Set(created.map((made) => holderOf(kind, made)));
    return [...holders].flatMap((holder) => full(kind, holder, own, live.objects[kind.name] ?? [], limits));
  });
}

function holderOf(kind: Kind, { resource, desired }: Draft): CapacityOwner {
  return resource === null ? null : holderIn(kind, { key: resource.key, spec: desired ?? {} });
}

/** What counts an object: `shop-client`, or `shop-client chat_deactivated`. */
export function holderIn(kind: Kind, of: { readonly key: string; readonly spec: Spec }): CapacityOwner {
  if (kind.capacity?.per !== 'namespace') return null;
  const namespace = kind.namespace?.(of) ?? null;
  const { among = [] } = kind.capacity;
  return namespace === null ? null : [namespace, ...among.map((name) => clear(of.spec[name] ?? null))].join(' ');
}

function full(
  kind: Kind,
  holder: CapacityOwner,
  drafts: readonly Draft[],
  objects: NonNullable<Live['objects'][KindName]>,
  limits: KindLimits,
): readonly Diagnostic[] {
  if (kind.capacity === undefined) return [];
  const isHere = (made: Draft): boolean =>
    holder === null || (made.object === null ? holderOf(kind, made) === holder : holds(kind, holder, made.object));
  const here = drafts.filter(isHere);
  const present = objects.filter((object) => holder === null || holds(kind, holder, object)).length;
  const created = here.filter(({ verb }) => verb === 'create');
  const most = limits[kind.capacity.limit];
  const first = created[Math.max(0, most - present)];
  if (first === undefined) return [];
  const declared = here.filter(
    ({ resource, object, verb }) => resource !== null && (object !== null || verb === 'create'),
  );
  const total = present + created.length - here.filter(({ verb }) => verb === 'delete').length;
  if (total <= most && kind.replacing?.overlaps !== undefined) return [];
  const name = holder === null ? 'the license' : `\`${holder}\``;
  const raise = `unless \`limits: { ${kind.capacity.limit} }\` in chatform.yaml says more`;
  const [message, remedy] =
    total > most
      ? [
          `${name} would have ${total} ${kind.noun.many}, ${total - declared.length} of them undeclared, and can have ${most}`,
          `remove ${total - most} of them, ${raise}`,
        ]
      : [
          `${name} has ${present} ${kind.noun.many} and can have ${most}: there is no room for new ones before old ones are deleted`,
          `apply first without what is new, then with it, ${raise}`,
        ];
  return [diagnostic(first, 'too-many', message, remedy)];
}

function holds(kind: Kind, holder: string, { id, spec }: LiveObject): boolean {
  return holderIn(kind, { key: String(id), spec }) === holder;
}

function diagnostic(made: Draft, code: Diagnostic['code'], message: string, remedy: string): Diagnostic {
  return problem(code, made.resource?.place ?? null, message, remedy);
}
