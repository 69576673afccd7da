// Actions, references and places of a plan in, the words and marks of a report out.

import type { Reference } from '../../base/model.ts';
import type { ResourceChange, SourcePlace } from '../../plan/plan.ts';
import { shownAs } from '../plan-text.ts';
import { type Html, html } from './markup.ts';

/** How something is marked; each tone has a word and a sign beside its colour. */
export type Tone = 'add' | 'change' | 'destroy' | 'move' | 'calm';

export type Fate = NonNullable<ReturnType<typeof shownAs>> | 'stays';

export const FATES: { readonly [fate in Fate]: { readonly word: string; readonly sign: string; readonly tone: Tone } } =
  {
    create: { word: 'created', sign: '+', tone: 'add' },
    update: { word: 'changed', sign: '~', tone: 'change' },
    replace: { word: 'replaced', sign: '±', tone: 'destroy' },
    delete: { word: 'destroyed', sign: '−', tone: 'destroy' },
    move: { word: 'moved', sign: '↕', tone: 'move' },
    adopt: { word: 'adopted', sign: '=', tone: 'calm' },
    stays: { word: 'out of reach', sign: '!', tone: 'calm' },
  };

export function fateOf(change: ResourceChange): Fate {
  return shownAs(change) ?? 'stays';
}

export function mark(tone: Tone, sign: string, word: string): Html {
  return html`<span class="mark ${tone}"><span aria-hidden="true">${sign} </span>${word}</span>`;
}

/** Names are in whatever script their author likes: none of them turns what stands beside it round. */
export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** `group/sales` is `sales`, and `7`, which nothing declares, is `group 7`. */
export function keyOf(reference: Reference, kind: string): string {
  return reference.startsWith(`${kind}/`) ? reference.slice(kind.length + 1) : `${kind} ${reference}`;
}

export function sourceMark(source: SourcePlace | null): Html | null {
  return source === null ? null : html`<span class="source">${`${source.file}:${source.line}`}</span>`;
}

/** Many things, the first of them in sight. */
export function folded(items: readonly Html[], shown: number, wrap: (items: readonly Html[]) => Html): Html {
  const rest = items.slice(shown);
  if (rest.length === 0) return wrap(items);
  return html`${wrap(items.slice(0, shown))}<details class="more"><summary>${rest.length} more</summary>${wrap(rest)}</details>`;
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function listed(items: readonly Html[]): Html {
  return html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}
