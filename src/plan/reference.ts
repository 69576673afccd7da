// How documents point at places in files and at objects.

import type { Place, Reference } from '../base/model.ts';
import type { SourcePlace } from './plan.ts';

/** Without the length, which is for carets only. */
export function sourceOf({ file, line, column }: Place): SourcePlace {
  return { file, line, column };
}

/** An address, also of an object that nothing declares: `<kind>/<id>`. */
export function addressOf(kind: string, reference: Reference): string {
  return reference.startsWith(`${kind}/`) ? reference : `${kind}/${reference}`;
}
