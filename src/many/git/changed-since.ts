// The targets that a change since another commit can touch: by their settings, and by the files that reading their manifest opens.

import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/model.ts';
import { loadProject, type Project } from '../../project/project.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { OpenedProject, TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { prepare } from '../../target/prepare.ts';
import { disk, type FileSystem } from '../../yaml/read.ts';
import { type ChangedFiles, changedSince } from './changed-files.ts';

export interface TouchedTargets {
  readonly targets: readonly TargetSettings[];
  /** The commit that both sides have in common. */
  readonly commit: string;
  /** Targets that chatform.yaml had then, and has no more. */
  readonly gone: readonly string[];
}

/** @throws UsageError without a repository or without such a commit */
export async function touchedSince(
  ref: string,
  among: readonly TargetSettings[],
  opened: OpenedProject & { readonly project: Project },
  choice: Pick<TargetChoice, 'var' | 'varFile'>,
  context: Pick<RunContext, 'env' | 'clock' | 'log'>,
): Promise<TouchedTargets> {
  const { file, project } = opened;
  const changes = await changedSince(ref, disk([file]), context);
  const before = changes.before.size === 0 ? project : (await loadProject(file, context.env, changes.io)).project;
  const targets: TargetSettings[] = [];
  const changed = { has: (path: string) => changes.before.has(path), deleted: changes.deleted };
  for (const settings of among) {
    const { name } = settings;
    const looked = await lookedAt(settings, opened, choice, changes, context);
    const isDifferent = looked === null || settingsDiffer(name, before?.written ?? null, project.written);
    const why = isDifferent ? file : changedAmong(looked, changed);
    if (why === null) continue;
    context.log('info', 'the target is touched', { target: name, by: why });
    targets.push(settings);
  }
  return { targets, commit: changes.commit, gone: goneTargets(before?.written ?? null, project.written) };
}

/** Paths in the repository of all that is opened for a target, and of the secrets command with its arguments. Null for one that cannot be run: its run says why. */
async function lookedAt(
  { name, secrets }: TargetSettings,
  opened: OpenedProject,
  choice: Pick<TargetChoice, 'var' | 'varFile'>,
  { pathsOf }: ChangedFiles,
  context: Pick<RunContext, 'env' | 'clock'>,
): Promise<ReadonlySet<string> | null> {
  const paths = new Set(
    secrets?.type === 'command' ? secrets.argv.flatMap((word) => pathsOf(join(secrets.folder, word))) : [],
  );
  const io = telling(opened.io, (path) => {
    for (const each of pathsOf(path)) paths.add(each);
  });
  try {
    await prepare({ ...choice, target: name, opened: { ...opened, io } }, context);
    return paths;
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** The same disk, which tells every path that it is asked for. */
function telling(io: FileSystem, tell: (path: string) => void): FileSystem {
  const { once } = io;
  return {
    ...io,
    isDirectory: (path) => {
      tell(path);
      return io.isDirectory(path);
    },
    list: (path) => {
      tell(path);
      return io.list(path);
    },
    read: (path, most) => {
      tell(path);
      return io.read(path, most);
    },
    ...(once === undefined
      ? {}
      : {
          once: (path, parse) => {
            tell(path);
            return once(path, parse);
          },
        }),
  };
}

/** What changed, by path in the repository. */
interface ChangedPaths {
  readonly has: (path: string) => boolean;
  readonly deleted: ReadonlySet<string>;
}

/** What chatform.yaml says of each target; null for a file that was not there, or had errors. */
type WrittenTargets = ReadonlyMap<string, JsonObject> | null;

/** Targets whose settings are others than before, or that are new. Without anything to compare with, all. */
function settingsDiffer(name: string, before: WrittenTargets, now: ReadonlyMap<string, JsonObject>): boolean {
  const [was, is] = [before?.get(name), now.get(name)];
  return was === undefined || is === undefined || canonicalJson(was) !== canonicalJson(is);
}

/** Targets that chatform.yaml had before, by name. */
function goneTargets(before: WrittenTargets, now: ReadonlyMap<string, JsonObject>): readonly string[] {
  return [...(before?.keys() ?? [])].filter((name) => !now.has(name)).sort();
}

/**
 * The changed path because of which a target is touched; null when none of those that it looked at changed. A path above it that changed is a
 * submodule or a link. A file that is gone counts for the folder that was looked at.
 */
function changedAmong(looked: Iterable<string>, changed: ChangedPaths): string | null {
  const folders = new Map(Array.from(changed.deleted, (path) => [folderOf(path), path]));
  for (const path of looked) {
    for (let name = path; name !== ''; name = folderOf(name)) if (changed.has(name)) return name;
    const gone = folders.get(path);
    if (gone !== undefined) return gone;
  }
  return null;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
