// The licences of the packages in a bundle, as one text that is packed with it. One that names no licence stops the build.

import { readdirSync, readFileSync } from 'node:fs';

const LICENCE = /^(licen[cs]e|copying|notice)/i;

/** The folder of the package that `file` belongs to; null for a file of ours. */
const packageOf = (file: string): string | null => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? null;

function noticeOf(root: string, folder: string): string {
  const path = `${root}${folder}`;
  const { name, version, license, author } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as {
    readonly [member: string]: string | undefined;
  };
  if (license === undefined) throw new Error(`${folder} is bundled and names no licence: see scripts/notices.ts`);
  const files = readdirSync(path).filter((file) => LICENCE.test(file));
  const texts = files.map((file) => readFileSync(`${path}/${file}`, 'utf8').trim());
  // Some packages only name theirs.
  const stated = texts.length > 0 ? texts : [`Copyright ${author}. Its package has no text of the licence.`];
  return [`${name} ${version} (${license})`, ...stated].join('\n\n');
}

/**
 * @param files - What the bundle is made of, from `root`.
 * @param comments - Licences that single files state in a comment.
 */
export function noticesOf(root: string, files: readonly string[], comments: string): string {
  const folders = [...new Set(files.flatMap((file) => packageOf(file) ?? []))].sort();
  const notices = folders.map((folder) => noticeOf(root, folder));
  const head = 'The scripts of chatform contain code of these packages.';
  return `${[head, ...notices, comments.trim()].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
