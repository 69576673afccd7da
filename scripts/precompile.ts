// After tsc: replaces each dist/**/validator.js, which would need ajv at run time, by validators that are compiled
// already. Compiling takes longer than everything else that `chatform validate` does.

import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { _, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import type { Schema } from '../src/base/documents.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What src/base/compile.ts exports a validator with. */
type Validators = { readonly [name: string]: { readonly schema: Schema; readonly options: Options } };

const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' });
for (const file of files.filter((each) => each.endsWith('validator.ts'))) {
  const validators = Object.entries((await import(`${ROOT}src/${file}`)) as Validators);
  const options = validators[0]?.[1].options;
  const ajv = new Ajv2020({ ...options, code: { source: true, esm: true, formats: _`FORMATS` } });
  for (const [name, { schema }] of validators) ajv.addSchema(schema, name);
  const code = standalone.default(ajv, Object.fromEntries(validators.map(([name]) => [name, name])));
  await build({
    stdin: { contents: `import { FORMATS } from './dist/base/formats.js';\n${code}`, resolveDir: ROOT },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: `${ROOT}dist/${file.replace(/\.ts$/, '.js')}`,
    allowOverwrite: true,
    logLevel: 'error',
  });
}

// Only the sources compile.
for (const file of ['compile.js', 'compile.d.ts']) rmSync(`${ROOT}dist/base/${file}`);
