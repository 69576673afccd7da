// The licences of the packages in a bundle, as one text that is packed with it. One that names no licence stops the build.

import { readdirSync, readFileSync } from 'node:fs';

const LICENCE = /^(licen[cs]e|copying|notice)/i;

/** The folder of the package that `file` belongs to; null for a file of ours. */
const packageOf = (file: string): string | null => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? null;

function noticeOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    readonly [member: string]: string | undefined;
  };
  if (license === undefined) throw new Error(`${folder} is bundled and names no licence: see scripts/notices.ts`);
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  const texts = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim());
  // Some packages only name theirs.
  const stated = texts.length > 0 ? texts : [`Copyright ${author}. Its package has no text of the licence.`];
  return [`${name} ${version} (${license})`, ...stated].join('\n\n');
}

/** Licences that a single file states in a comment. */
function stated(file: string): string {
  const comments = readFileSync(file, 'utf8').match(/\/\*(?:!|\*?[^*]*@(?:license|preserve))[\s\S]*?\*\//g) ?? [];
  return comments.length === 0 ? '' : `${/node_modules\/(.*)/.exec(file)?.[1]}:\n  ${comments.join('\n  ')}`;
}

/** @param files - What the scripts are made of. */
export function noticesOf(files: readonly string[]): string {
  const ofPackages = files.filter((file) => packageOf(file) !== null).sort();
  const notices = [...new Set(ofPackages.flatMap((file) => packageOf(file) ?? []))].map(noticeOf);
  const head = 'The scripts of chatform contain code of these packages.';
  const single = ['Bundled license information:', ...ofPackages.map(stated).filter((text) => text !== '')];
  return `${[head, ...notices, single.join('\n\n')].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
