// What `validate` would find in edited files and not in the present ones: routing tests that fail, and lints that are errors.

import type { Desired, Diagnostic } from '../../../base/model.ts';
import type { LoadedManifest } from '../../../manifest/load.ts';
import { routedByFiles } from '../../../planning/routes.ts';
import { lintsOfFiles } from '../../../planning/routing-lints.ts';
import type { Declared } from '../../../target/prepare.ts';

export type NewError = (manifest: LoadedManifest & { readonly desired: Desired }) => Diagnostic | null;

/** The first error of each edit that the files do not have yet: an acceptance need not mend what is wrong already. */
export function newErrors(declared: Declared, now: number): NewError {
  const errorsIn = (files: Declared): readonly Diagnostic[] =>
    [...routedByFiles(files, null).failures, ...lintsOfFiles(files, now)].filter(
      ({ severity }) => severity === 'error',
    );
  const gist = ({ code, message }: Diagnostic): string => `${code} ${message}`;
  let known: ReadonlySet<string> | null = null;
  return ({ desired, moved, routes, markOf }) => {
    known ??= new Set(errorsIn(declared).map(gist));
    const before = known;
    return errorsIn({ ...declared, desired, moved, routes, markOf }).find((each) => !before.has(gist(each))) ?? null;
  };
}
