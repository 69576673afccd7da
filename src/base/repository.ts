// The repository around a folder, and which files belong to it.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/** With `/`, which every system takes: what is shown, compared or stored is the same on Windows. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

export function isWithin(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** The nearest folder, from `folder` up to `last`, with a `.git` that `isMark` accepts; null without one. */
export function repositoryAround(
  folder: string,
  last: string = '/',
  isMark: (path: string) => boolean = existsSync,
): string | null {
  if (isMark(resolve(folder, '.git'))) return folder;
  const above = dirname(folder);
  return folder === last || above === folder ? null : repositoryAround(above, last, isMark);
}

/**
 * Tells files that do not belong to the project whose files a person named: those whose place, past every link, is neither in its folder nor in the
 * repository around it. `.git` belongs to git, and can hold a token. What has no place, such as a pipe, belongs to the person.
 */
export function outsideOf(named: readonly string[]): (path: string) => boolean {
  let roots: ReadonlySet<string> | null = null;
  return (path) => {
    const place = realPathOrNull(path);
    if (place === null) return false;
    roots ??= new Set(named.map(projectOf));
    return !Array.from(roots).some(
      (root) => isWithin(root, place) && !relative(root, place).split(sep).includes('.git'),
    );
  };
}

/** The project of a file: the one around the working folder, unless the person named a file elsewhere. A link in it leads out of it. */
function projectOf(file: string): string {
  const here = realPathOrNull('.') ?? resolve('.');
  const own = repositoryAround(here) ?? here;
  const place = resolve(here, file);
  if (isWithin(own, place)) return own;
  const folder = realPathOrNull(dirname(place)) ?? dirname(place);
  return repositoryAround(folder) ?? folder;
}

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
