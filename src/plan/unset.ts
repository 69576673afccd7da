// A live value and the manifest in; whether it is what a value that was never set reads as, out. Where the service does not list the defaults of
// its definitions, the declared definition says so.

import { equalJson } from '../base/json.ts';
import type { Desired, LiveObject } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';

/** `key` names the value: a part of its address, or its id. */
export function readsAsUnset(key: string, { kind, spec, facts }: LiveObject, { resources }: Desired): boolean {
  if (facts.possiblyUnset === true) return true;
  const { definition } = KINDS[kind];
  if (definition === undefined) return false;
  const owner = definition.of(key);
  const declared = resources.find(({ address }) => address === owner);
  const unset = declared === undefined ? null : definition.unset(declared.spec);
  return unset !== null && equalJson(unset, spec);
}
