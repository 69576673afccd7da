// What drift checks of a project with its ledgers in PostgreSQL remember: all checkouts share it, it moves with the ledger, and it fails no check.

import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { ask, migratedDatabase } from '../ledger/postgres/migrated.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { chatform, folder, MANIFEST } from './chatform.ts';

const FOUND = await postgresBinaries();

const PROJECT = 'version: 1\nmanifest: [manifest.yaml]\ntargets: { here: { base_url: "emulator:license.json" } }\n';

describe.skipIf('missing' in FOUND)('sightings in PostgreSQL', () => {
  let server: SharedServer;
  let url: string;

  beforeAll(async () => {
    server = await sharedServer();
    url = await migratedDatabase(server);
  });

  /** A checkout whose license has drifted, of a project of this name. */
  async function drifted(name: string): Promise<string> {
    const store = `ledger_store: { postgres_env: DATABASE_URL, project: ${name} }\n`;
    const cwd = await folder({ 'chatform.yaml': PROJECT + store, 'manifest.yaml': MANIFEST });
    expect(await chatform(['apply', '--yes', '-q'], { cwd, env: { DATABASE_URL: url } })).toMatchObject({ code: 0 });
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('name: Sales', 'name: Selling'));
    return cwd;
  }

  /** Whether an earlier check saw a difference, and the notes of the check. */
  async function check(cwd: string, args: readonly string[] = [], address = url) {
    const ran = await chatform(['drift', '--json', ...args], { cwd, env: { DATABASE_URL: address } });
    const { at, items, notes } = JSON.parse(ran.stdout) as {
      readonly at: string;
      readonly items: readonly { readonly first_seen: string }[];
      readonly notes: readonly { readonly message: string }[];
    };
    return {
      ...ran,
      isKnown: items.some(({ first_seen: first }) => first !== at),
      notes: notes.map(({ message }) => message),
    };
  }

  test('Two checkouts remember the same, and nothing of it is in a file', async () => {
    const one = await drifted('shared');
    const other = await folder();
    await cp(one, other, { recursive: true });
    expect(await check(one)).toMatchObject({ code: 2, isKnown: false });
    expect(await check(other)).toMatchObject({ code: 2, isKnown: true });
    expect(await check(one)).toMatchObject({ isKnown: true, notes: [] });
    expect((await readdir(one, { recursive: true })).filter((name) => name.includes('sightings'))).toEqual([]);
    const flags = ['--sightings', 'own.json'];
    expect(await check(one, flags)).toMatchObject({ isKnown: false });
    expect(await check(one, flags)).toMatchObject({ isKnown: true });
    expect(await check(one, ['--no-sightings'])).toMatchObject({ isKnown: false });
    expect(await check(other)).toMatchObject({ isKnown: true });
  });

  test('They move with the ledger, there and back, and stay in one place', async () => {
    const cwd = await drifted('moved');
    const env = { DATABASE_URL: url };
    const stored = () => ask(url, "select target from chatform.sightings where project = 'moved'");
    const files = async () => (await readdir(join(cwd, '.chatform'))).filter((name) => name.includes('sightings'));
    await check(cwd);
    expect(await stored()).toEqual([{ target: 'here' }]);
    expect(await chatform(['ledger', 'move', '--to', 'file'], { cwd, env })).toMatchObject({ code: 0 });
    expect([await stored(), await files()]).toEqual([[], ['here.sightings.json']]);
    expect(await chatform(['ledger', 'move', '--to', 'postgres'], { cwd, env })).toMatchObject({ code: 0 });
    expect(await files()).toEqual([]);
    expect(await check(cwd)).toMatchObject({ isKnown: true });
  });

  test('A file that is damaged stays where it is, and stops no move', async () => {
    const cwd = await drifted('damaged');
    const env = { DATABASE_URL: url };
    await chatform(['ledger', 'move', '--to', 'file'], { cwd, env });
    await writeFile(join(cwd, '.chatform/here.sightings.json'), '{ "format_version"');
    expect(await chatform(['ledger', 'move', '--to', 'postgres'], { cwd, env })).toMatchObject({ code: 0 });
    expect(await readdir(join(cwd, '.chatform'))).toContain('here.sightings.json');
    expect(await check(cwd)).toMatchObject({ isKnown: false, notes: [] });
  });

  test('A user who may only read remembers nothing, and is told once', async () => {
    const cwd = await drifted('read');
    await check(cwd);
    await ask(url, "create role watcher login password 'r' in role chatform_read");
    const reader = url.replace('postgres@', 'watcher:r@');
    const { code, isKnown, notes, stderr } = await check(cwd, [], reader);
    expect({ code, isKnown, notes }).toEqual({ code: 2, isKnown: true, notes: [] });
    expect(stderr.match(/sightings postgres:DATABASE_URL\/read\/here cannot be written/g)).toHaveLength(1);
    expect(stderr).toContain('the user watcher of DATABASE_URL may only read, so nothing was changed');
    expect(await check(cwd, [], reader)).toMatchObject({ isKnown: true });
  });

  test('Sightings that cannot be read, or are damaged, cost the memory and not the check', async () => {
    const cwd = await drifted('lost');
    await check(cwd);
    await ask(url, 'create role blind login in role chatform_read, chatform_apply');
    await ask(url, 'revoke select on chatform.sightings from chatform_read, chatform_apply');
    const blind = await check(cwd, [], url.replace('postgres@', 'blind@'));
    await ask(url, 'grant select on chatform.sightings to chatform_read, chatform_apply');
    expect(blind).toMatchObject({ code: 2, isKnown: false });
    expect(blind.notes[0]).toMatch(
      /^the sightings postgres:DATABASE_URL\/lost\/here cannot be read \(the user blind of DATABASE_URL may not use the tables of chatform: .*\): every difference/,
    );
    await ask(url, "update chatform.sightings set body = '{}' where project = 'lost'");
    expect((await check(cwd)).notes[0]).toContain('hold something else: they are not changed');
    const whole = '{ "format_version": "1.0", "target": "here", "sightings": [] }';
    await ask(url, 'update chatform.sightings set body = $1 where project = $2', [whole, 'lost']);
    const damaged = await check(cwd);
    expect(damaged).toMatchObject({ code: 2, isKnown: false });
    expect(damaged.notes[0]).toContain('are damaged: ');
    expect(await check(cwd)).toMatchObject({ isKnown: true, notes: [] });
  });
});
