// Tags: their records, their part of a seed, and every action on them. today/configuration.md, "Tags (3.5 and later)".

import { defineTable, type EmulatedLicense, release, type TableDefinition } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import {
  closed,
  dateTime,
  described,
  distinct,
  int,
  list,
  type ObjectShape,
  object,
  optional,
  quoted,
  string,
  text,
} from '../engine/shape.ts';
import { type ConfigurationContext, type ConfigurationKind, changeAction, findForWrite, readAction } from './action.ts';
import { ownerOf } from './agents.ts';
import { holds } from './caller.ts';
import { agentMemberships, groupKey, groupTable, requireGroups } from './memberships.ts';
import { type ConfigurationSettings, FEATURES, isFull } from './settings.ts';

const tagRecord = object({ name: text, group_ids: list(int(0)), author_id: string, created_at: text });
type TagRecord = ReturnType<typeof tagRecord>;
/** Names that differ only in case are one name to `create_tag`. */
const inOneCase = (name: string): string => name.toLowerCase();
export const tagTable = defineTable('tags', tagRecord, ({ name }) => name, {
  inOneCase: ({ name }) => inOneCase(name),
});

/** RFC 3339 with six decimals. */
const shownTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

const seededTag = closed({
  name: text,
  group_ids: optional(distinct(int(0))),
  author_id: described({ description: 'Empty: it came with the license. Default: the owner.' }, optional(string)),
  created_at: optional(dateTime),
});
const seed = { tags: described({ description: 'Tags, which agents give to chats.' }, optional(list(seededTag))) };

function plant(license: EmulatedLicense, { tags = [] }: ObjectShape<typeof seed>): void {
  for (const [index, { name, group_ids = [], author_id = ownerOf(license) ?? 'owner', ...given }] of tags.entries()) {
    const created_at = given.created_at ?? shownTime(0);
    const missing = group_ids.find((id) => groupTable.of(license).get(groupKey(id)) === undefined);
    if (missing !== undefined) refuse('validation', `tags[${index}] names group ${missing}, which does not exist`);
    if (tagTable.of(license).where('inOneCase', inOneCase(name)).length > 0)
      refuse('validation', `two tags have the name ${quoted(name)}, or differ only in case`);
    tagTable.of(license).set({ name, group_ids, author_id, created_at });
  }
}

function requireTag(license: EmulatedLicense, name: string, at = Infinity): TagRecord {
  return tagTable.of(license).get(name, at) ?? refuse('not_found', `tag ${quoted(name)} does not exist`);
}

/** The groups of which the caller is a member. */
function ownGroups({ caller, license }: ConfigurationContext): ReadonlySet<number> {
  const { agentId } = caller;
  return new Set(agentId === undefined ? [] : agentMemberships.groupsOf(license, agentId).map(({ id }) => id));
}

/** `--groups` is enough where each group of the tag, before and after, is one of the caller's. */
function writeScope(
  { name, group_ids = [] }: { readonly name: string; readonly group_ids?: readonly number[] },
  context: ConfigurationContext,
): readonly string[] {
  const touched = [...(tagTable.of(context.license).get(name)?.group_ids ?? []), ...group_ids];
  const own = ownGroups(context);
  return [`tags--${touched.length > 0 && touched.every((id) => own.has(id)) ? 'groups' : 'all'}:rw`];
}

/** The groups that an update leaves. */
function groupsAfter(before: readonly number[], given: readonly number[] | undefined, settings: ConfigurationSettings) {
  if (given === undefined) return settings.tagGroupsAbsent === 'kept' ? before : [];
  return settings.tagGroupsWrite === 'replace' ? given : [...new Set([...before, ...given])];
}

function reply({ name, group_ids, author_id, created_at }: TagRecord): object {
  return { name, group_ids, author_id, created_at };
}

const request = object({ name: text, group_ids: optional(distinct(int(0))) });

const actions = [
  changeAction('create_tag', request, {
    versions: FEATURES.tags,
    scopes: writeScope,
    run: ({ name, group_ids = [] }, context) => {
      const { license, settings, caller } = context;
      const tags = tagTable.of(license);
      requireGroups(context, group_ids, 'group_ids');
      const [known] = tags.where('inOneCase', inOneCase(name));
      if (known !== undefined) refuse(settings.duplicateTag, `tag ${quoted(known.name)} already exists`);
      if (isFull(settings.limits.tags, tags.size())) refuse('limit_reached', 'the license has no tag left');
      const author_id = caller.agentId ?? ownerOf(license) ?? 'owner';
      tags.set({ name, group_ids, author_id, created_at: shownTime(license.history.now) });
    },
  }),
  changeAction('update_tag', request, {
    versions: FEATURES.tags,
    scopes: writeScope,
    run: ({ name, group_ids: given }, context) => {
      const { license, settings } = context;
      const tag = findForWrite(context, (at) => requireTag(license, name, at));
      if (given !== undefined) requireGroups(context, given, 'group_ids');
      tagTable.of(license).set({ ...tag, group_ids: groupsAfter(tag.group_ids, given, settings) });
    },
  }),
  changeAction('delete_tag', object({ name: text }), {
    versions: FEATURES.tags,
    scopes: writeScope,
    run: ({ name }, { license, settings }) => {
      requireTag(license, name);
      release(license, settings, tagTable, name);
      tagTable.of(license).delete(name);
    },
  }),
  readAction('list_tags', object({ filters: optional(object({ group_ids: distinct(int(0)) })) }), {
    versions: FEATURES.tags,
    scopes: ['tags--groups:ro'],
    run: ({ filters }, context) => {
      const { license, settings, caller, at } = context;
      const own = holds(caller, 'tags--all:ro') ? null : ownGroups(context);
      const isSeen = ({ group_ids: ids }: TagRecord): boolean => {
        if (own !== null && !ids.some((id) => own.has(id))) return false;
        if (filters !== undefined) return filters.group_ids.some((id) => ids.includes(id));
        return ids.length > 0 || settings.tagsWithoutGroups === 'listed';
      };
      return tagTable.of(license).all(at).filter(isSeen).map(reply);
    },
  }),
];

/** Takes a deleted group out of the tags that name it. */
function releaseGroup(
  license: EmulatedLicense,
  settings: ConfigurationSettings,
  table: TableDefinition,
  key: string,
): (() => void) | undefined {
  if (table !== groupTable) return undefined;
  const tags = tagTable.of(license);
  const naming = tags.all().filter(({ group_ids }) => group_ids.map(groupKey).includes(key));
  const [first] = naming;
  if (first !== undefined && settings.deletedGroupInTags === 'refuse')
    refuse('validation', `group ${key} is named by tag ${quoted(first.name)}`);
  return () => {
    for (const tag of naming) tags.set({ ...tag, group_ids: tag.group_ids.filter((id) => groupKey(id) !== key) });
  };
}

export const tagKind = {
  tables: [tagTable],
  seed,
  plant,
  release: releaseGroup,
  actions,
} satisfies ConfigurationKind;
