// New clusters: one is made on each machine for a version, and copied from then on.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, lstat, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { type ServerUser, serverFolder } from './server-user.ts';

const INITDB = ['--username=postgres', '--encoding=UTF8', '--locale=C', '--auth=trust', '--no-sync'];

/** Only this machine is let in, as any user. */
const HBA = 'host all,replication all 127.0.0.1/32 trust\n';

const SETTINGS = `
listen_addresses = '127.0.0.1'
max_connections = 200
lc_messages = 'C'
`;

const run = promisify(execFile);

/** Makes the cluster `data` in a folder. */
export async function newCluster({ bin, version }: Binaries, user: ServerUser, folder: string): Promise<void> {
  const uid = user.uid ?? process.getuid?.() ?? 0;
  const made = [version, process.arch, ...INITDB, HBA, SETTINGS].join('\n');
  const name = `chatform-postgres-${uid}-${createHash('sha256').update(made).digest('hex').slice(0, 16)}.tar`;
  const template = join(tmpdir(), name);
  if (!(await isMade(template, uid))) await make(template, bin, user);
  await run('tar', ['-xf', template], { ...user, cwd: folder });
}

/** One file, so that it is there in full or not at all, even where old temporary files are removed. */
async function isMade(template: string, uid: number): Promise<boolean> {
  try {
    const found = await lstat(template);
    if (found.isFile() && found.uid === uid && (found.mode & 0o022) === 0) return true;
  } catch {
    return false;
  }
  throw new Error(`${template} is not from our tests: remove it`);
}

async function make(template: string, bin: string, user: ServerUser): Promise<void> {
  const folder = await serverFolder(user, 'true');
  try {
    const there = { ...user, cwd: folder.path };
    await run(join(bin, 'initdb'), [...INITDB, '--pgdata=data'], there);
    await writeFile(join(folder.path, 'data/pg_hba.conf'), HBA);
    await appendFile(join(folder.path, 'data/postgresql.conf'), SETTINGS);
    await run('tar', ['-cf', 'data.tar', 'data'], there);
    // Several processes can come here at once: the last one stays.
    await rename(join(folder.path, 'data.tar'), template);
  } finally {
    await folder.remove();
  }
}
