// Sources to the scripts of dist/cli/: rolldown's chunks, each as a function that scripts/compiled.ts calls.

import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type GetModuleInfo, type InputOptions, type OutputOptions, rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** By name, what the paths of the files begin with that a script begins with; `*` is a part of a name. */
type Begins = { readonly [name: string]: readonly string[] };

export interface Scripts {
  /** Each has all that its files import, but for what the one before it has. */
  readonly first: Begins;
  /** Each has what its files import and no file of another script does. */
  readonly apart: Begins;
  /** The one with all other modules. */
  readonly last: string;
}

function beginsWith(path: string): RegExp {
  const escaped = `${ROOT}${path}`.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*')}`);
}

/** The modules that these import, and themselves; not what they load later. */
function reached(ids: Iterable<string>, info: GetModuleInfo, found = new Set<string>()): ReadonlySet<string> {
  for (const id of ids) if (!found.has(id)) reached(info(id)?.importedIds ?? [], info, found.add(id));
  return found;
}

/** By module, its script, but for the modules of the last one. */
function places(
  { first, apart }: Scripts,
  modules: readonly string[],
  info: GetModuleInfo,
): ReadonlyMap<string, string> {
  const begun = (begins: readonly string[]): readonly string[] => {
    const forms = begins.map(beginsWith);
    return modules.filter((id) => forms.some((form) => form.test(id)));
  };
  const placed = new Map<string, string>();
  for (const [name, begins] of Object.entries(first))
    for (const id of reached(begun(begins), info)) if (!placed.has(id)) placed.set(id, name);
  const later = Object.entries(apart).map(([name, begins]) => ({ name, ids: begun(begins) }));
  const named = new Set(later.flatMap(({ ids }) => ids));
  const entries = modules.filter((id) => info(id)?.isEntry === true);
  const asked = modules.flatMap((id) => info(id)?.dynamicallyImportedIds ?? []);
  const others = reached(
    [...entries, ...asked].filter((id) => !named.has(id)),
    info,
    new Set(placed.keys()),
  );
  const reaches = later.map(({ name, ids }) => ({ name, found: reached(ids, info, new Set(placed.keys())) }));
  for (const id of modules) {
    const [only, ...more] = reaches.filter(({ found }) => found.has(id));
    if (only !== undefined && more.length === 0 && !others.has(id) && !placed.has(id)) placed.set(id, only.name);
  }
  return placed;
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
      `${id.startsWith('\0rolldown') ? 'runtime' : (placeOf.get(id) ?? scripts.last)}.cjs`,
    dynamicImportInCjs: false,
    strictExecutionOrder: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'scripts', name: (id) => placeOf.get(id) ?? scripts.last }],
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
