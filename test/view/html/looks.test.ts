// The pages of `drift`, `show` and `coverage`: each stands alone, takes every name for text, and stays small enough for a browser.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DriftItem, DriftReport } from '../../../src/features/drift/schema.ts';
import { shownView } from '../../../src/features/show/view.ts';
import { plain } from '../../../src/view/plain.ts';
import { htmlPage } from '../../../src/view/writers/html.ts';
import { ITEMS, SEEN } from '../../features/drift/example.ts';
import { driftRenderers } from '../../features/drift/outputs.ts';
import { membersCalled, resourceCalled } from '../../features/show/example.ts';
import { lookAt } from '../../scenes/drift.ts';
import { tries } from '../../tries.ts';
import { hostileLook, hostileText } from '../hostile.ts';
import { all, parsed, shapeOf, textIn } from './parsed.ts';

/** The page without its stylesheet, which it trusts. */
function readable(page: string): string {
  return page.replace(/<style>.*<\/style>/s, '').trimEnd();
}

function harmless(page: string): void {
  // The parser is stricter than any browser.
  parsed(page);
  const read = readable(page);
  expect(plain(read)).toBe(read);
  expect(read).not.toMatch(/\p{Surrogate}/u);
}

describe('Whatever a name is', () => {
  const runs = { numRuns: tries(60, 30) };

  test('a page of drift is markup of ours and text of theirs', () => {
    fc.assert(
      fc.property(hostileLook, (look) => harmless(driftRenderers.html(look))),
      runs,
    );
  });

  test.each([
    ['members', membersCalled],
    ['a resource', resourceCalled],
  ] as const)('a page of %s has the same elements', (_, called) => {
    const shape = shapeOf(parsed(htmlPage(shownView(called('nAnn'), null))));
    fc.assert(
      fc.property(hostileText, (text) => {
        const page = htmlPage(shownView(called(`n${text}`), null));
        harmless(page);
        expect(shapeOf(parsed(page))).toBe(shape);
      }),
      runs,
    );
  });
});

describe('A page of drift', () => {
  const text = (look = SEEN): string => textIn(parsed(driftRenderers.html(look)));

  test('says of each difference what was applied, what there is, what is declared, and who moved', () => {
    const rows = all(parsed(driftRenderers.html(SEEN)))
      .filter(({ tag, inside }) => tag === 'tr' && inside.length === 4)
      .map(({ inside }) => inside.map((cell) => textIn(cell)));
    const language = rows.find(([field = '']) => field.includes('language_code'));
    expect(language?.slice(1)).toEqual(['"en"', '"pl"', '"de"']);
    expect(language?.[0]).toContain('manifest/groups.yaml:6');
    expect(text()).toContain('changed differently on both sides since the apply of 2026-11-20 09:00 UTC');
    expect(text()).toContain('seen since 2026-11-21 06:00 UTC');
    expect(text()).toContain('chatform drift -t production --accept group/sales');
  });

  test('counts what its parts have', () => {
    const page = parsed(driftRenderers.html(SEEN));
    const counted = new Map(
      all(page)
        .filter(({ tag, inside }) => tag === 'div' && inside[0]?.tag === 'dt')
        .map(({ inside }) => inside.map((each) => textIn(each)) as [string, string]),
    );
    const headings = all(page)
      .filter(({ tag }) => tag === 'h2')
      .map((heading) => textIn(heading));
    for (const [label, heading] of [
      ['errors', 'Errors'],
      ['warnings', 'Warnings'],
      ['ignored', 'Ignored'],
    ] as const)
      expect(headings).toContain(`${heading} ${counted.get(label)}`);
  });

  test('shows only the members of a mapping that differ', () => {
    const [changed] = ITEMS;
    const hours = { timezone: 'UTC', monday: '09:00', friday: '09:00' };
    const item = { ...changed, path: ['hours'], base: hours, live: { ...hours, friday: '10:00' }, desired: hours };
    const page = driftRenderers.html(lookAt([item as DriftItem]));
    expect(readable(page)).toContain('hours.friday');
    expect(readable(page)).not.toContain('hours.monday');
  });

  const many = tries(20_000, 4000);

  test.each([
    ['short', 'a'],
    ['long', 'Ä'.repeat(3000)],
  ])(`of ${many} differences with %s values is smaller than 10 MB, and counts what it leaves out`, (_, long) => {
    const [changed] = ITEMS;
    const items = Array.from({ length: many }, (__, nth) => ({
      ...(changed as DriftItem),
      address: `group/g${nth}`,
      live: long,
    }));
    const report: DriftReport = { ...(SEEN as { readonly report: DriftReport }).report, items };
    const page = driftRenderers.html({ outcome: 'seen', report });
    expect(Buffer.byteLength(page)).toBeLessThan(10_000_000);
    expect(page).toContain(`<span class="count">${items.length}</span>`);
  });
});
