// Globs of names: `*` stands for any text.

import { inNfc } from './text.ts';

export function globPattern(glob: string): RegExp {
  return new RegExp(`^${globSource(glob)}$`, 'su');
}

/** As part of a regular expression. */
export function globSource(glob: string): string {
  return inNfc(glob)
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*');
}
