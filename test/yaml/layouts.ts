// Draws of chance in; YAML as people, editors and programs write it out: one value in many layouts, and texts that were damaged.

import fc, { type GeneratorValue } from 'fast-check';

/** Looks like something else in YAML 1.1, in JSON, or to a hurried reader. */
export const LOOK_ALIKES: readonly string[] = [
  ...[
    'yes',
    'No',
    'on',
    'OFF',
    'y',
    'N',
    'true',
    'True',
    'TRUE',
    'tRUE',
    'false',
    'null',
    'Null',
    'NULL',
    'nULL',
    '~',
    '~x',
  ],
  ...[
    '0',
    '-0',
    '+1',
    '007',
    '0o7',
    '0O7',
    '08',
    '0x1F',
    '0X1f',
    '0xg',
    '0b1',
    '1_000',
    '1,000',
    '1e3',
    '1E-3',
    '1e',
    'e1',
    '1e400',
  ],
  ...[
    '.5',
    '1.',
    '-.5',
    '+.5e1',
    '.',
    '..',
    '-.',
    '1.2.3',
    '.inf',
    '-.Inf',
    '+.INF',
    '.nan',
    '.NaN',
    '.Nan',
    'inf',
    'NaN',
    'Infinity',
  ],
  ...[
    '9007199254740991',
    '9007199254740992',
    '-9007199254740993',
    '123456789012345678901234567890',
    '0x1fffffffffffff',
  ],
  ...[
    '12:30:45',
    '2001-12-14',
    '2001-12-14t21:59:43.10-05:00',
    '1:2',
    '=',
    '<<',
    '<',
    '!',
    '!x',
    '&',
    '*',
    '%x',
    '@x',
    '`x',
  ],
  ...[
    '-',
    '--',
    '---',
    '...',
    '-x',
    '- x',
    '?',
    '?x',
    '? x',
    ':',
    ':x',
    'x:',
    'x: y',
    'x :y',
    'x#y',
    'x #y',
    '#x',
    ',',
    '[',
    ']',
    '{',
    '}',
  ],
  ...[
    '"',
    "'",
    "it's",
    'say "x"',
    '|',
    '>',
    '\\',
    '\\n',
    'é',
    '😀',
    ' ',
    ' x',
    'x ',
    '',
    'a b',
    '${env.X}',
    '$${x}',
    '__proto__',
  ],
  ...[
    'constructor',
    'toString',
    'length',
    '0',
    '1',
    '/^a+$/',
    'https://example.com/?a=b#c',
    'a@example.com',
    '+48 500 000 000',
  ],
];

type Draw = GeneratorValue;

const pick = <T>(draw: Draw, all: readonly T[]): T => draw(() => fc.constantFrom(...all));
const chance = (draw: Draw, percent: number): boolean => draw(fc.integer, { min: 1, max: 100 }) <= percent;
const upTo = (draw: Draw, max: number): number => draw(fc.integer, { min: 0, max });

interface Layout {
  readonly draw: Draw;
  readonly step: number;
  /** Names of anchors on mappings, and on anything. */
  readonly maps: string[];
  readonly anchors: string[];
}

/** A file of mappings and lists, most of the time a valid one. */
export function drawnFile(draw: Draw): string {
  const layout: Layout = { draw, step: 1 + upTo(draw, 3), maps: [], anchors: [] };
  const head = pick(draw, ['', '', '', '# about\n', '---\n', '# about\n---\n\n', '\n']);
  const tail = pick(draw, ['', '', '# the end\n', '\n\n', '  # end']);
  const text = `${head}${mapping(layout, 0, 3).replace(/^\n/, '')}${tail}`;
  return chance(draw, 15) ? text.replaceAll('\n', '\r\n') : text;
}

/** Begins with a line break, unless it is in brackets; ends with one. */
function mapping(layout: Layout, indent: number, depth: number): string {
  const { draw, maps } = layout;
  const lines: string[] = [];
  const count = 1 + upTo(draw, 4);
  for (let at = 0; at < count; at += 1) {
    if (chance(draw, 10)) lines.push(pick(draw, ['', '# a comment', `${' '.repeat(indent)}# a comment`]));
    const name = chance(draw, 8) ? pick(draw, LOOK_ALIKES) : `key${at}`;
    const key = chance(draw, 85) ? name : quoted(draw, name);
    lines.push(`${' '.repeat(indent)}${key}:${chance(draw, 5) ? '' : value(layout, indent, depth)}`);
    const [known] = maps;
    if (known !== undefined && chance(draw, 15))
      lines.push(`${' '.repeat(indent)}<<: ${pick(draw, [`*${known}`, `[*${pick(draw, maps)}, *${known}]`])}`);
  }
  return `\n${lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join('')}`;
}

