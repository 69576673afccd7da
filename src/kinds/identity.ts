// What a create asks for in; what the object will be known by although its id is not known, out, as text that a ledger keeps, and back.

import { canonicalJson, isObject } from '../base/json.ts';
import type { Json, Spec } from '../base/model.ts';
import { mapReferences } from './fields.ts';
import type { Kind, Resolve } from './kind.ts';

/** Canonical JSON of the identifying fields, with ids for references. */
export function identityOf(kind: Kind, fields: Spec, resolve: Resolve): string {
  const identifying = Object.fromEntries(Object.entries(fields).filter(([name]) => kind.identity?.includes(name)));
  return canonicalJson(mapReferences(kind, identifying, (reference) => String(resolve(reference))));
}

/** The identifying fields again. */
export function identifiedBy(identity: string): Spec {
  const value: Json = JSON.parse(identity);
  return isObject(value) ? value : {};
}
