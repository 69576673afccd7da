// Greetings: their records, and every action on them. What visitors were shown is in customer/greetings.ts. today/configuration.md, "Greetings".

import { defineFact, defineTable, type EmulatedLicense, type TableDefinition } from '../engine/license.ts';
import { pageAfter, pageQuery } from '../engine/pages.ts';
import { type Ids, seededId } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { changeAction, findForWrite, readAction, writeAction } from './action.ts';
import { agentMemberships, groupKey, groupTable, releaseWithGroup, requireGroups } from './memberships.ts';
import { type ConfigurationSettings, FEATURES } from './settings.ts';

const operator = s.oneOf([
  'equals',
  'doesnt_equal',
  'lower_than',
  'lower_or_equal',
  'greater_than',
  'greater_or_equal',
  'contains',
  'doesnt_contain',
]);

/** What a rule of each type needs; where nothing says `urls` or `session_field`, it is a value. */
const NEEDS: { readonly [type: string]: { readonly most?: number; readonly counts?: true; readonly also?: 'urls' } } = {
  visit_time_site: { counts: true, most: 900 },
  visit_time_page: { counts: true, most: 900 },
  url_current: {},
  url_visited: {},
  url_referrer: {},
  pages_view_number: { counts: true },
  visits_number: { counts: true },
  geolocation: {},
  search_keyword: {},
  url_match_page_view_number: { counts: true, also: 'urls' },
};
const ADVERTISERS = ['microsoft', 'facebook', 'google', 'twitter', 'yahoo'];
const TYPES = [...Object.keys(NEEDS), 'url_funnel', 'custom_variable', 'ads_traffic'];

function most<T>(read: s.JsonReader<readonly T[]>, items: number): s.JsonReader<readonly T[]> {
  return s.checked(s.described({ maxItems: items }, read), (given, path) => {
    if (given.length > items) refuse('validation', `${s.quoted(path)} must have at most ${items} items`);
  });
}

const ruleMembers = s.object({
  condition: s.oneOf(['and', 'or']),
  type: s.oneOf(TYPES),
  operator: s.optional(operator),
  value: s.optional(s.string),
  urls: s.optional(most(s.list(s.object({ url: s.text, operator }), 1), 10)),
  session_field: s.optional(s.recordOf(s.string)),
});

const rule = s.checked(ruleMembers, ({ type, operator: by, value, urls, session_field: field }, path) => {
  const missing = (name: string): never => refuse('validation', `${s.quoted(`${path}.${name}`)} is required`);
  const needs = NEEDS[type];
  if (needs !== undefined) {
    if (by === undefined) missing('operator');
    if (value === undefined || value === '') return missing('value');
    const { counts, most: highest = Number.MAX_SAFE_INTEGER } = needs;
    if (counts === true && (!/^\d+$/.test(value) || Number(value) > highest))
      refuse('validation', `${s.quoted(`${path}.value`)} must be a whole number, and at most ${highest}`);
  }
  if ((type === 'url_funnel' || needs?.also === 'urls') && urls === undefined) missing('urls');
  if (type !== 'custom_variable' && type !== 'ads_traffic') return;
  const pairs = Object.entries(field ?? missing('session_field'));
  const isShort = pairs.flat().every((text) => Array.from(text).length <= 255);
  const isKnown = type === 'custom_variable' || pairs.every(([key]) => ADVERTISERS.includes(key));
  if (pairs.length !== 1 || !isShort || !isKnown)
    refuse('validation', `${s.quoted(`${path}.session_field`)} must have one key and a value that fit its type`);
});
const rules = most(s.list(rule), 10);

const button = s.object({
  text: s.text,
  type: s.oneOf(['webview', 'message', 'url', 'phone']),
  value: s.text,
  postback_id: s.text,
  button_id: s.optional(s.text),
  role: s.optional(s.oneOf(['default', 'primary', 'danger'])),
});
const image = s.object({
  url: s.text,
  name: s.optional(s.string),
  content_type: s.optional(s.string),
  size: s.optional(s.int(0)),
  width: s.optional(s.int(0)),
  height: s.optional(s.int(0)),
  alternative_text: s.optional(s.string),
});
const buttons = s.optional(most(s.list(button), 13));
/** As the published samples have it: with other templates, and elements without an image. */
const sampledMessage = s.object({
  template_id: s.optional(s.text),
  elements: s.optional(
    most(s.list(s.object({ title: s.text, subtitle: s.optional(s.text), image: s.optional(image), buttons })), 10),
  ),
});
type Message = ReturnType<typeof sampledMessage>;
/** As the table of members says. */
const listedMessage = s.object({
  template_id: s.oneOf(['cards', 'sticker', 'quick_replies']),
  elements: s.optional(most(s.list(s.object({ title: s.text, subtitle: s.text, image, buttons })), 10)),
});

