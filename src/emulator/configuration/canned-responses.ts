// Canned responses: their records, and every action on them. today/configuration.md, "Only in 3.7 (developer preview)".

import { defineFact, defineTable, type EmulatedLicense, type TableDefinition } from '../engine/license.ts';
import { pageAfter, pageQuery } from '../engine/pages.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { changeAction, findForWrite, readAction, writeAction } from './action.ts';
import { ownerOf } from './agents.ts';
import { holds, permit } from './caller.ts';
import { agentMemberships, groupKey, groupTable, releaseWithGroup, requireGroups } from './memberships.ts';
import { type ConfigurationSettings, FEATURES } from './settings.ts';

const members = { text: s.text, tags: s.list(s.text), group_id: s.int(0) };
const record = s.object({
  ...members,
  id: s.int(1),
  is_private: s.bool,
  author_id: s.string,
  created_at: s.text,
  updated_at: s.text,
});
type CannedResponse = ReturnType<typeof record>;
const table = defineTable('cannedResponses', record, ({ id }) => String(id), {});
const nextId = defineFact('next_canned_response_id', s.int(1), 1);

/** RFC 3339 with six decimals. */
const shownTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

/** The text as the service keeps it; one of which nothing is left is refused. */
function sanitized(given: string, path: string, { cannedTexts }: ConfigurationSettings): string {
  const plain = cannedTexts === 'stripped' ? given.replace(/<\/?[a-z!][^>]*>/gi, '') : given;
  const kept = plain.trim();
  if (kept === '') refuse('validation', `nothing is left of ${s.quoted(path)} when it is sanitized`);
  return cannedTexts === 'escaped' ? kept.replaceAll('<', '&lt;').replaceAll('>', '&gt;') : kept;
}

const seededResponse = s.closed({
  ...members,
  id: s.optional(s.int(1)),
  is_private: s.optional(s.bool),
  author_id: s.described({ description: 'The last editor. Default: the owner.' }, s.optional(s.string)),
  created_at: s.optional(s.dateTime),
  updated_at: s.optional(s.dateTime),
});
const seed = {
  canned_responses: s.described(
    { description: 'Texts that agents write by a shortcut, which is one of its `tags`.' },
    s.optional(s.list(seededResponse)),
  ),
};

function plant(
  license: EmulatedLicense,
  { canned_responses: responses = [] }: s.ObjectShape<typeof seed>,
  settings: ConfigurationSettings,
): void {
  const responsesById = table.of(license);
  for (const [index, { text, ...given }] of responses.entries()) {
    const path = `canned_responses[${index}]`;
    const id = given.id ?? Math.max(0, ...responsesById.all().map((one) => one.id)) + 1;
    if (groupTable.of(license).get(groupKey(given.group_id)) === undefined)
      refuse('validation', `${path} names group ${given.group_id}, which does not exist`);
    if (responsesById.get(String(id)) !== undefined) refuse('validation', `two canned responses have the id ${id}`);
    const author_id = ownerOf(license) ?? 'owner';
    const times = { created_at: shownTime(0), updated_at: given.created_at ?? shownTime(0) };
    const kept = sanitized(text, `${path}.text`, settings);
    responsesById.set({ author_id, ...times, is_private: false, ...given, text: kept, id });
  }
  nextId.of(license).value = Math.max(0, ...responsesById.all().map(({ id }) => id)) + 1;
}

/** Whom a request comes from: in open mode, and from a bot, the owner. */
function requesterOf({ caller, license }: ConfigurationContext): string {
  return caller.agentId ?? ownerOf(license) ?? 'owner';
}

function ownGroups(context: ConfigurationContext): ReadonlySet<number> {
  return new Set(agentMemberships.groupsOf(context.license, requesterOf(context)).map(({ id }) => id));
}

function find(license: EmulatedLicense, id: number, at = Infinity): CannedResponse {
  return table.of(license).get(String(id), at) ?? refuse('not_found', `canned response ${id} does not exist`);
}

