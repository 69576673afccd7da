// Former targets, by the ledgers that they left in the folder of all ledgers.

import { TARGET_NAME } from '../project/targets-schema.ts';

const NAME = '${target.name}';

/**
 * Names of targets that are gone, of the files in the folder of the ledgers. None where names of files do not tell names of targets: `template` has
 * more than the name of the target, or a target has a ledger of another form.
 */
export function ledgersOfNone(
  template: string,
  targets: readonly { readonly name: string; readonly ledger: string }[],
  files: readonly string[],
): readonly string[] {
  const [before = '', after = '', ...more] = template.split(NAME);
  if (more.length > 0 || `${before}${after}`.includes('${') || after === '') return [];
  if (targets.some(({ name, ledger }) => ledger !== `${before}${name}${after}`)) return [];
  const known = new Set(targets.map(({ name }) => name));
  return files.flatMap((file) => {
    if (!file.startsWith(before) || !file.endsWith(after) || file.length <= before.length + after.length) return [];
    const name = file.slice(before.length, file.length - after.length);
    return TARGET_NAME.test(name) && !known.has(name) ? [name] : [];
  });
}
