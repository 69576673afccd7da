// A parsed YAML document in; what its notation has wrong, as diagnostics with remedies, out.

import type { Document } from 'yaml';
import type { Diagnostic } from '../base/model.ts';
import { diagnose, type Finding, type Mark } from './mark.ts';
import { explainer } from './remedies.ts';

/** Brackets that may be open at once: many more would exhaust the parser's stack, and with it the process. */
const UNCLOSED = 1000;

/** Where too many brackets are open; null when nowhere. Brackets in texts count too, hence the wide limit. */
export function unclosedAt(text: string): number | null {
  let open = 0;
  const bracket = /[[\]{}]/g;
  while (bracket.test(text)) {
    const at = bracket.lastIndex - 1;
    const character = text.charCodeAt(at);
    if (character === 0x5b || character === 0x7b) open += 1;
    else if (open > 0) open -= 1;
    if (open > UNCLOSED) return at;
  }
  return null;
}

export function nestedTooDeeply(): Finding {
  return { code: 'yaml-syntax', message: 'collections stand too deep in one another', remedy: 'close what was opened' };
}

export function badTag(tag: string): Finding {
  return {
    code: 'yaml-tag',
    message: `the tag \`${tag}\` is not supported`,
    remedy: 'remove it: a manifest needs no tags',
  };
}

/** Errors and warnings of the parser; of those on one line only the first, because the others follow from it. */
export function notationErrors(document: Document.Parsed, mark: (start: number, end: number) => Mark): Diagnostic[] {
  const found: Diagnostic[] = [];
  const lines = new Set<number>();
  const add = (at: Mark, finding: Finding): void => {
    if (lines.has(at.place.line)) return;
    lines.add(at.place.line);
    found.push(diagnose(at, finding));
  };
  if (document.directives.yaml.version !== '1.2') {
    const message = `YAML ${document.directives.yaml.version} reads the same text as other values`;
    add(mark(0, 5), { code: 'yaml-syntax', message, remedy: 'remove the directive: manifests are YAML 1.2' });
  }
  const lineFrom = (start: number): string => {
    const { place, excerpt } = mark(start, start);
    return excerpt?.slice(place.column - 1) ?? '';
  };
  const explained = explainer(document, lineFrom);
  // In the parser's order: of what is not closed on one line the inner one comes first, and the others follow from it.
  for (const error of [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])) {
    // Tags are looked at again where the values are read: there, those that are known but mean no JSON are refused, too.
    if (error.code === 'TAG_RESOLVE_FAILED') continue;
    const { start, end, message, remedy, isLost } = explained(error);
    add(mark(start, end), { code: 'yaml-syntax', message, remedy });
    if (isLost) break;
  }
  return found;
}
