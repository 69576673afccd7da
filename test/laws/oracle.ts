// A manifest and the records of a license in; everything in which the license is not what the manifest says, out. A second opinion: it shares
// no comparison with the planner, and sees the fields that no reading shows.

import { isList, isObject } from '../../src/base/json.ts';
import type {
  Address,
  Desired,
  DesiredResource,
  Json,
  KindName,
  ObjectId,
  Reference,
  Version,
} from '../../src/base/model.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Recorded } from './kinds/drawing.ts';
import { DRAWINGS, recordedAs } from './kinds/index.ts';
import { type Records, ruleOrderOf } from './records.ts';

export interface Claim {
  readonly desired: Desired;
  readonly records: Records;
  /** What the ledger owns. */
  readonly bindings: ReadonlyMap<Address, ObjectId>;
  /** Made after the apply: the fields that it calls out of reach are not looked at. */
  readonly plan: Plan;
}

type Mapping = { readonly [name: string]: Json | undefined };

/** Text in which equal things are equal: members and items of any order, exact matching only where it is asked for. */
function spelled(value: Json | undefined): string {
  if (isList(value)) return `[${value.map(spelled).sort().join()}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([name, member]) => !(name === 'exact_match' && member === false))
    .map(([name, member]) => `${name}:${spelled(member)}`);
  return `{${members.sort().join()}}`;
}

/** The agents' own zone is UTC, and stands in for a zone that is empty. */
function scheduler(value: Json | undefined, zone: boolean): Json {
  const { timezone = '', schedule = [] } = isObject(value) ? value : {};
  return zone ? { timezone: timezone === '' ? 'UTC' : timezone, schedule } : { schedule };
}

/** A day that is switched off says as little as one that is not declared, as long as another day has hours. */
function withoutDaysOff(have: Json, want: Json | undefined): Json {
  const listed = (value: Json | undefined) => (isObject(value) && isList(value['schedule']) ? value['schedule'] : []);
  const days = listed(want).flatMap((item) => (isObject(item) ? [item] : []));
  if (!isObject(have) || !days.some(({ enabled }) => enabled === true)) return have;
  const isSaid = (item: Json) =>
    isObject(item) && (item['enabled'] === true || days.some(({ day }) => day === item['day']));
  return { ...have, schedule: listed(have).filter(isSaid) };
}

function recordOf({ kind }: DesiredResource, id: ObjectId, records: Records): Mapping | undefined {
  const edges = (relation: Records['agentMemberships'], end: 'group' | 'member'): Json =>
    Object.fromEntries(
      relation
        .filter((edge) => edge[end] === id)
        .map((edge) => [String(edge[end === 'group' ? 'member' : 'group']), edge.priority]),
    );
  switch (kind) {
    case 'agent': {
      const agent = records.agents.find((found) => found.id === id);
      if (agent === undefined) return undefined;
      const empty = { job_title: '', mobile: '', notifications: [], email_subscriptions: [] };
      return { ...empty, ...agent, avatar_path: agent.avatar ?? '', groups: edges(records.agentMemberships, 'member') };
    }
    case 'group': {
      const group = records.groups.find((found) => found.id === id);
      return group && { ...group, agent_priorities: edges(records.agentMemberships, 'group') };
    }
    case 'bot': {
      const bot = records.bots.find((found) => found.id === id);
      const { status = 'offline' } = records.presences.find(({ kind, id }) => kind === 'bot' && id === bot?.id) ?? {};
      const empty = { job_title: '', avatar: '', routing_status: status };
      return bot && { ...empty, ...bot, groups: edges(records.botMemberships, 'member') };
    }
    case 'bot_template': {
      const template = records.templates.find((found) => found.id === id);
      return template && { job_title: '', avatar: '', ...template };
    }
    case 'auto_access': {
      const rule = records.rules.find((found) => found.id === id);
      return rule && { description: '', ...rule, access: { groups: rule.groups } };
    }
    case 'property': {
      const property = records.properties.find(({ namespace, name }) => `${namespace}/${name}` === id);
      return property && { description: '', ...property, publish: property.published ?? [] };
    }
    case 'license_property':
      return valueAt('license', String(id), records);
    case 'group_property': {
      const [group = '', ...rest] = String(id).split('/');
      return valueAt(`group/${group}`, rest.join('/'), records);
    }
    default:
      return recordedAs(kind, id, records)?.fields;
  }
}

/** A value that was never set is its default. */
function valueAt(holder: string, key: string, { values, properties }: Records): Mapping | undefined {
  const isIt = ({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean =>
    `${namespace}/${name}` === key;
  const value = values.find((each) => each.holder === holder && isIt(each))?.value;
  return { value: value ?? properties.find(isIt)?.default_value };
}

export function untrue({ desired, records, bindings, plan }: Claim): readonly string[] {
  const outOfReach = new Set(
    plan.resource_changes.flatMap(({ address, fields }) => fields.map(({ field }) => `${address} ${field}`)),
  );
  const idOf = (reference: Reference): string => {
    const external = desired.externals.find(({ address }) => address === reference);
    if (external === undefined) return String(bindings.get(reference as Address) ?? reference);
    const table = external.kind === 'group' ? records.groups : records.agents;
    return String(external.id ?? table.find(({ name }) => name === external.name)?.id);
  };
  const resolved = (field: string, value: Json): Json => {
    if (field === 'access' && isObject(value) && isList(value['groups'])) {
      return { groups: value['groups'].map((reference) => Number(idOf(String(reference)))) };
    }
    if (field === 'group') return Number(idOf(String(value)));
    if (field === 'groups' && isList(value)) return value.map((reference) => Number(idOf(String(reference))));
    if (!['groups', 'agent_priorities'].includes(field) || !isObject(value)) return value;
    const members = Object.entries(value).filter(([reference]) => reference !== 'others');
    return Object.fromEntries(members.map(([reference, priority]) => [idOf(reference), priority]));
  };
  /** Of a map that keeps the others: what it says of those whom it names. */
  const namedIn = (value: Json, record: Json | undefined): Json | undefined => {
    if (!isObject(value) || value['others'] !== 'keep') return record;
    const have = isObject(record) ? record : {};
    const named = Object.keys(value).filter((reference) => reference !== 'others');
    return Object.fromEntries(named.map((reference) => [idOf(reference), have[idOf(reference)] ?? 'none']));
  };
  const wrong = desired.resources.flatMap((resource): readonly string[] => {
    const id = bindings.get(resource.address);
    const record = id === undefined ? undefined : recordOf(resource, id, records);
    if (record === undefined) return [`${resource.address} does not exist`];
    return Object.entries(resource.spec).flatMap(([field, value]): readonly string[] => {
      if (field === 'affect_existing_installations' || outOfReach.has(`${resource.address} ${field}`)) return [];
      const isZoned = resource.kind === 'bot' || plan.api_version !== '3.3';
      const zone = isZoned && isObject(value) && 'timezone' in value;
      const isWeek = field === 'work_scheduler';
      const want = spelled(isWeek ? scheduler(value, zone) : resolved(field, value));
      const have = spelled(
        isWeek ? withoutDaysOff(scheduler(record[field], zone), value) : namedIn(value, record[field]),
      );
      // What was never set is not kept: the service fills it in.
      if (want === have || (field === 'default_group_priority' && record[field] === undefined)) return [];
      return [`${resource.address} ${field}: ${have}, not ${want}`];
    });
  });
  const order = ruleOrderOf(records);
  const places = desired.ruleOrder.map((address) => order.indexOf(String(bindings.get(address))));
  const isSorted = places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1));
  return isSorted ? wrong : [...wrong, `the rules stand at ${places.join()}`];
}

/** Objects that nobody declares, of kinds that are to have no others, and that nothing keeps there. */
export function intruding({ desired, records, bindings, plan }: Claim): readonly string[] {
  const declared = new Set(
    [...desired.resources, ...desired.externals].map(({ kind, address }) => `${kind} ${bindings.get(address)}`),
  );
  const named = new Set(desired.externals.flatMap(({ kind, id, name }) => [`${kind} ${id}`, `${kind} named ${name}`]));
  const isLookedAt = (client: string | undefined): boolean =>
    client !== undefined && desired.namespaces.includes(client);
  const templates = new Set(records.templates.map(({ id }) => id));
  const needed = desired.resources.flatMap(({ kind, key }) => {
    if (kind === 'license_property') return [key];
    return kind === 'group_property' ? [key.slice(key.indexOf('/') + 1)] : [];
  });
  const removable: { readonly [kind in KindName]?: readonly { readonly id: ObjectId; readonly name?: string }[] } = {
    agent: records.agents.filter(({ role }) => role !== 'owner'),
    group: records.groups.filter(({ id }) => id !== 0),
    bot: records.bots.filter(
      ({ id, owner_client_id }) => plan.api_version !== '3.3' && !templates.has(id) && isLookedAt(owner_client_id),
    ),
    bot_template:
      plan.api_version !== '3.3' ? records.templates.filter((each) => isLookedAt(each.owner_client_id)) : [],
    auto_access: records.rules.map(({ id }) => ({ id })),
    ...Object.fromEntries(
      DRAWINGS.filter(({ versions }) => versions.includes(plan.api_version as Version)).map(({ kind, recorded }) => [
        kind,
        recorded(records).filter(
          ({ preset, client }) => preset !== true && (client === undefined || isLookedAt(client)),
        ),
      ]),
    ),
    property: records.properties
      .filter(({ namespace, published }) => isLookedAt(namespace) && published === undefined && namespace !== 'test')
      .map(({ namespace, name }) => ({ id: `${namespace}/${name}` }))
      .filter(({ id }) => !needed.includes(id)),
  };
  return desired.complete.flatMap((kind) =>
    (removable[kind] ?? [])
      .filter(
        ({ id, name }) =>
          ![declared, named].some((set) => set.has(`${kind} ${id}`) || set.has(`${kind} named ${name}`)),
      )
      .map(({ id }) => `${kind} ${id} is still there`),
  );
}

/** What happened to objects that the plan had no business with. */
export function harm(
  before: Records,
  after: Records,
  { desired, bindings }: Claim,
  steps: Plan['steps'],
): readonly string[] {
  const deleted = new Set(
    steps.flatMap((step) => (step.operation === 'delete' ? [`${step.type} ${step.object}`] : [])),
  );
  const lost = (kind: string, was: readonly { readonly id: ObjectId }[], is: readonly { readonly id: ObjectId }[]) =>
    was
      .filter(({ id }) => !is.some((found) => found.id === id) && !deleted.has(`${kind} ${id}`))
      .map(({ id }) => `${kind} ${id} is gone`);
  const keepsOthers = (members: Json | undefined): boolean => isObject(members) && members['others'] === 'keep';
  const memberId = (agent: Reference): string => {
    const external = desired.externals.find(({ address }) => address === agent);
    if (external === undefined) return String(bindings.get(agent as Address) ?? agent);
    return String(external.id ?? before.agents.find(({ name }) => name === external.name)?.id);
  };
  const declares = (kind: string, field: string): ReadonlySet<string> =>
    new Set(
      desired.resources.flatMap(({ address, kind: own, spec }) =>
        own === kind && spec[field] !== undefined && !keepsOthers(spec[field]) ? [String(bindings.get(address))] : [],
      ),
    );
  /** Edges that a group names which keeps the others. */
  const named = new Set(
    desired.resources.flatMap(({ address, spec: { agent_priorities: members } }) =>
      keepsOthers(members) && isObject(members)
        ? Object.keys(members).map((agent) => `${memberId(agent)} ${bindings.get(address)}`)
        : [],
    ),
  );
  const [agents, groups] = [declares('agent', 'groups'), declares('group', 'agent_priorities')];
  const edge = ({ member, group, priority }: Records['agentMemberships'][number]): string =>
    `${member} ${group} ${priority}`;
  const free = ({ agentMemberships, groups: all, agents: people }: Records, other: Records): readonly string[] =>
    agentMemberships
      .filter(({ member, group }) => !agents.has(member) && !groups.has(String(group)))
      .filter(({ member, group }) => !named.has(`${member} ${group}`))
      .filter(({ member, group }) =>
        [other, { groups: all, agents: people }].every(
          (each) => each.groups.some(({ id }) => id === group) && each.agents.some(({ id }) => id === member),
        ),
      )
      .map(edge)
      .sort();
  const [was, is] = [free(before, after), free(after, before)];
  const managed = new Set([...bindings].map(([address, id]) => `${address.slice(0, address.indexOf('/'))} ${id}`));
  const touched = (
    kind: string,
    then: readonly { readonly id: ObjectId }[],
    now: readonly { readonly id: ObjectId }[],
  ) =>
    then
      .filter(({ id }) => !managed.has(`${kind} ${id}`) && !deleted.has(`${kind} ${id}`))
      .filter(
        (record) =>
          now.some(({ id }) => id === record.id) &&
          !now.some((found) => spelled(strip(found)) === spelled(strip(record))),
      )
      .map(({ id }) => `${kind} ${id} is changed`);
  return [
    ...lost('agent', before.agents, after.agents),
    ...lost('group', before.groups, after.groups),
    ...lost('bot', before.bots, after.bots),
    ...lost('bot_template', before.templates, after.templates),
    ...lost('auto_access', before.rules, after.rules),
    ...DRAWINGS.flatMap(({ kind, recorded }) => lost(kind, standing(recorded(before), after), recorded(after))),
    ...DRAWINGS.flatMap(({ kind, recorded }) => touched(kind, recorded(before).map(own), recorded(after).map(own))),
    ...touched('agent', before.agents, after.agents),
    ...touched('group', before.groups, after.groups),
    ...touched('auto_access', before.rules, after.rules),
    ...(spelled(was) === spelled(is)
      ? []
      : [`memberships of nobody's concern: ${was.join('; ')} became ${is.join('; ')}`]),
  ];
}

/** Without those that go with a group, as its greetings do. */
function standing(before: readonly Recorded[], { groups }: Records): readonly Recorded[] {
  const there = new Set(groups.map(({ id }) => id));
  return before.filter(({ fields: { group } }) => group === undefined || there.has(Number(group)));
}

/** A group that is deleted leaves what names it. */
function own({ id, fields: { groups: _, ...fields } }: Recorded): { readonly id: ObjectId } {
  return { ...fields, id };
}

/** Neighbours of a rule change when others move, and groups leave it when they are deleted. */
function strip(record: { readonly id: ObjectId }): Json {
  const { next: _next, previous: _previous, groups: _groups, ...rest }: Mapping = { ...record };
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? null]));
}
