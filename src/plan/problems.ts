// Drafts and steps in, what would fail in the middle of an apply out: found here, at its place, before anything is sent.

import type { Address, Diagnostic, Version } from '../base/model.ts';
import { limitedFields, referencesOf } from '../kinds/fields.ts';
import { KINDS } from '../kinds/index.ts';
import type { Maker, Report } from '../kinds/kind.ts';
import { sizeOf } from '../kinds/limits.ts';
import type { Bindings } from './binding/bind.ts';
import type { Service } from './diff.ts';
import { type Draft, sent } from './draft.ts';
import type { Step } from './plan.ts';

/** A create that lacks what the service demands fails here, at its place, and not in the middle of an apply. */
export function missingFields(drafts: readonly Draft[]): readonly Diagnostic[] {
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb !== 'create' || made.resource === null) return [];
    const undeclared = made.kind.required.filter((field) => made.desired?.[field] === undefined);
    if (undeclared.length === 0) return [];
    const given = sent(made);
    const missing = undeclared.filter((field) => given[field] === undefined);
    if (missing.length === 0) return [];
    const names = missing.map((field) => `\`${field}\``).join(' and ');
    return [
      diagnostic(
        made,
        'missing-field',
        `${made.address} does not exist yet, and creating it needs ${names}`,
        `add ${names}`,
      ),
    ];
  });
}

/** A value that only an update takes: an object is not made without what was asked for, and made right by a second apply. */
export function oversized(drafts: readonly Draft[], { version, limits }: Service): readonly Diagnostic[] {
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb !== 'create' || made.resource === null) return [];
    return limitedFields(made.kind).flatMap(({ name, limit }): readonly Diagnostic[] => {
      if (sizeOf(made.desired?.[name]) <= limits[limit.create]) return [];
      const most = limits[limit.create];
      const message = `${made.address} does not exist yet, and ${version} creates it with a \`${name}\` of at most ${most}`;
      const remedy = `declare ${most} until it exists, or more under \`limits: { ${limit.create} }\` in chatform.yaml`;
      return [diagnostic(made, 'out-of-range', message, remedy)];
    });
  });
}

/** A create that this version, or this credential, would not be granted. */
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

/** A definition that is taken away must not be refused when it is made again: then it would be gone. */
export function refusedAgain(drafts: readonly Draft[], version: Version): readonly Diagnostic[] {
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb !== 'replace' || made.resource === null) return [];
    const findings: Diagnostic[] = [];
    const report: Report = (_path, code, message, remedy, severity = 'error') => {
      if (severity === 'warning') return;
      const why = `${made.address} has to be made again, and what is left undeclared stays as it is: ${message}`;
      findings.push(diagnostic(made, code, why, remedy ?? 'declare all its fields'));
    };
    made.kind.check?.(sent(made), report, version);
    return findings;
  });
}

/** A reference to something that does not exist and is not created in this run. */
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
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb === 'none' || made.resource === null) return [];
    return [...(lost.get(made.address) ?? [])].map((reference) =>
      diagnostic(
        made,
        'dangling-reference',
        `${made.address} needs ${reference}, which does not exist yet and is left out of this run`,
        `select ${reference} too`,
      ),
    );
  });
}

export function diagnostic(made: Draft, code: Diagnostic['code'], message: string, remedy: string): Diagnostic {
  const place = made.resource?.place ?? { file: '', line: 1, column: 1, length: 1 };
  return { code, severity: 'error', place, message, remedy, excerpt: null, related: [] };
}
