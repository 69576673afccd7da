// examples/agency: 30 licenses from one base, through the commands that its users type. The dates of its calendars do not age.

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/service/patience/clock.ts';
import { chatform, folder, type Ran } from '../cli/chatform.ts';
import { served } from '../cli/served.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/agency', import.meta.url));
const LAST = 'tidewater-marine';

/** A Monday outside of every freeze window; the time goes on from there. */
const AHEAD = Date.parse('2026-11-30T09:00:00Z') - Date.now();
const clock = { ...systemClock, now: () => Date.now() + AHEAD };

interface Agency {
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  /** Replaces a text that a file has. */
  readonly edit: (file: string, from: string, to: string) => Promise<void>;
}

async function agency(): Promise<Agency> {
  const cwd = await folder();
  await cp(EXAMPLE, cwd, { recursive: true });
  return {
    run: (...args) => chatform(args, { cwd, clock, env: { TOKEN_TIDEWATER_MARINE: 'any' } }),
    edit: async (file, from, to) => {
      const path = join(cwd, file);
      const text = await readFile(path, 'utf8');
      expect(text.split(from).length, `${from} in ${file}`).toBeGreaterThan(1);
      await writeFile(path, text.replaceAll(from, to));
    },
  };
}

test('It has 30 licenses in two tiers and three regions, two of them the canary', async () => {
  const { run } = await agency();
  const counts = async (...labels: readonly string[]) =>
    /^(\d+) targets: \1 valid\n$/m.exec((await run('validate', ...labels)).stdout)?.[1];
  expect([
    await counts('--all'),
    await counts('-l', 'tier=essential'),
    await counts('-l', 'tier=plus'),
    await counts('-l', 'region=uk'),
    await counts('-l', 'region=dach'),
    await counts('-l', 'region=us'),
    await counts('-l', 'ring=canary'),
  ]).toEqual(['30', '21', '9', '10', '10', '10', '2']);
  expect(await run('validate', '--all')).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
});

test('A mistake of license 30 is found at its place, and the others are valid', async () => {
  const { run, edit } = await agency();
  await edit(`own/${LAST}.yaml`, 'eli.stone@beacondesk.example: first', 'eli.ston@beacondesk.example: first');
  const { code, stdout, stderr } = await run('validate', '--all');
  expect(stderr).toContain(
    `own/${LAST}.yaml:9:7: error dangling-reference: no agent \`eli.ston@beacondesk.example\` is declared\n`,
  );
  expect(stderr).toContain('  = help: did you mean `eli.stone@beacondesk.example`?');
  expect(stderr).toContain(`  = only for 1 target: ${LAST}\n`);
  expect(stderr).toContain('\n1 error\n');
  expect(stdout).toMatch(/\n30 targets: 29 valid, 1 failed\n$/);
  expect(code).toBe(1);
});

test('All are planned and applied in waves, and nothing is left to do; then a person leaves everywhere, and one client gets other hours', async () => {
  const done = await agency();
  const { run } = done;
  const planned = await run('plan', '--all');
  expect(planned.stdout).toMatch(/\n30 targets: 30 with changes; \d+ requests\n$/);
  expect(planned.stderr).toContain('\nWaves: canary 2, gates tests, no_drift; tenth 3; rest 25, 8 at a time.');
  expect(planned.code).toBe(0);
  const applied = await run('apply', '--all', '--yes');
  expect(applied.stderr.match(/^Wave .*/gm)).toEqual([
    'Wave canary: 2 targets.',
    'Wave canary: gate tests passed on 2 targets.',
    'Wave canary: gate no_drift passed on 2 targets.',
    'Wave tenth: 3 targets.',
    'Wave rest: 25 targets.',
  ]);
  expect(applied.stdout).toMatch(/\n30 targets: 30 applied; \d+ requests\n$/);
  expect((await run('plan', '--all', '-q')).stdout).toMatch(/^30 targets: 30 in sync\n$/m);
  expect((await run('test', '--all')).stdout).toMatch(/^30 targets: 30 done\b/m);
  expect(await run('drift', '--all')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^30 targets: 30 in sync; \d+ requests\n$/m),
  });
  await changePeopleAndHours(done);
});

test('A canary that fails stops the run before the other licenses; mended, the run goes on to its end', async () => {
  const { run, edit } = await agency();
  const scenario = { faults: [{ type: 'error', error: 'authorization', actions: ['create_group'] }] } as const;
  const { emulator, url } = await served({ scenario });
  await edit('chatform.yaml', `  ${LAST}:\n`, `  ${LAST}:\n    base_url: ${url}\n`);
  await edit('chatform.yaml', 'tier: plus, ring: main', 'tier: plus, ring: canary');
  const stopped = await run('apply', '--all', '--yes');
  expect(stopped.stdout).toMatch(/\ntidewater-marine .* in part/);
  expect(stopped.stdout).toMatch(/\n30 targets: 2 applied, 27 not begun, 1 in part; \d+ requests\n/);
  const id = /chatform apply --resume ([0-9a-f]{8})`/.exec(stopped.stdout)?.[1] ?? '';
  expect(stopped.code).toBe(1);

  emulator.setFaults({ faults: [] });
  const resumed = await run('apply', '--resume', id, '--retry', 'failed');
  expect(resumed.stderr).toContain('tidewater-marine: applied');
  expect(resumed.stdout).toMatch(/\n30 targets: 30 applied; \d+ requests\n$/);
  expect(resumed.code).toBe(0);
  expect((await run('plan', '--all', '-q')).stdout).toMatch(/^30 targets: 30 in sync\n$/m);
});

async function changePeopleAndHours({ run, edit }: Agency): Promise<void> {
  await edit(
    'licenses.csv',
    'larkspurbooks.example,essential,uk,main,09:00,17:00',
    'larkspurbooks.example,essential,uk,main,10:00,19:00',
  );
  const hours = await run('plan', '--all');
  expect(hours.stdout).toMatch(/\n30 targets: 29 in sync, 1 with changes; 1 request\n$/);
  expect(hours.stdout).toContain('      work_scheduler Mon-Fri 09:00-17:00 -> 10:00-19:00\n');
  await edit('manifest/agents.yaml', '{ name: Theo Marsh, ', '{ name: Theo Marsh, suspended: true, ');
  await edit('manifest/groups.yaml', ', theo.marsh@beacondesk.example: last', '');
  await edit('tiers/plus.yaml', ', theo.marsh@beacondesk.example: normal', '');
  const left = await run('plan', '--all');
  expect(left.stdout).toMatch(/\n30 targets: 30 with changes; \d+ requests\n$/);
  expect(left.stdout.match(/agent\/theo\.marsh/g), 'one for each tier, and the one with other hours').toHaveLength(3);
  await run('apply', '--all', '--yes', '-q');
  const shown = await run('show', 'agent/theo.marsh@beacondesk.example', '--all');
  expect(shown.stdout).toContain('30 targets: 30 done;');
}
