// A world in; everything that its license holds out, and how two such pictures differ, whatever ids the objects have.

import { equalJson, isList, isObject } from '../../../src/base/json.ts';
import type {
  Desired,
  Json,
  JsonObject,
  KindName,
  Live,
  LiveObject,
  ObjectId,
  Reference,
  Spec,
} from '../../../src/base/model.ts';
import { mapReferences, normalise } from '../../../src/kinds/fields.ts';
import { KIND_NAMES, KINDS, ORDERED } from '../../../src/kinds/index.ts';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { fetchLive } from '../../../src/license/reading/live.ts';
import { viewOf } from '../../../src/license/reading/view.ts';
import { readsOnly } from '../../../src/service/client.ts';
import type { World } from '../../world.ts';

export async function pictureOf({ client, ledger, version }: World, desired: Desired): Promise<Live> {
  const reader = readsOnly(client);
  const view = viewOf(desired, foldLedger(await ledger.read()), version);
  const kinds = new Set(KIND_NAMES.filter((kind) => KINDS[kind].versions.includes(version)));
  const fields = new Map(KIND_NAMES.map((kind) => [kind, new Set(Object.keys(KINDS[kind].fields))]));
  const namespaces = [...new Set([...view.namespaces, 'client-1', 'client-2'])];
  const live = await fetchLive(
    (action, body) => reader.call(action, body),
    { ...view, kinds, fields, namespaces },
    version,
  );
  return live;
}

/** As far as both could be read. */
function alike(a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Object.keys(a).every((name) => b[name] === undefined || equalJson(a[name], b[name]));
}

interface Named {
  readonly objects: ReadonlyMap<string, JsonObject>;
  readonly order: readonly string[];
}

/** An object that differs, or the order of the rules, which has no name. */
export interface Difference {
  readonly name: string | null;
  readonly wanted: JsonObject | readonly string[] | undefined;
  readonly is: JsonObject | readonly string[] | undefined;
}

/** `excused` are addresses that may differ. */
export function differences(
  wanted: Live,
  is: Live,
  events: readonly LedgerEvent[],
  excused: ReadonlySet<string>,
): readonly Difference[] {
  const names = new Map<string, string>();
  const lost = new Set<string>();
  for (const event of events) {
    if (event.type === 'forgotten') {
      lost.add(event.address);
      // A value that the ledger lost, and that no run bound again, is one that is not managed.
      if (event.because === undefined)
        for (const [id, own] of names) if (id.startsWith('group_property ') && own === event.address) names.delete(id);
    }
    if (event.type !== 'bound' && (event.type !== 'before' || event.id === null)) continue;
    const [kind = '', by] = event.address.split('/');
    const own = names.get(`${kind} ${event.id}`);
    // What the ledger lost has another name in the image of the run that deleted it as a stranger. What a new one is made for before it goes has not.
    if (by !== 'id' || own === undefined || lost.has(own)) names.set(`${kind} ${event.id}`, event.address);
    if (event.type === 'bound') lost.delete(event.address);
  }
  // What a group that undo left standing shows where its values went are the defaults of properties.
  const former = new Set(wanted.objects.group?.map(({ id }) => String(id)));
  const isDefault = ({ kind, id }: LiveObject): boolean => {
    const [group = ''] = String(id).split('/');
    const own = names.get(`${kind} ${id}`);
    if (kind !== 'group_property' || former.has(group) || (own !== undefined && !lost.has(own))) return false;
    return excused.has(names.get(`group ${group}`) ?? '');
  };
  const [before, after] = [named(wanted, names, excused), named(is, names, excused, isDefault)];
  const all = [...new Set([...before.objects.keys(), ...after.objects.keys()])].sort();
  const found = all.filter((name) => !alike(before.objects.get(name), after.objects.get(name)));
  return [
    ...found.map((name) => ({ name, wanted: before.objects.get(name), is: after.objects.get(name) })),
    ...(equalJson(before.order, after.order) ? [] : [{ name: null, wanted: before.order, is: after.order }]),
  ];
}

function named(
  live: Live,
  names: ReadonlyMap<string, string>,
  excused: ReadonlySet<string>,
  isNone: (object: LiveObject) => boolean = () => false,
): Named {
  const nameOf = (kind: string, id: ObjectId): Reference => {
    const own = names.get(`${kind} ${id}`);
    if (own !== undefined || kind !== 'group_property') return own ?? `${kind}/${id}`;
    const [group = '', ...rest] = String(id).split('/');
    return `${kind}/${[nameOf('group', group), ...rest].join('/')}`;
  };
  // A group has them among its agents.
  const bots = new Map((live.objects.bot ?? []).map((bot) => [String(bot.id), bot]));
  const objects = KIND_NAMES.flatMap((kind) => live.objects[kind] ?? [])
    // Made of templates: on the license, and none of ours.
    .filter((object) => (object.kind !== 'bot' || !isOfTemplate(object)) && !isNone(object))
    // Follows the allowed domains.
    .filter(({ id }) => id !== 'monitoring/whitelist_enabled')
    .filter(({ kind, id }) => !excused.has(KINDS[kind].definition?.of(String(id)) ?? ''))
    .map((object): readonly [string, JsonObject] => {
      const kind = KINDS[object.kind as KindName];
      const spec = mapReferences(kind, withoutTemplateBots(object.spec, bots), (id, target) =>
        nameOf(bots.has(id) ? 'bot' : target, id),
      );
      return [nameOf(object.kind, object.id), Object(pruned(normalise(kind, spec), excused))];
    })
    .filter(([name, { group }]) => !excused.has(name) && !excused.has(String(group)) && !hangsOn(name, excused));
  const order = live.ruleOrder.map((id) => nameOf(ORDERED.name, id)).filter((name) => !excused.has(name));
  return { objects: new Map(objects), order };
}

/** Bots of templates are left out of members, as they are left out of the picture. */
function withoutTemplateBots(spec: Spec, bots: ReadonlyMap<string, LiveObject>): Spec {
  const { agent_priorities: members } = spec;
  if (!isObject(members)) return spec;
  const kept = Object.entries(members).filter(([id]) => !isOfTemplate(bots.get(id)));
  return { ...spec, agent_priorities: Object.fromEntries(kept) };
}

const isOfTemplate = (bot: LiveObject | undefined): boolean => bot?.name.startsWith('Template') === true;

/** Values that are nobody's go with their group, and do not come back with it. */
function hangsOn(name: string, excused: ReadonlySet<string>): boolean {
  return [...excused].some((address) => name.startsWith(`group_property/${address}/`));
}

/** Without references to what is excused. */
function pruned(value: Json, excused: ReadonlySet<string>): Json {
  if (isList(value))
    return value.filter((item) => typeof item !== 'string' || !excused.has(item)).map((item) => pruned(item, excused));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !excused.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, pruned(member, excused)]));
}
