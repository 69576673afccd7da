// The law of several edits: made together they leave the value that they leave one after the other, and other entries to the byte.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Edited, editYaml, readText } from '../../../src/authoring/edit/edit.ts';
import type { Edit } from '../../../src/authoring/edit/edits.ts';
import { canonicalJson } from '../../../src/base/json.ts';
import type { Json } from '../../../src/base/model.ts';
import { parseTree } from '../../../src/yaml/thorough/parse.ts';
import { tries } from '../../tries.ts';

type EditedText = Extract<Edited, { readonly text: string }>;

interface Written {
  readonly blank: boolean;
  readonly flow: boolean;
  readonly shared: boolean;
  readonly commented: boolean;
  readonly agents: number;
}

const anyWritten: fc.Arbitrary<Written> = fc.record({
  blank: fc.boolean(),
  flow: fc.boolean(),
  shared: fc.boolean(),
  commented: fc.boolean(),
  agents: fc.integer({ min: 3, max: 9 }),
});

const idOf = (index: number): string => `agent${index}@example.com`;

/** Agents with hours and lists, and a group with all of them. */
function manifest({ blank, flow, shared, commented, agents }: Written): string {
  const hours = (indent: string): readonly string[] =>
    ['monday', 'tuesday'].map((day) => `${indent}- { day: ${day}, enabled: true, start: "09:00", end: "17:00" }`);
  const agent = (index: number): string =>
    [
      ...(commented ? [`  # the ${index}th`] : []),
      `  ${idOf(index)}:`,
      `    name: Agent ${index}`,
      `    job_title: Clerk${commented ? ' # for now' : ''}`,
      flow ? '    notifications: [ incoming_chat, returning_visitor ]' : '    notifications:\n      - incoming_chat',
      '    work_scheduler:',
      '      timezone: Europe/Warsaw',
      ...(shared ? ['      schedule: *office'] : ['      schedule:', ...hours('        ')]),
    ].join('\n');
  const all = Array.from({ length: agents }, (_, index) => index);
  const members = all.map((index) => `      ${idOf(index)}: normal`);
  return [
    'version: 1',
    ...(shared ? ['x-hours:', '  office: &office', ...hours('    ')] : []),
    'agents:',
    all.map(agent).join(blank ? '\n\n' : '\n'),
    'groups:',
    '  sales:',
    '    name: Sales',
    '    agent_priorities:',
    ...members,
    '',
  ].join('\n');
}

/** What an acceptance changes. Each is about one agent, and they are drawn from a shuffled list, so that one agent has several. */
const anyEdit = fc.record({
  what: fc.constantFrom(
    'title',
    'name',
    'mobile',
    'notifications',
    'hours',
    'priority',
    'leaves',
    'gone',
    'new',
    'joins',
  ),
  of: fc.nat(8),
  to: fc.nat(3),
});

function editOf({ what, of, to }: { readonly what: string; readonly of: number; readonly to: number }): Edit {
  const id = idOf(of);
  const at = ['agents', id];
  switch (what) {
    case 'title':
      return { op: 'set', path: [...at, 'job_title'], value: ['Lead', 'Chief of staff', '12', 'a: b'][to] ?? '' };
    case 'name':
      return { op: 'set', path: [...at, 'name'], value: `Ann ${to}` };
    case 'mobile':
      return { op: 'set', path: [...at, 'mobile'], value: `+48 ${to}` };
    case 'notifications':
      return {
        op: 'set',
        path: [...at, 'notifications'],
        value: ['incoming_chat', 'queued_visitor'].slice(0, 1 + (to % 2)),
      };
    case 'hours':
      return {
        op: 'set',
        path: [...at, 'work_scheduler', 'schedule'],
        value: ['monday', 'tuesday'].map((day) => ({ day, enabled: true, start: `1${to}:00`, end: '18:00' })),
      };
    case 'priority':
      return {
        op: 'set',
        path: ['groups', 'sales', 'agent_priorities', id],
        value: ['first', 'last', 'normal', 'first'][to] ?? '',
      };
    case 'leaves':
      return { op: 'remove', path: ['groups', 'sales', 'agent_priorities', id] };
    case 'gone':
      return { op: 'remove', path: at };
    case 'new':
      return { op: 'set', path: ['agents', `new${of}@example.com`], value: { name: `New ${to}`, job_title: 'Clerk' } };
    default:
      return { op: 'set', path: ['groups', 'sales', 'agent_priorities', `new${of}@example.com`], value: 'normal' };
  }
}

test('Edits of a manifest leave the same value together as one after the other, and other entries as they were', () => {
  let joined = 0;
  fc.assert(
    fc.property(anyWritten, fc.array(anyEdit, { minLength: 2, maxLength: 14 }), (written, drawn) => {
      const text = manifest(written);
      const edits: Edit[] = [];
      let apart: EditedText = { text, parsed: readText('a.yaml', text) };
      for (const edit of drawn.map(editOf)) {
        const after: Edited = editYaml('a.yaml', apart.text, [edit]);
        // What is gone cannot be changed.
        if (!('text' in after)) continue;
        apart = after;
        edits.push(edit);
      }
      const together = editYaml('a.yaml', text, edits);
      if (!('text' in together))
        throw new Error(`refused: ${JSON.stringify(edits)}\n${text}\n${JSON.stringify(together)}`);
      expect(canonicalJson(together.parsed.value)).toBe(canonicalJson(apart.parsed.value));
      for (let index = 0; index < written.agents; index += 1) {
        if (!edits.some(({ path }) => path[1] === idOf(index))) expect(together.text).toContain(entryOf(text, index));
      }
      if (edits.length > 1) joined += 1;
    }),
    { numRuns: tries(300, 30) },
  );
  expect(joined).toBeGreaterThan(10);
});

/** The lines of an agent, with its comments. */
function entryOf(text: string, index: number): string {
  return new RegExp(`(?: {2}#.*\\n)? {2}${idOf(index)}:\\n(?: {4}.*\\n)+`).exec(text)?.[0] ?? '?';
}

test('Two thousand edits of one file need a few parses, not two thousand', () => {
  const agents = 400;
  const text = manifest({ blank: false, flow: true, shared: true, commented: true, agents });
  const edits = Array.from({ length: agents }, (_, of) =>
    ['title', 'hours', 'priority', 'mobile', 'notifications'].map((what) => editOf({ what, of, to: 0 })),
  ).flat();
  const begun = process.cpuUsage();
  const edited = editYaml('a.yaml', text, edits);
  const { user } = process.cpuUsage(begun);
  const parsing = process.cpuUsage();
  parseTree('a.yaml', text);
  const { user: parse } = process.cpuUsage(parsing);
  if (!('text' in edited)) throw new Error(edited.refused.message);
  const value = edited.parsed.value as {
    readonly agents: { readonly [id: string]: { readonly [name: string]: Json } };
  };
  expect(value.agents[idOf(agents - 1)]).toMatchObject({ job_title: 'Lead', mobile: '+48 0' });
  expect(user).toBeLessThan(200 * parse);
});

test('An edit that cannot be made is named, whatever is made with it', () => {
  const text = manifest({ blank: false, flow: false, shared: true, commented: false, agents: 5 });
  const wrong: Edit = { op: 'remove', path: ['x-hours', 'none'] };
  const others = [0, 1, 2, 3].map((of) => editOf({ what: 'title', of, to: 0 }));
  const edited = editYaml('a.yaml', text, [...others.slice(0, 2), wrong, ...others.slice(2)]);
  expect(edited).toMatchObject({ edit: wrong, refused: { message: expect.stringContaining('there is no') } });
});
