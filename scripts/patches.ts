// Patches of packages in the scripts. Each one says what it saves.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';

const UNDICI = fileURLToPath(new URL('../node_modules/undici/lib/', import.meta.url));

/** A file of a package with a part of it replaced. */
function patched(path: string, part: string, instead: string): string {
  const source = readFileSync(path, 'utf8');
  if (!source.includes(part)) throw new Error(`${path} has no \`${part}\` any more: see scripts/patches.ts`);
  return source.replace(part, instead);
}

/** The text of a file, by the end of its path. */
const PATCHES: { readonly [path: string]: (path: string, folder: string) => string } = {
  // Our commands are not separate programs, and loading what would start those takes a tenth of node's start.
  '/commander/lib/command.js': (path) =>
    patched(path, "const childProcess = require('node:child_process');", '').replaceAll(
      'childProcess.',
      "require('node:child_process').",
    ),
  // chatform does not speak HTTP/2, and loading it takes a third of the time that undici takes.
  '/undici/lib/dispatcher/client-h2.js': () => "module.exports = () => { throw new Error('left out'); };",
  // Bodies of requests are texts and bytes. For forms, it loads fetch, a third of its code.
  '/undici/lib/dispatcher/client-h1.js': (path) =>
    patched(path, "extractBody = require('../web/fetch/body.js').extractBody", "throw new Error('left out')"),
  // The parser of HTTP, a fourteenth of the script as text, which is read with the first request. undici takes this one where there is none
  // for SIMD: the replies of the service are too short for that.
  '/undici/lib/llhttp/llhttp_simd-wasm.js': () => "throw new Error('left out');",
  '/undici/lib/llhttp/llhttp-wasm.js': (path, folder) => {
    writeFileSync(`${folder}/llhttp.wasm`, createRequire(path)(path) as Buffer);
    return "module.exports = require('node:fs').readFileSync(require.resolve('./cli/llhttp.wasm'));";
  },
  // The WebSocket of undici gets its dispatcher, and would make one of its own when it is loaded.
  '/undici/lib/global.js': () => 'exports.getGlobalDispatcher = () => undefined;',
};

/** @param folder - Of files next to the scripts. */
export function patches(folder: string): Plugin {
  return {
    name: 'patches',
    // Its front door loads all of undici.
    resolveId: (source, importer = '') => {
      if (source !== 'undici' || importer.startsWith(UNDICI)) return null;
      return importer.endsWith('/websocket.ts')
        ? `${UNDICI}web/websocket/websocket.js`
        : fileURLToPath(new URL('undici-parts.js', import.meta.url));
    },
    load: (path) => {
      const [, patch] = Object.entries(PATCHES).find(([end]) => path.endsWith(`/node_modules${end}`)) ?? [];
      return patch?.(path, folder) ?? null;
    },
  };
}
