// The text of a new manifest file.

import { expect, test } from 'vitest';
import { entryOf, type ImportEntry } from '../../../src/authoring/entry.ts';
import { withNamedSchedules } from '../../../src/authoring/schedules.ts';
import { fileText } from '../../../src/authoring/text.ts';
import type { Json, LiveObject } from '../../../src/base/model.ts';

const HEADING = { schema: './manifest.schema.json', comments: ['Imported\nfrom here.'] };

const HOURS: Json = {
  timezone: 'Europe/Warsaw',
  schedule: ['monday', 'tuesday'].map((day) => ({ end: '17:00', day, enabled: true, start: '09:00' })),
};

function agent(id: string, spec: { readonly [field: string]: Json }): ImportEntry {
  const object: LiveObject = { kind: 'agent', id, name: String(spec['name']), spec, facts: {} };
  return entryOf(object, id, {
    maker: { version: '3.6', credential: 'bearer' },
    keyOf: () => null,
    withId: false,
    without: new Map(id === 'cleo@example.com' ? [['role', 'it is\nnone']] : []),
  });
}

test('Hours that several entries have are a named schedule, and what an entry lacks stands above it', () => {
  const { entries, schedules } = withNamedSchedules(
    [
      agent('ann@example.com', { name: 'Ann', role: 'normal', max_chats_count: 6, work_scheduler: HOURS }),
      agent('bob@example.com', { name: 'on', job_title: '${lead}', work_scheduler: HOURS }),
      agent('cleo@example.com', { name: 'Cleo: #1', role: 'owner', mobile: '+48 123', notifications: ['ticket'] }),
    ],
    {},
  );
  expect(fileText(entries, schedules, HEADING)).toBe(
    `# yaml-language-server: $schema=./manifest.schema.json
# Imported from here.
version: 1

schedules:
  mon-tue-0900-1700:
    timezone: Europe/Warsaw
    schedule: { mon-tue: 09:00-17:00 }

agents:
  ann@example.com: { name: Ann, work_scheduler: mon-tue-0900-1700 }
  bob@example.com: { name: "on", job_title: "$\${lead}", work_scheduler: mon-tue-0900-1700 }
  # without role: it is none
  cleo@example.com: { name: "Cleo: #1", mobile: +48 123, notifications: [ticket] }
`,
  );
});

test('A file of many entries is written part by part, and reads as one', () => {
  const many = Array.from({ length: 230 }, (_, index) => agent(`a${index}@example.com`, { name: `Agent ${index}` }));
  const hours = Object.fromEntries(
    many.map((_, index) => [String(index), { timezone: 'UTC', schedule: { mon: '09:00-17:00' } }]),
  );
  const text = fileText([...many, agent('cleo@example.com', { name: 'Cleo', role: 'owner' })], hours, HEADING);
  expect(text.match(/^$/gm)).toHaveLength(3);
  expect(text.match(/^agents:$/gm)).toHaveLength(1);
  expect(text.split('\n\nagents:\n')[1]).toBe(
    `${many.map((_, index) => `  a${index}@example.com: { name: Agent ${index} }\n`).join('')}  # without role: it is none\n  cleo@example.com: { name: Cleo }\n`,
  );
  expect(text.match(/^ {2}"\d+":/gm)).toHaveLength(230);
});
