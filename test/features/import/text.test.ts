// The text of a new manifest file.

import { expect, test } from 'vitest';
import { entryOf, type ImportEntry } from '../../../src/authoring/entry.ts';
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

test('What more entries have in common stands on a shelf, and what an entry lacks above it', () => {
  const entries = [
    agent('ann@example.com', { name: 'Ann', role: 'normal', max_chats_count: 6, work_scheduler: HOURS }),
    agent('bob@example.com', { name: 'on', job_title: '${lead}', work_scheduler: HOURS }),
    agent('cleo@example.com', { name: 'Cleo: #1', role: 'owner', mobile: '+48 123', notifications: ['ticket'] }),
  ];
  expect(fileText(entries, HEADING)).toBe(
    `# yaml-language-server: $schema=./manifest.schema.json
# Imported from here.
version: 1

x-schedules:
  schedule-1: &schedule-1
    - { day: monday, enabled: true, start: "09:00", end: "17:00" }
    - { day: tuesday, enabled: true, start: "09:00", end: "17:00" }

agents:
  ann@example.com:
    name: Ann
    work_scheduler:
      timezone: Europe/Warsaw
      schedule: *schedule-1
  bob@example.com:
    name: "on"
    job_title: $\${lead}
    work_scheduler:
      timezone: Europe/Warsaw
      schedule: *schedule-1
  # without role: it is none
  cleo@example.com: { name: "Cleo: #1", mobile: +48 123, notifications: [ticket] }
`,
  );
});
