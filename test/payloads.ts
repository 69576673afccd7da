// Texts that a terminal, a runner or a person would mistake for something else, and how to find them in an output.

export const PAYLOADS: readonly string[] = [
  ...[
    '\u001b[2J',
    '\u001b]0;owned\u0007',
    '\u009b31m',
    '\u001b[8m',
    '\u0007',
    '\u0008\u0008\u0008',
    '\u007f',
    '\u0000',
  ],
  ...[
    '\r',
    '\n::error::',
    '\n  ::set-output name=x::1',
    '::add-mask::a',
    '\u0085::error::',
    '\u2028::error::',
    '\v::stop-commands::',
  ],
  ...['##[error]', '##vso[task.setvariable variable=x]1', '##teamcity[buildStop]', '\n##[group]', '###[endgroup]'],
  ...['\u202e', '\u2066', '\u2069', '\u061c', '\u200e', '\u200f', '\u202a'],
  ...['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e', '\u{e0041}', '\u{e0100}'],
  ...['\u2800', '\u3000', '\u17b4', '\u{1d173}', 'a\ufe0f', '\u3164', '\u115f', '\uffa0', '\u00a0', '\u2007', '\u205f'],
  ...['\ufff9', '\ufffe', '\uffff'],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what must not get out
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]|\r(?!\n)|##\w*\[|^[ \t]*::/m;
const UNSEEN =
  /[\u00a0\u00ad\u061c\u115f\u1160\u17b4\u17b5\u2000-\u200f\u202a-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]|\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/u;

/** What an output has as it is; `##` and `::` count only where a runner reads. */
export function passed(name: string, text: string): readonly string[] {
  const isLog = name.endsWith('stdout') || name.endsWith('stderr');
  const found = [OBEYED, UNSEEN].flatMap((pattern) => {
    const match = pattern.exec(isLog ? text : text.replaceAll(/^[ \t]*::/gm, ''));
    return match === null ? [] : [JSON.stringify(text.slice(Math.max(0, match.index - 30), match.index + 20))];
  });
  return found.map((excerpt) => `${name}: ${excerpt}`);
}
