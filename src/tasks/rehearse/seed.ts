// A license as it was read in; the description of one that an emulator can begin with, out. What was not read is left out, or stands there by its
// id alone where something that was read names it. Knows no emulator: what it writes is the format of docs/emulator.md.

import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject, Live, LiveObject, Spec, Version } from '../../base/model.ts';
import type { Limits } from '../../kinds/limits.ts';
import type { Worker, WorkScheduler } from '../../kinds/scheduler.ts';
import { schedulerBody } from '../../kinds/scheduler-wire.ts';
import type { ActionName } from '../../service/actions.ts';

/** JSON of a seed. Bots that were made by a template come with it, and values of properties whose definition was not read do not. */
export function seedOf({ objects, version }: Live): JsonObject {
  const { agent = [], group = [], bot = [], bot_template: templates = [], auto_access: rules = [] } = objects;
  const { property = [], license_property: license = [], group_property: ofGroups = [] } = objects;
  const owner = agent.find(({ facts }) => facts.owner === true);
  const defined = new Set(property.map(({ id }) => String(id)));
  const people = agent.filter((each) => each !== owner);
  // A group may list its bots beside its agents; of bots their own side tells.
  const bots = new Set(bot.map(({ id }) => String(id)));
  const groups = group.map((each) => groupOf(each, bots));
  const known = new Set(agent.map(({ id }) => String(id)));
  const named = namedGroups(objects).filter((id) => !group.some((each) => String(each.id) === id) && id !== '0');
  const members = groups.flatMap(({ agent_priorities }) => Object.keys(objectOf(agent_priorities)));
  const strangers = [...new Set(members)].filter((id) => !known.has(id) && id !== owner?.id);
  return {
    owner: owner === undefined ? NOBODY : { id: String(owner.id), name: owner.name },
    agents: [
      ...people.map((each) => ({ ...agentOf(each), ...hoursOf(each, version) })),
      ...strangers.map((id) => ({ id, name: id })),
    ],
    groups: [...groups, ...named.map((id) => ({ id: Number(id), name: id }))],
    bots: bot
      .filter(({ facts }) => facts.derived !== true)
      .map((each) => ({ ...botOf(each), ...hoursOf(each, version) })),
    bot_templates: templates.map(templateOf),
    auto_access: rules.map(ruleOf),
    properties: nested(property.map((each) => [String(each.id), definitionOf(each)])),
    license_properties: nested(
      license.filter(({ id }) => defined.has(String(id))).map(({ id, spec }) => [String(id), spec['value'] ?? null]),
    ),
    group_properties: byGroup(ofGroups, defined),
  };
}

/** Every license has an owner; where none was read, one that is nobody else. */
const NOBODY = { id: 'owner@license.invalid', name: 'Owner' };

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function picked(spec: Spec, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = spec[name];
      return value === undefined || value === null || value === '' ? [] : [[name, value] as const];
    }),
  );
}

function edgesOf(value: Json | undefined): readonly JsonObject[] {
  return Object.entries(objectOf(value)).map(([id, priority]) => ({ id: Number(id), priority }));
}

function hoursOf({ spec }: LiveObject, version: Version): JsonObject {
  const { timezone, schedule } = objectOf(spec['work_scheduler']);
  return version === '3.6' && isList(schedule) && timezone !== undefined
    ? { work_scheduler: { timezone, schedule } }
    : {};
}

/** A request of the Configuration API. */
export interface Call {
  readonly action: ActionName;
  readonly body: JsonObject;
}

/**
 * What has to be sent to an emulator that began with the seed: hours that version 3.3 reads were written in its own shape, which a seed has not, and
 * in the other one it would not read them. Specification: "Work scheduler", (3.3).
 */
export function callsAfter({ version, objects }: Live): readonly Call[] {
  if (version !== '3.3') return [];
  const calls = (action: ActionName, worker: Worker, list: readonly LiveObject[]): readonly Call[] =>
    list.flatMap(({ id, spec: { work_scheduler: hours } }) => {
      const { timezone, schedule } = objectOf(hours);
      const isSet = isList(schedule) && (schedule.length > 0 || timezone !== undefined);
      return isSet ? [{ action, body: { id, ...schedulerBody(hours as WorkScheduler, version, worker) } }] : [];
    });
  const bots = (objects.bot ?? []).filter(({ facts }) => facts.derived !== true);
  return [...calls('update_agent', 'agent', objects.agent ?? []), ...calls('update_bot', 'bot', bots)];
}

