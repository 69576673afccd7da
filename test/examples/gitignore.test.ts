// The .gitignore of each example: a copy of it that is committed has no secrets, leases or states of emulators.

import { existsSync, readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadProject } from '../../src/project/project.ts';
import { folder } from '../cli/chatform.ts';
import { git } from '../cli/repository.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const NAMES = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'chatform.yaml')));

test.each(NAMES)('%s', async (name) => {
  const cwd = await folder();
  git(cwd, 'init', '-q');
  await copyFile(join(EXAMPLES, name, '.gitignore'), join(cwd, '.gitignore'));
  const { project } = await loadProject(join(EXAMPLES, name, 'chatform.yaml'), {});
  const targets = [...(project?.targets.values() ?? [])];
  expect(targets.length).toBeGreaterThan(0);
  const local = targets.flatMap(({ ledger, secrets, baseUrl }) => [
    `${ledger}.lease.1`,
    ...(secrets !== null && secrets.type !== 'command' ? [secrets.path] : []),
    ...(baseUrl.startsWith('emulator:') ? [baseUrl.slice('emulator:'.length)] : []),
  ]);
  const paths = local.map((path) => relative(join(EXAMPLES, name), path));
  expect(
    git(cwd, 'check-ignore', '--no-index', '--', ...paths)
      .trim()
      .split('\n'),
  ).toEqual(paths);
});
