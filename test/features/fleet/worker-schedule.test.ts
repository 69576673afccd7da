// The checks that workers begin: in a real PostgreSQL, whose clock the test sets, by workers that only look.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/model.ts';
import { dueChecks, lostRuns } from '../../../src/features/fleet/worker-schedule.ts';
import { storeOf } from '../../../src/features/ledger/operation.ts';
import { commitsHere } from '../../../src/many/git/checkout.ts';
import { runWithResults } from '../../../src/many/log/fleet-runs.ts';
import { storedRun } from '../../../src/many/log/stored-runs.ts';
import { migrateEngine } from '../../../src/many/workers/migrate.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { createDatabases } from '../../../src/target/stores.ts';
import { folder } from '../../cli/chatform.ts';
import { commit, repository } from '../../cli/repository.ts';
import { fakeTerminal } from '../../cli/terminal.ts';
import { postgresBinaries } from '../../ledger/postgres/binaries.ts';
import { ask, migratedDatabase } from '../../ledger/postgres/migrated.ts';
import { type SharedServer, sharedServer } from '../../ledger/postgres/server.ts';
import { ANN, runOf, spec, stampAt, wave } from '../../many/names.ts';

const FOUND = await postgresBinaries();

const PROJECT = `version: 1
manifest: [manifest.yaml]
ledger_store: { postgres_env: DATABASE_URL }
targets:
  a: { base_url: "emulator:a.json", labels: { ring: canary } }
  b: { base_url: "emulator:b.json", labels: { ring: main } }
  c: { base_url: "emulator:c.json", labels: { ring: main } }
fleet:
  drift:
    - { select: ring=none, every: 1m }
    - { select: ring=canary, every: 10m }
    - { every: 20m }
`;

const CANARY = '{"every":"10m","select":["ring=canary"]}';
const OTHERS = '{"every":"20m","select":[]}';

/** What the database has of a run of a rule. */
interface Begun {
  readonly name: string;
  readonly schedule: string;
  readonly targets: string;
  readonly by: string;
  readonly queued: number;
}

