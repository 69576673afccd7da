// Specs as a test writes them in; a Desired as the manifest would resolve it out.

import { byText } from '../src/base/json.ts';
import type {
  Address,
  Desired,
  DesiredResource,
  External,
  KindName,
  Leaving,
  ObjectId,
  Spec,
} from '../src/base/model.ts';
import { normalise } from '../src/kinds/fields.ts';
import { KINDS, ORDERED } from '../src/kinds/index.ts';

export interface Declared {
  readonly kind: KindName;
  readonly key: string;
  readonly spec: Spec;
  readonly id?: ObjectId;
  readonly leaves?: Leaving;
}

export function declare(kind: KindName, key: string, spec: Spec, id?: ObjectId): Declared {
  return { kind, key, spec, ...(id === undefined ? {} : { id }) };
}

/** Rules keep the order in which they are given. */
export function desiredOf(
  declared: readonly Declared[],
  externals: readonly External[] = [],
  complete: readonly KindName[] = [],
): Desired {
  const resources = declared.map(({ kind, key, spec, id, leaves }, index): DesiredResource => {
    const address: Address = `${kind}/${key}`;
    const place = { file: 'test.yaml', line: index + 1, column: 1, length: 1 };
    const resource = { address, kind, key, id: id ?? null, spec: normalise(KINDS[kind], spec), place };
    return leaves === undefined ? resource : { ...resource, leaves };
  });
  const namespaces = resources.flatMap(({ kind, key, spec }) => KINDS[kind].namespace?.({ key, spec }) ?? []);
  return {
    resources: [...resources].sort((a, b) => byText(a.address, b.address)),
    externals,
    ruleOrder: resources.filter(({ kind }) => kind === ORDERED.name).map(({ address }) => address),
    namespaces: [...new Set(namespaces)].sort(byText),
    complete,
  };
}
