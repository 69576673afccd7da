// After tsc: replaces dist/{manifest,project}/validator.js, which would need ajv at run time, by validators that are compiled already. Compiling takes
// longer than everything else that `chatform validate` does.

import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { AJV_OPTIONS } from '../src/base/compile.ts';
import { inParts } from '../src/base/in-parts.ts';
import { manifestSchema } from '../src/manifest/schema.ts';
import { projectSchema } from '../src/project/schema.ts';

const DIST = new URL('../dist/', import.meta.url);

for (const [folder, schema] of [
  ['manifest', manifestSchema()],
  ['project', projectSchema()],
] as const) {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { source: true, esm: true } });
  const code = standalone.default(ajv, ajv.compile(inParts(schema)));
  await build({
    stdin: { contents: `${code}\nexport { validate as validator };`, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: fileURLToPath(new URL(`${folder}/validator.js`, DIST)),
    allowOverwrite: true,
    logLevel: 'error',
  });
}

// Only the sources compile.
for (const file of ['compile.js', 'compile.d.ts']) rmSync(new URL(`base/${file}`, DIST));
