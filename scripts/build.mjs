// `npm run build`: dist/ from the sources. Without the packages of the build, it says so and deletes nothing.

import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const [tsc, tsx] = ['node_modules/typescript-native/bin/tsc', 'node_modules/tsx/dist/cli.mjs'].map(pathOf);
const missing = [tsc, tsx].filter((path) => !existsSync(path));

if (missing.length > 0) {
  console.error('The packages of the build are not installed. Run `npm ci` first; nothing was changed.');
  process.exit(1);
}
const run = (...args) => {
  try {
    execFileSync(process.execPath, args, { cwd: pathOf(''), stdio: 'inherit' });
  } catch (error) {
    process.exit(error.status ?? 1);
  }
};
rmSync(pathOf('dist'), { recursive: true, force: true });
run(tsc, '-p', 'tsconfig.build.json', '--noCheck');
run(tsx, 'scripts/bundle.ts');
