// What programs rely on in the reports of a look, beyond their form.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { DriftCheck, DriftItem } from '../../../src/features/drift/schema.ts';
import { driftSchema } from '../../../src/features/drift/schema.ts';
import { CALM, FAILED, ITEMS, REPORT, SEEN } from '../../features/drift/example.ts';
import { driftRenderers } from '../../features/drift/outputs.ts';

const many = (count: number, of: Partial<DriftItem> = {}): DriftCheck => {
  const items = Array.from({ length: count }, (_, index): DriftItem => {
    const item = ITEMS[index % ITEMS.length] as DriftItem;
    return { ...item, address: `${item.address}-${index}`, ...of };
  });
  return { outcome: 'seen', report: { ...REPORT, items } };
};

describe('Markdown', () => {
  test.each([10, 200, 5000])('of %d items fits a comment, and says what it leaves out', (count) => {
    const markdown = driftRenderers.markdown(many(count));
    expect(markdown.length).toBeLessThan(65_536);
    const rows = markdown.split('\n').filter((line) => /^\|.*\| `[a-z_]+(?:\/|-\d+`)/.test(line)).length;
    const left = Array.from(markdown.matchAll(/^And (\d+) more, which/gm), ([, more]) => Number(more));
    expect(left.reduce((sum, each) => sum + each, rows)).toBe(count + 1);
  });

  test('of one item that is larger than a comment has its row', () => {
    const live = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`m${index}`, 'x'.repeat(20_000)]));
    const markdown = driftRenderers.markdown(many(1, { live }));
    expect(markdown.length).toBeLessThan(65_536);
    expect(markdown).toContain('| changed on the license | `group/sales-0`');
  });
});

describe('JUnit', () => {
  test('of a look in sync has a case that passed', () => {
    const xml = driftRenderers.junit(CALM);
    expect(xml).toContain('tests="1" failures="0" errors="0" skipped="0"');
  });

  test('of a look that failed is an error, and nothing that passed', () => {
    expect(driftRenderers.junit(FAILED)).toContain('tests="1" failures="0" errors="1" skipped="0"');
  });

  test('fails what fails the look, and no more', () => {
    const failures = (look: DriftCheck): number => driftRenderers.junit(look).split('<failure ').length - 1;
    expect(failures(SEEN)).toBe(6);
    expect(failures({ outcome: 'seen', report: { ...REPORT, fail_on: 'error' } })).toBe(4);
    expect(failures({ outcome: 'seen', report: { ...REPORT, fail_on: 'info' } })).toBe(10);
  });

  test('calls a case the same whatever its values are', () => {
    const names = (look: DriftCheck): readonly string[] =>
      Array.from(driftRenderers.junit(look).matchAll(/<testcase [^>]+/g), ([each]) => each);
    expect(names(many(9, { base: 1, live: 2, desired: 3, first_seen: '2026-11-19T06:00:00Z' }))).toEqual(
      names(many(9)),
    );
  });
});

