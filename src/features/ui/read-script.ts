// The script of the page, as the build makes it of in-browser/script.ts: in dist, wherever this runs from. scripts/bundle.ts replaces this file.

import { readFileSync } from 'node:fs';

export function pageScript(): string {
  return readFileSync(new URL('../../../dist/cli/page-script.js', import.meta.url), 'utf8');
}
