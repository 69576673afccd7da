// `npm run release`: writes the folder `release/`, which a tag carries: the package as it is built, and the files that a host reads from a repository.
// It has no packages of others, so running it installs nothing. Another folder can be given; it must not exist. `chatform-VERSION.tgz` next to it is what
// npm publishes.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OURS = join(ROOT, 'release');

/** What is in no package: files for GitHub and pre-commit, and for people. */
const OF_THE_REPOSITORY = [
  '.pre-commit-hooks.yaml',
  ...['.github/workflows', 'templates'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  ),
];

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

// Without these, npm and pre-commit would install what only a build needs.
const { scripts, devDependencies, peerDependencies, peerDependenciesMeta, ...kept } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as {
  readonly [member: string]: unknown;
};
if ('dependencies' in kept) throw new Error('the action installs no packages: bundle them, as devDependencies');

const folder = resolve(process.argv[2] ?? OURS);
const listed = execFileSync('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], {
  cwd: ROOT,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [packed] = JSON.parse(listed) as readonly [Packed];
const files = [...packed.files.map(({ path }) => path), ...OF_THE_REPOSITORY];

if (folder === OURS) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const file of files) cpSync(join(ROOT, file), join(folder, file));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);

const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
console.log(`${folder}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, no packages to install`);

// Publishing is tried without being done: provenance needs the host of a release.
const npm = (...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const [{ filename }] = JSON.parse(npm('pack', '--json', '--pack-destination', dirname(folder))) as [
  { readonly filename: string },
];
const tarball = join(dirname(folder), filename);
npm('publish', tarball, '--dry-run', '--no-provenance', '--silent');
console.log(`${tarball}: ${(statSync(tarball).size / 1e6).toFixed(1)} MB, ready for \`npm publish\``);
