// Meanings in, coloured text out; the caller knows whether the stream can show colour.

import { styleText } from 'node:util';

export type Tone =
  | 'add'
  | 'change'
  | 'destroy'
  | 'move'
  | 'strong'
  | 'faint'
  | 'warning'
  | 'error'
  | 'help'
  | 'place'
  | 'caret';

export type Paint = (tone: Tone, text: string) => string;

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
  caret: 'red',
} as const satisfies { readonly [tone in Tone]: string };

export const uncoloured: Paint = (_tone, text) => text;

export const coloured: Paint = (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
