// Where the tests get their browser from, on machines that have none: an apt-get of our own installs one, or refuses.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { browser } from '../../scripts/browser.ts';

/** A machine with these programs, each a line of shell. */
function machine(programs: { readonly [name: string]: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { folder, as: { env: { PATH: '' }, folders: [folder], isRoot: true } };
}

/** Writes down what it is asked, and installs what `into` names. */
const apt = (line: string) => `folder=$(/usr/bin/dirname "$0"); echo "$@" >> "$folder/asked"; ${line}`;

test('A browser that runs is taken, and nothing is installed', () => {
  const { folder, as } = machine({ chromium: 'exit 0', 'apt-get': apt('exit 1') });
  expect(browser({ ...as, isRoot: false })).toEqual({ path: join(folder, 'chromium') });
});

test('Where there is none, or one that only says where to get it, the package is installed', () => {
  const install =
    'case "$1" in install) printf "#!/bin/sh\\nexit 0\\n" > "$folder/chromium"; /bin/chmod +x "$folder/chromium";; esac';
  const { folder, as } = machine({ 'chromium-browser': 'exit 1', 'apt-get': apt(install) });
  expect(browser(as)).toEqual({ path: join(folder, 'chromium') });
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(
    /^update .*\ninstall .*--no-install-recommends chromium\n$/,
  );
});

test.each([
  [
    'a package manager that cannot',
    { 'apt-get': apt('echo "E: Unable to locate package" >&2; exit 100') },
    true,
    /Unable/,
  ],
  ['a package that has no browser in it', { 'apt-get': apt('exit 0') }, true, /none that runs/],
  ['no package manager', {}, true, /no apt-get/],
  ['somebody who may not install', { 'apt-get': apt('exit 0') }, false, /only root/],
])('With %s it says why there is none', (_, programs, isRoot, why) => {
  expect(browser({ ...machine(programs).as, isRoot })).toEqual({ missing: expect.stringMatching(why) });
});
