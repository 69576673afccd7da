// Greetings of random wishes.

import fc from 'fast-check';
import { since } from '../../../src/base/api-versions.ts';
import type { Json, JsonObject, Spec } from '../../../src/base/model.ts';
import { columns, type Entry, entry, maybe, present, slots, text } from '../slots.ts';
import { type Drawing, pick, type Recorded } from './drawing.ts';

const GREETINGS = ['hello', 'help'] as const;

const button = (postback_id: string): Json => ({ text: 'Go', type: 'message', value: 'go', postback_id });
/** Values in the spelling in which the emulator keeps them. */
const spec: fc.Arbitrary<Spec> = fc
  .record(
    {
      type: fc.constantFrom('normal', 'announcement'),
      active: fc.boolean(),
      active_from: fc.constantFrom('', '2026-01-01T00:00:00Z'),
      active_until: fc.constantFrom('', '2030-12-31T23:00:00Z', '2031-06-01T00:00:00Z'),
      rules: fc.array(
        fc.oneof(
          fc.record({
            condition: fc.constantFrom('and', 'or'),
            type: fc.constantFrom('url_current', 'geolocation'),
            operator: fc.constantFrom('equals', 'contains', 'doesnt_contain'),
            value: fc.constantFrom('/cart', '/pricing'),
          }),
          fc.record({
            condition: fc.constantFrom('and', 'or'),
            type: fc.constantFrom('visit_time_page', 'visits_number'),
            operator: fc.constantFrom('equals', 'greater_than'),
            value: fc.constantFrom('0', '30'),
          }),
          fc.record({
            condition: fc.constant('or'),
            type: fc.constant('custom_variable'),
            session_field: fc.record({ tier: fc.constantFrom('gold', 'silver') }),
          }),
        ),
        { maxLength: 4 },
      ),
      properties: fc.record(
        { 'greeting-message_text': text, is_exit_intent: fc.constantFrom('true', 'false') },
        { requiredKeys: [] },
      ),
      rich_message: fc.record({
        template_id: fc.constantFrom('cards', 'quick_replies'),
        elements: fc.array(
          fc.record({
            title: fc.constantFrom('A', 'B'),
            subtitle: fc.constant('S'),
            image: fc.constant({ url: 'https://example.com/i.png' }),
            buttons: fc.subarray(['yes', 'no']).map((ids): Json => ids.map(button)),
          }),
          { maxLength: 2 },
        ),
      }),
    },
    { requiredKeys: ['rules'] },
  )
  .map(present);

/** `group` is a column. */
type Wish = readonly ((Entry & { readonly group: number }) | null)[];

type Edit =
  | { readonly does: 'update'; readonly at: number; readonly fields: JsonObject }
  | { readonly does: 'delete'; readonly at: number };

/** The service makes the ids of buttons. */
function withoutIds(name: string, value: unknown): unknown {
  return name === 'button_id' ? undefined : value;
}

export const greetingDrawing: Drawing<Wish, Edit> = {
  kind: 'greeting',
  versions: since('3.6'),
  spec: fc.tuple(spec, fc.constantFrom('group/sales', '7')).map(([rest, group]) => ({ ...rest, group })),
  wish: slots(GREETINGS.length, (slot) =>
    maybe(
      fc.record({
        ...entry(['name', 'rules']),
        spec: spec.map((fields): Spec => ({ name: `Greeting ${slot}`, ...fields })),
        group: fc.nat(columns - 1),
      }),
    ),
  ),
  declared: (wish, { groupAt, general, idOf, bound, entry: declare, records }) =>
    wish.flatMap((greeting, slot) => {
      if (greeting === null) return [];
      const key = GREETINGS[slot] ?? '';
      const group = groupAt(greeting.group) ?? general();
      const live = records.greetings.find(({ id }) => id === bound('greeting', key));
      // Another group means another id, which nothing knows yet.
      const how = { ...greeting, withId: greeting.withId && live?.group === idOf(group) };
      return [declare('greeting', key, { ...greeting.spec, group }, how)];
    }),
  edit: fc.oneof(
    fc.record({ does: fc.constant('update' as const), at: fc.nat(20), fields: spec }),
    fc.record({ does: fc.constant('delete' as const), at: fc.nat(20) }),
  ),
  calls: (edit, { greetings }) => {
    const id = pick(greetings, edit.at)?.id;
    if (id === undefined) return [];
    if (edit.does === 'delete') return [{ action: 'delete_greeting', body: { id } }];
    const fields = Object.entries(edit.fields).map(([name, value]) => [name, value === '' ? null : value]);
    return [{ action: 'update_greeting', body: { id, ...Object.fromEntries(fields) } }];
  },
  recorded: ({ greetings }) =>
    greetings.map((greeting): Recorded => {
      const empty = { active_from: '', active_until: '', properties: {} };
      const fields = JSON.parse(JSON.stringify({ ...empty, ...greeting }, withoutIds));
      return { id: greeting.id, name: greeting.name, fields };
    }),
  upheaval: {
    before: {
      hello: { name: 'Hello', group: 'sales', rules: [], properties: { 'greeting-message_text': 'Hello' } },
      moved: { name: 'Moved', group: 'sales', rules: [] },
      gone: { name: 'Gone', group: 'old', rules: [] },
      left: { name: 'Left', group: 'sales', rules: [] },
    },
    after: {
      hello: { name: 'Hello', group: 'sales', rules: [], properties: { 'greeting-message_text': 'Good day' } },
      moved: { name: 'Moved', group: 'support', rules: [] },
      fresh: { name: 'Fresh', group: 'extra', active: false, rules: [] },
    },
  },
};
