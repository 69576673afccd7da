// Where the tests get their browser from, on machines that have none: an apt-get of our own installs one, or refuses.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browser } from '../../scripts/browser.ts';
import { aptGet, machine } from '../machine.ts';

test('A browser that runs is taken, and nothing is installed', async () => {
  const { folder, as } = machine({ chromium: 'exit 0', 'apt-get': aptGet('exit 1') });
  expect(await browser({ ...as, isRoot: false })).toEqual({ path: join(folder, 'chromium') });
});

test('Where there is none, or one that only says where to get it, the package is installed', async () => {
  const install =
    'case "$1" in install) printf "#!/bin/sh\\nexit 0\\n" > "$folder/chromium"; /bin/chmod +x "$folder/chromium";; esac';
  const { folder, as } = machine({ 'chromium-browser': 'exit 1', 'apt-get': aptGet(install) });
  expect(await browser(as)).toEqual({ path: join(folder, 'chromium') });
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(
    /^update .*\ninstall .*--no-install-recommends chromium\n$/,
  );
});

test.each([
  [
    'a package manager that cannot',
    { 'apt-get': aptGet('echo "E: Unable to locate package" >&2; exit 100') },
    true,
    /Unable/,
  ],
  ['a package that has no browser in it', { 'apt-get': aptGet('exit 0') }, true, /no program that can be used/],
  ['no package manager', {}, true, /no apt-get/],
  ['somebody who may not install', { 'apt-get': aptGet('exit 0') }, false, /only root/],
])('With %s it says why there is none', async (_, programs, isRoot, why) => {
  expect(await browser({ ...machine(programs).as, isRoot })).toEqual({ missing: expect.stringMatching(why) });
});
