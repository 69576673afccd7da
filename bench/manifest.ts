// A license in, the files that declare it out: YAML as people write it, for chatform, and JSON for decK. Must not know how anything is run.

import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../src/base/model.ts';
import type { License } from './license.ts';
import type { Entities } from './service/kong.ts';

/** Agents of one file: people split what grows, and chatform takes 16 MiB a file. */
const AGENTS_A_FILE = 10_000;

/** Plain where YAML takes it for the same text. */
function scalar(value: Json): string {
  return typeof value === 'string' && !/^[A-Za-z][\w @./&-]*$/.test(value) ? JSON.stringify(value) : String(value);
}

function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalar(value);
  const members = Object.entries(value).map(([name, member]) => `${scalar(name)}: ${flow(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function agentYaml({ id, work_scheduler: hours, ...fields }: JsonObject): string {
  const { timezone, schedule } = hours as { readonly timezone: string; readonly schedule: readonly JsonObject[] };
  const lines = [
    ...Object.entries(fields).map(([name, value]) => `    ${name}: ${flow(value)}`),
    '    work_scheduler:',
    `      timezone: ${timezone}`,
    '      schedule:',
    ...schedule.map((item) => `        - ${flow(item)}`),
  ];
  return `  ${String(id)}:\n${lines.join('\n')}\n`;
}

/** `Group 7` has the key `group-7`. */
const keyOf = (name: Json | undefined): string => String(name).toLowerCase().replaceAll(' ', '-');

function groupYaml({ name = '', language_code: language = '', agent_priorities: members }: JsonObject): string {
  const head = `  ${keyOf(name)}:\n    name: ${scalar(name)}\n    language_code: ${scalar(language)}\n`;
  if (members === undefined) return head;
  const entries = Object.entries(members as JsonObject).map(([id, priority]) => `      ${id}: ${String(priority)}\n`);
  return `${head}    agent_priorities:\n${entries.join('')}`;
}

/** Names and texts of the files of a manifest. */
export function manifestFiles({ agents, groups, rules }: License): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (let start = 0; start < agents.length; start += AGENTS_A_FILE) {
    const part = agents.slice(start, start + AGENTS_A_FILE);
    files.set(`agents-${start}.yaml`, `version: 1\nagents:\n${part.map(agentYaml).join('')}`);
  }
  if (groups.length > 0) files.set('groups.yaml', `version: 1\ngroups:\n${groups.map(groupYaml).join('')}`);
  const items = rules.map(
    ({ description, group, url }) =>
      `  - key: ${keyOf(description)}\n    description: ${scalar(description)}\n    access: { groups: [${keyOf(group)}] }\n` +
      `    conditions: { url: { values: [{ value: ${scalar(url)} }] } }\n`,
  );
  if (rules.length > 0) files.set('rules.yaml', `version: 1\nauto_access:\n${items.join('')}`);
  return files;
}

/** One entity an agent, with the fields that a consumer has. */
function consumer({ id, name, role, job_title: title, mobile, max_chats_count: chats }: JsonObject): JsonObject {
  const words = [name, role, title, mobile, chats].map((word) => String(word).replaceAll(/[^\w.-]+/g, '_'));
  return { id: uuidOf(String(id)), username: String(id), custom_id: String(id), tags: words };
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What decK is given. JSON is YAML, and it reads it faster than blocks. */
export function deckFile({ agents }: License): string {
  return JSON.stringify({ _format_version: '1.1', consumers: agents.map(consumer) });
}

/** What decK finds. */
export function deckEntities({ agents }: License): Entities {
  const rows = agents.map((agent) => ({ created_at: 1700000000, ...consumer(agent), id: uuidOf(String(agent['id'])) }));
  return new Map([['consumers', new Map(rows.map((row) => [row.id, row]))]]);
}
