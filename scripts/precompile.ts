// A file of the sources that exports validators in; the code of the same validators out, which needs no ajv. Compiling them takes longer than
// everything else that `chatform validate` does.

import { _, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { Schema } from '../src/base/documents.ts';

/** What src/base/compile.ts exports a validator with. */
type Validators = { readonly [name: string]: { readonly schema: Schema; readonly options: Options } };

/** @param formats - The file that exports FORMATS, as the code imports it. */
export async function precompiled(file: string, formats: string): Promise<string> {
  const validators = Object.entries((await import(file)) as Validators);
  const options = validators[0]?.[1].options;
  const ajv = new Ajv2020({ ...options, code: { source: true, esm: true, formats: _`FORMATS` } });
  for (const [name, { schema }] of validators) ajv.addSchema(schema, name);
  const made = standalone.default(ajv, Object.fromEntries(validators.map(([name]) => [name, name])));
  // One object for all calls: a ledger has tens of thousands of lines.
  const once = made.replaceAll('dynamicAnchors={}}={})', 'dynamicAnchors=NONE}=NONE)');
  // One list for all errors: a copy of it for each entry that has one takes minutes for some hundred thousand.
  const code = once.replaceAll(/vErrors\.concat\((\w+\.errors)\)/g, 'joined(vErrors, $1)');
  if (once === made || code.includes('vErrors.concat'))
    throw new Error('ajv makes other functions than before: see scripts/precompile.ts');
  const added = `const NONE = {};
function joined(errors, more) {
  for (const error of more) errors.push(error);
  return errors;
}`;
  return `import { FORMATS } from ${JSON.stringify(formats)};\n${added}\n${code}`;
}
