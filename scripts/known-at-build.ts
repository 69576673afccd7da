// What the sources find out when they run and is known at build: the version, the modules of node, and where files next to the scripts are.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What the sources call of node:crypto. To load it takes a tenth of `validate`, which calls none of them. */
const CRYPTO = ['createHash', 'createHmac', 'hash', 'randomBytes', 'randomUUID', 'scryptSync', 'timingSafeEqual'];

/** A module of node that is loaded with the first file that imports it, and not with the script; node:crypto with the first call. */
function builtin(name: string): string {
  if (name === 'node:crypto')
    return CRYPTO.map((each) => `export const ${each} = (...given) => require('${name}').${each}(...given);`).join('');
  const names = Object.keys(createRequire(import.meta.url)(name) as object).filter((each) => /^[a-z]\w*$/i.test(each));
  const members = names.filter((each) => each !== 'default').map((each) => `export const ${each} = it.${each};`);
  return `const it = require('${name}'); export default it; ${members.join('')}`;
}

const textOf = (file: string): string => `require('node:fs').readFileSync(require.resolve(${file}), 'utf8')`;

/** What stands in the place of a file, by the end of its path. */
const REPLACED: { readonly [path: string]: (path: string) => string } = {
  '/src/features/ui/read-script.ts': () => `export const pageScript = () => ${textOf("'./cli/page-script.js'")};`,
  '/src/features/init/read-template.ts': () => `export const readTemplate = (path) => ${textOf("'../ci/' + path")};`,
  '/src/base/version.ts': (path) => {
    const { version, engines, repository } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
      readonly [name: string]: unknown;
    };
    const packed = `return ${JSON.stringify({ version, engines, repository })};`;
    const source = readFileSync(path, 'utf8').replace(/return JSON\.parse\(.*;/, packed);
    return source.replace("import { readFileSync } from 'node:fs';\n", '');
  },
};

const BUILTIN = '\0when imported:';

export const knownAtBuild: Plugin = {
  name: 'known at build',
  resolveId: (source, _importer, { kind }) =>
    source.startsWith('node:') && kind === 'import-statement' ? `${BUILTIN}${source}` : null,
  load: (path) => {
    if (path.startsWith(BUILTIN)) return builtin(path.slice(BUILTIN.length));
    return Object.entries(REPLACED).find(([end]) => path.startsWith(ROOT) && path.endsWith(end))?.[1](path) ?? null;
  },
};
