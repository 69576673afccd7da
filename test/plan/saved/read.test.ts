// Reading a saved plan: what was written is what is read, of any minor version, and nothing else is taken for a plan.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { VERSIONS } from '../../../src/base/model.ts';
import type { Impact } from '../../../src/plan/impact.ts';
import { type SavedPlan, savedPlanSchema } from '../../../src/plan/saved/saved-plan.ts';
import { readSavedPlan, savedText } from '../../../src/plan/saved/text.ts';
import { AFTER, begun, saved } from './example.ts';

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  savedPlanSchema,
);

type Loose = { [member: string]: unknown };

/** The same file, sealed again after a change. */
function resealed(text: string, change: (document: Loose) => void): string {
  const { digest: _, ...document } = JSON.parse(text) as Loose;
  change(document);
  return savedText(document as never).text;
}

const IMPACT: Impact = {
  from: '2026-02-18T00:00:00Z',
  to: '2026-03-18T00:00:00Z',
  days: 28,
  timezone: 'UTC',
  chats: 120,
  chats_per_week: 30,
  moved: 120,
  moved_per_week: 30,
  wait_before: 0,
  wait_after: 0,
  changes: [],
  groups: [],
  missing: [],
  assumptions: [],
  requests_sent: { 'chats/total_chats': 1 },
};

test('The published schema is the one in the code', async () => {
  await expect(`${JSON.stringify(savedPlanSchema, null, 2)}\n`).toMatchFileSnapshot(
    '../../../schemas/saved-plan.schema.json',
  );
});

test('What is nested deeper than anybody can follow is refused, and ends nothing', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const text = `{"format_version":"1.0","chatform_version":"0.1.0","plan":${deep}}`;
  expect(() => readSavedPlan(text, 'plan.json')).toThrow('nested too deep');
});

describe.each(VERSIONS)('Version %s', (version) => {
  test('what is saved is golden, fits the schema, and is read as it was', async () => {
    const { text, plan } = await saved(await begun(version), AFTER);
    await expect(text).toMatchFileSnapshot(`golden/saved-${version.replace('.', '-')}.json`);
    expect(fits(JSON.parse(text)) ? [] : fits.errors).toEqual([]);
    const read = readSavedPlan(text, 'plan.json');
    expect(read.plan).toEqual(plan);
    expect(savedText(read).text).toBe(text);
  });

  test('the same license and wish give the same bytes', async () => {
    const [one, other] = await Promise.all([0, 1].map(async () => (await saved(await begun(version), AFTER)).text));
    expect(one).toBe(other);
  });
});

describe('The impact in a saved plan', async () => {
  const { text } = await saved(await begun('3.6'), AFTER);
  const { digest, ...document } = JSON.parse(text) as SavedPlan;
  const measured = savedText({ ...document, plan: { ...document.plan, impact: IMPACT } });
  const changedTo = (impact: Partial<Impact> | null): string => {
    const { plan, ...others } = JSON.parse(measured.text) as SavedPlan;
    const { impact: was, ...rest } = plan;
    return JSON.stringify({ ...others, plan: impact === null ? rest : { ...rest, impact: { ...was, ...impact } } });
  };
  const withoutSeal = (): string => {
    const { impact_digest: _, ...others } = JSON.parse(measured.text) as SavedPlan;
    return JSON.stringify(others);
  };

  test('is not part of the digest of the plan, and has its own', () => {
    const written = JSON.parse(measured.text) as SavedPlan;
    expect([measured.digest, written.digest]).toEqual([digest, digest]);
    expect(written.impact_digest).toMatch(/^[0-9a-f]{64}$/);
    expect(readSavedPlan(measured.text, 'plan.json').plan.impact).toEqual(IMPACT);
    expect(fits(written) ? [] : fits.errors).toEqual([]);
  });

  test.each([
    ['with another figure', changedTo({ moved: 1 })],
    ['that was taken out', changedTo(null)],
    ['whose digest was taken out', withoutSeal()],
  ])('%s is refused', (_, changed) => {
    expect(() => readSavedPlan(changed, 'plan.json')).toThrow(
      'plan.json was changed after it was written: the digest of its impact is not that of its figures; plan again',
    );
  });
});

describe('Refused', async () => {
  const { text, plan } = await saved(await begun('3.6'), AFTER);

  test.each([
    ['a file that was cut off', () => text.slice(0, text.length / 2), /plan\.json is not whole/],
    ['an empty file', () => '', /is not JSON/],
    ['text', () => 'a plan', /is not JSON/],
    ['another JSON value', () => '[]', /no saved plan of chatform/],
    [
      'a plan of another program',
      () => '{"format_version":"1.2","terraform_version":"1.9.0"}',
      /no saved plan of chatform/,
    ],
    ['what `plan --json` printed', () => JSON.stringify(plan), /is what `plan --json` printed.*--out FILE/],
    [
      'an unknown major version',
      () => text.replace('"format_version": "1.0"', '"format_version": "2.0"'),
      /format 2\.0.*reads 1\.x.*chatform 0\.1\.0/,
    ],
    ['a version that is none', () => text.replace('"format_version": "1.0"', '"format_version": "1"'), /format 1,/],
    ['a value that was edited', () => text.replace('"Sales team"', '"Sales tram"'), /changed after it was written/],
    ['an effect that was taken out', () => text.replace('"gone"', '"there"'), /changed after it was written/],
    ['no digest', () => text.replace(/,\s*"digest": "[0-9a-f]+"\s*\}\s*$/, '}'), /changed after it was written/],
    [
      'a member that is missing',
      () => resealed(text, (document) => delete document['effects']),
      /format 1\.0 says: effects is missing/,
    ],
    [
      'a member that is something else',
      () => resealed(text, (document) => ((document['plan'] as Loose)['steps'] = [{ id: 7 }])),
      /plan\.steps\.0\./,
    ],
  ])('%s', (_, made, message) => {
    expect(() => readSavedPlan(made(), 'plan.json')).toThrow(message);
  });
});

test('Members that a later minor version adds mean nothing, and are part of what is sealed', async () => {
  const { text, plan } = await saved(await begun('3.6'), AFTER);
  const later = resealed(text, (document) => {
    document['format_version'] = '1.7';
    document['mood'] = 'good';
    (document['plan'] as Loose)['weather'] = { wind: 3 };
    for (const change of (document['plan'] as { resource_changes: Loose[] }).resource_changes) change['tags'] = [];
  });
  expect(readSavedPlan(later, 'plan.json').plan).toMatchObject(plan);
  expect(() => readSavedPlan(later.replace('"good"', '"bad"'), 'plan.json')).toThrow(/changed after/);
});

test('When a plan was made, and by which version, is no part of its digest', async () => {
  const { text } = await saved(await begun('3.6'), AFTER);
  const later = text.replace('2026-01-05T09:00:00.000Z', '2031-01-05T09:00:00.000Z').replace('"0.1.0"', '"9.0.0"');
  expect(readSavedPlan(later, 'plan.json').digest).toBe(readSavedPlan(text, 'plan.json').digest);
});
