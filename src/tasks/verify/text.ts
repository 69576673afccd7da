// What customers saw, from the text of a document: of `verify --json`, or of an `apply --json` that verified.

import { UsageError } from '../../base/errors.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import type { CustomerView } from './schema.ts';
import { verification } from './validator.ts';

/** Accepts members that a newer minor version adds. @throws UsageError for a text that is neither */
export function readCustomerView(text: string, file: string): CustomerView {
  const found = jsonIn(text);
  const view = isObject(found) && 'verify' in found ? found['verify'] : found;
  if (verification(view)) return view;
  throw new UsageError(
    `${file} does not say what customers see: name a file that \`verify --json\`, or \`apply --verify-as-customer --json\`, printed`,
  );
}
