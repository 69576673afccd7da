// Seed of an emulator that begins as a license was read. An object that was not read, and that another refers to, has only its id in it.

import type { JsonObject, KindName, Live, LiveObject } from '../../base/model.ts';
import { mapReferences } from '../../kinds/fields.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import type { Call } from '../../kinds/kind.ts';
import type { KindLimits } from '../../kinds/limits.ts';
import { splitName } from '../../kinds/namespaced.ts';

/** JSON of a seed, as docs/reference/emulator.md describes it. Objects that a bot template made come with the template. */
export function seedOf({ objects, version }: Live): JsonObject {
  const read = new Set(KIND_NAMES.flatMap((kind) => (objects[kind] ?? []).map(({ id }) => `${kind}/${id}`)));
  const named = new Set(KIND_NAMES.flatMap((kind) => (objects[kind] ?? []).flatMap(namedBy)));
  const missing = (kind: KindName): readonly string[] =>
    [...named].flatMap((address) =>
      address.startsWith(`${kind}/`) && !read.has(address) ? [splitName(address)[1]] : [],
    );
  const sections = KIND_NAMES.map((name) => {
    const context = { version, has: (kind: KindName, id: string) => read.has(`${kind}/${id}`), missing: missing(name) };
    return KINDS[name].seed?.sections((objects[name] ?? []).filter(isMade), context) ?? {};
  });
  return Object.assign({}, ...sections);
}

/** Requests for what a seed cannot state. */
export function callsAfter({ version, objects }: Live): readonly Call[] {
  return KIND_NAMES.flatMap((name) =>
    (objects[name] ?? []).filter(isMade).flatMap((object) => KINDS[name].seed?.after?.(object, version) ?? []),
  );
}

function isMade({ facts }: LiveObject): boolean {
  return facts.derived !== true;
}

/** What an object refers to, as `<kind>/<id>`. */
function namedBy({ kind, id, spec }: LiveObject): readonly string[] {
  const named = [...(KINDS[kind].parents?.(String(id)) ?? [])];
  mapReferences(KINDS[kind], spec, (reference, to) => {
    named.push(`${to}/${reference}`);
    return reference;
  });
  return named;
}

/** Settings of an emulator with the limits of the target. */
export function emulatedLimits(limits: KindLimits) {
  const most = (name: keyof KindLimits): number => (Number.isFinite(limits[name]) ? limits[name] : -1);
  const always = (name: keyof KindLimits) => ({ '3.3': most(name) });
  return {
    agentChatsOnCreate: always('agent_chats_on_create'),
    agentChatsOnUpdate: always('agent_chats_on_update'),
    botChats: most('bot_chats'),
    groupNameLength: most('group_name_length'),
    templatesPerClient: most('templates_per_client'),
    accessRules: most('access_rules'),
    agents: most('agents'),
    groups: most('groups'),
  };
}