const period = { active_from: s.optional(s.dateTime), active_until: s.optional(s.dateTime) };
const members = {
  type: s.oneOf(['normal', 'announcement']),
  active: s.bool,
  name: s.text,
  rules,
  ...period,
  properties: s.optional(s.recordOf(s.anything)),
  rich_message: s.optional(sampledMessage),
};
const greetingRecord = s.object({ id: s.int(0), group: s.int(0), ...members });
export type GreetingRecord = ReturnType<typeof greetingRecord>;
export const greetingTable = defineTable('greetings', greetingRecord, ({ id }) => String(id), {});

/** The id of the next greeting that is created. */
const nextGreetingId = defineFact('next_greeting_id', s.int(1), 1);

const seededGreeting = s.closed({
  ...members,
  id: s.optional(s.int(0)),
  group: s.optional(s.int(0)),
  type: s.optional(members.type),
  active: s.optional(members.active),
  rules: s.optional(rules),
});
const seed = {
  greetings: s.described(
    {
      description:
        'Greetings. One without `group` is of group 0; without `active` it is active, and without `type` it is `normal`.',
    },
    s.optional(s.list(seededGreeting)),
  ),
};

function plant(license: EmulatedLicense, { greetings = [] }: s.ObjectShape<typeof seed>): void {
  const table = greetingTable.of(license);
  for (const [index, { group = 0, ...given }] of greetings.entries()) {
    const id = given.id ?? Math.max(0, ...table.all().map((one) => one.id)) + 1;
    if (groupTable.of(license).get(groupKey(group)) === undefined)
      refuse('validation', `greetings[${index}] names group ${group}, which does not exist`);
    if (table.get(String(id)) !== undefined) refuse('validation', `two greetings have the id ${id}`);
    const message = withButtonIds(given.rich_message, (place) => seededId('greeting', id, place));
    table.set({ type: 'normal', active: true, rules: [], ...given, ...message, id, group });
  }
  nextGreetingId.of(license).value = Math.max(0, ...table.all().map(({ id }) => id)) + 1;
}

/** Buttons without an id get one. */
function withButtonIds(message: Message | undefined, made: (place: string) => string): { rich_message?: Message } {
  if (message === undefined) return {};
  const { elements, ...rest } = message;
  if (elements === undefined) return { rich_message: rest };
  const identified = elements.map(({ buttons: own, ...element }, row) => ({
    ...element,
    ...(own && { buttons: own.map((one, at) => ({ ...one, button_id: one.button_id ?? made(`${row}/${at}`) })) }),
  }));
  return { rich_message: { ...rest, elements: identified } };
}

/** Ids of the buttons of a greeting. */
export function buttonIdsOf({ rich_message: message }: GreetingRecord): readonly string[] {
  const elements = message?.elements ?? [];
  return elements.flatMap(({ buttons: own = [] }) => own.flatMap(({ button_id: id }) => id ?? []));
}

function writtenMessage({ rich_message: message }: { rich_message?: Message }, context: ConfigurationContext) {
  const { settings, ids }: { settings: ConfigurationSettings; ids: Ids } = context;
  if (message !== undefined && settings.greetingMessages === 'listed') listedMessage(message, 'rich_message');
  return withButtonIds(message, ids.object);
}

/** A date that is to be cleared must be told from one that is left out, and everywhere else `null` is absent. */
const clearable = (read: s.JsonReader<string>): s.JsonReader<string | null | undefined> =>
  Object.assign((value: unknown, path: string) => (value === null || value === undefined ? value : read(value, path)), {
    schema: read.schema ?? {},
    isOptional: true as const,
  });
/** An empty text is a date only where it clears one. */
const dateOrEmpty: s.JsonReader<string> = (value, path) => (value === '' ? value : s.dateTime(value, path));

