// What was taken over and what was not in; what a person reads out.

import { counted } from '../../base/text.ts';
import type { Acceptance } from '../../run/accept.ts';
import type { Paint } from '../paint.ts';
import { plain } from '../plain.ts';
import { nameOf } from './words.ts';

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
