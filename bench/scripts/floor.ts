// What has to be done at the least, with nothing checked: a JSON file that says what to read, what should be there and which calls come after it
// comes in, the calls go out. No retry, no ledger, no lock, no proof. Must not import anything of ours.

import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { Agent, request } from 'undici';

type Row = Record<string, unknown>;
type Call = { readonly action: string; readonly body: Row; readonly api?: string; readonly as?: readonly string[] };
export interface Input {
  readonly url: string;
  readonly batchSize: number;
  readonly reads: readonly Call[];
  readonly agents: readonly Row[];
  readonly groups: readonly Row[];
  /** `@name` in a body is the id of what has that name, or of what a call was said to be. */
  readonly waves: readonly (readonly Call[])[];
}

const input: Input = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
const write = process.argv[3] === 'apply';
const dispatcher = new Agent({ connections: 10 });
const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
const ids = new Map<string, unknown>();

async function call({ action, body, api = 'configuration' }: Call): Promise<Row[] & Row> {
  const url = `${input.url}/v3.6/${api}/action/${action}`;
  const reply = await request(url, { method: 'POST', headers, dispatcher, body: JSON.stringify(body) });
  const value = await reply.body.json();
  if (reply.statusCode !== 200) throw new Error(`${action}: ${JSON.stringify(value)}`);
  return value as Row[] & Row;
}

function batches(action: string, rows: readonly Row[]): Call[] {
  const calls: Call[] = [];
  for (let start = 0; start < rows.length; start += input.batchSize)
    calls.push({ action, body: { requests: rows.slice(start, start + input.batchSize) } });
  return calls;
}

function resolved(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('@')) return ids.get(value.slice(1));
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]));
}

const lists = await Promise.all(input.reads.map(call));
const agents = new Map<unknown, Row>();
for (const [index, read] of input.reads.entries()) {
  if (!Array.isArray(lists[index])) continue;
  for (const row of lists[index] ?? []) {
    ids.set(String(row['description'] ?? row['name']), row['id']);
    if (read.action === 'list_agents') agents.set(row['id'], row);
  }
}

const creates: Row[] = [];
const updates: Row[] = [];
for (const agent of input.agents) {
  const live = agents.get(agent['id']);
  if (live === undefined) {
    creates.push(agent);
    continue;
  }
  const changed = Object.entries(agent).filter(([name, value]) => !isDeepStrictEqual(value, live[name]));
  if (changed.length > 0) updates.push({ id: agent['id'], ...Object.fromEntries(changed) });
}
const groups = input.groups.filter(({ name }) => !ids.has(String(name)));

if (write) {
  await Promise.all([...batches('batch_create_agents', creates), ...batches('batch_update_agents', updates)].map(call));
  await Promise.all(groups.map((body) => call({ action: 'create_group', body })));
  for (const wave of input.waves)
    await Promise.all(
      wave.map(async (each) => {
        const reply = await call({ ...each, body: resolved(each.body) as Row });
        const made = (reply['responses'] ?? [reply]) as readonly Row[];
        for (const [index, name] of (each.as ?? []).entries()) ids.set(name, made[index]?.['id'] ?? each.body['id']);
      }),
    );
} else {
  console.log(`${creates.length + groups.length} to add, ${updates.length} to change`);
}
await dispatcher.close();
