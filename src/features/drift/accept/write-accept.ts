// Acceptance of drift: edits of the files after which they declare what the license has, all or none. The edited files are loaded and compared again
// before anything is written. Takes no lease, writes no ledger, sends nothing.

import { dirname } from 'node:path';
import { type NewText, putTexts } from '../../../authoring/files.ts';
import { fileKey } from '../../../base/disk.ts';
import { UsageError } from '../../../base/errors.ts';
import type { Desired, Diagnostic } from '../../../base/model.ts';
import { listed, nearest } from '../../../base/nearest.ts';
import { few } from '../../../base/text.ts';
import { type LoadedManifest, loadManifest, type ManifestInput } from '../../../manifest/load.ts';
import { compare } from '../../../plan/compare.ts';
import type { Difference } from '../../../plan/differences/difference.ts';
import { differencesOf } from '../../../plan/differences/differences.ts';
import type { PlanInput } from '../../../plan/input.ts';
import type { TargetSettings } from '../../../project/settings.ts';
import type { RunContext } from '../../../target/context.ts';
import { type FilesChoice, type PreparedFiles, prepareDeclared } from '../../../target/prepare.ts';
import { disk, type FileSystem, readFiles, withTexts } from '../../../yaml/read.ts';
import { speaksOf } from '../judge.ts';
import { checkDrift, type DriftRequest, NOTHING_SEEN } from '../read-drift.ts';
import type { DriftItem } from '../schema.ts';
import { type Accepted, acceptAll, chosen } from './accept.ts';
import type { AcceptInto, NotAccepted } from './change.ts';
import { declarationsOf } from './declarations.ts';
import { type Declaring, declaringOf } from './declaring.ts';
import { layersOf, type Sheet, type Sheets } from './layers.ts';
import { type Paste, pasteOf } from './paste.ts';
import { type NewError, newErrors } from './tested.ts';

/** Result of an acceptance. */
export interface Acceptance {
  /** Differences that the files now declare. */
  readonly taken: readonly Difference[];
  /** Differences that were asked for, or could be expected, and stay. */
  readonly left: readonly {
    readonly item: Difference;
    readonly reason: string;
    /** Where in the files the reason is; null when it is in none. */
    readonly place: Diagnostic['place'] | null;
    /** What to write by hand; null where a manifest cannot say it, or nothing is to be written. */
    readonly paste: Paste | null;
  }[];
  /** Files that were written. */
  readonly files: readonly string[];
}

export interface AcceptRequest extends FilesChoice, DriftRequest {
  /** An overlay of the target, or a file or folder of the manifest, instead of the files that only this target has. */
  readonly into?: string;
}

/**
 * Checks the license, and accepts what differs at these addresses; without any, all that changed on the license. What an ignore rule covers is
 * accepted only by its address.
 * @throws UsageError for an address that no difference has, where only files of other targets could take it, and as `lookAt` does
 */
export async function acceptDrift(
  addresses: readonly string[],
  options: AcceptRequest,
  runContext: RunContext,
): Promise<{ readonly acceptance: Acceptance; readonly diagnostics: readonly Diagnostic[] }> {
  const declared = await prepareDeclared(options, runContext);
  const into = options.into === undefined ? ownFiles(declared) : namedFiles(options.into, declared);
  const whole = { ...options, wholeObjects: true };
  const { report, planning, diagnostics } = await checkDrift(declared, NOTHING_SEEN, whole, runContext);
  const { live, recovery, options: planOptions, compared } = planning;
  const license = {
    desired: declared.desired,
    live,
    ledger: compared.ledger,
    moved: declared.moved,
    recovery,
    options: planOptions,
  };
  const context: AcceptContext = {
    input: declared.manifest,
    into,
    variables: declared.values,
    license,
    again: ({ desired, moved }) => differencesOf(compare({ ...license, desired, moved }), planOptions.selects),
    newError: newErrors(declared, runContext.clock.now()),
    put: putTexts,
  };
  const items = addresses.length === 0 ? report.items : [...report.items, ...report.ignored];
  runContext.notice({ type: 'working', verb: 'Accepting', done: null, total: items.length, noun: 'differences' });
  return { acceptance: await accept(items, addresses, context), diagnostics };
}

/** Files by their paths, where `overlay` is a file or a folder. */
export interface AcceptDestination extends AcceptInto {
  /** Why nothing can be accepted; null where something can. */
  readonly refusal: string | null;
}

/** Any file, as it decides. */
export const ANYWHERE: AcceptDestination = { mayChange: () => true, overlay: null, refusal: null };

type Files = Pick<PreparedFiles, 'named' | 'others'> & { readonly settings: Pick<TargetSettings, 'name' | 'overlays'> };

