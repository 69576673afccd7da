// The terminal text of `drift --accept`: what was copied into the manifest, and what was not.

import { counted } from '../../base/text.ts';
import type { Acceptance } from '../../run/accept.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { nameOf } from '../../view/words/difference.ts';

export function acceptText({ taken, left, files }: Acceptance, paint: Paint): string {
  return [
    ...(taken.length === 0
      ? ['Nothing was copied into the manifest, and no file was written.']
      : [
          `${paint('strong', 'Copied into the manifest:')} ${counted(taken.length, 'difference')}; the files now match the license there.`,
          ...taken.map((item) => `  ${paint('change', '~')} ${plain(nameOf(item))}`),
          ...files.map((file) => `  written  ${plain(file)}`),
        ]),
    ...(left.length === 0 ? [] : ['', paint('warning', 'Not copied into the manifest:')]),
    ...left.map(({ item, reason, place }) => {
      const where = place === null ? '' : paint('faint', `  ${plain(place.file)}:${place.line}`);
      return `  ${plain(nameOf(item))}: ${plain(reason)}${where}`;
    }),
    '',
    ...(taken.length === 0
      ? []
      : ['Review the files and commit them: the next apply has nothing to send for these differences.', '']),
  ].join('\n');
}
