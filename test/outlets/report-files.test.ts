// `--report FORMAT=FILE`: what cannot be written is refused before the look, and what is written is complete.

import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { drifting } from '../../src/features/drift/operation.ts';
import type { DriftCheck } from '../../src/features/drift/schema.ts';
import { WRITERS } from '../../src/many/formats.ts';
import {
  type Keeping,
  parseReports as parseReportsOf,
  type ReportFile,
  reportFlags,
  reportsWith,
  requireDistinct,
  unwritten,
} from '../../src/outlets/report-files.ts';
import { systemClock } from '../../src/service/patience/clock.ts';
import { CALM, FAILED, SEEN } from '../features/drift/example.ts';
import { driftRenderers } from '../features/drift/outputs.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatform-reports-'));
  return () => rm(folder, { recursive: true, force: true });
});

const keeping = (choice: Keeping['choice'] = {}): Keeping => ({
  choice: { project: within('chatform.yaml'), ...choice },
  environment: { env: {}, clock: systemClock },
});

const parseReports = (values: readonly string[], kept = keeping()) =>
  parseReportsOf(values, { ...WRITERS, ...drifting.formats }, kept);

const textOf =
  (check: DriftCheck) =>
  ({ format }: ReportFile) =>
    driftRenderers[format as keyof typeof driftRenderers](check);

const within = (name: string): string => join(folder, name);

