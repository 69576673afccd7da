// Which PostgreSQL the tests take on a machine, and how they get one where there is none.

import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aptGet, machine } from '../../machine.ts';
import { postgresBinaries } from './binaries.ts';

/** The programs of a version. */
const server = (version: string) => ({
  postgres: `echo "postgres (PostgreSQL) ${version}"`,
  initdb: 'exit 0',
  pg_ctl: 'exit 0',
});

const found = (folder: string, version: string) => ({
  bin: realpathSync(folder),
  version: `postgres (PostgreSQL) ${version}`,
});

/** A line of shell that writes these programs into the machine. */
function writes(programs: { readonly [name: string]: string }): string {
  const lines = Object.entries(programs).map(
    ([name, line]) => `printf '#!/bin/sh\\n%s\\n' '${line}' > "$folder/${name}"; /bin/chmod +x "$folder/${name}"`,
  );
  return `if [ "$1" = install ]; then ${lines.join('; ')}; fi`;
}

test('The programs on PATH come first, then those of pg_config, then the newest in a folder', async () => {
  const [onPath, configured] = [machine(server('14.1')), machine(server('15.2'))];
  const { folder, as } = machine({ pg_config: `echo "${configured.folder}"` });
  for (const version of ['9', '13', '16']) {
    mkdirSync(join(folder, version));
    symlinkSync(machine(server(`${version}.3`)).folder, join(folder, version, 'bin'));
  }
  const folders = [join(folder, '*/bin')];
  const newest = realpathSync(join(folder, '16/bin'));
  const all = { ...as, folders: [folder, ...folders], env: { PATH: onPath.folder } };
  expect(await postgresBinaries(all)).toEqual(found(onPath.folder, '14.1'));
  expect(await postgresBinaries({ ...all, env: {} })).toEqual(found(configured.folder, '15.2'));
  expect(await postgresBinaries({ ...all, env: {}, folders })).toEqual(found(newest, '16.3'));
});

test('A version that is too old and a folder with half of the programs are passed over; a link is followed', async () => {
  const [old, whole] = [machine(server('12.9')), machine(server('13.0'))];
  const half = machine({ postgres: server('17.0').postgres });
  const linked = machine({});
  symlinkSync(join(whole.folder, 'postgres'), join(linked.folder, 'postgres'));
  const folders = [old.folder, half.folder, linked.folder];
  expect(await postgresBinaries({ ...linked.as, folders })).toEqual(found(whole.folder, '13.0'));
});

test('Where there is none, the package is installed once for all that ask at the same time', async () => {
  const { folder, as } = machine({ 'apt-get': aptGet(writes(server('15.0'))) });
  const asked = await Promise.all([1, 2, 3].map(() => postgresBinaries(as)));
  expect(asked).toEqual([1, 2, 3].map(() => found(folder, '15.0')));
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(
    /^update .*\ninstall .*--no-install-recommends postgresql\n$/,
  );
});

test('The package makes no cluster and starts nothing, and what says so does not stay', async () => {
  const [policy, clusters] = ['usr/sbin/policy-rc.d', 'etc/postgresql-common/createcluster.conf'];
  const keep = `/bin/cat "$folder/${clusters}" >> "$folder/asked"; "$folder/${policy}"; echo "exit $?" >> "$folder/asked"`;
  const { folder, as } = machine({ 'apt-get': aptGet(`${keep}; ${writes(server('15.0'))}`) });
  expect(await postgresBinaries(as)).toEqual(found(folder, '15.0'));
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(
    /^update .*\ncreate_main_cluster = false\nexit 101\ninstall .*\ncreate_main_cluster = false\nexit 101\n$/,
  );
  expect([policy, clusters].map((path) => existsSync(join(folder, path)))).toEqual([false, false]);
});

test('A setting of the machine stays as it is', async () => {
  const { folder, as } = machine({ 'apt-get': aptGet('echo "E: no network" >&2; exit 100') });
  const path = join(folder, 'etc/postgresql-common/createcluster.conf');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'create_main_cluster = true\n');
  expect(await postgresBinaries(as)).toEqual({
    missing: 'postgresql is not on this machine, and its package cannot be installed: E: no network',
  });
  expect(readFileSync(path, 'utf8')).toBe('create_main_cluster = true\n');
});
