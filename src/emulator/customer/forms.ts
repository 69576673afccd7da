// Forms of the widget: before a chat, after it, and for a ticket. Specification: "Status and other", get_form.
// customer-and-reports-notes.md, section 2.

import { control } from '../chats/controls.ts';
import { fieldMembers, optionMembers } from '../chats/event-shapes.ts';
import { groupKey, groupTable } from '../configuration/memberships.ts';
import { defineTable, type EmulatedLicense, type TableDefinition } from '../engine/license.ts';
import { seededId } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import type { EngineSettings } from '../engine/settings.ts';
import * as s from '../engine/shape.ts';
import { type CustomerContext, type CustomerKind, readAction } from './action.ts';
import { requireGroup } from './group-view.ts';

/** Types whose answer is one of several. */
const CHOICES: readonly string[] = ['radio', 'select', 'checkbox', 'group_chooser'];

const formType = s.oneOf(['prechat', 'postchat', 'ticket']);
type FormType = ReturnType<typeof formType>;

const formRecord = s.object({
  /** `all`, or the id of a group. */
  group: s.text,
  type: formType,
  enabled: s.bool,
  id: s.text,
  fields: s.list(
    s.object({
      id: s.text,
      ...fieldMembers,
      options: s.optional(s.list(s.object({ id: s.text, ...optionMembers }))),
    }),
  ),
});
type FormRecord = ReturnType<typeof formRecord>;
const formKey = (group: string, type: FormType): string => `${group} ${type}`;
export const formTable = defineTable('forms', formRecord, ({ group, type }) => formKey(group, type), {});

/** A form as a person writes it. Without ids, fields and options are numbered from 0. */
const writtenForm = s.closed({
  group_id: s.optional(s.int(0)),
  type: formType,
  enabled: s.optional(s.bool),
  id: s.optional(s.text),
  fields: s.optional(
    s.list(
      s.closed({
        id: s.optional(s.text),
        ...fieldMembers,
        options: s.optional(s.list(s.closed({ id: s.optional(s.text), ...optionMembers }), 1)),
      }),
    ),
  ),
});
type WrittenForm = ReturnType<typeof writtenForm>;
type WrittenField = NonNullable<WrittenForm['fields']>[number];

const seed = {
  forms: s.described(
    { description: 'Forms of the widget; one without `group_id` is for all groups that have none of the type.' },
    s.optional(s.list(writtenForm)),
  ),
};

/** Items with the ids that they choose, or their numbers. */
function numbered<T extends { readonly id?: string }>(items: readonly T[], path: string) {
  const found = items.map((item, index) => ({ ...item, id: item.id ?? String(index) }));
  if (new Set(found.map(({ id }) => id)).size < found.length)
    refuse('validation', `${s.quoted(path)}: two have the same id`);
  return found;
}

function requireOptions(license: EmulatedLicense, { type, options }: WrittenField, path: string): void {
  if (CHOICES.includes(type) !== (options !== undefined))
    refuse(
      'validation',
      `${s.quoted(`${path}.options`)} ${options === undefined ? 'is required' : `is not for ${type}`}`,
    );
  for (const [index, { group_id }] of (options ?? []).entries()) {
    const here = s.quoted(`${path}.options[${index}].group_id`);
    if ((group_id === undefined) === (type === 'group_chooser'))
      refuse('validation', `${here} ${group_id === undefined ? 'is required' : 'is for a group_chooser'}`);
    if (group_id !== undefined && groupTable.of(license).get(groupKey(group_id)) === undefined)
      refuse('validation', `${here} names group ${group_id}, which does not exist`);
  }
}

function setForm(license: EmulatedLicense, given: WrittenForm, path: string): void {
  const { group_id, type, enabled = true, fields = [] } = given;
  const at = (member: string): string => (path === '' ? member : `${path}.${member}`);
  if (group_id !== undefined && groupTable.of(license).get(groupKey(group_id)) === undefined)
    refuse('validation', `${s.quoted(at('group_id'))} names group ${group_id}, which does not exist`);
  for (const [index, field] of fields.entries()) requireOptions(license, field, at(`fields[${index}]`));
  const group = group_id === undefined ? 'all' : groupKey(group_id);
  const kept = numbered(fields, at('fields')).map(({ options, ...field }, index) => ({
    ...field,
    ...(options === undefined ? {} : { options: numbered(options, at(`fields[${index}].options`)) }),
  }));
  formTable.of(license).set({ group, type, enabled, id: given.id ?? seededId('form', group, type), fields: kept });
}

function plant(license: EmulatedLicense, { forms = [] }: s.ObjectShape<typeof seed>): void {
  for (const [index, form] of forms.entries()) {
    const group = form.group_id === undefined ? 'all' : groupKey(form.group_id);
    if (formTable.of(license).get(formKey(group, form.type)) !== undefined)
      refuse('validation', `forms[${index}] is the second ${form.type} form of its group`);
    setForm(license, form, `forms[${index}]`);
  }
}

/** The form of a group, as customers see it; undefined where there is none, or it is not enabled. */
export function shownForm({ license, at }: CustomerContext, group: number, type: FormType) {
  const forms = formTable.of(license);
  const form: FormRecord | undefined =
    forms.get(formKey(groupKey(group), type), at) ?? forms.get(formKey('all', type), at);
  return form?.enabled === true ? { id: form.id, fields: form.fields } : undefined;
}

/** The forms of a deleted group go with it. What other forms offer stays as it is. */
function release(license: EmulatedLicense, _: EngineSettings, table: TableDefinition, key: string) {
  if (table !== groupTable) return undefined;
  return () => {
    for (const type of ['prechat', 'postchat', 'ticket'] as const) formTable.of(license).delete(formKey(key, type));
  };
}

const actions = [
  readAction('get_form', s.object({ group_id: s.int(0), type: s.oneOf(['prechat', 'postchat']) }), {
    run: ({ group_id, type }, context) => {
      const form = shownForm(context, requireGroup(context, group_id).id, type);
      return form === undefined ? { enabled: false } : { enabled: true, form };
    },
  }),
];

const controls = [
  control('forms/set', writtenForm, (given, { license }) => {
    setForm(license, given, '');
    return undefined;
  }),
];

export const formKind = { tables: [formTable], seed, plant, release, controls, actions } satisfies CustomerKind;
