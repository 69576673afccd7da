// Colours of terminal text, by meaning. The caller knows whether its stream can show colour.

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

export type Tone = keyof typeof STYLES;

export type Paint = (tone: Tone, text: string) => string;

export const uncoloured: Paint = (_tone, text) => text;

export const coloured: Paint = (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
