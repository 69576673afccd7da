// What an operation shows in every format, and that nothing in it is obeyed by its reader.

import { expect } from 'vitest';
import { textOf } from '../../src/base/pieces.ts';
import type { About, Operation } from '../../src/many/operation.ts';
import { outputsOf } from '../../src/many/outputs.ts';
import { onTerminal, uncoloured } from '../../src/view/paint.ts';
import { terminalText } from '../../src/view/writers/terminal.ts';
import { writersOf } from '../many/writers.ts';
import { PAYLOADS, passed } from '../payloads.ts';

const WRITERS = await writersOf();

export const ABOUT: About = { target: 'production', at: '2026-11-21T12:00:00.000Z', diagnostics: [], requests: {} };

/** The text on a terminal of 80 columns. */
export function shownText<Options, Value>(
  { view }: Operation<Options, Value>,
  value: Value,
  options: Options,
  about: Partial<About> = {},
): string {
  return terminalText(view(value, { ...ABOUT, ...about }, options), onTerminal(uncoloured, 80));
}

/** Tries each hostile text in each format. `valueWith` puts the text wherever a person can write. */
export function expectInert<Options, Value>(
  operation: Operation<Options, Value>,
  valueWith: (hostile: string) => Value,
  options: Options,
): void {
  for (const payload of PAYLOADS) {
    const known = {
      ...ABOUT,
      operation: operation.name,
      seconds: 1,
      problems: [],
      state: 'known',
      value: valueWith(payload),
    } as const;
    const outputs = outputsOf({ operation, options }, known);
    for (const [format, { write }] of WRITERS) {
      if (format === 'json') continue;
      const name = format === 'text' || format === 'markdown' ? `${format} stdout` : format;
      expect(passed(name, textOf(write(outputs, (file) => file)))).toEqual([]);
    }
  }
}
