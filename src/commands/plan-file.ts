// Whether an argument of `show` means the file of a saved plan.

import { stat } from 'node:fs/promises';
import { diskErrorCode } from '../base/disk.ts';
import { questionOf } from '../tasks/show/question.ts';

/** A path means a file. What could be a name means one only if the file exists and no kind has that name. */
export async function isPlanFile(what: string): Promise<boolean> {
  if (/^\.{0,2}[/\\]|\.json$/.test(what) && !isOfAKind(what)) return true;
  if (isOfAKind(what)) return false;
  return stat(what).then(
    (found) => found.isFile(),
    (error: unknown) => {
      if (diskErrorCode(error) === null) throw error;
      return false;
    },
  );
}

function isOfAKind(what: string): boolean {
  const question = questionOf(what);
  return question.about === 'kind' || (question.about === 'resource' && question.kind !== null);
}
