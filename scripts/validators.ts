// The schemas in; validators that are compiled already, as the source of modules without ajv, out. Compiling takes longer than everything else
// that `chatform validate` does.

import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { AJV_OPTIONS } from '../src/manifest/compile.ts';
import { inParts } from '../src/manifest/in-parts.ts';
import { manifestSchema } from '../src/manifest/schema.ts';
import { projectSchema } from '../src/project/schema.ts';

const SCHEMAS = { manifest: manifestSchema, project: projectSchema } as const;

/** The folders of src that have a `validator.ts`. */
export const VALIDATED = Object.keys(SCHEMAS) as readonly (keyof typeof SCHEMAS)[];

/** What stands in for `FOLDER/validator.ts`. */
export async function validatorSource(folder: keyof typeof SCHEMAS): Promise<string> {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { source: true, esm: true } });
  const code = standalone.default(ajv, ajv.compile(inParts(SCHEMAS[folder]())));
  const { outputFiles } = await build({
    stdin: { contents: `${code}\nexport { validate as validator };`, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'error',
  });
  return outputFiles.map(({ text }) => text).join('');
}