describe('SARIF', () => {
  const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
  const location = {
    type: 'object',
    properties: {
      physicalLocation: {
        type: 'object',
        required: ['artifactLocation', 'region'],
        properties: { artifactLocation: { type: 'object', required: ['uri'] } },
      },
    },
  };
  const locations = { type: 'array', items: location };
  const notifications = {
    type: 'array',
    items: { type: 'object', required: ['message'], properties: { message: text, locations } },
  };
  /** What the standard requires of the members that are used: sections 3.13 to 3.58. */
  const fits = new Ajv2020({ strictTypes: false }).compile({
    type: 'object',
    required: ['version', 'runs'],
    properties: {
      version: { const: '2.1.0' },
      runs: {
        type: 'array',
        items: {
          type: 'object',
          required: ['tool'],
          properties: {
            tool: {
              type: 'object',
              required: ['driver'],
              properties: {
                driver: {
                  type: 'object',
                  required: ['name'],
                  properties: { rules: { type: 'array', items: { type: 'object', required: ['id'] } } },
                },
              },
            },
            invocations: {
              type: 'array',
              items: {
                type: 'object',
                required: ['executionSuccessful'],
                properties: {
                  toolExecutionNotifications: notifications,
                  toolConfigurationNotifications: notifications,
                },
              },
            },
            results: {
              type: 'array',
              items: {
                type: 'object',
                required: ['message', 'ruleId'],
                properties: {
                  message: text,
                  level: { enum: ['none', 'note', 'warning', 'error'] },
                  locations: { ...locations, minItems: 1 },
                  partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
                  suppressions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['kind'],
                      properties: { kind: { enum: ['inSource', 'external'] } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  });

  test.each(Object.entries({ SEEN, CALM, FAILED }))('has every member that it must have: %s', (_, look) => {
    expect(fits(JSON.parse(driftRenderers.sarif(look))) ? [] : fits.errors).toEqual([]);
  });

  test('names a rule that there is in each result', () => {
    const [run] = JSON.parse(driftRenderers.sarif(SEEN)).runs;
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(run.results).toHaveLength(11);
  });

  test('suppresses what is ignored, with the reason', () => {
    const [run] = JSON.parse(driftRenderers.sarif(SEEN)).runs;
    const suppressed = run.results.flatMap(({ suppressions }: { suppressions: readonly unknown[] }) => suppressions);
    expect(suppressed).toEqual([
      { kind: 'external', status: 'accepted', justification: expect.stringContaining('her own hours') },
    ]);
  });

  test('of a look that failed has no list of results, which would close every alert', () => {
    const [run] = JSON.parse(driftRenderers.sarif(FAILED)).runs;
    expect(run).not.toHaveProperty('results');
    expect(run.invocations[0].executionSuccessful).toBe(false);
    expect(run.invocations[0].toolExecutionNotifications).toHaveLength(1);
  });

  test('has a relative address for a file with any name', () => {
    const source = { file: 'a folder/ü#1?.yaml', line: 3, column: 1 };
    const [run] = JSON.parse(driftRenderers.sarif(many(1, { source }))).runs;
    expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('a%20folder/%C3%BC%231%3F.yaml');
  });
});

describe('Prometheus', () => {
  const samples = (look: DriftCheck): ReadonlyMap<string, number> =>
    new Map(
      Array.from(driftRenderers.prometheus(look).matchAll(/^([^#\s]+\}) (\S+)$/gm), ([, series = '', value]) => [
        series,
        Number(value),
      ]),
    );
  const AT = 'chatform_drift_last_check_timestamp_seconds{target="production"}';
  const SUCCESS = 'chatform_drift_last_check_success{target="production"}';

  test('has the same series after every look that succeeded, so that alerts end', () => {
    expect([...samples(CALM).keys()]).toEqual([...samples(SEEN).keys()]);
    expect([...samples(CALM)].filter(([series, value]) => series.includes('_items') && value !== 0)).toEqual([]);
  });

  test('adds up to the items', () => {
    const items = [...samples(SEEN)].filter(([series]) => series.startsWith('chatform_drift_items'));
    expect(items.reduce((sum, [, value]) => sum + value, 0)).toBe(ITEMS.length);
    expect(samples(SEEN).get(SUCCESS)).toBe(1);
  });

  test('says of a look that failed when it was, and nothing of the license', () => {
    expect([...samples(FAILED)]).toEqual([
      [AT, Date.parse('2026-11-21T12:00:00Z') / 1000],
      [SUCCESS, 0],
    ]);
  });
});

describe('JSON', () => {
  const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
    driftSchema,
  );

  test('The published schema is the one in the code', async () => {
    const schema = `${JSON.stringify(driftSchema, null, 2)}\n`;
    await expect(schema).toMatchFileSnapshot('../../../schemas/drift.schema.json');
  });

  test.each(Object.entries({ SEEN, CALM }))('A look that succeeded fits the schema: %s', (_, look) => {
    expect(fits(JSON.parse(driftRenderers.json(look))) ? [] : fits.errors).toEqual([]);
  });

  test('A look that failed does not, and says why', () => {
    const document = JSON.parse(driftRenderers.json(FAILED));
    expect(fits(document)).toBe(false);
    expect(document).toMatchObject({ errored: true, message: expect.stringContaining('list_groups') });
  });
});
