// What was taken over and what was not in; what a person reads out.

import type { Diagnostic } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { Difference } from '../../tasks/drift/report.ts';
import type { Paint } from '../paint.ts';
import { plain } from '../plain.ts';
import { nameOf } from './words.ts';

/** What became of the differences that somebody wanted to take over. */
export interface Acceptance {
  readonly taken: readonly Difference[];
  /** What was asked for, or could be expected, and is not taken over. */
  readonly left: readonly {
    readonly item: Difference;
    readonly reason: string;
    /** Where in the files the reason is; null when it is not there. */
    readonly place: Diagnostic['place'] | null;
  }[];
  /** Files that were written. */
  readonly files: readonly string[];
}

export function acceptText({ taken, left, files }: Acceptance, paint: Paint): string {
  return [
    ...(taken.length === 0
      ? ['Nothing was taken over, and no file was written.']
      : [
          `${paint('strong', 'Taken over:')} ${counted(taken.length, 'difference')}; the files say now what the license says.`,
          ...taken.map((item) => `  ${paint('change', '~')} ${nameOf(item)}`),
          ...files.map((file) => `  written  ${plain(file)}`),
        ]),
    ...(left.length === 0
      ? []
      : [
          '',
          paint('warning', 'Not taken over:'),
          ...left.map(({ item, reason, place }) => {
            const where = place === null ? '' : paint('faint', `  ${plain(place.file)}:${place.line}`);
            return `  ${nameOf(item)}: ${plain(reason)}${where}`;
          }),
        ]),
    '',
    ...(taken.length === 0
      ? []
      : ['Look the files through, and commit them: the next apply has nothing to send for it.', '']),
  ].join('\n');
}