const updateRequest = s.object({
  id: s.int(0),
  type: s.optional(members.type),
  active: s.optional(members.active),
  name: s.optional(members.name),
  rules: s.optional(rules),
  active_from: clearable(dateOrEmpty),
  active_until: clearable(dateOrEmpty),
  properties: members.properties,
  rich_message: members.rich_message,
});

/** The date that a greeting has after an update. */
function dateAfter(
  name: 'active_from' | 'active_until',
  given: string | null | undefined,
  before: string | undefined,
  { clearedDates }: ConfigurationSettings,
): { readonly [date: string]: string } {
  const isCleared = clearedDates === 'null' ? given === null : clearedDates === 'empty' && given === '';
  if (given === '' && clearedDates !== 'empty')
    return refuse('validation', `${s.quoted(name)} must be an RFC 3339 date-time`);
  const kept = isCleared ? undefined : given || before;
  return kept === undefined ? {} : { [name]: kept };
}

function requireGreeting(license: EmulatedLicense, id: number, at = Infinity): GreetingRecord {
  return greetingTable.of(license).get(String(id), at) ?? refuse('not_found', `greeting ${id} does not exist`);
}

const listRequest = s.object({
  groups: s.optional(s.list(s.int(0))),
  limit: s.optional(s.int(1, 100)),
  page_id: s.optional(s.text),
});

/** Whether the greetings of a group are listed for the caller. */
function isAccessible({ license, settings, caller, at }: ConfigurationContext, group: number): boolean {
  if (settings.accessibleGreetings === 'all' || caller.agentId === undefined || caller.role !== 'normal') return true;
  return agentMemberships.groupsOf(license, caller.agentId, at).some(({ id }) => id === group);
}

const [READ, WRITE] = [['greetings:ro'], ['greetings:rw']];
const versions = FEATURES.greetings;

const actions = [
  writeAction('create_greeting', s.object({ ...members, group: s.int(0) }), {
    versions,
    scopes: WRITE,
    run: (given, context) => {
      requireGroups(context, [given.group], 'group');
      const message = writtenMessage(given, context);
      const next = nextGreetingId.of(context.license);
      const id = next.value;
      next.value += 1;
      greetingTable.of(context.license).set({ ...given, ...message, id });
      return { id };
    },
  }),
  changeAction('update_greeting', updateRequest, {
    versions,
    scopes: WRITE,
    run: ({ active_from: from, active_until: until, ...given }, context) => {
      const { license, settings } = context;
      const { active_from, active_until, ...kept } = findForWrite(context, (at) =>
        requireGreeting(license, given.id, at),
      );
      greetingTable.of(license).set({
        ...kept,
        ...given,
        ...writtenMessage(given, context),
        ...dateAfter('active_from', from, active_from, settings),
        ...dateAfter('active_until', until, active_until, settings),
      });
    },
  }),
  changeAction('delete_greeting', s.object({ id: s.int(0) }), {
    versions,
    scopes: WRITE,
    run: ({ id }, { license }) => {
      requireGreeting(license, id);
      greetingTable.of(license).delete(String(id));
    },
  }),
  readAction('get_greeting', s.object({ id: s.int(0) }), {
    versions,
    scopes: READ,
    run: ({ id }, { license, at }) => requireGreeting(license, id, at),
  }),
  readAction('list_greetings', listRequest, {
    versions,
    scopes: READ,
    run: (given, context) => {
      const { license, at } = context;
      const { limit = 100, ...query } = pageQuery(given, listRequest);
      const found = greetingTable
        .of(license)
        .all(at)
        .filter(({ group }) => isAccessible(context, group) && (query.groups?.includes(group) ?? true))
        .toSorted((one, other) => one.id - other.id);
      const { page, ...next } = pageAfter(found, { ...query, limit });
      return { greetings: page, found_greetings: found.length, ...next };
    },
  }),
];

export const greetingKind = {
  tables: [greetingTable],
  facts: [nextGreetingId],
  seed,
  plant,
  release: (license: EmulatedLicense, settings: ConfigurationSettings, table: TableDefinition, key: string) =>
    table === groupTable
      ? releaseWithGroup(greetingTable.of(license), key, {
          noun: 'greeting',
          how: settings.deletedGroupGreetings,
          groupOf: ({ group }) => group,
        })
      : undefined,
  actions,
} satisfies ConfigurationKind;
