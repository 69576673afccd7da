// A manifest and the records of a license in; everything in which the license is not what the manifest says, out. A second opinion: it shares
// no comparison with the planner, and sees the fields that no reading shows.

import { isList, isObject } from '../../src/base/json.ts';
import type { Address, Desired, DesiredResource, Json, KindName, ObjectId, Reference } from '../../src/base/model.ts';
import type { Plan } from '../../src/plan/plan.ts';
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

/** The service makes the ids of buttons. */
function withoutIds(name: string, value: unknown): unknown {
  return name === 'button_id' ? undefined : value;
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
    case 'greeting': {
      const greeting = records.greetings.find((found) => found.id === id);
      const empty = { active_from: '', active_until: '', properties: {} };
      const told: Mapping | undefined = greeting && JSON.parse(JSON.stringify({ ...empty, ...greeting }, withoutIds));
      return told && { ...told, group: greeting?.group ?? null };
    }
    case 'tag': {
      const tag = records.tags.find(({ name }) => name === id);
      return tag && { groups: tag.group_ids };
    }
    case 'canned_response': {
      const response = records.cannedResponses.find((found) => found.id === id);
      return response && { ...response, group: response.group_id };
    }
    case 'property': {
      const property = records.properties.find(({ namespace, name }) => `${namespace}/${name}` === id);
      return property && { description: '', ...property, publish: property.published ?? [] };
    }
    case 'webhook': {
      const webhook = records.webhooks.find((found) => found.id === id);
      return webhook && { description: '', filters: {}, additional_data: [], ...webhook };
    }
    case 'webhook_state': {
      const state = records.webhook_states.find((found) => found.client_id === id);
      return { enabled: state?.enabled ?? true };
    }
    case 'allowed_domain':
      return records.allowedDomains.some(({ domain }) => domain === id) ? {} : undefined;
    case 'license_property':
      return valueAt('license', String(id), records);
    case 'group_property': {
      const [group = '', ...rest] = String(id).split('/');
      return valueAt(`group/${group}`, rest.join('/'), records);
    }
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
    return Object.fromEntries(Object.entries(value).map(([reference, priority]) => [idOf(reference), priority]));
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
      const have = spelled(isWeek ? scheduler(record[field], zone) : record[field]);
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
    greeting: plan.api_version === '3.6' || plan.api_version === '3.7' ? records.greetings : [],
    tag:
      plan.api_version === '3.3'
        ? []
        : records.tags.flatMap(({ name, author_id }) => (author_id === '' ? [] : [{ id: name }])),
    allowed_domain: plan.api_version === '3.7' ? records.allowedDomains.map(({ domain }) => ({ id: domain })) : [],
    // A private one is of a person.
    canned_response: plan.api_version === '3.7' ? records.cannedResponses.filter(({ is_private }) => !is_private) : [],
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
  // A text goes with its group.
  const hasGroup = ({ group_id }: { readonly group_id: number }): boolean =>
    after.groups.some(({ id }) => id === group_id);
  const declares = (kind: string, field: string): ReadonlySet<string> =>
    new Set(
      desired.resources.flatMap(({ address, kind: own, spec }) =>
        own === kind && spec[field] !== undefined ? [String(bindings.get(address))] : [],
      ),
    );
  const [agents, groups] = [declares('agent', 'groups'), declares('group', 'agent_priorities')];
  const edge = ({ member, group, priority }: Records['agentMemberships'][number]): string =>
    `${member} ${group} ${priority}`;
  const free = ({ agentMemberships, groups: all, agents: people }: Records, other: Records): readonly string[] =>
    agentMemberships
      .filter(({ member, group }) => !agents.has(member) && !groups.has(String(group)))
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
    ...lost(
      'tag',
      before.tags.map(({ name: id }) => ({ id })),
      after.tags.map(({ name: id }) => ({ id })),
    ),
    ...lost(
      'allowed_domain',
      before.allowedDomains.map(({ domain: id }) => ({ id })),
      after.allowedDomains.map(({ domain: id }) => ({ id })),
    ),
    ...lost('canned_response', before.cannedResponses.filter(hasGroup), after.cannedResponses),
    ...touched('canned_response', before.cannedResponses, after.cannedResponses),
    ...touched('agent', before.agents, after.agents),
    ...touched('group', before.groups, after.groups),
    ...touched('auto_access', before.rules, after.rules),
    ...(spelled(was) === spelled(is)
      ? []
      : [`memberships of nobody's concern: ${was.join('; ')} became ${is.join('; ')}`]),
  ];
}

/** Neighbours of a rule change when others move, and groups leave it when they are deleted. */
function strip(record: { readonly id: ObjectId }): Json {
  const { next: _next, previous: _previous, groups: _groups, ...rest }: Mapping = { ...record };
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? null]));
}
