// A place in a file in; what a document says of it out: nobody who reads one needs to know how long the text there is.

import type { Place } from '../base/model.ts';
import type { SourcePlace } from './plan.ts';

export function sourceOf({ file, line, column }: Place): SourcePlace {
  return { file, line, column };
}