describe.skipIf('missing' in FOUND)('checks that are due', () => {
  const home = process.cwd();
  let server: SharedServer;
  let url: string;
  let cwd: string;

  beforeAll(async () => {
    server = await sharedServer();
    url = await migratedDatabase(server);
    await migrateEngine(url);
    await ask(
      url,
      `create table public.clock (ahead interval); insert into public.clock values ('0');
       create or replace function chatform.now() returns timestamptz language sql volatile
         as 'select clock_timestamp() + ahead from public.clock'`,
    );
  });

  beforeEach(async () => {
    await ask(url, 'truncate chatform.log, dbos.workflow_status cascade');
    // A moment after both rules are due, at the latest.
    await ask(
      url,
      `update public.clock set ahead =
         to_timestamp(ceil(extract(epoch from clock_timestamp()) / 1200) * 1200) + interval '6 min' - clock_timestamp()`,
    );
    cwd = await repository({ 'chatform.yaml': PROJECT, 'manifest.yaml': 'version: 1\ngroups: { a: { name: A } }\n' });
    process.chdir(cwd);
  });

  afterEach(() => process.chdir(home));

  const pass = (minutes: number) =>
    ask(url, "update public.clock set ahead = ahead + $1 * interval '1 min'", [minutes]);

  /** A worker with the files of the commit, as it starts. */
  async function worker(user = 'ann') {
    const logged: (readonly [message: string, fields: JsonObject])[] = [];
    const { terminal: plain } = fakeTerminal(null, { PATH: process.env['PATH'], DATABASE_URL: url });
    const terminal = {
      ...plain,
      clock: systemClock,
      self: { ...plain.self, user },
      databases: createDatabases(systemClock),
      log: (_: string, message: string, fields: JsonObject = {}) => void logged.push([message, fields]),
    };
    const { store } = await storeOf(terminal);
    const diskAt = await commitsHere(await folder({}), 'test', terminal);
    const look = dueChecks({ store, diskAt }, terminal);
    const lost = lostRuns({ store }, terminal);
    const newest = async () => (await runWithResults(undefined, terminal)).run.id;
    return { look, lost, logged, newest, run: (id: string) => storedRun(id, store, terminal) };
  }

  const runs = async (schedule?: string): Promise<readonly Begun[]> =>
    (await ask(
      url,
      `select l.name, l.schedule, e.body -> 'spec' -> 'waves' -> 0 ->> 'targets' as targets, e.body -> 'by' ->> 'user' as by,
         (select count(*)::int from dbos.workflow_status w where w.workflow_uuid like 'run/' || l.name || '/%') as queued
       from chatform.log l join chatform.event e on e.log = l.id and e.seq = 1
       where $1::text is null or l.schedule = $1 order by l.id`,
      [schedule ?? null],
    )) as unknown as readonly Begun[];

  /** As if workers had carried the run out. */
  const end = (name: string) =>
    ask(
      url,
      `with l as (update chatform.log set head = head + 1 where name = $1 returning id, head)
       insert into chatform.event (log, seq, run, body) select id, head, $1, $2::json from l`,
      [name, JSON.stringify({ ...stampAt(Date.now()), type: 'done' })],
    );

  /** As if the workers that there are had refused the run. */
  const refuse = (name: string, reason: string) =>
    ask(
      url,
      `insert into dbos.workflow_status
         select (jsonb_populate_record(w, jsonb_build_object('workflow_uuid', 'run/' || $1 || '/0/2', 'created_at', w.created_at + 1))).*
           from dbos.workflow_status w where w.workflow_uuid = 'run/' || $1 || '/0/1'`,
      [name],
    ).then(() =>
      ask(
        url,
        "update dbos.workflow_status set status = 'SUCCESS', output = $2 where workflow_uuid = 'run/' || $1 || '/0/1'",
        [name, JSON.stringify({ type: 'refused', reason })],
      ),
    );

  test('Of workers that look at the same time, one begins a check for each rule that has targets', async () => {
    const [ann, ben] = await Promise.all([worker('ann'), worker('ben')]);
    await Promise.all([ann.look(), ben.look(), ann.look()]);
    // The second look of ann passes over the rule that her first one is at, so either rule may be stored first.
    const bySchedule = async () => [...(await runs())].sort((a, b) => a.schedule.localeCompare(b.schedule));
    const begun = await bySchedule();
    expect(begun).toEqual([
      { name: expect.any(String), schedule: CANARY, targets: '["a"]', by: begun[0]?.by, queued: 1 },
      { name: expect.any(String), schedule: OTHERS, targets: '["b","c"]', by: begun[1]?.by, queued: 1 },
    ]);
    for (const { by } of begun) expect(['ann', 'ben']).toContain(by);
    const request = await ann.run(begun[0]?.name ?? '').request();
    expect(request).toMatchObject({ plans: null, commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    for (const { look } of [ann, ben, await worker('eve')]) await look();
    expect(await bySchedule()).toEqual(begun);
  });

  test('The next period has its own check, and one that passed without workers has none', async () => {
    const { look } = await worker();
    await look();
    for (const { name } of await runs()) await end(name);
    await look();
    expect(await runs()).toHaveLength(2);
    await pass(10);
    await look();
    expect(await runs(CANARY)).toHaveLength(2);
    expect(await runs(OTHERS)).toHaveLength(1);
    for (const { name } of (await runs()).slice(2)) await end(name);
    await pass(600);
    await (await worker()).look();
    expect([(await runs(CANARY)).length, (await runs(OTHERS)).length]).toEqual([3, 2]);
  });

  test('A check that is still under way is the only one of its rule, and is offered again if the engine lost it', async () => {
    const { look, logged } = await worker();
    await look();
    const [first] = await runs(CANARY);
    await pass(10);
    await ask(url, 'truncate dbos.workflow_status cascade');
    logged.length = 0;
    for (const _ of [1, 2, 3]) await look();
    expect(logged).toEqual([
      ['a check of drift is left out, because the one before is under way', { run: first?.name, rule: CANARY }],
    ]);
    expect(await runs(CANARY)).toEqual([first]);
    await end(first?.name ?? '');
    await look();
    expect(await runs(CANARY)).toHaveLength(1);
    await pass(10);
    await look();
    expect(await runs(CANARY)).toHaveLength(2);
  });

  test('A worker that died between the beginning and the engine is no loss', async () => {
    await (await worker()).look();
    const before = await runs();
    await ask(url, 'truncate dbos.workflow_status cascade');
    expect((await runs()).map(({ queued }) => queued)).toEqual([0, 0]);
    await (await worker()).look();
    expect(await runs()).toEqual(before);
  });

  test('A check that broke holds up no later one', async () => {
    const { look } = await worker();
    await look();
    await ask(url, "update dbos.workflow_status set status = 'ERROR'");
    await pass(10);
    await look();
    expect(await runs(CANARY)).toHaveLength(2);
  });

  test('Who names no run means the newest that no worker began by itself', async () => {
    const { look, newest } = await worker();
    await look();
    const [first] = await runs(CANARY);
    expect((await runs()).map(({ name }) => name)).toContain(await newest());
    await ask(
      url,
      `select chatform.begin_run('chatform', 'by-ann', null, '{}', body::text, '{}', '{}')
         from chatform.event e join chatform.log l on l.id = e.log where l.name = $1 and e.seq = 1`,
      [first?.name],
    );
    await end(first?.name ?? '');
    await pass(10);
    await look();
    expect((await runs()).map(({ name }) => name)).toHaveLength(4);
    expect(await newest()).toBe('by-ann');
  });

  test('A check that no worker can do is cancelled, and the next one begins once it is over', async () => {
    const { look, run, logged } = await worker();
    await look();
    const [first] = await runs(CANARY);
    const id = first?.name ?? '';
    await refuse(id, 'git cannot fetch it');
    await pass(10);
    await look();
    expect(logged.slice(2)).toEqual([
      ['a check of drift is cancelled, because no worker can do it: git cannot fetch it', { run: id, rule: CANARY }],
    ]);
    expect(await run(id).store.cancelled()).toMatchObject({ type: 'cancel', by: { user: 'ann' } });
    expect(await runs(CANARY)).toHaveLength(1);
    await end(id);
    await look();
    expect(await runs(CANARY)).toHaveLength(1);
    await pass(0.3);
    await look();
    expect(await runs(CANARY)).toHaveLength(2);
  });

  test('A check takes the commit of the folder, and not what was changed there since; rules are those of that commit', async () => {
    const { look, run } = await worker();
    await writeFile(join(cwd, 'chatform.yaml'), PROJECT.replace(/ {2}drift:[\s\S]*$/, '  drift: [{ every: 10m }]\n'));
    await look();
    const before = await runs();
    expect(before.map(({ schedule }) => schedule)).toEqual([CANARY, OTHERS]);
    for (const { name } of before) await end(name);
    commit(cwd);
    await pass(10);
    // A worker looks at its folder again after a while; another one does at once.
    await (await worker()).look();
    const [, , later, ...others] = await runs();
    expect(others).toEqual([]);
    expect(later).toMatchObject({ schedule: '{"every":"10m","select":[]}', targets: '["a","b","c"]' });
    const commits = await Promise.all([before[0], later].map((one) => run(one?.name ?? '').request()));
    expect(new Set(commits.map((request) => request.commit)).size).toBe(2);
  });

  test('A run that was written, and whose command was cut off before it asked the workers, is found', async () => {
    const begun = (id: string) =>
      ask(url, "select chatform.begin_run('chatform', $1, null, '{}', $2, '{}', '{}')", [
        id,
        JSON.stringify({ ...runOf(spec([wave('all', ['a'])])), id }),
      ]);
    const goneOn = (id: string, ...events: readonly object[]) =>
      ask(
        url,
        `with l as (update chatform.log set head = head + $2 where name = $1 returning id, head)
         insert into chatform.event (log, seq, run, body) select id, head - $2 + n, '', body::json from l, unnest($3::text[]) with ordinality u (body, n)`,
        [id, events.length, events.map((event) => JSON.stringify(event))],
      );
    const queued = async () =>
      (await ask(url, 'select workflow_uuid as id from dbos.workflow_status order by 1')).map(({ id }) => id);
    await begun('r1');
    await begun('r2');
    await goneOn('r2', { ...stampAt(Date.now()), type: 'done' });
    const first = await worker();
    await first.lost();
    await first.lost();
    await (await worker()).lost();
    expect(await queued()).toEqual(['run/r1/0/1']);
    expect(first.logged).toEqual([
      ['a run is begun whose command was cut off before it asked the workers', { run: 'r1' }],
    ]);
    // A person goes on with it, and is cut off as well.
    await ask(url, "select chatform.reopen_run('chatform', 'r1')");
    await goneOn('r1', { ...stampAt(Date.now()), type: 'resumed', by: ANN });
    await (await worker()).lost();
    expect(await queued()).toEqual(['run/r1/0/1', 'run/r1/1/1']);
  });
});
