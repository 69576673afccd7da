// Coverage of some groups: before and after an apply, and with bots.

import { dayOf, type Week, weekOf } from '../../../src/base/week.ts';
import { type CoverageReport, coverageReport, type ViewName } from '../../../src/features/coverage/report.ts';
import { ROUTING_DEFAULTS } from '../../../src/routing/settings.ts';
import { type Placed, type Staff, staffOf } from '../../../src/routing/staff/staff.ts';

export const WEEK = weekOf('Europe/Warsaw', dayOf('2026-10-25') ?? 0);

export const hours = (day: string, start: string, end: string) => ({
  timezone: 'Europe/Warsaw',
  schedule: [{ day, enabled: true, start, end }],
});

export const person = (name: string, spec: Placed['spec']): Placed => ({
  reference: `agent/${name}@example.com`,
  kind: 'agent',
  name,
  spec: { role: 'normal', ...spec },
  decides: [],
});

export const team = (reference: string, name: string): Placed => ({
  reference,
  kind: 'group',
  name,
  spec: {},
  decides: [],
});

const SUNDAY = hours('sunday', '00:00', '16:00');

export const BEFORE: readonly Placed[] = [
  team('group/sales', 'Sales'),
  team('group/support', 'Support'),
  team('group/night', 'Night'),
  team('7', 'Gone & <b>'),
  person('ann', { max_chats_count: 8, work_scheduler: SUNDAY, groups: { 'group/sales': 'normal' } }),
  person('bob', { max_chats_count: 3, suspended: true, groups: { 'group/sales': 'first' } }),
  person('carl', { max_chats_count: 5, groups: { 'group/support': 'normal' } }),
  person('dora', { work_scheduler: SUNDAY, groups: { '7': 'last', 'group/night': 'last' } }),
];

export const AFTER: readonly Placed[] = [
  team('group/sales', 'Sales'),
  team('group/support', 'Support'),
  team('group/night', 'Night'),
  team('group/fresh', 'Fresh'),
  person('ann', {
    max_chats_count: 8,
    work_scheduler: hours('sunday', '08:00', '17:30'),
    groups: { 'group/sales': 'normal', 'group/fresh': 'first' },
  }),
  person('carl', { max_chats_count: 5, groups: { 'group/support': 'normal' } }),
  person('eve', {
    max_chats_count: 1,
    work_scheduler: hours('saturday', '22:00', '06:00'),
    groups: { 'group/sales': 'last' },
  }),
  person('dora', { work_scheduler: SUNDAY, groups: { 'group/night': 'last' } }),
];

export const staff = (placed: readonly Placed[], isRead: boolean): Staff =>
  staffOf(placed, { zone: 'UTC', isRead, version: '3.6' });

export function reportOf(view: ViewName, before: Staff | null, after: Staff, week: Week = WEEK): CoverageReport {
  return coverageReport({
    target: 'production',
    view,
    week,
    before,
    staff: after,
    wants: () => true,
    lint: ROUTING_DEFAULTS.lint,
    placeOf: () => ({ file: 'manifest.yaml', line: 3, column: 1, length: 1 }),
  });
}

/** A group with people by day and a bot at night, one with a bot alone, and one in which a bot cannot be told from all who may be there. */
export const STAFFED_BY_BOTS: readonly Placed[] = [
  team('group/sales', 'Sales'),
  team('group/night', 'Night & <b>'),
  team('group/open', 'Open'),
  person('ann', { max_chats_count: 8, work_scheduler: SUNDAY, groups: { 'group/sales': 'normal' } }),
  person('carl', { max_chats_count: 5, groups: { 'group/open': 'normal' } }),
  {
    reference: 'bot/triage',
    kind: 'bot',
    name: 'Triage',
    spec: { max_chats_count: 20, groups: { 'group/sales': 'last', 'group/night': 'first', 'group/open': 'first' } },
    decides: [],
  },
];
