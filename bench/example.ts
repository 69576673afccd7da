// examples/support-team comes in, the job of applying it to a new license goes out. Reads the files by itself, so that the fewest calls are counted
// by somebody else than by those who send them.

import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../src/base/model.ts';
import type { Call, Files, Job } from './jobs.ts';

const EXAMPLE = new URL('../examples/support-team/', import.meta.url);
const OVERLAY = 'overlays/sandbox.yaml';
const SHOP = 'northpine.example';

type Section = Readonly<Record<string, JsonObject>>;

async function filesOf(): Promise<Files> {
  const names = (await readdir(new URL('manifest', EXAMPLE))).map((name) => `manifest/${name}`);
  const paths = [...names.sort(), OVERLAY];
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(new URL(path, EXAMPLE), 'utf8')] as const)),
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 7396. */
function patched(value: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(value) ? { ...value } : {};
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) delete result[name];
    else result[name] = patched(result[name], member);
  }
  return result;
}

function manifestOf(files: Files): Readonly<Record<string, Section>> {
  const texts = [...files].map(([path, text]) => {
    const value: Json = parse(text.replaceAll('${var.shop}', SHOP), { merge: true });
    return path === OVERLAY ? value : Object.fromEntries(Object.entries(value as JsonObject));
  });
  return texts.reduce((all, next) => patched(all, next), {}) as Readonly<Record<string, Section>>;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** `mon-fri: 09:00-17:00` as the service takes it. */
function weekOf(hours: JsonObject): Json {
  return Object.entries(hours).flatMap(([days, times]) => {
    const [first = '', last = first] = days.split('-');
    const place = (day: string): number => DAYS.findIndex((name) => name.startsWith(day));
    return DAYS.slice(place(first), place(last) + 1).flatMap((day) =>
      [times].flat().map((time) => {
        const [start, end] = String(time).split('-');
        return { day, enabled: true, start, end } as JsonObject;
      }),
    );
  });
}

/** An agent, or a bot, with its hours by day. */
function withWeek({ work_scheduler: hours, ...rest }: JsonObject): JsonObject {
  if (!isObject(hours)) return rest;
  const { schedule, ...others } = hours;
  return { ...rest, work_scheduler: { ...others, schedule: isObject(schedule) ? weekOf(schedule) : (schedule ?? []) } };
}

/** The groups of a bot, as the service takes them. */
function botBody(
  { groups = {}, routing_status: _status, ...rest }: JsonObject,
  nameOf: (group: string) => string,
): JsonObject {
  const items = Object.entries(groups as JsonObject).map(([group, priority]) => ({ id: nameOf(group), priority }));
  return { ...rest, groups: items };
}

/** As few waves as what refers to what allows. */
function wavesOf(manifest: Readonly<Record<string, Section>>): readonly (readonly Call[])[] {
  const {
    agents = {},
    groups = {},
    bots = {},
    bot_templates: templates = {},
    properties = {},
    greetings = {},
    tags = {},
  } = manifest;
  const nameOf = (group: string): string => `@${String(groups[group]?.['name'])}`;
  const definitions = Object.entries(properties).flatMap(([owner, section]) =>
    Object.entries(section).map(([name, definition]) => ({
      action: 'register_property',
      body: { ...(definition as JsonObject), name, owner_client_id: owner },
    })),
  );
  const first: readonly Call[] = [
    {
      action: 'batch_create_agents',
      body: { requests: Object.entries(agents).map(([id, body]) => ({ id, ...withWeek(body) })) },
    },
    ...Object.values(templates).map((body) => ({ action: 'create_bot_template', body })),
    ...definitions,
  ];
  const second: readonly Call[] = [
    ...Object.values(groups).map(({ properties: _values, ...body }) =>
      'id' in body
        ? { action: 'update_group', body, as: [String(body['name'])] }
        : { action: 'create_group', body, as: [String(body['name'])] },
    ),
    { action: 'update_license_properties', body: { properties: manifest['license_properties'] ?? {} } },
  ];
  const values = Object.entries(groups).flatMap(([group, { properties: own }]) =>
    own === undefined
      ? []
      : [{ action: 'update_group_properties', body: { group_id: nameOf(group), properties: own } }],
  );
  const rules = Object.values(manifest['auto_access'] ?? {}).map(({ key: _key, access, ...rest }) => {
    const chosen = (access as { readonly groups: readonly string[] }).groups.map(nameOf);
    return { action: 'add_auto_access', body: { ...rest, access: { groups: chosen } } };
  });
  const requests = Object.values(bots).map((body) => botBody(withWeek(body), nameOf));
  const made = Object.values(bots).map(({ name }) => String(name));
  const third: readonly Call[] = [
    ...values,
    { action: 'batch_create_bots', body: { requests }, as: made },
    ...Object.values(greetings).map(({ group, rules: own = [], ...body }) => {
      const conditions = (own as readonly JsonObject[]).map((rule) => ({
        condition: 'and',
        ...rule,
        value: String(rule['value']),
      }));
      return {
        action: 'create_greeting',
        body: { type: 'normal', active: true, ...body, rules: conditions, group: nameOf(String(group)) },
      };
    }),
    ...Object.entries(tags).map(([name, { groups: chosen }]) => ({
      action: 'create_tag',
      body: { name, group_ids: (chosen as readonly string[]).map(nameOf) },
    })),
    ...rules.slice(0, 1),
  ];
  const statuses = Object.values(bots).map(({ name, routing_status: status = null }): Call => {
    return { action: 'set_routing_status', api: 'agent', body: { agent_id: `@${name}`, status } };
  });
  const [next, ...others] = rules.slice(1);
  return [first, second, third, [...statuses, ...(next === undefined ? [] : [next])], ...others.map((rule) => [rule])];
}

/** Every kind that it manages, once. */
function readsOf({ properties = {} }: Readonly<Record<string, Section>>): readonly Call[] {
  const owners = Object.keys(properties);
  return [
    {
      action: 'list_agents',
      body: { fields: ['work_scheduler', 'email_subscriptions', 'notifications', 'job_title'] },
    },
    { action: 'list_groups', body: { fields: ['agent_priorities'] } },
    { action: 'list_bots', body: { all: true, fields: ['work_scheduler', 'groups', 'job_title', 'max_chats_count'] } },
    { action: 'list_auto_accesses', body: {} },
    { action: 'list_routing_statuses', api: 'agent', body: {} },
    { action: 'list_greetings', body: {} },
    { action: 'list_tags', body: {} },
    { action: 'list_license_properties', body: {} },
    { action: 'list_groups_properties', body: { group_ids: [] } },
    ...owners.flatMap((owner_client_id) => [
      { action: 'list_bot_templates', body: { owner_client_id } },
      { action: 'list_properties', body: { owner_client_id } },
    ]),
  ];
}

export async function wholeExample(): Promise<Job> {
  const files = await filesOf();
  const manifest = manifestOf(files);
  return {
    id: 'E',
    title: 'a whole license: examples/support-team',
    verb: 'apply',
    before: null,
    wanted: files,
    settings: [`vars: { shop: ${SHOP} }`, `overlays: [${OVERLAY}]`, 'secrets: { file: .chatform/secrets.json }'],
    least: { reads: readsOf(manifest), agents: [], groups: [], waves: wavesOf(manifest) },
    unseen: ['bot_template/*'],
    deck: null,
  };
}
