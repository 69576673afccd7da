// What customers saw after an apply, read from a file of `test --on customer --json` or `apply --json`.

import { type Interruptible, textAt } from '../../../base/disk.ts';
import { UsageError } from '../../../base/errors.ts';
import type { SavedPlan } from '../../../plan/saved/saved-plan.ts';
import { readCustomerView } from './read-view.ts';
import type { CustomerView } from './schema.ts';

/** What customers saw after an apply of a plan; null where it was not verified. @throws UsageError for a file that cannot be read, says nothing of it, or is about another target */
export async function customersIn(
  file: string,
  { target }: Pick<SavedPlan, 'target'>,
  interruptible: Interruptible,
  how: { readonly isFailed?: boolean } = {},
): Promise<CustomerView | null> {
  const view = readCustomerView(await textAt(file, interruptible), file, how);
  if (view === null || view.target === target) return view;
  throw new UsageError(
    `${file} is about target ${view.target}, and the plan about ${target}: name that of the same target`,
  );
}
