// A run over 20 licenses, killed at each event of its log, before and after the line is on disk: it is resumed, and each license is applied exactly once.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fileLease } from '../../src/ledger/lease-file.ts';
import { fileStore } from '../../src/many/log/file-store.ts';
import { resultsOf } from '../../src/many/log/log.ts';
import { folder, spawned } from '../cli/chatform.ts';
import { tries } from '../tries.ts';

const PRELOAD = fileURLToPath(new URL('./kill-at-append.cjs', import.meta.url));

const TARGETS = Array.from({ length: 20 }, (_, index) => `t${String(index + 1).padStart(2, '0')}`);

/** The run, a start and an end of each license, and that it is done. */
const EVENTS = 2 + 2 * TARGETS.length;

const FILES = {
  'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
defaults: { base_url: "emulator:\${target.name}.json", ledger: "ledgers/\${target.name}.ndjson" }
fleet:
  parallel: 4
  waves: [{ name: canary, count: 2 }, { name: rest }]
`,
  'manifest.yaml': 'version: 1\ngroups: { support: { name: Support } }\n',
  'licenses.csv': `name\n${TARGETS.map((name) => `${name}\n`).join('')}`,
};

const LATER = { CLOCK_AHEAD: String(5 * 60_000) };

/** Kill points, evenly spaced. */
const COUNT = tries(2 * EVENTS, 4);
const POINTS = Array.from({ length: COUNT }, (_, index) => Math.floor(((index + 0.5) * 2 * EVENTS) / COUNT));

test.each(POINTS.map((point) => [Math.floor(point / 2) + 1, point % 2 === 0 ? 'before' : 'after'] as const))(
  'Killed at event %i, %s the line is on disk',
  async (at, when) => {
    const cwd = await folder(FILES);
    const env = { NODE_OPTIONS: `--require ${PRELOAD}` };
    const planned = await spawned(['plan', '--all', '--out', 'plans', '-q'], { cwd });
    expect(planned.code).toBe(0);
    const killed = await spawned(['apply', 'plans'], { cwd, env: { ...env, KILL_AT: String(at), KILL_WHEN: when } });
    expect(killed.code, killed.stderr).toBe(null);
    const [run = ''] = await readdir(join(cwd, '.chatform', 'fleet'));
    const store = fileStore(join(cwd, '.chatform', 'fleet', run, 'log.ndjson'));
    const isBegun = (await store.read()).length > 0;
    // A run that never began is begun again.
    const again = isBegun ? ['apply', '--resume', run.slice(0, 8)] : ['apply', 'plans'];
    const resumed = await spawned(again, { cwd, env: { ...env, ...LATER } });
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    if (isBegun) {
      const { finished, targets, run: first } = resultsOf(await store.read());
      expect(finished).toBe(true);
      expect([...targets.values()].every(({ state }) => state === 'done')).toBe(true);
      expect(first.digest).toBe(/; digest ([0-9a-f]{64})\n/.exec(planned.stdout)?.[1]);
    }
    for (const target of TARGETS) {
      const license = await readFile(join(cwd, `${target}.json`), 'utf8');
      expect(license.match(/"name":\s*"Support"/g), target).toHaveLength(1);
      const ledger = join(cwd, 'ledgers', `${target}.ndjson`);
      // An intent that the kill left without an answer may have made nothing: then there is another.
      expect((await readFile(ledger, 'utf8')).match(/"type":"bound"/g), target).toHaveLength(1);
      expect((await fileLease(ledger).read())?.until, target).toBe(null);
    }
  },
);
