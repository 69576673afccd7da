// A report is one page that stands alone: whatever anybody writes into a name, it has the same elements, and every name is text.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failedView } from '../../../src/features/plan/view.ts';
import type { ResourceChange } from '../../../src/plan/plan.ts';
import { html, textOf } from '../../../src/view/html/markup.ts';
import { DARK, LIGHT, type Palette, READ_ON, SEEN_ON } from '../../../src/view/html/style.ts';
import { plain } from '../../../src/view/plain.ts';
import { htmlPage } from '../../../src/view/writers/html.ts';
import { tries } from '../../tries.ts';
import { hostileText } from '../hostile.ts';
import { AT, knownAfter, planPage } from './input.ts';
import { all, type Element, parsed, shapeOf, textIn } from './parsed.ts';

const PAGE = planPage(knownAfter('Ann'));

function elements(page: string): readonly Element[] {
  return all(parsed(page));
}

function of(page: string, tag: string): readonly Element[] {
  return elements(page).filter((element) => element.tag === tag);
}

function titles(page: string): readonly string[] {
  return of(page, 'h2').map((heading) => textIn(heading).replace(/ \d+$/, ''));
}

describe('A report', () => {
  test('has a part for everything that a plan says', () => {
    expect(titles(PAGE)).toEqual([
      'Summary',
      'Dangers',
      'Withheld: nothing is applied until this is resolved.',
      'Gaps in routing',
      'Changes',
      'Visitors who are routed differently',
      'Order of the rules',
      'Group members',
      'Weekly cover',
      'Good to know',
      'Policy warnings',
      'Unmanaged (not changed)',
      'Cost of an apply',
    ]);
  });

  test('trusts its own stylesheet and nothing else', () => {
    const policy = of(PAGE, 'meta').find(
      ({ attributes }) => attributes.get('http-equiv') === 'Content-Security-Policy',
    );
    const style = of(PAGE, 'style').map(textIn);
    expect(style).toHaveLength(1);
    const digest = createHash('sha256').update(style.join('')).digest('base64');
    expect(policy?.attributes.get('content')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${digest}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(style.join('')).not.toMatch(/url\(|@import|<|expression/);
  });

  test('has headings in order, columns and rows with a scope, names for what is scrolled, and links that lead somewhere', () => {
    const levels = elements(PAGE)
      .flatMap(({ tag }) => /^h([1-6])$/.exec(tag)?.[1] ?? [])
      .map(Number);
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.slice(1).entries()) expect(level).toBeLessThanOrEqual((levels[index] ?? 0) + 1);
    for (const { attributes } of of(PAGE, 'th')) expect(['row', 'col']).toContain(attributes.get('scope'));
    const ids = elements(PAGE).flatMap(({ attributes }) => attributes.get('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { attributes } of of(PAGE, 'a')) expect(ids).toContain(attributes.get('href')?.slice(1));
    for (const { attributes } of of(PAGE, 'section')) expect(ids).toContain(attributes.get('aria-labelledby'));
    for (const { attributes } of elements(PAGE).filter((each) => each.attributes.get('role') === 'region'))
      expect([attributes.get('tabindex'), attributes.get('aria-label')]).toEqual(['0', expect.stringMatching(/./)]);
    for (const { inside } of of(PAGE, 'details')) expect(inside[0]?.tag).toBe('summary');
  });

  test('says of a member what becomes of it, of a rule where it goes, and of a group what it loses', () => {
    const text = textIn(parsed(PAGE));
    expect(text).toContain('+ first joins');
    expect(text).toContain('− normal leaves');
    expect(text).toContain('~ first → last');
    expect(text).toMatch(/↕ to position 3.*↕ from position 1/s);
    expect(text).toContain('loses all cover Sun 10:00-12:00');
  });

  test('does not say of a rule that it moves from a place to the same place', () => {
    const told = knownAfter('Ann');
    const rule = (reference: string) => ({ reference, name: reference, groups: [] });
    const [moved, other, gone] = ['auto_access/moved', 'auto_access/other', 'auto_access/gone'].map(rule);
    if (told.pictures === null || told.plan.reorder === null || !moved || !other || !gone) throw new Error('no rules');
    const rules = { before: [gone, moved, other], after: [other, moved] };
    const plan = { ...told.plan, reorder: { ...told.plan.reorder, moved: [moved.reference] } };
    const text = textIn(parsed(planPage({ ...told, plan, pictures: { ...told.pictures, rules } })));
    expect(text).toContain('↕ moved past others');
    expect(text).not.toMatch(/(from|to) position 2/);
  });

  test('shows values as they were and as they will be', () => {
    const rows = of(PAGE, 'tr').filter(({ inside }) => inside[0] !== undefined && textIn(inside[0]) === 'job_title');
    expect(rows.map(({ inside }) => inside.slice(1).map(textIn))).toEqual([['Ann', 'Ann!']]);
  });

  test('of a plan that could not be made says so', () => {
    const page = htmlPage(failedView({ outcome: 'failed', target: '<b>', message: 'no <i>', diagnostics: [] }, AT));
    expect(textIn(parsed(page))).toContain('no <i>');
    expect(textIn(parsed(page))).toContain('No plan for <b>');
  });

  test('of a plan from a file does without the license', () => {
    const page = planPage({ ...knownAfter('Ann'), pictures: null });
    expect(titles(page)).toContain('Changes');
    expect(titles(page)).not.toContain('Weekly cover');
  });
});

describe('Whatever anybody writes into a name', () => {
  test('a report has the same elements and attributes, and nothing that cannot be seen', () => {
    const harmless = shapeOf(parsed(planPage(knownAfter('nAnn'))));
    fc.assert(
      fc.property(hostileText, (text) => {
        const page = planPage(knownAfter(`n${text}`));
        expect(shapeOf(parsed(page))).toBe(harmless);
        const style = /<style>.*<\/style>/s;
        const read = page.replace(style, '').trimEnd();
        expect(plain(read)).toBe(read);
        expect(read).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: tries(60) },
    );
  });

  test('a template takes it for text, in an attribute too', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const page = textOf(html`<p title="${text}">${text}</p>`);
        const [element] = parsed(`<!doctype html>${page}`).inside;
        const shown = plain(text);
        expect(element?.inside).toEqual([]);
        expect(element?.attributes.get('title')).toBe(element?.content.join(''));
        if (/^[\p{L}\p{N}\p{P}\p{S} ]*$/u.test(shown)) expect(element?.content.join('')).toBe(shown);
      }),
    );
  });
});

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((from) => Number.parseInt(colour.slice(from, from + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test.each<readonly [string, Palette]>([
  ['light', LIGHT],
  ['dark', DARK],
])('Every colour of the %s scheme stands out from what it stands on', (_, palette) => {
  const faint = [
    ...READ_ON.filter(([colour, on]) => contrast(palette[colour], palette[on]) < 4.5),
    ...SEEN_ON.filter(([colour, on]) => contrast(palette[colour], palette[on]) < 3),
  ];
  expect(faint).toEqual([]);
});

describe('A plan of thousands of changes', () => {
  const told = knownAfter('Ann');
  const [first] = told.plan.resource_changes;
  const many = (count: number, long: string): string => {
    const changes = Array.from({ length: count }, (_, index): ResourceChange => {
      const change = first as ResourceChange;
      const fields = [{ field: 'job_title', before: long, after: `${long}!`, reach: 'write' as const, reason: null }];
      return { ...change, address: `agent/a${index}@example.com`, fields };
    });
    const caution = {
      ...told.cautions[0],
      what: 'destroy',
      type: 'agent',
      message: long,
      name: long,
      referred_by: Array.from({ length: 20 }, () => ({ type: 'bot', reference: '7', name: long }) as const),
      source: null,
    } as const;
    const cautions = changes.map(({ address }) => ({ ...caution, address }));
    return planPage({ ...told, plan: { ...told.plan, resource_changes: changes }, cautions });
  };

  test.each([
    [10_000, 'short', 'a'],
    // 200 MB, if nothing were cut.
    [tries(10_000, 1_000), 'long', 'Ä'.repeat(5000)],
  ])('%d of them with %s values is smaller than 10 MB, and has every danger in it', (count, _, long) => {
    const page = many(count, long);
    expect(Buffer.byteLength(page)).toBeLessThan(10_000_000);
    const dangers = page.slice(page.indexOf('id="dangers"'), page.indexOf('<h2 id="changes"'));
    expect(dangers.split(`a${count - 1}@`).length - 1).toBe(1);
    expect(dangers.split('@example.com</code>').length - 1).toBeGreaterThanOrEqual(count);
  });
});
