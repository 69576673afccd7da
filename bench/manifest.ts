// A license in, the files that declare it out: YAML as people write it, for chatform and for decK. Must not know how anything is run.

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

/** One entity an agent: what the agent says, as tags, in as many bytes of YAML. */
function consumer(agent: JsonObject): Consumer {
  const id = String(agent['id']);
  const { work_scheduler: hours, notifications, email_subscriptions: summaries, ...rest } = agent;
  const { timezone, schedule } = hours as { readonly timezone: string; readonly schedule: readonly JsonObject[] };
  const days = schedule.map(({ day, start, end }) => [day, start, end].join('-'));
  const said = [...Object.values(rest), ...[notifications, summaries].flat(), timezone, ...days];
  const tags = said.map((word) => String(word).replaceAll(/[^\w.-]+/g, '_'));
  const made = { id: uuidOf(id), username: id, custom_id: id, tags };
  const missing = agentYaml(agent).length - consumerYaml({ ...made, tags: [...tags, ''] }).length;
  return missing > 0 ? { ...made, tags: [...tags, 'x'.repeat(missing)] } : made;
}

interface Consumer {
  readonly id: string;
  readonly username: string;
  readonly custom_id: string;
  readonly tags: readonly string[];
}

function consumerYaml({ tags, ...fields }: Consumer): string {
  const lines = Object.entries(fields).map(([name, value]) => `    ${name}: ${value}\n`);
  return `  -\n${lines.join('')}    tags:\n${tags.map((tag) => `      - ${scalar(tag)}\n`).join('')}`;
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What decK is given: YAML, as chatform is. */
export function deckFile({ agents }: License): string {
  return `_format_version: "1.1"\nconsumers:\n${agents.map((agent) => consumerYaml(consumer(agent))).join('')}`;
}

/** What decK finds. */
export function deckEntities({ agents }: License): Entities {
  const rows = agents.map((agent) => ({ created_at: 1700000000, ...consumer(agent) }));
  return new Map([['consumers', new Map(rows.map((row) => [row.id, row]))]]);
}
