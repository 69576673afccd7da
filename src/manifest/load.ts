// Names of files, variables and a version in; what the license should have out, or every reason why that cannot be said.

import type { Address, Desired, Diagnostic, JsonObject, KindName, Version } from '../base/model.ts';
import type { Maker } from '../kinds/kind.ts';
import { type Limits, limitsOf } from '../kinds/limits.ts';
import { type Collector, collector, diagnosticsOf } from '../yaml/collector.ts';
import { disk, type FileSystem } from '../yaml/file-system.ts';
import { byPlace, type Mark, type Part, type Path } from '../yaml/mark.ts';
import { markOf } from '../yaml/origin.ts';
import { readFiles } from '../yaml/read.ts';
import { substitute } from '../yaml/substitute.ts';
import { checkCapacities } from './capacities.ts';
import { compose } from './compose.ts';
import { checkMemberships } from './contradictions.ts';
import { checkReferences } from './dangling.ts';
import { checkMoves, type Move, movesOf } from './moves.ts';
import { overlay } from './overlay.ts';
import { checkDefinitions, resolve } from './resolve.ts';
import { checkRoutes, checkVisitors, type Route, routeExternals, routesOf } from './routes.ts';
import { manifestSchema } from './schema.ts';
import { type Declared, declaredEntries } from './sections.ts';
import { checkUniqueness } from './uniqueness.ts';
import { validate } from './validate.ts';

export interface ManifestInput {
  /** Files, or directories of `*.yaml` and `*.yml` files; their order does not matter. */
  readonly files: readonly string[];
  /** Files that are laid over the manifest, in this order. */
  readonly overlays?: readonly string[];
  /** Values of `${var.name}`. */
  readonly vars?: { readonly [name: string]: string };
  /** Values of `${env.NAME}`. */
  readonly env: { readonly [name: string]: string | undefined };
  /** The version of the target. */
  readonly version: Version;
  /** What the token of the target is; default `bearer`. */
  readonly credential?: Maker['credential'];
  /** What the service takes, where the target knows better than the table. */
  readonly limits?: Partial<Limits>;
  /** Owner clients to look at besides those that entries name. */
  readonly clients?: readonly string[];
  /** Kinds of which the license is to have nothing else. */
  readonly complete?: readonly KindName[];
  /** The disk, unless a test has another one. */
  readonly io?: FileSystem;
}

export interface LoadedManifest {
  /** Null as soon as there is one error. */
  readonly desired: Desired | null;
  readonly moved: readonly Move[];
  /** Its routing tests, in its order. */
  readonly routes: readonly Route[];
  /** Errors and warnings, sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** The variables that the files ask for, such as `var.shop` or `env.REGION`. */
  readonly variables: ReadonlySet<string>;
  /** Where an entry, or a member of it, stands, with the line; null for an address that is not declared. */
  readonly markOf: (address: Address, path?: Path, part?: Part) => Mark | null;
}

/** Everything wrong is found in one run. Throws nothing but InternalError. */
export async function loadManifest(input: ManifestInput): Promise<LoadedManifest> {
  const system = input.io ?? disk();
  const read = await readFiles(input.files, system);
  const base = compose(read.files);
  const overlays = await readOverlays(input.overlays ?? [], system);
  const composed = overlay(base, overlays.files);
  const collected = collector();
  const variables = { env: input.env, var: input.vars ?? {} };
  const used = new Set<string>();
  const templated = [...read.files, ...overlays.files].some((file) => file.templated);
  const manifest = substitute({ ...composed, templated }, manifestSchema, variables, collected.emit, used);
  const entries = declaredEntries(manifest);
  const maker = { version: input.version, credential: input.credential ?? 'bearer' };
  const limits = limitsOf(input.version, input.limits);
  validate(manifest, entries, maker, limits, collected.emit);
  checkVisitors(manifest['routes'], collected.emit);
  if (read.whole && overlays.whole) checkTogether(manifest, entries, limits, collected);

  const markAt = (path: Path, part: Part): Mark => markOf(composed.origin, path, part);
  const notation = [...read.diagnostics, ...overlays.diagnostics];
  const diagnostics = [
    ...notation,
    ...base.diagnostics,
    ...composed.diagnostics,
    ...diagnosticsOf(collected, markAt, notation),
  ].sort(byPlace);
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  const { clients = [], complete = [] } = input;
  const paths = new Map<Address, Path>(entries.map(({ address, path }) => [address, path]));
  return {
    desired: failed
      ? null
      : resolve(
          entries,
          { clients, complete, externals: routeExternals(manifest['routes'], (path) => markAt(path, 'value').place) },
          (path, part) => markAt(path, part).place,
        ),
    moved: failed ? [] : movesOf(manifest['moved'], (path) => markAt(path, 'value').place),
    routes: failed ? [] : routesOf(manifest['routes'], markAt),
    diagnostics,
    variables: used,
    markOf: (address, path = [], part = 'key') => {
      const entry = paths.get(address);
      return entry === undefined ? null : markAt([...entry, ...path], part);
    },
  };
}

/** Rules that need every entry to be known. */
function checkTogether(manifest: JsonObject, entries: readonly Declared[], limits: Limits, { emit }: Collector): void {
  checkUniqueness(entries, emit);
  checkCapacities(entries, limits, emit);
  checkReferences(entries, emit);
  checkMemberships(entries, emit);
  checkDefinitions(entries, emit);
  checkRoutes(manifest['routes'], entries, emit);
  checkMoves(manifest['moved'], entries, emit);
}

/** Overlays keep the order in which they were named; one that is named as a directory stands for its files. */
async function readOverlays(paths: readonly string[], system: FileSystem) {
  const each = [];
  for (const path of paths) each.push(await readFiles([path], system));
  return {
    files: each.flatMap(({ files }) => files),
    whole: each.every(({ whole }) => whole),
    diagnostics: each.flatMap(({ diagnostics }) => diagnostics),
  };
}
