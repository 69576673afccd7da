// The matrix of operations on workers: the outcomes that they store come to the same outputs as those of this process.

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
  }, 120_000);
});
