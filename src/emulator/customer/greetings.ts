// Greetings that customers were shown, and what became of each. Specification: "Status and other".

import { control, requireCustomer } from '../chats/controls.ts';
import { customerTable } from '../chats/records.ts';
import { buttonIdsOf, type GreetingRecord, greetingTable } from '../configuration/greetings.ts';
import { groupKey, groupTable } from '../configuration/memberships.ts';
import { defineTable, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { type CustomerContext, type CustomerKind, changeAction } from './action.ts';
import { FEATURES } from './settings.ts';

/** A greeting that a customer was shown, and what the customer did with it. Times are in ms. */
const shownRecord = s.object({
  unique_id: s.text,
  greeting_id: s.int(0),
  customer_id: s.text,
  group_id: s.int(0),
  shown_at: s.int(0),
  accepted_at: s.optional(s.int(0)),
  cancelled_at: s.optional(s.int(0)),
  clicks: s.list(s.object({ button_id: s.text, at: s.int(0) })),
});
export type ShownGreeting = ReturnType<typeof shownRecord>;
export const shownTable = defineTable('shownGreetings', shownRecord, ({ unique_id }) => unique_id, {
  customer: ({ customer_id }) => customer_id,
});

const seededShown = s.closed({
  unique_id: s.text,
  greeting_id: s.int(0),
  customer: s.text,
  shown_at: s.dateTime,
  accepted_at: s.optional(s.dateTime),
  cancelled_at: s.optional(s.dateTime),
});

const seed = {
  shown_greetings: s.described(
    { description: 'Greetings that customers of the seed were shown. Times are RFC 3339.' },
    s.optional(s.list(seededShown)),
  ),
};

export const greetingNamed = (license: EmulatedLicense, id: number): GreetingRecord | undefined =>
  greetingTable.of(license).get(String(id));

const requireGreeting = (license: EmulatedLicense, id: number, path: string): GreetingRecord =>
  greetingNamed(license, id) ?? refuse('validation', `${s.quoted(path)} names greeting ${id}, which does not exist`);

function plant(license: EmulatedLicense, given: s.ObjectShape<typeof seed>): void {
  for (const [index, shown] of (given.shown_greetings ?? []).entries()) {
    const { unique_id, greeting_id, customer, shown_at, accepted_at, cancelled_at } = shown;
    const path = `shown_greetings[${index}]`;
    const found = requireGreeting(license, greeting_id, path);
    if (customerTable.of(license).get(customer) === undefined)
      refuse('validation', `${path} names the customer ${s.quoted(customer)}, who is not in the seed`);
    if (shownTable.of(license).get(unique_id) !== undefined)
      refuse('validation', `two shown greetings have the id ${s.quoted(unique_id)}`);
    const accepted = accepted_at === undefined ? {} : { accepted_at: Date.parse(accepted_at) };
    const cancelled = cancelled_at === undefined ? {} : { cancelled_at: Date.parse(cancelled_at) };
    const at = { shown_at: Date.parse(shown_at), ...accepted, ...cancelled };
    show(license, found, { unique_id, customer_id: customer, ...at });
  }
}

function show(
  license: EmulatedLicense,
  { id, group }: GreetingRecord,
  shown: Omit<ShownGreeting, 'greeting_id' | 'group_id' | 'clicks'>,
): void {
  shownTable.of(license).set({ ...shown, greeting_id: id, group_id: group, clicks: [] });
}

/** A greeting that the calling customer was shown and has not cancelled. */
function requireShown({ license, caller }: CustomerContext, unique_id: string): ShownGreeting {
  const shown = shownTable.of(license).get(unique_id);
  if (shown === undefined || shown.customer_id !== caller.customerId || shown.cancelled_at !== undefined)
    return refuse('greeting_not_found', `greeting ${s.quoted(unique_id)}`);
  return shown;
}

/** The unique id of the greeting that a customer accepted last. */
export function lastAcceptedGreeting(license: EmulatedLicense, customer: string): string | undefined {
  const accepted = shownTable
    .of(license)
    .where('customer', customer)
    .filter(({ accepted_at }) => accepted_at !== undefined);
  return accepted.toSorted((one, other) => (one.accepted_at ?? 0) - (other.accepted_at ?? 0)).at(-1)?.unique_id;
}

const actions = [
  changeAction('accept_greeting', s.object({ greeting_id: s.int(0), unique_id: s.text }), {
    run: ({ greeting_id, unique_id }, context) => {
      const shown = requireShown(context, unique_id);
      if (shown.greeting_id !== greeting_id)
        refuse('greeting_not_found', `${s.quoted(unique_id)} was not made of greeting ${greeting_id}`);
      // Seen once, however often it is accepted.
      if (shown.accepted_at === undefined)
        shownTable.of(context.license).set({ ...shown, accepted_at: context.license.history.now });
      return undefined;
    },
  }),
  changeAction('cancel_greeting', s.object({ unique_id: s.text }), {
    run: ({ unique_id }, context) => {
      const shown = requireShown(context, unique_id);
      shownTable.of(context.license).set({ ...shown, cancelled_at: context.license.history.now });
      return undefined;
    },
  }),
  changeAction('send_greeting_button_clicked', s.object({ greeting_unique_id: s.text, button_id: s.text }), {
    versions: FEATURES.greetingButtons,
    run: ({ greeting_unique_id, button_id }, context) => {
      const { license } = context;
      const shown = requireShown(context, greeting_unique_id);
      const found = greetingNamed(license, shown.greeting_id);
      if (found === undefined || !buttonIdsOf(found).includes(button_id))
        refuse('validation', `${s.quoted('button_id')} is no button of greeting ${shown.greeting_id}`);
      const clicks = [...shown.clicks, { button_id, at: license.history.now }];
      shownTable.of(license).set({ ...shown, clicks });
      return undefined;
    },
  }),
];

const showRequest = s.closed({ customer_id: s.text, greeting_id: s.int(0) });

const controls = [
  /** The push `incoming_greeting` of the real-time interface. */
  control('greetings/show', showRequest, ({ customer_id, greeting_id }, context) => {
    const { license, ids } = context;
    requireCustomer(context, customer_id);
    const found = requireGreeting(license, greeting_id, 'greeting_id');
    if (groupTable.of(license).get(groupKey(found.group)) === undefined)
      refuse('validation', `greeting ${greeting_id} is of group ${found.group}, which does not exist any more`);
    const unique_id = ids.object();
    show(license, found, { unique_id, customer_id, shown_at: license.history.now });
    return { unique_id };
  }),
];

export const shownGreetingKind = {
  tables: [shownTable],
  seed,
  plant,
  controls,
  actions,
} satisfies CustomerKind;
