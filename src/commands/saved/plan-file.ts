// The name of a file in; the saved plan in it out.

import { readFile, stat } from 'node:fs/promises';
import { diskErrorCode, explained } from '../../base/disk.ts';
import type { SavedPlan } from '../../tasks/saved/saved-plan.ts';
import { readSavedPlan } from '../../tasks/saved/text.ts';
import { questionOf } from '../../tasks/show/question.ts';

/** @throws UsageError for what cannot be read, or is no saved plan */
export async function planIn(file: string): Promise<SavedPlan> {
  return readSavedPlan(await explained(file, 'read', () => readFile(file, 'utf8')), file);
}

/** What is written as a path is one; what could be a name is one only if there is such a file, and no kind is called so. */
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
