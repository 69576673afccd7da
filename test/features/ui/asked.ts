// A small side of a page for tests of "ask a visitor".

import type { AskedRules } from '../../../src/features/ui/rules-at.ts';
import { ASSUMED } from '../../../src/routing/rules.ts';
import { staffOf } from '../../../src/routing/staff/staff.ts';

/** A license without staff, read at the epoch. */
export function sideOf(more: Partial<AskedRules>): AskedRules {
  return {
    rules: [],
    open: [],
    assumptions: ASSUMED,
    timezone: 'UTC',
    staff: staffOf([], { zone: 'UTC', version: '3.6', isRead: true }),
    general: [],
    greetings: [],
    target: 'shop',
    domain: null,
    called: {},
    places: {},
    readAt: 0,
    past: { rules: [], lists: [] },
    usual: {},
    isOfFiles: true,
    ...more,
  };
}
