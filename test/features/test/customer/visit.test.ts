// A visit that learns the groups of pages from what the service tells, which is only a change: against a service with any groups for any pages.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visitPages } from '../../../../src/features/test/customer/send-visit.ts';
import type { PageGroup, RealtimeVisit } from '../../../../src/service/realtime.ts';
import { tries } from '../../../tries.ts';

const NOWHERE = 'without a page';

/** A service that tells the groups of a page where they are not those of the page before, and that does not look again at the page it is on. */
function serviceWith(groupsOf: (page: string) => string) {
  const asked: string[] = [];
  let page = NOWHERE;
  const visit: RealtimeVisit = {
    update: async (url) => {
      asked.push(url);
      const [before, now] = [groupsOf(page), groupsOf(url)];
      const same = url === page || before === now;
      page = url;
      return same ? null : now.split(',').map((id): PageGroup => ({ id: Number(id), status: 'online' }));
    },
    ping: async () => {},
    close: async () => {
      page = NOWHERE;
    },
    requests: () => ({ update_customer_page: asked.length }),
  };
  return { visit, asked };
}

const PAGES = ['a', 'b', 'c', 'd', 'e'];
const groups = fc.constantFrom('0', '1', '2', '1,2');
const license = fc.record({
  nowhere: groups,
  pages: fc.tuple(groups, groups, groups, groups, groups),
  asked: fc.array(fc.constantFrom(...PAGES), { minLength: 1, maxLength: 8 }),
});

test('Each page gets its groups, in any order, from a few more requests than there are pages; only where all are alike they are not told', async () => {
  await fc.assert(
    fc.asyncProperty(license, async ({ nowhere, pages, asked }) => {
      const groupsOf = (page: string): string => pages[PAGES.indexOf(page)] ?? nowhere;
      const service = serviceWith(groupsOf);
      const visits = visitPages(async () => service.visit, PAGES);
      expect(visits.isLeft()).toBe(false);
      for (const page of asked) {
        const reply = Object(await visits.pageReply(page));
        const ids = reply.groups?.map(({ id }: PageGroup) => id).join();
        const isUniform = pages.every((each) => each === nowhere);
        expect(ids).toBe(isUniform ? undefined : groupsOf(page));
      }
      expect(visits.isLeft()).toBe(true);
      // Twice for a page that the visit is on already, and once each page that may differ.
      expect(service.asked.length).toBeLessThanOrEqual(2 * asked.length + PAGES.length + 1);
    }),
    { numRuns: tries(300) },
  );
});

test('A visit begins with the first page, ends when it is left, and counts its requests', async () => {
  let begun = 0;
  const visits = visitPages(async () => {
    begun += 1;
    return serviceWith((page) => (page === 'a' ? '1' : '0')).visit;
  }, PAGES);
  expect([begun, visits.requests()]).toEqual([0, {}]);
  await visits.leave();
  for (const count of [1, 2]) {
    expect(await visits.pageReply('a')).toEqual({ groups: [{ id: 1, status: 'online' }] });
    await visits.leave();
    expect([begun, visits.requests()]).toEqual([count, { update_customer_page: count }]);
  }
});
