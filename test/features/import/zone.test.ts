// The zone of imported hours in chatform.yaml: written where there is one, and nothing sets it.

import { expect, test } from 'vitest';
import type { Desired, Spec } from '../../../src/base/model.ts';
import { zonedProject } from '../../../src/features/import/zone.ts';

const PLACE = { file: 'm.yaml', line: 1, column: 1, length: 1 };

function desired(...zones: readonly string[]): Desired {
  const resources = zones.map((timezone, index) => {
    const spec: Spec = { work_scheduler: { timezone, schedule: [] } };
    const key = `a${index}@example.com`;
    return { address: `agent/${key}`, kind: 'agent', key, id: null, spec, place: PLACE } as const;
  });
  return { resources, externals: [], ruleOrder: [], namespaces: [], complete: [] };
}

function zoned(text: string, ...zones: readonly string[]): string | undefined {
  return zonedProject('chatform.yaml', text, 'shop', desired(...zones))?.text;
}

const PROJECT = 'version: 1\ntargets:\n  shop:\n    base_url: emulator:a.json # ours\n';

test('The one zone of all hours is written for the target, and nothing else changes', () => {
  const written = `${PROJECT}    routing:\n      timezone: Europe/Warsaw\n`;
  expect(zoned(PROJECT, 'Europe/Warsaw', 'Europe/Warsaw', '')).toBe(written);
  const flow = 'targets: { shop: { routing: { domain: a.example } } }\n';
  expect(zoned(flow, 'Asia/Tokyo')).toBe(
    'targets: { shop: { routing: { domain: a.example, timezone: Asia/Tokyo } } }\n',
  );
});

test.each([
  ['several zones', PROJECT, ['Europe/Warsaw', 'UTC']],
  ['no hours', PROJECT, []],
  ['the default', PROJECT, ['UTC']],
  ['a zone of the target', `${PROJECT}    routing: { timezone: UTC }\n`, ['Europe/Warsaw']],
  ['a zone of all targets', `defaults: { routing: { timezone: UTC } }\n${PROJECT}`, ['Europe/Warsaw']],
  ['a target from a table', 'targets_from: { csv: t.csv }\n', ['Europe/Warsaw']],
  ['a file that is no YAML', 'targets: [', ['Europe/Warsaw']],
])('%s: chatform.yaml stays as it is', (_, text, zones) => {
  expect(zoned(text, ...zones)).toBeUndefined();
});
