// All entries in; those that are more than a license, or a namespace of it, can hold out. Specification: "Limits".

import type { Limits } from '../kinds/limits.ts';
import type { Emit } from '../yaml/collector.ts';
import { at } from '../yaml/wording.ts';
import { specOf } from './references.ts';
import type { Declared } from './sections.ts';
import { isExternal } from './validate.ts';

/** What is on the license and not in the manifest, only a plan can count. */
export function checkCapacities(entries: readonly Declared[], limits: Limits, emit: Emit): void {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const { kind, key, path } = entry;
    if (kind.capacity === undefined || isExternal(entry)) continue;
    const { limit, per } = kind.capacity;
    const namespace = per === 'license' ? null : (kind.namespace?.({ key, spec: specOf(entry) }) ?? null);
    if (per === 'namespace' && namespace === null) continue;
    const holder = JSON.stringify([kind.name, namespace]);
    const count = (counts.get(holder) ?? 0) + 1;
    counts.set(holder, count);
    const most = limits[limit];
    if (count !== most + 1) continue;
    const where = namespace === null ? 'the license' : `\`${namespace}\``;
    const remedy = `keep ${most}, unless \`limits: { ${limit} }\` in chatform.yaml says more`;
    emit(at(path, 'key', 'too-many', `${where} can have at most ${most} ${kind.noun.many}`, remedy));
  }
}