/** What follows `:` or `-`, with the blank before it. */
function value(layout: Layout, indent: number, depth: number): string {
  const { draw, step } = layout;
  const anchor = chance(draw, 10) ? named(layout) : '';
  const kind =
    depth === 0 ? 'text' : pick(draw, ['text', 'text', 'map', 'list', 'brackets', 'block', 'alias'] as const);
  const note = chance(draw, 10) ? ' # note' : '';
  switch (kind) {
    case 'map': {
      const text = `${anchor}${note}${mapping(layout, indent + step, depth - 1)}`;
      if (anchor !== '') layout.maps.push(anchor.trim().slice(1));
      return text;
    }
    case 'list':
      return `${anchor}${note}${list(layout, indent + pick(draw, [0, step]), depth - 1)}`;
    case 'brackets':
      return `${anchor} ${inBrackets(layout, depth - 1, chance(draw, 30) ? `\n${' '.repeat(indent + step)}` : '')}${note}\n`;
    case 'block':
      return `${anchor} ${pick(draw, ['|', '>', '|-', '>-', '|+', '|2'])}${note}\n${block(draw, indent + step)}`;
    case 'alias': {
      const [known] = layout.anchors;
      return known === undefined ? ' none\n' : ` *${pick(draw, layout.anchors)}\n`;
    }
    case 'text':
      return `${anchor}${pick(draw, [' ', ' ', ' ', '  ', `\n${' '.repeat(indent + step)}`])}${text(draw, indent + step)}${note}\n`;
  }
}

function named({ draw, anchors }: Layout): string {
  const name = pick(draw, ['a', 'b', 'base.one', 'x_1-y']);
  anchors.push(name);
  return ` &${name}`;
}

function list(layout: Layout, indent: number, depth: number): string {
  const { draw } = layout;
  const items = Array.from({ length: 1 + upTo(draw, 3) }, () => {
    const item =
      chance(draw, 50) || depth === 0
        ? value(layout, indent, depth)
        : mapping(layout, indent + 2, depth - 1).replace(/^\n +/, ' ');
    return `${' '.repeat(indent)}-${item}`;
  });
  return `\n${items.join('')}`;
}

function inBrackets(layout: Layout, depth: number, gap: string): string {
  const { draw } = layout;
  const inner = (): string => (depth > 0 && chance(draw, 30) ? inBrackets(layout, depth - 1, gap) : word(draw));
  const [isMap, blank, count] = [chance(draw, 50), pick(draw, ['', ' ']), upTo(draw, 3)];
  const items = Array.from({ length: count }, (_, at) =>
    isMap ? `${chance(draw, 20) ? `"k${at}"` : `k${at}`}: ${inner()}` : inner(),
  );
  const body = items.join(pick(draw, [', ', ',', `,${gap} `])) + (count > 0 && chance(draw, 10) ? ',' : '');
  return isMap ? `{${blank}${gap}${body}${gap}${blank}}` : `[${blank}${gap}${body}${gap}${blank}]`;
}

function text(draw: Draw, indent: number): string {
  if (chance(draw, 85)) return word(draw);
  const gap = pick(draw, ['\n', '\n\n', ' \n'] as const);
  return pick(draw, ['', '"', "'"]).replace(
    /^(.?)$/,
    (quote) => `${quote}first${gap}${' '.repeat(indent)}second${quote}`,
  );
}

function word(draw: Draw): string {
  const bare = chance(draw, 40) ? pick(draw, LOOK_ALIKES) : `text${upTo(draw, 9)}`;
  return chance(draw, 70) ? bare : quoted(draw, bare);
}

function quoted(draw: Draw, bare: string): string {
  return chance(draw, 50) ? JSON.stringify(bare) : `'${bare.replaceAll("'", "''")}'`;
}

function block(draw: Draw, indent: number): string {
  const lines = Array.from({ length: upTo(draw, 3) }, () =>
    pick(draw, ['one line', '', '  further in', '# no comment', '- x', 'x: y', ' ']),
  );
  return lines.map((line) => (line === '' ? '\n' : `${' '.repeat(indent)}${line}\n`)).join('');
}

const SCRAPS: readonly string[] = [
  ...[
    ' ',
    '  ',
    '\n',
    '\n ',
    '\n  ',
    '\n\n',
    '\r\n',
    '\r',
    '\t',
    ' \n',
    ':',
    ': ',
    ' :',
    '- ',
    '-',
    '\n- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '\n]',
  ],
  ...[
    '#',
    ' #',
    '# c\n',
    '\n# c\n',
    '\n  # c\n',
    '&a ',
    '*a',
    '&x',
    '!',
    '!!str ',
    '|',
    '>',
    '|-\n',
    '>+\n',
    '|2\n',
    '"',
    "'",
    "''",
    '""',
  ],
  ...[
    '\\',
    '\\\n',
    '\\x41',
    '\\ud83d',
    '\\u00e9',
    '%',
    '@',
    '---',
    '---\n',
    '...\n',
    '<<: ',
    '<<',
    '~',
    'null',
    '0x1',
    '.5',
    '1',
    'x',
    '=',
  ],
  ...['é', '\ud83d', '\u007f', '\u0001', '\u00a0', '\u0085', '\u2028', '\ufeff', '__proto__', '[]', '{}', 'a: 1\n'],
];

/** The text with a few places of it damaged. */
export function damaged(draw: Draw, text: string): string {
  let after = text;
  for (let left = 1 + upTo(draw, 2); left > 0; left -= 1) {
    const at = upTo(draw, after.length);
    const scrap = chance(draw, 70) ? pick(draw, SCRAPS) : after.slice(upTo(draw, after.length)).slice(0, 20);
    after = after.slice(0, at) + (chance(draw, 80) ? scrap : '') + after.slice(at + upTo(draw, 3) * upTo(draw, 1));
  }
  return after;
}