/** The settings of an emulator that takes what the target says the service takes. */
export function emulatedLimits(limits: Limits) {
  const most = (name: keyof Limits): number => (Number.isFinite(limits[name]) ? limits[name] : -1);
  const inBoth = (name: keyof Limits) => ({ '3.3': most(name), '3.6': most(name) });
  return {
    agentChatsOnCreate: inBoth('agent_chats_on_create'),
    agentChatsOnUpdate: inBoth('agent_chats_on_update'),
    botChats: most('bot_chats'),
    groupNameLength: most('group_name_length'),
    templatesPerClient: most('templates_per_client'),
    accessRules: most('access_rules'),
    agents: most('agents'),
    groups: most('groups'),
  };
}

const AGENT_FIELDS = [
  'role',
  'avatar_path',
  'login_status',
  'job_title',
  'mobile',
  'max_chats_count',
  'suspended',
  'notifications',
  'email_subscriptions',
] as const;

/** Memberships stand on the side of the groups, where both were read: there they are one map. */
function agentOf({ id, name, spec, facts }: LiveObject): JsonObject {
  return {
    id: String(id),
    name,
    ...picked(spec, AGENT_FIELDS),
    ...(facts.pendingApproval === true ? { awaiting_approval: true } : {}),
    groups: edgesOf(spec['groups']),
  };
}

function groupOf({ id, name, spec, facts }: LiveObject, bots: ReadonlySet<string>) {
  const members = Object.entries(facts.members ?? objectOf(spec['agent_priorities'])).filter(
    ([member]) => !bots.has(member),
  );
  return { id: Number(id), name, ...picked(spec, ['language_code']), agent_priorities: Object.fromEntries(members) };
}

function botOf({ id, name, spec }: LiveObject): JsonObject {
  return {
    id: String(id),
    name,
    ...picked(spec, ['avatar', 'max_chats_count', 'default_group_priority', 'job_title', 'owner_client_id']),
    groups: edgesOf(spec['groups']),
  };
}

function templateOf({ id, name, spec }: LiveObject): JsonObject {
  return { id: String(id), name, ...picked(spec, ['avatar', 'owner_client_id']) };
}

function ruleOf({ id, spec }: LiveObject): JsonObject {
  const groups = objectOf(spec['access'])['groups'];
  return {
    id: String(id),
    ...picked(spec, ['description']),
    // One that leads nowhere any more can be read and not be made.
    access: { groups: isList(groups) && groups.length > 0 ? groups.map(Number) : [0] },
    conditions: spec['conditions'] ?? {},
  };
}

function definitionOf({ spec }: LiveObject): JsonObject {
  const { publish, ...definition } = spec;
  const rights = isList(publish) && publish.length > 0 ? { public_access: publish } : {};
  const given = Object.entries(definition).filter(([, value]) => value !== null && value !== '');
  return { ...Object.fromEntries(given), ...rights };
}

/** `namespace/name` -> value, as namespace -> name -> value. Names may contain slashes; namespaces are ids and do not. */
function nested(entries: readonly (readonly [id: string, value: Json])[]): JsonObject {
  const found: Record<string, Record<string, Json>> = {};
  for (const [id, value] of entries) {
    const slash = id.indexOf('/');
    const namespace = id.slice(0, slash);
    found[namespace] = { ...found[namespace], [id.slice(slash + 1)]: value };
  }
  return found;
}

function byGroup(values: readonly LiveObject[], defined: ReadonlySet<string>): JsonObject {
  const groups = new Map<string, (readonly [string, Json])[]>();
  for (const { id, spec } of values) {
    const [group = '', rest = ''] = [String(id).split('/')[0], String(id).slice(String(id).indexOf('/') + 1)];
    if (defined.has(rest)) groups.set(group, [...(groups.get(group) ?? []), [rest, spec['value'] ?? null]]);
  }
  return Object.fromEntries([...groups].map(([group, entries]) => [group, nested(entries)]));
}

/** Groups that something names, whether they were read or not. */
function namedGroups({ agent = [], bot = [], auto_access: rules = [], group_property: values = [] }: Live['objects']) {
  const ids = [
    ...[...agent, ...bot].flatMap(({ spec }) => Object.keys(objectOf(spec['groups']))),
    ...rules.flatMap(({ spec }) => {
      const groups = objectOf(spec['access'])['groups'];
      return isList(groups) ? groups.map(String) : [];
    }),
    ...values.map(({ id }) => String(id).split('/')[0] ?? ''),
  ];
  return [...new Set(ids)];
}