/** The files that no other target has. Without one, a change would reach the others. */
function ownFiles({ settings: { name, overlays }, named, others: othersOf }: Files): AcceptDestination {
  const others = othersOf();
  if (others.length === 0) return ANYWHERE;
  const taken = others.flatMap((other) => other.overlays);
  const isTaken = isIn(taken);
  const own = overlays.filter((path) => !isTaken(path) && !taken.some(isIn([path])));
  const overlay = own.at(-1) ?? null;
  const names = others.map((other) => other.name);
  const refusal = `${named.join(', ')} is also the manifest of ${few(names)}, and ${name} has no overlay of its own, so nothing was written; add one under \`overlays:\` of ${name}, or change the manifest of all of them: --into ${named[0] ?? 'FILE'}`;
  return { mayChange: isIn(own), overlay, refusal: overlay === null ? refusal : null };
}

/** @throws UsageError for what is no file of the target */
function namedFiles(into: string, { settings: { name, overlays }, named }: Files): AcceptDestination {
  const isMeant = (path: string): boolean => fileKey(path) === fileKey(into);
  const overlay = overlays.find(isMeant);
  if (overlay !== undefined) return { mayChange: isIn([overlay]), overlay, refusal: null };
  const folder = named.find((path) => isIn([path])(into));
  if (folder === undefined)
    throw new UsageError(
      `--into ${into}: ${name} has no such file; it has ${[...overlays, ...named].join(', ')}; a new overlay is named under \`overlays:\` in chatform.yaml first`,
    );
  return { mayChange: isIn([isMeant(folder) ? folder : into]), overlay: null, refusal: null };
}

/** Whether a file is one of the paths, or in a folder that is. Two targets can reach one file by different paths. */
function isIn(paths: readonly string[]): (file: string) => boolean {
  const keys = new Set(paths.map(fileKey));
  return (file) => keys.has(fileKey(file)) || keys.has(fileKey(dirname(file)));
}

export interface AcceptContext {
  /** Files of the manifest, and how to load them. */
  readonly input: ManifestInput;
  readonly into: AcceptDestination;
  /** Values of the variables in them. */
  readonly variables: LoadedManifest['values'];
  /** The license that the differences are of. */
  readonly license: PlanInput;
  /** Differences of the same license from another manifest. */
  readonly again: (manifest: LoadedManifest & { readonly desired: Desired }) => readonly Difference[];
  /** What `validate` would find in the edited files and not in the present ones. */
  readonly newError: NewError;
  /** Writes all of the files, or none. */
  readonly put: (texts: readonly NewText[]) => Promise<void>;
}

/** @throws UsageError for an address that none of the differences has */
export async function accept(
  items: readonly DriftItem[],
  addresses: readonly string[],
  context: AcceptContext,
): Promise<Acceptance> {
  const { items: asked, left } = chosen(items, addresses.length === 0 ? null : namedBy(addresses, items));
  const { refusal } = context.into;
  if (refusal !== null && asked.length > 0) throw new UsageError(refusal);
  const io = context.input.io ?? disk();
  const before = await sheetsOf(context.input, io);
  const { version, credential = 'bearer' } = context.input;
  const declaring = declaringOf(asked, context.license, { version, credential });
  const trial: Trial = { context, declaring, io, before, known: new Set(items.map(labelOf)) };
  const done = await proven(asked, trial);
  const texts = changedSheets(before, done.sheets);
  if (texts.length > 0) await context.put(texts);
  const pastes =
    done.left.length === 0
      ? null
      : declarationsOf(layersOf(done.sheets), context.variables, {
          version,
          live: context.license.live,
          newKey: declaring.keyOf,
        });
  const kept = [
    ...left.map((each) => ({ ...each, paste: null })),
    ...done.left.map((each) => ({ ...each, paste: pastes === null ? null : pasteOf(each.item, pastes, declaring) })),
  ].map(({ item, reason, mark, paste }) => ({ item, reason, place: mark?.place ?? null, paste }));
  return { taken: done.taken, left: kept, files: texts.map(({ path }) => path) };
}

function namedBy(addresses: readonly string[], items: readonly DriftItem[]): (address: string) => boolean {
  const named = addresses.map((name) => ({ name, isMeant: speaksOf(name) }));
  const idle = named.filter(({ isMeant }) => !items.some(({ address }) => isMeant(address))).map(({ name }) => name);
  if (idle.length > 0) {
    const known = [...new Set(items.map(({ address }) => address))];
    const meant = idle.map((name) => nearest(name, known)).filter((name) => name !== null);
    const hint = meant.length === 0 ? '`chatform drift` lists what does' : `did you mean ${listed(meant)}?`;
    throw new UsageError(`--accept ${idle.join(', ')} names nothing that differs: ${hint}`);
  }
  return (address) => named.some(({ isMeant }) => isMeant(address));
}

