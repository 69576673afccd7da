// The version of this program, and whether this Node.js can run it. The build puts what package.json says into the script.

import { readFileSync } from 'node:fs';

export function packageVersion(): string {
  return packed().version;
}

/** Why this Node.js cannot run the program; null where it can. */
export function nodeMistake(found: string = process.versions.node): string | null {
  const needed = packed().engines.node.replace('>=', '');
  const [least, has] = [needed, found].map((version) => version.split('.').map(Number));
  const at = least?.findIndex((part, index) => part !== has?.[index]) ?? -1;
  if (at < 0 || (has?.[at] ?? 0) > (least?.[at] ?? 0)) return null;
  return `chatform needs Node.js ${needed} or later, and this is ${found}: install a newer one`;
}

/** The release that this program is of: `OWNER/NAME`, where its repository is, and its tag. */
export function packageRelease(): { readonly repository: string; readonly url: string; readonly tag: string } {
  const { version, repository } = packed();
  const url = repository.url.replace(/^git\+/, '');
  return { repository: new URL(url).pathname.slice(1).replace(/\.git$/, ''), url, tag: `v${version}` };
}

interface Packed {
  readonly version: string;
  readonly repository: { readonly url: string };
  /** Such as `>=20.19.0`. */
  readonly engines: { readonly node: string };
}

function packed(): Packed {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Packed;
}
