// Pointers of documents: to places in files and to objects.

import type { Place, Reference } from '../base/model.ts';
import type { SourcePlace } from './plan.ts';

/** Returns a place without its length, which only carets need. */
export function sourceOf({ file, line, column }: Place): SourcePlace {
  return { file, line, column };
}

/** Returns an address, also for an undeclared object: `<kind>/<id>`. */
export function addressOf(kind: string, reference: Reference): string {
  return reference.startsWith(`${kind}/`) ? reference : `${kind}/${reference}`;
}
