// What a good engineer writes in an afternoon: a YAML manifest comes in, one call for each thing that is missing or differs goes out, ten at a time.
// Must not import anything of ours.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { parse } from 'yaml';

type Row = Record<string, unknown>;
type Section = Record<string, Row>;

const [folder = '', url = '', mode] = process.argv.slice(2);
const limit = pLimit(10);

async function call(action: string, body: Row): Promise<Row[]> {
  const reply = await fetch(`${url}/v3.6/configuration/action/${action}`, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${action}: ${await reply.text()}`);
  return (await reply.json()) as Row[];
}

const agents: Section = {};
const groups: Section = {};
for (const file of await readdir(folder)) {
  const part = parse(await readFile(join(folder, file), 'utf8'));
  Object.assign(agents, part.agents);
  Object.assign(groups, part.groups);
}

const names = new Set(Object.values(agents).flatMap((agent) => Object.keys(agent)));
for (const listed of ['name', 'role', 'login_status']) names.delete(listed);
const live = new Map((await call('list_agents', { fields: [...names] })).map((row) => [row['id'], row]));
const known = new Set((await call('list_groups', { fields: ['agent_priorities'] })).map(({ name }) => name));

const missing = Object.entries(agents).filter(([id]) => !live.has(id));
const changed = Object.entries(agents).flatMap(([id, agent]) => {
  const row = live.get(id);
  if (row === undefined) return [];
  const fields = Object.entries(agent).filter(([name, value]) => !isDeepStrictEqual(value, row[name]));
  return fields.length === 0 ? [] : [{ id, ...Object.fromEntries(fields) }];
});
const newGroups = Object.values(groups).filter(({ name }) => !known.has(name));

if (mode === 'apply') {
  await Promise.all(missing.map(([id, agent]) => limit(call, 'create_agent', { id, ...agent })));
  await Promise.all(changed.map((body) => limit(call, 'update_agent', body)));
  await Promise.all(newGroups.map((group) => limit(call, 'create_group', group)));
} else {
  console.log(`${missing.length + newGroups.length} to add, ${changed.length} to change`);
}
