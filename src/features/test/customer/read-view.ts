// What customers saw, from the text of a document: of `test --on customer --json`, or of an `apply --json` that tested it.

import { UsageError } from '../../../base/errors.ts';
import { isObject, jsonIn } from '../../../base/json.ts';
import type { CustomerView } from './schema.ts';
import { verification } from './validator.ts';

/**
 * Accepts members that a newer minor version adds. Null for an apply that did not test it, and with `isFailed` for what failed.
 * @throws UsageError for any other text
 */
export function readCustomerView(text: string, file: string, { isFailed = false } = {}): CustomerView | null {
  const found = jsonIn(text);
  const view = isObject(found) && 'customers' in found ? found['customers'] : found;
  if (verification(view)) return view;
  if (isObject(found) && ('plan' in found || (isFailed && found['errored'] === true))) return null;
  throw new UsageError(
    `${file} does not say what customers see: name a file that \`test --on customer --json\`, or \`apply --test-on-customer --json\`, printed`,
  );
}