/** The texts as they are, with their byte order marks. */
async function sheetsOf({ files, overlays = [] }: ManifestInput, io: FileSystem): Promise<Sheets> {
  const texts = new Map<string, string>();
  const recording: FileSystem = {
    ...io,
    read: async (path, most) => {
      const bytes = await io.read(path, most);
      if (!('size' in bytes)) texts.set(path, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      return bytes;
    },
  };
  const read = async (paths: readonly string[]): Promise<readonly Sheet[]> =>
    (await readFiles(paths, recording)).files.map(({ source: { file } }) => ({ file, text: texts.get(file) ?? '' }));
  const over: Sheet[] = [];
  for (const path of overlays) over.push(...(await read([path])));
  return { files: await read(files), overlays: over };
}

function changedSheets(before: Sheets, now: Sheets): readonly NewText[] {
  const known = new Map(allOf(before).map(({ file, text }) => [file, text]));
  return allOf(now).flatMap(({ file, text }) => {
    const old = known.get(file);
    return old === undefined || old === text ? [] : [{ path: file, before: old, text }];
  });
}

function allOf({ files, overlays }: Sheets): readonly Sheet[] {
  return [...files, ...overlays];
}

function labelOf({ kind, address, path }: Difference): string {
  return [kind, address, ...path].join('\0');
}

interface Trial {
  readonly context: AcceptContext;
  readonly declaring: Declaring;
  readonly io: FileSystem;
  readonly before: Sheets;
  readonly known: ReadonlySet<string>;
}

/** Accepts as many as the files can take together: what fails is halved until the culprit is known. */
async function proven(items: readonly Difference[], trial: Trial): Promise<Accepted> {
  const failed: Accepted['left'][number][] = [];
  let kept: Accepted = { sheets: trial.before, taken: [], left: [] };
  const add = async (units: readonly (readonly Difference[])[]): Promise<void> => {
    const more = units.flat();
    const [only] = more;
    if (only === undefined) return;
    const next = accepting(more, kept, trial);
    const why = next.taken.length === kept.taken.length ? null : await failure(next, trial);
    if (why === null) kept = next;
    else if (more.length === 1) failed.push({ ...why, item: only });
    else {
      const parts = units.length === 1 ? more.map((item) => [item]) : units;
      await add(parts.slice(0, parts.length >> 1));
      await add(parts.slice(parts.length >> 1));
    }
  };
  await add(units(items));
  return { ...kept, left: [...kept.left, ...failed] };
}

/** Differences that may only be right together, such as two names that changed places. */
function units(items: readonly Difference[]): readonly (readonly Difference[])[] {
  const byLabel = new Map<string, Difference[]>();
  for (const item of items) {
    const label = [item.kind, item.type, item.path[0] ?? ''].join('\0');
    const those = byLabel.get(label) ?? [];
    those.push(item);
    byLabel.set(label, those);
  }
  return [...byLabel.values()];
}

/** The kept edits with edits for these differences. */
function accepting(items: readonly Difference[], kept: Accepted, { context, declaring, before }: Trial): Accepted {
  const { input, into, variables, license } = context;
  const isOverlay = into.overlay === null ? () => false : isIn([into.overlay]);
  const overlay = before.overlays.findLast(({ file }) => isOverlay(file))?.file ?? null;
  const next = acceptAll(items, {
    sheets: kept.sheets,
    variables,
    version: input.version,
    live: license.live,
    declaring,
    into: { mayChange: into.mayChange, overlay },
  });
  return { sheets: next.sheets, taken: [...kept.taken, ...next.taken], left: [...kept.left, ...next.left] };
}

/** Why the texts may not be written: they have an error, do not end a difference, or make another one. */
async function failure(
  { sheets, taken }: Accepted,
  { context, io, before, known }: Trial,
): Promise<NotAccepted | null> {
  const texts = new Map(changedSheets(before, sheets).map(({ path, text }) => [path, text]));
  if (texts.size === 0) return null;
  const manifest = await loadManifest({ ...context.input, io: withTexts(io, texts) });
  const { desired } = manifest;
  if (desired === null) {
    const error = manifest.diagnostics.find(({ severity }) => severity === 'error');
    const reason = `the files would have an error: ${error?.message ?? 'they could not be read'}`;
    return { reason, mark: error === undefined ? null : { place: error.place, excerpt: error.excerpt } };
  }
  const ended = new Set(taken.map(labelOf));
  const open = context
    .again({ ...manifest, desired })
    .find((item) => isOfFiles(item) && (ended.has(labelOf(item)) || !known.has(labelOf(item))));
  if (open === undefined) {
    const error = context.newError({ ...manifest, desired });
    if (error === null) return null;
    const reason = `\`validate\` would find an error: ${error.message}`;
    return { reason, mark: { place: error.place, excerpt: error.excerpt } };
  }
  const what = [open.address, ...open.path].join(' ');
  const reason = ended.has(labelOf(open)) ? `${what} would still differ` : `${what} would differ then`;
  return { reason, mark: null };
}

/** Whether files can end it. A person who waits for approval does so whether they are declared or not. */
function isOfFiles({ status, kind }: Difference): boolean {
  return status !== 'converged' && kind !== 'pending-approval';
}
