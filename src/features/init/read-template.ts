// The templates of workflows, in the folder ci/ of the package. scripts/bundle.ts replaces this file.

import { readFileSync } from 'node:fs';

export function readTemplate(path: string): string {
  return readFileSync(new URL(`../../../ci/${path}`, import.meta.url), 'utf8');
}
