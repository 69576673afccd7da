// Sources to the scripts of dist/cli/: rolldown's chunks, each as a function that scripts/compiled.ts calls.

import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type GetModuleInfo, type InputOptions, type OutputOptions, rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** By name, what the paths of the files begin with that a script begins with; `*` is a part of a name. */
export type Scripts = { readonly [name: string]: readonly string[] };

function beginsWith(path: string): RegExp {
  const escaped = `${ROOT}${path}`.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*')}`);
}

/** The modules that these import, and themselves; not what they load later. */
function reached(ids: Iterable<string>, info: GetModuleInfo, found = new Set<string>()): ReadonlySet<string> {
  for (const id of ids) if (!found.has(id)) reached(info(id)?.importedIds ?? [], info, found.add(id));
  return found;
}

/** By module, its script. What several of those after the first one reach, or none of them, is in none. */
function places(scripts: Scripts, modules: readonly string[], info: GetModuleInfo): ReadonlyMap<string, string> {
  const [core, ...others] = Object.entries(scripts).map(([name, begins]) => ({
    name,
    ids: modules.filter((id) => begins.some((path) => beginsWith(path).test(id))),
  }));
  if (core === undefined) return new Map();
  const inCore = reached(core.ids, info);
  const named = new Set(others.flatMap(({ ids }) => ids));
  const entries = modules.filter((id) => info(id)?.isEntry === true);
  const later = modules.flatMap((id) => info(id)?.dynamicallyImportedIds ?? []);
  const unnamed = [...entries, ...later].filter((id) => !named.has(id));
  const reaches = [...others, { name: null, ids: unnamed }].map(({ name, ids }) => ({
    name,
    found: reached(ids, info, new Set(inCore)),
  }));
  return new Map(
    modules.flatMap((id): readonly (readonly [string, string])[] => {
      if (inCore.has(id)) return [[id, core.name]];
      const [only, ...more] = reaches.filter(({ found }) => found.has(id));
      return only === undefined || only.name === null || more.length > 0 ? [] : [[id, only.name]];
    }),
  );
}

/** The scripts of one build, by the names with which they require each other. */
export interface Split {
  readonly scripts: ReadonlyMap<string, string>;
  readonly digest: string;
  /** The files that they are made of. */
  readonly files: readonly string[];
}

/** @param entries - By the name of a script, the file whose exports it has. */
export async function split(
  entries: { readonly [name: string]: string },
  scripts: Scripts,
  rest: string,
  input: InputOptions,
  output: OutputOptions,
): Promise<Split> {
  let placeOf: ReadonlyMap<string, string> = new Map();
  const bundle = await rolldown({
    ...input,
    input: entries,
    plugins: [
      input.plugins,
      {
        name: 'places',
        buildEnd() {
          placeOf = places(scripts, [...this.getModuleIds()], this.getModuleInfo);
        },
      },
    ],
  });
  const { output: made } = await bundle.generate({
    ...output,
    entryFileNames: '[name].cjs',
    chunkFileNames: ({ moduleIds: [id = ''] }) =>
      `${id.startsWith('\0rolldown') ? 'runtime' : (placeOf.get(id) ?? rest)}.cjs`,
    dynamicImportInCjs: false,
    strictExecutionOrder: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'scripts', name: (id) => placeOf.get(id) ?? rest }],
    },
  });
  const chunks = made.flatMap((each) => (each.type === 'chunk' ? [each] : []));
  const texts = new Map(
    chunks.map(({ fileName, code }) => [
      fileName.replace(/\.cjs$/, ''),
      `(function (require, module, exports) {${inAscii(code)}})`,
    ]),
  );
  return {
    scripts: texts,
    digest: createHash('sha256')
      .update(JSON.stringify([...texts].sort()))
      .digest('hex')
      .slice(0, 16),
    files: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
}

/** As scripts/compiled.ts reads it. */
function inAscii(script: string): string {
  return script.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
