// Results for several targets, from the text of a document: what `plan` or `apply` printed with `--json`, or wrote as a report.

import { UsageError } from '../base/errors.ts';
import { jsonIn } from '../base/json.ts';
import type { TargetsResults } from './schema.ts';
import { results } from './validator.ts';

/** Accepts members that a newer minor version adds. @throws UsageError for another text */
export function readResults(text: string, file: string): TargetsResults {
  const found = jsonIn(text);
  if (results(found)) return found;
  throw new UsageError(
    `${file} does not say what became of several targets: name a file that \`plan --all --report json=FILE\`, or the same of \`apply\`, wrote`,
  );
}
