// The comment on the plans of several targets: it fits, whatever their number, and no text of a plan or a report does anything.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOWHERE } from '../../../src/features/plan/comment.ts';
import { plansMarkdown } from '../../../src/features/plan/plans-comment.ts';
import { reviewOfPlans } from '../../../src/many/plans/review.ts';
import type { TargetsResults } from '../../../src/many/schema.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { SavedPlan } from '../../../src/plan/saved/saved-plan.ts';
import { desiredOf } from '../../desired.ts';
import { liveOf } from '../../plan/license.ts';
import { contentOf } from '../../plan/saved/example.ts';
import { tries } from '../../tries.ts';
import { hostileText } from '../../view/hostile.ts';
import { big, dangerous, named } from './dangerous.ts';

function saved(plan: Plan, target: string): SavedPlan {
  const content = contentOf({ ...plan, target }, { live: liveOf(), desired: desiredOf([]) });
  return { ...content, digest: 'd'.repeat(64) };
}

function written(plans: ReadonlyMap<string, Plan>, results: TargetsResults | null = null): string {
  const review = reviewOfPlans();
  for (const [target, plan] of plans) review.add(saved(plan, target));
  const of = review.reviewed(results);
  return plansMarkdown({ of, state: 'plan', origin: NOWHERE });
}

const numbered = (count: number, planOf: (index: number) => Plan): ReadonlyMap<string, Plan> =>
  new Map(Array.from({ length: count }, (_, index) => [`target-${String(index).padStart(4, '0')}`, planOf(index)]));

function expectWhole(text: string): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
  expect(text).toMatch(/^### Plans of /);
  expect(text).toContain('\n**Next:** ');
  expect(text).toMatch(/\nDigest `[0-9a-f]{64}`\n$/);
}

test('Hundreds of different plans of which each has dangers: as many as fit in full, and all are counted', () => {
  const count = tries(1000, 200);
  const text = written(numbered(count, (index) => named(dangerous(), `name-${index}`)));
  expectWhole(text);
  expect(text).toMatch(new RegExp(`^### Plans of ${count} targets: withheld\n`));
  const shown = text.match(/^#### Target /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(10);
  expect(text).toContain(`${count - shown} more plans only in the table`);
  expect(text).toMatch(new RegExp(` · \\d+ dangers on ${count} targets · `));
});

test('3 plans of thousands of changes fit, and none takes the room of the others', () => {
  const text = written(numbered(3, (index) => big(tries(10_000, 2_000) + index, 300)));
  expectWhole(text);
  expect(text.match(/^#### Target /gm)).toHaveLength(3);
});

test('1,000 equal plans are one', () => {
  const plan = dangerous();
  const text = written(numbered(1000, () => plan));
  expectWhole(text);
  expect(text.match(/^#### 1000 targets with the same plan: target-0000, /gm)).toHaveLength(1);
  expect(text).toContain('> [!CAUTION]');
});

const results = (text: string): TargetsResults => ({
  command: 'plan',
  targets: [
    {
      target: text,
      state: 'failed',
      exit_code: 1,
      figures: { add: 1, [text]: 2 },
      requests: null,
      seconds: 1,
      message: text,
      alike: null,
    },
  ],
  since: { ref: text, commit: text, untouched: 1 },
  orphaned: [text],
  summary: { digest: null },
  diagnostics: [
    {
      code: 'unknown-field',
      severity: 'error',
      place: { file: text, line: 1, column: 1, length: 1 },
      message: text,
      remedy: text,
      excerpt: null,
      related: [],
    },
  ],
});

test('no text of a plan or of a report is a mention, a link, an element or a command', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const comment = written(new Map([['acme', named(dangerous(), text)]]), results(text));
      const outside = comment
        .replaceAll(/<pre>\n[^<>]*\n<\/pre>/g, '')
        .replaceAll('<wbr>', '')
        .replaceAll(/<code>[^<>]*<\/code>/g, '')
        .replaceAll(/`[^`\n]+`/g, '');
      expect(outside).not.toMatch(/@|<!--|::|##\[|https?:|\]\(|!\[(?!CAUTION)|```/);
      expect(outside.replaceAll(/<\/?(details|summary)>|<br>/g, '')).not.toMatch(/<|`/);
      expectWhole(comment);
    }),
    { numRuns: tries(200) },
  );
});

test('columns of a report do not push the rest out', () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`column ${index}`, 1]));
  const given = results('bravo');
  const rows = given.targets.map((row) => ({ ...row, figures: many }));
  expectWhole(written(new Map([['acme', dangerous()]]), { ...given, targets: rows }));
});
