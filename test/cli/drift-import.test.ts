// What is ours and was let go of: `chatform drift` says that `chatform import` declares it again, and that is so.

import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folder, project } from './chatform.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const home = process.cwd();
const ANN = `version: 1
agents:
  ann@example.com: { name: Ann }
`;
const ALL = `${ANN}  bob@example.com: { name: Bob, job_title: Lead }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
`;

beforeEach(async () => {
  process.chdir(await folder({ ...project(), 'manifest.yaml': ALL }));
  const { terminal } = fakeTerminal(null);
  expect(await atTerminal(['apply', '--yes', '--quiet'], terminal)).toBe(0);
  await writeFile('manifest.yaml', ANN);
});
afterEach(() => process.chdir(home));

interface Told {
  readonly status: string;
  readonly kind: string;
  readonly address: string;
  readonly ways_out: readonly string[];
}

async function told(): Promise<readonly Told[]> {
  const { terminal, said } = fakeTerminal(null);
  await atTerminal(['drift', '--json', '--quiet', '--no-sightings'], terminal);
  return JSON.parse(said()).items;
}

test.each([
  ['an agent, who is kept', 'agent/bob@example.com', ['import', 'ignore'], 'job_title: Lead'],
  ['a group, which the next apply deletes', 'group/sales', ['apply', 'import', 'ignore'], 'ann@example.com: first'],
])('%s', async (_, address, ways, said) => {
  const find = async () => (await told()).find((item) => item.address === address && item.kind === 'unmanaged');
  expect(await find()).toMatchObject({ status: 'pending', ways_out: ways });
  expect(await atTerminal(['import', '--only', address, '--quiet'], fakeTerminal(null).terminal)).toBe(0);
  expect(await readFile('manifest.yaml', 'utf8')).toContain(said);
  expect(await find()).toBeUndefined();
});
