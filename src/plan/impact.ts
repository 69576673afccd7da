// Impact of a plan, as schema and types: what its changes carry, by the reports of the service. A plan has it next to its effects, and not among them.

import * as s from '../base/documents.ts';

const address = s.address('Address of a resource; `<kind>/<id>` of an object that is not declared.');
const group = { ...address, description: '`group/<key>`; `group/<id>` of one that is not declared.' };
const number = (description: string) => s.typed<number>({ type: 'number', minimum: 0, description });

const hours = (description: string) => s.list(description, number('One hour of the week, from Monday 00:00 on.'));

const share = (description: string) => s.typed<number>({ type: 'number', minimum: 0, maximum: 1, description });

const WAITS = {
  share: share('Share of the chats that wait for a slot.'),
  seconds: number('Mean wait of all chats in seconds, also of those that leave; 3600 for an hour or longer.'),
  leaves: s.orNull(
    share(
      'Share of the chats whose visitors leave before an agent takes them; null where their patience is not known.',
    ),
  ),
};

const waiting = s.record(
  'One hour of the week.',
  {
    at_once: number('Chats at once on average: arrivals times length.'),
    slots: number('Chats that the agents and bots at work can have at once, on average over the hour.'),
    ...WAITS,
  },
  { others_at_once: number('Chats at once of other groups that take these slots; left out where there are none.') },
);
export type WaitingHour = s.ValueOf<typeof waiting>;

export const groupWaiting = s.record('Waiting of the chats that need a slot, over all hours of the week.', WAITS);
export type GroupWaiting = s.ValueOf<typeof groupWaiting>;

const worseHour = s.record('An hour of the week in which chats would wait longer.', {
  text: s.text('For people: `Mon 10:00-11:00`.'),
  weekday: s.whole('0 is Monday.'),
  hour: s.whole('0 to 23.'),
  chats: s.whole(
    'Chats that came in such hours of these days, in the group and in those whose chats it gains: with few, chance decides.',
  ),
  times: s.whole('How many such hours these days have.'),
  before: waiting,
  after: waiting,
});
export type WorseHour = s.ValueOf<typeof worseHour>;

const touchedGroup = s.record(
  'One group that the plan touches.',
  {
    group,
    name: s.text('What a person calls it.'),
    touched_by: s.list('The changes that touch it.', address),
    chats: s.whole('Chats in these days.'),
    not_taken: s.whole('Those of them that no agent took.'),
    last: s.orNull(s.text('The day of the last one, YYYY-MM-DD; null without one.')),
    gains: s.orNull(s.whole('Chats that come to it in addition, at most; null when it is not known.')),
    chat_seconds: s.orNull(number('Mean time that a chat takes a slot; null without one.')),
    patience_seconds: s.orNull(
      number(
        'How long visitors wait on average before they leave, as the reports measure it since 3.6; null where it is not known.',
      ),
    ),
    demand: s.record('Chats at once on average, hour by hour.', {
      before: hours('Now.'),
      after: hours('With what it gains, at most.'),
    }),
    slots: s.record(
      'Chats that the agents and bots at work can have at once, hour by hour; null when it is not known.',
      {
        before: s.orNull(hours('Now.')),
        after: s.orNull(hours('After the plan.')),
      },
    ),
    waiting: s.record('How many chats wait for a slot, and how long.', {
      measured: s.orNull(groupWaiting),
      before: s.orNull(groupWaiting),
      after: s.orNull(groupWaiting),
    }),
    worse: s.list('Hours in which chats would wait longer, the worst first.', worseHour),
  },
  { is_new: s.only(true, { description: 'The plan makes it: it has no chats yet, and no slots now.' }) },
);
export type TouchedGroupImpact = s.ValueOf<typeof touchedGroup>;

const carried = s.record('What one change carries.', {
  address,
  what: s.oneOf(
    'What is counted: the chats of a rule, of a group, of a group that is destroyed, or of the groups in which the place, slots or hours of an agent or bot change.',
    ['rule', 'changed-group', 'destroyed-group', 'staff'],
  ),
  chats: s.orNull(s.whole('Chats in these days; 0 for a new rule, null when it is not known.')),
  exact: s.flag('False: at most so many.'),
  groups: s.list('The groups whose chats are counted.', group),
  because: s.orNull(s.text('Why it cannot be said exactly; null for an exact number.')),
  moved: s.orNull(s.whole('Chats that go to other groups because of it, at most; null when it is not known.')),
  from: s.list('The groups that they come from.', group),
  last: s.orNull(s.text('Of a group that is destroyed: the day of its last chat, YYYY-MM-DD.')),
});
export type CarriedChats = s.ValueOf<typeof carried>;

const person = s.record('What one agent or bot took in one group. A figure of a person.', {
  address,
  group,
  chats: s.orNull(
    s.whole('Chats in these days; null where they are fewer than five, or would tell such a number of another person.'),
  ),
  of: s.whole('Chats of the group.'),
});
export type PersonShare = s.ValueOf<typeof person>;

const sum = (description: string) => s.orNull(s.whole(`${description}; null when it is not known.`));
const weekly = (description: string) => s.orNull(number(`${description}, per week; null when it is not known.`));

export const impact = s.record(
  'What the changes carry, by the reports of the service. It is no effect of the plan, and not part of its digest.',
  {
    from: s.text('RFC 3339, in the zone of the days.'),
    to: s.text('RFC 3339; the end, which is not part of them.'),
    days: s.typed<number>({
      type: 'integer',
      minimum: 7,
      maximum: 366,
      description: 'How many days were looked at.',
    }),
    timezone: s.text('IANA name of the zone of the days and hours.'),
    chats: sum('Chats that the changes carry, at most; a group counts once'),
    chats_per_week: weekly('The same'),
    moved: sum('Chats that go to other groups, at most'),
    moved_per_week: weekly('The same'),
    wait_before: s.orNull(
      number(
        'Mean wait in seconds of the hour in `wait_after`, now; null when it is not known, 0 when no hour gets worse.',
      ),
    ),
    wait_after: s.orNull(
      number(
        'Mean wait in seconds in the worst of the hours that get worse; 3600 for an hour or longer, null when it is not known, 0 when none gets worse.',
      ),
    ),
    changes: s.list('In the order of `resource_changes`.', carried),
    groups: s.list('The groups that the changes touch, also those that the plan makes.', touchedGroup),
    missing: s.list('What was not looked at, and why.', s.text('One sentence.')),
    assumptions: s.list('What the numbers assume.', s.text('One sentence.')),
    requests_sent: s.map('Requests by report: each is billed.', s.whole('How many.')),
  },
  {
    not_taken: s.whole('Those of `chats` that no agent took, at most; left out when `chats` is not known.'),
    people: s.list('Only with `--people`.', person),
  },
);
export type Impact = s.ValueOf<typeof impact>;

/** What may be kept, and shown to others: no figure of a person. */
export function withoutPeople({ people: _, ...others }: Impact): Impact {
  return others;
}