/** `--groups` is enough where the group of the text, before and after, is one of the requester's. */
function writeScope(
  { id, group_id }: { readonly id: number; readonly group_id?: number },
  context: ConfigurationContext,
): readonly string[] {
  const own = ownGroups(context);
  const touched = [table.of(context.license).get(String(id))?.group_id, group_id].filter((one) => one !== undefined);
  return [`canned_responses--${touched.every((one) => own.has(one)) ? 'groups' : 'all'}:rw`];
}

const listRequest = s.object({
  group_ids: s.optional(s.list(s.int(0))),
  include_private: s.optional(s.bool),
  include_all_private: s.optional(s.bool),
  limit: s.optional(s.int(1, 100_000)),
  page_id: s.optional(s.text),
});

const versions = FEATURES.cannedResponses;
const withId = { id: s.int(1) };

const actions = [
  writeAction('create_canned_response', s.object({ ...members, is_private: s.optional(s.bool) }), {
    versions,
    scopes: ['canned_responses_write'],
    run: ({ is_private = false, ...given }, context) => {
      const { license, settings } = context;
      requireGroups(context, [given.group_id], 'group_id');
      const text = sanitized(given.text, 'text', settings);
      const next = nextId.of(license);
      const id = next.value;
      next.value += 1;
      const now = shownTime(license.history.now);
      const author_id = requesterOf(context);
      table.of(license).set({ ...given, text, id, is_private, author_id, created_at: now, updated_at: now });
      return { id };
    },
  }),
  changeAction(
    'update_canned_response',
    s.object({
      ...withId,
      text: s.optional(members.text),
      tags: s.optional(members.tags),
      group_id: s.optional(members.group_id),
      is_private: s.optional(s.bool),
    }),
    {
      versions,
      scopes: writeScope,
      run: ({ text, ...given }, context) => {
        const { license, settings } = context;
        const before = findForWrite(context, (at) => find(license, given.id, at));
        if (given.group_id !== undefined) requireGroups(context, [given.group_id], 'group_id');
        table.of(license).set({
          ...before,
          ...given,
          ...(text === undefined ? {} : { text: sanitized(text, 'text', settings) }),
          author_id: requesterOf(context),
          updated_at: shownTime(license.history.now),
        });
      },
    },
  ),
  changeAction('delete_canned_response', s.object(withId), {
    versions,
    scopes: writeScope,
    run: ({ id }, { license }) => {
      find(license, id);
      table.of(license).delete(String(id));
    },
  }),
  readAction('list_canned_responses', listRequest, {
    versions,
    scopes: ['canned_responses--groups:ro'],
    run: (given, context) => {
      const { license, caller, at } = context;
      const { limit = 100, ...query } = pageQuery(given, listRequest);
      if (query.include_all_private === true) permit(caller, 'canned_responses--all:ro');
      const own = ownGroups(context);
      const asked = query.group_ids ?? [...own];
      const groups = new Set(holds(caller, 'canned_responses--all:ro') ? asked : asked.filter((id) => own.has(id)));
      const isSeen = ({ group_id, is_private, author_id }: CannedResponse): boolean => {
        if (!groups.has(group_id)) return false;
        if (!is_private || query.include_all_private === true) return true;
        return query.include_private === true && author_id === requesterOf(context);
      };
      const found = table
        .of(license)
        .all(at)
        .filter(isSeen)
        .toSorted((one, other) => one.id - other.id);
      const { page, ...next } = pageAfter(found, { ...query, limit });
      return { canned_responses: page, found_canned_responses: found.length, ...next };
    },
  }),
];

export const cannedResponseKind = {
  tables: [table],
  facts: [nextId],
  seed,
  plant,
  release: (license: EmulatedLicense, settings: ConfigurationSettings, of: TableDefinition, key: string) =>
    of === groupTable
      ? releaseWithGroup(table.of(license), key, {
          noun: 'canned response',
          how: settings.deletedGroupCannedResponses,
          groupOf: ({ group_id }) => group_id,
        })
      : undefined,
  actions,
} satisfies ConfigurationKind;
