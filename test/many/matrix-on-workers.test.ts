// The matrix of operations on workers: the outcomes that they store come to the same outputs as those of this process.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { chatform, start } from '../cli/chatform.ts';
import { commit, repository } from '../cli/repository.ts';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import {
  APPLIED,
  changeFiles,
  chosenFor,
  expectReports,
  FILES,
  OPERATIONS,
  REPORTS,
  type Situation,
} from './matrix.ts';

const FOUND = await postgresBinaries();

const SITUATIONS: readonly Situation[] = ['many', 'one of many fails', 'one of many is out of reach'];

const WORKED = ['plan', 'apply', 'drift', 'verify'];

describe.skipIf('missing' in FOUND)('on workers', () => {
  let server: SharedServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  test('what differs and what failed is in every format', async () => {
    const env = { DATABASE_URL: await server.newDatabase(), CHATFORM_TOKEN: 'dal:hush', TOKEN: 'a:b' };
    const project = `${FILES['chatform.yaml']}ledger_store: { postgres_env: DATABASE_URL }\n`;
    const ignored = '*.json\nreport.*\n.chatform/\n';
    const cwd = await repository({ ...FILES, 'chatform.yaml': project, '.gitignore': ignored });
    const run = (...args: readonly string[]) => chatform(args, { cwd, env });
    await run('ledger', 'migrate');
    for (const target of APPLIED) expect(await run('apply', '--yes', '-q', '-t', target)).toMatchObject({ code: 0 });
    await changeFiles(cwd);
    commit(cwd);
    const worker = start(['fleet', 'worker', '--ttl', '3s', '--parallel', '2'], { cwd, env });
    await worker.says('stderr', 'Working on');
    for (const [name, operation] of Object.entries(OPERATIONS).filter(([each]) => WORKED.includes(each)))
      for (const situation of SITUATIONS) {
        const targets = chosenFor(situation, operation).flatMap((target) => ['-t', target]);
        const ended = await run(...operation.args, ...targets, '--workers', ...REPORTS);
        await expectReports(operation, situation, ended, cwd).catch((error: unknown) => {
          throw new Error(`${name}, ${situation}`, { cause: error });
        });
      }
    // What workers applied, workers take back.
    const license = () => readFile(join(cwd, 'unapplied.json'), 'utf8');
    const applied = await run('apply', '--yes', '-q', '-t', 'unapplied', '-t', 'calm', '--workers');
    expect([applied.code, await license()]).toEqual([0, expect.stringContaining('"Sales"')]);
    const acknowledged = ['deletes', 'auto_access/pricing'].flatMap((each) => ['--acknowledge', each]);
    const undone = await run('undo', '--all', '--yes', ...acknowledged, '--workers');
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining('1 target: 1 applied') });
    expect(await license()).not.toContain('"Sales"');
  }, 120_000);
});