describe('Refused before the look', () => {
  test.each([
    [
      'markdwon=out.md',
      /no format markdwon; did you mean markdown\? formats: text, json, html, markdown, csv, junit, sarif, codequality, prom/,
    ],
    ['pdf=out.pdf', /no format pdf; formats:/],
    ['out.md', /no format out\.md/],
    ['junit', /the file is missing; write it as junit=FILE/],
    ['junit=', /the file is missing/],
    ['json=-', /standard output/],
  ])('%s', async (value, message) => {
    await expect(parseReports([value])).rejects.toThrow(message);
  });

  test.each(['production.ndjson', 'chatform.yaml', 'groups.yml', 'production.sightings.json'])(
    'what has the name of a file that chatform reads, also through a link: %s',
    async (name) => {
      await expect(parseReports([`json=${within(name)}`])).rejects.toThrow('choose another name');
      await writeFile(within(name), 'mine');
      await symlink(within(name), within('out.json'));
      await expect(parseReports([`json=${within('out.json')}`])).rejects.toThrow('choose another name');
    },
  );

  test.each(['history.log', 'state', 'secrets', 'seen'])(
    'what the target keeps something in, whatever its name is and however it is reached: %s',
    async (name) => {
      await writeFile(
        within('chatform.yaml'),
        'targets: { a: { base_url: "emulator:state", secrets: { file: secrets }, ledger: history.log, wrong: 1 } }',
      );
      const own = keeping({ sightings: within('seen') });
      await expect(parseReports([`json=${within(name)}`], own)).rejects.toThrow(
        /would be replaced, and is (what --sightings names|the .* of target a \(.*chatform\.yaml:1:\d+\))/,
      );
      await symlink(within(name), within('out.json'));
      await writeFile(within(name), 'mine');
      await expect(parseReports([`json=${within('out.json')}`], own)).rejects.toThrow('choose another name');
      await expect(parseReports([`json=${within('other')}`], own)).resolves.toHaveLength(1);
    },
  );

  test('a folder that is not there', async () => {
    await expect(parseReports([`text=${within('none/out.txt')}`])).rejects.toThrow(/there is no folder .*none/);
  });

  test('a folder in place of a file', async () => {
    await expect(parseReports([`text=${folder}`])).rejects.toThrow(/it is a folder/);
  });

  test('a device', async () => {
    await expect(parseReports(['text=/dev/null'])).rejects.toThrow(/it is no file/);
  });

  test.skipIf(process.getuid?.() === 0)('a folder that cannot be written (root may write anything)', async () => {
    await chmod(folder, 0o500);
    await expect(parseReports([`text=${within('out.txt')}`])).rejects.toThrow(/EACCES/);
  });

  test('the same file twice, by whatever name', async () => {
    await mkdir(within('a'));
    await symlink(within('a'), within('b'));
    const values = [`text=${within('a/out')}`, `json=${within('b/../b/out')}`];
    await expect(parseReports(values)).rejects.toThrow(/text goes into that file already/);
  });

  test('what chatform did not write for that format', async () => {
    await writeFile(within('out'), driftRenderers.html(SEEN));
    await expect(parseReports([`html=${within('out')}`])).resolves.toHaveLength(1);
    for (const text of [driftRenderers.text(SEEN), '{ "my": "work" }', 'x'])
      for (const format of ['html', 'json', 'csv'] as const) {
        await writeFile(within('out'), text);
        await expect(parseReports([`${format}=${within('out')}`])).rejects.toThrow(
          'chatform did not write it for this flag; choose another name, or delete it first',
        );
      }
  });

  test('writes nothing meanwhile', async () => {
    await parseReports([`text=${within('out.txt')}`, `json=${within('out=1.json')}`]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('Written after the look', () => {
  test.each(Object.entries({ SEEN, CALM, FAILED }))('are all of them, whatever the outcome: %s', async (_, look) => {
    const formats = Object.keys(driftRenderers) as (keyof typeof driftRenderers)[];
    const reports = await parseReports(formats.map((format) => `${format}=${within(format)}`));
    expect(await unwritten(reportsWith(reports, textOf(look)))).toBeNull();
    expect(await readdir(folder)).toEqual([...formats].sort());
    for (const format of formats) expect(await readFile(within(format), 'utf8')).toBe(driftRenderers[format](look));
  });

  test('replace what was there, through a link as well', async () => {
    await writeFile(
      within('summary'),
      `${driftRenderers.text(CALM)}${'an older and much longer report\n'.repeat(1000)}`,
    );
    await symlink(within('summary'), within('link'));
    const reports = await parseReports([`text=${within('link')}`]);
    expect(await unwritten(reportsWith(reports, textOf(CALM)))).toBeNull();
    expect(await readFile(within('summary'), 'utf8')).toBe(driftRenderers.text(CALM));
  });

  test.skipIf(process.platform === 'win32')('have the permissions of what they replace', async () => {
    const modes = { private: 0o600, shared: 0o666, executable: 0o750 };
    for (const [name, mode] of Object.entries(modes)) {
      await writeFile(within(name), '');
      await chmod(within(name), mode);
      const reports = await parseReports([`text=${within(name)}`]);
      expect(await unwritten(reportsWith(reports, () => 'a report'))).toBeNull();
      expect((await stat(within(name))).mode & 0o777).toBe(mode);
    }
  });

  test.skipIf(process.platform === 'win32')('are for their owner only where that is asked for', async () => {
    for (const mode of [null, 0o644, 0o666]) {
      const name = `plan-${mode}.json`;
      if (mode !== null) await writeFile(within(name), '{}', { mode });
      const file = { name, path: within(name), text: () => 'a plan' };
      expect(await unwritten([file], 'owner')).toBeNull();
      expect((await stat(within(name))).mode & 0o777).toBe(0o600);
    }
  });

  test('leave out what cannot be written, name it, and leave nothing unfinished', async () => {
    const reports = await parseReports([`text=${within('out.txt')}`, `json=${within('out.json')}`]);
    await mkdir(within('out.txt'));
    expect(await unwritten(reportsWith(reports, textOf(SEEN)))).toMatch(
      /the report text=.*out\.txt cannot be written: EISDIR/,
    );
    expect((await readdir(folder)).sort()).toEqual(['out.json', 'out.txt']);
  });
});

describe('A file that several flags name', () => {
  const twice = (one: string, other: string) =>
    requireDistinct([
      ['--out a', one],
      ['--events b', other],
      ['--report json=c', within('third')],
    ]);

  test('is refused, however it is reached, and whether it is there or not', async () => {
    await expect(twice(within('x'), within('./x'))).rejects.toThrow('--events b: --out a means that file already');
    await symlink(folder, within('here'));
    await expect(twice(within('x'), within('here/x'))).rejects.toThrow('each needs a file of its own');
    await writeFile(within('x'), 'mine');
    await link(within('x'), within('y'));
    await symlink(within('y'), within('z'));
    await expect(twice(within('x'), within('z'))).rejects.toThrow('each needs a file of its own');
    await expect(twice(within('x'), within('w'))).resolves.toBeUndefined();
  });

  test('is no report of what the target keeps, by another name of it', async () => {
    await writeFile(within('history'), 'mine');
    await link(within('history'), within('out.json'));
    await expect(parseReports([`json=${within('out.json')}`], keeping({ ledger: within('history') }))).rejects.toThrow(
      'is what --ledger names',
    );
  });

  test('a flag that is not right otherwise is left to whoever reads it', () => {
    expect(reportFlags(['json', 'json=', 'json=a=b'])).toEqual([
      ['--report json', undefined],
      ['--report json=', ''],
      ['--report json=a=b', 'a=b'],
    ]);
  });
});
