// A ledger and its license: a ledger of another one is refused before anything is planned, and what changes on one license is not.

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/index.ts';
import { chatform, filesIn, folder, project, withoutLease } from './chatform.ts';
import { served } from './served.ts';

const MANIFEST = 'version: 1\ngroups: { sales: { name: Sales }, support: { name: Support } }\n';
/** Another shop, with groups of the same ids. */
const OTHER = JSON.stringify({ groups: [{ name: 'Billing' }, { name: 'Returns' }] });

async function applied(): Promise<string> {
  const cwd = await folder({ ...project(), 'manifest.yaml': MANIFEST, 'other.json': OTHER });
  expect(await chatform(['apply', '--yes', '-q'], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

/** A project of a license at an address. */
async function shopAt(url: string): Promise<string> {
  const target = `base_url: ${url}, ledger: ledger.ndjson, organization_id: o-1, reports_token_env: REPORTS_TOKEN`;
  return folder({
    'manifest.yaml': MANIFEST,
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here: { ${target} }\n`,
  });
}

const eventsIn = async (cwd: string) =>
  (await readFile(join(cwd, 'ledger.ndjson'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const licensesIn = async (cwd: string) => (await eventsIn(cwd)).filter(({ type }) => type === 'license');
const env = { CHATFORM_TOKEN: 'test-token', REPORTS_TOKEN: 'reports-token' };
const nameOf = (stderr: string): string => /--new-license (\S+)/.exec(stderr)?.[1] ?? '';

test('An apply records the license once, with the identity of the file of an emulator', async () => {
  const cwd = await applied();
  const { identity } = JSON.parse(await readFile(join(cwd, 'license.json'), 'utf8'));
  expect((await licensesIn(cwd)).at(-1)).toMatchObject({ base_url: 'emulator:license.json', identity, groups: {} });
  const count = (await licensesIn(cwd)).length;
  await chatform(['apply', '--yes', '-q'], { cwd });
  expect(await licensesIn(cwd)).toHaveLength(count);
});

describe('Another license is refused, both are named, and nothing is written', () => {
  const elsewhere = ['--base-url', 'emulator:other.json'];
  test.each([
    ['plan', ['plan', ...elsewhere]],
    ['apply', ['apply', '--yes', ...elsewhere]],
    ['undo', ['undo', '--yes', ...elsewhere]],
    ['drift', ['drift', ...elsewhere]],
    ['import', ['import', ...elsewhere]],
    ['doctor', ['doctor', ...elsewhere]],
    ['test --on customer', ['test', '--on', 'customer', ...elsewhere]],
    ['coverage --demand', ['coverage', '--demand', '28d', ...elsewhere]],
    ['coverage --on live', ['coverage', '--on', 'live', ...elsewhere]],
    ['explain', ['explain', '--url', 'https://shop.example/', '--on', 'live', ...elsewhere]],
    ['test --on live', ['test', '--on', 'live', ...elsewhere]],
    ['report', ['report', 'total_chats', '--group', 'sales', ...elsewhere]],
    ['report --since', ['report', '--since', '--for', '1h', ...elsewhere]],
    ['plan --demand', ['plan', '--demand', '28d', ...elsewhere]],
  ])('%s', async (_, args) => {
    const cwd = await applied();
    const before = withoutLease(await filesIn(cwd));
    const { code, stdout, stderr } = await chatform(args, { cwd });
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/the ledger ledger\.ndjson belongs to the license .*groups: Sales, Support/);
    expect(stdout + stderr).toContain('groups: Billing, Returns');
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
  });

  test('a service at another address, whose groups have the same ids', async () => {
    const { url, emulator } = await served({ seed: JSON.parse(OTHER) });
    const cwd = await applied();
    const { code, stderr } = await chatform(['apply', '--yes', '--base-url', url], { cwd, env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('nothing was planned')]);
    expect(Object.keys(emulator.stats())).toEqual(['list_groups']);
  });

  test.each([
    ['test --on customer', ['test', '--on', 'customer']],
    ['coverage', ['coverage', '--demand', '28d']],
    ['report', ['report', 'total_chats', '--group', 'sales']],
    ['report --since', ['report', '--since', '--for', '1h']],
  ])('%s at the same address, by one reading of the groups', async (_, args) => {
    const other = createEmulator({ now: Date.now, random: Math.random, seed: JSON.parse(OTHER) });
    let isOther = false;
    const { url } = await served({}, (handle) => (request) => (isOther ? other.handle(request) : handle(request)));
    const cwd = await shopAt(url);
    expect(await chatform(['apply', '--yes', '-q', '--assume-settled'], { cwd, env })).toMatchObject({ code: 0 });
    isOther = true;
    const { code, stderr } = await chatform(args, { cwd, env });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/belongs to the license .*groups: Billing, Returns/)]);
    expect(other.stats()).toEqual({ list_groups: 1 });
  });

  test.each([
    ['test --on customer', ['test', '--on', 'customer']],
    ['coverage', ['coverage', '--demand', '28d']],
    ['report', ['report', 'total_chats', '--group', 'sales']],
    ['report --since', ['report', '--since', '--for', '1h']],
  ])('%s at another address, without a token that could tell', async (_, args) => {
    const other = await served({ seed: JSON.parse(OTHER) });
    const cwd = await shopAt((await served()).url);
    expect(await chatform(['apply', '--yes', '-q', '--assume-settled'], { cwd, env })).toMatchObject({ code: 0 });
    const how = { cwd, env: { REPORTS_TOKEN: 'reports-token' } };
    const { code, stderr } = await chatform([...args, '--base-url', other.url], how);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/may be another license, .*CHATFORM_TOKEN/)]);
    expect(other.emulator.stats()).toEqual({});
  });

  test('an empty license: the ledger would lose what it owns on the other', async () => {
    const cwd = await applied();
    const { code, stderr } = await chatform(['plan', '--base-url', 'emulator:fresh.json'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('no groups')]);
  });
});

describe('Until --new-license names it', () => {
  test('The plan deletes nothing there, writes nothing, and the apply makes the ledger forget the former license', async () => {
    const cwd = await applied();
    await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\ngroups: { returns: { name: Returns } }\n');
    const elsewhere = ['--base-url', 'emulator:other.json'];
    const name = nameOf((await chatform(['plan', ...elsewhere], { cwd })).stderr);
    const before = withoutLease(await filesIn(cwd));
    const planned = await chatform(['apply', '--plan', ...elsewhere, '--new-license', name], { cwd });
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('Adopted as they are: group/returns')]);
    expect(planned.stdout).not.toContain('destroyed');
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
    const args = ['apply', '--yes', '-q', ...elsewhere];
    expect((await chatform([...args, '--new-license', name], { cwd })).code).toBe(0);
    const shown = JSON.parse((await chatform(['ledger', 'show', '--json'], { cwd })).stdout);
    expect(shown.resources.map(({ address }: { address: string }) => address)).toEqual(['group/returns']);
    // Once it is said, it needs not be said again, and does no harm when it is.
    expect((await chatform(args, { cwd })).code).toBe(0);
    expect((await chatform([...args, '--new-license', name], { cwd })).code).toBe(0);
    expect(JSON.parse((await chatform(['ledger', 'show', '--json'], { cwd })).stdout).resources).toEqual(
      shown.resources,
    );
    expect((await chatform(['plan'], { cwd })).code).toBe(1);
  });

  test('Another name is refused, and so is the license that the ledger belongs to', async () => {
    const cwd = await applied();
    const before = withoutLease(await filesIn(cwd));
    for (const args of [
      ['apply', '--yes', '--new-license', 'staging'],
      ['apply', '--yes', '--base-url', 'emulator:other.json', '--new-license', 'staging'],
      ['plan', '--new-license', 'staging'],
    ]) {
      const { code, stderr } = await chatform(args, { cwd });
      expect([code, stderr]).toEqual([1, expect.stringContaining('--new-license')]);
    }
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
  });
});

describe('Not refused', () => {
  test('a ledger of before, which learns its license at the next apply and not by a plan', async () => {
    const cwd = await applied();
    const path = join(cwd, 'ledger.ndjson');
    const events = (await eventsIn(cwd)).filter(({ type }) => type !== 'license');
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    await writeFile(path, text);
    expect((await chatform(['plan'], { cwd })).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(text);
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    expect(await licensesIn(cwd)).toHaveLength(1);
  });

  test('groups that were renamed in the application, all of them', async () => {
    const cwd = await applied();
    const path = join(cwd, 'license.json');
    const license = await readFile(path, 'utf8');
    await writeFile(path, license.replace('"Sales"', '"Shop"').replace('"Support"', '"Help"'));
    const { code, stderr } = await chatform(['plan'], { cwd });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('license')]);
  });

  test('the file of an emulator in another folder, served over HTTP, and restored from a snapshot', async () => {
    const cwd = await applied();
    await rename(join(cwd, 'license.json'), join(cwd, 'moved.json'));
    const { code, stderr } = await chatform(['plan', '--detailed-exitcode', '--base-url', 'emulator:moved.json'], {
      cwd,
    });
    expect([code, stderr]).toEqual([0, '']);
    const state = JSON.parse(await readFile(join(cwd, 'moved.json'), 'utf8'));
    const { url, emulator } = await served({ state });
    expect(await chatform(['plan', '--detailed-exitcode', '--base-url', url], { cwd, env })).toMatchObject({
      code: 0,
      stderr: '',
    });
    await emulator.begin({ state: emulator.snapshot() });
    expect(await chatform(['plan', '--detailed-exitcode', '--base-url', url], { cwd, env })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('an emulator that begins again from nothing in the same file', async () => {
    const cwd = await applied();
    await rm(join(cwd, 'license.json'));
    expect(await chatform(['apply', '--yes', '-q'], { cwd })).toMatchObject({ code: 0 });
    expect(await chatform(['plan', '--detailed-exitcode'], { cwd })).toMatchObject({ code: 0 });
  });

  test('a license at another address with the same groups: a warning says what to check', async () => {
    const cwd = await applied();
    const { url } = await served({ seed: { groups: [{ name: 'Sales' }, { name: 'Support' }] } });
    const { code, stderr } = await chatform(['plan', '--base-url', url], { cwd, env });
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/Warning: the ledger .* may be another: .*check the plan/),
    ]);
  });

  test('a ledger that was compacted, or only looked at', async () => {
    const cwd = await applied();
    expect((await chatform(['ledger', 'compact', '--keep-days', '1'], { cwd })).code).toBe(0);
    const said = (await chatform(['ledger', 'log'], { cwd })).stdout;
    expect(said).toContain('the ledger belongs to the license at emulator:license.json');
    expect((await chatform(['plan', '--base-url', 'emulator:other.json'], { cwd })).code).toBe(1);
  });
});
