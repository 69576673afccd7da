// Which files of a run only its owner may read.

import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder } from './chatform.ts';

test.skipIf(process.platform === 'win32')(
  'Saved plans and snapshots are for their owner, reports for whom the umask lets',
  async () => {
    const cwd = await folder({
      'chatform.yaml':
        "version: 1\nmanifest: [manifest.yaml]\ntargets: { here: { base_url: 'emulator:license.json' } }\n",
      'manifest.yaml': 'version: 1\ngroups: { sales: { name: Sales } }\n',
    });
    await writeFile(join(cwd, 'old.json'), '', { mode: 0o666 });
    const runs = [
      ['plan', '--out', 'plan.json', '--report', 'html=plan.html'],
      ['plan', '--out', 'old.json'],
      ['ci', 'snapshot', '--out', 'snapshot.json'],
      ['ci', 'snapshot', '--full', '--out', 'full.json'],
      ['apply', 'plan.json', '--yes'],
    ];
    for (const args of runs)
      expect([args, await chatform(args, { cwd })]).toEqual([args, expect.objectContaining({ code: 0 })]);
    const files = await readdir(cwd);
    const modes = await Promise.all(
      files.map(async (file) => [file, (await stat(join(cwd, file))).mode & 0o777] as const),
    );
    const open = 0o666 & ~process.umask();
    expect(Object.fromEntries(modes)).toMatchObject({
      'plan.json': 0o600,
      'old.json': 0o600,
      'snapshot.json': 0o600,
      'full.json': 0o600,
      'license.json': 0o600,
      'plan.html': open,
      'manifest.yaml': open,
    });
  },
);
