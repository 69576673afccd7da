// The colours of a report, light and dark. What stands on what is listed, so that a test can hold each pair to its contrast.

export type Colour =
  | 'page'
  | 'panel'
  | 'text'
  | 'faint'
  | 'line'
  | 'link'
  | 'focus'
  | 'add'
  | 'add-back'
  | 'change'
  | 'change-back'
  | 'destroy'
  | 'destroy-back'
  | 'move'
  | 'move-back'
  | 'slots-1'
  | 'slots-2'
  | 'slots-3'
  | 'slots-4'
  | 'on-low'
  | 'on-high'
  | 'nobody'
  | 'missing';

export type Palette = { readonly [colour in Colour]: string };

export const LIGHT: Palette = {
  page: '#ffffff',
  panel: '#f6f8fa',
  text: '#1f2328',
  faint: '#59636e',
  line: '#c8d1da',
  link: '#0550ae',
  focus: '#0550ae',
  add: '#0f5323',
  'add-back': '#dafbe1',
  change: '#6b4500',
  'change-back': '#fff3c4',
  destroy: '#9a0c22',
  'destroy-back': '#ffebe9',
  move: '#5a32a3',
  'move-back': '#f5ebff',
  'slots-1': '#dbe9fa',
  'slots-2': '#a5c8f2',
  'slots-3': '#2767b5',
  'slots-4': '#174a8c',
  'on-low': '#1f2328',
  'on-high': '#ffffff',
  nobody: '#fdeceb',
  missing: '#e4e7ea',
};

export const DARK: Palette = {
  page: '#0d1117',
  panel: '#161b22',
  text: '#e6edf3',
  faint: '#9ea7b1',
  line: '#3d444d',
  link: '#79b8ff',
  focus: '#79b8ff',
  add: '#7ee2a0',
  'add-back': '#10301c',
  change: '#f0c869',
  'change-back': '#36290a',
  destroy: '#ff9c94',
  'destroy-back': '#3d1418',
  move: '#d2b6ff',
  'move-back': '#2a1c42',
  'slots-1': '#12294a',
  'slots-2': '#1c4a86',
  'slots-3': '#5c9ce6',
  'slots-4': '#9cc9ff',
  'on-low': '#e6edf3',
  'on-high': '#0d1117',
  nobody: '#351416',
  missing: '#262c36',
};

/** What is read, and what it stands on: 4.5 to 1 at least. */
export const READ_ON: readonly (readonly [Colour, Colour])[] = [
  ...(['text', 'faint', 'link', 'add', 'change', 'destroy', 'move'] as const).flatMap((colour) => [
    [colour, 'page'] as const,
    [colour, 'panel'] as const,
  ]),
  ...(['add', 'change', 'destroy', 'move'] as const).flatMap((colour) => [
    [colour, `${colour}-back`] as const,
    ['text', `${colour}-back`] as const,
  ]),
  ['destroy', 'nobody'],
  ['on-low', 'slots-1'],
  ['on-low', 'slots-2'],
  ['on-high', 'slots-3'],
  ['on-high', 'slots-4'],
];

/** What is only seen, such as a line that means something: 3 to 1 at least. */
export const SEEN_ON: readonly (readonly [Colour, Colour])[] = [
  ['focus', 'page'],
  ['focus', 'panel'],
  ['move', 'panel'],
  ['faint', 'panel'],
];
