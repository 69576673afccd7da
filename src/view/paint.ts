// Colours of terminal text, by meaning, and its width. The caller knows what its stream can show.

import { styleText } from 'node:util';

const STYLES = {
  add: 'green',
  change: 'yellow',
  destroy: 'red',
  move: 'cyan',
  strong: 'bold',
  faint: 'dim',
  warning: 'yellow',
  error: 'red',
  help: 'cyan',
  place: 'bold',
} as const;

export type PaintTone = keyof typeof STYLES;

/** How a stream shows text. */
export interface Paint {
  (tone: PaintTone, text: string): string;
  /** Columns of a terminal; absent where lines are never broken, as in a pipe. */
  readonly width?: number;
}

export const uncoloured: Paint = (_tone, text) => text;

/** The same on a terminal of so many columns. */
export function onTerminal(paint: Paint, width: number): Paint {
  return Object.assign((tone: PaintTone, text: string) => paint(tone, text), { width });
}

export const coloured: Paint = (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
