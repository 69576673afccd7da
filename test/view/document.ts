// A document with every block, in which each text can be another one, and findings of every result.

import type { Block, Item, Mark, Side, View } from '../../src/view/blocks.ts';
import type { Finding, Findings } from '../../src/view/findings.ts';

export const SIDES: readonly Side[] = [
  { short: 'before', title: 'Before' },
  { short: 'after', title: 'After' },
];

const THREE: readonly Side[] = [
  { short: 'applied', title: 'Applied' },
  { short: 'live', title: 'On the license' },
  { short: 'declared', title: 'In the manifest' },
];

const CHANGED: Mark = { sign: '~', word: 'changed', tone: 'change' };

/** `text` gives each text of the document, by what it would be. */
export function documentOf(text: (usual: string) => string = (usual) => usual): View {
  const mark = (sign: string, word: string, tone: Mark['tone']): Mark => ({ sign, word: text(word), tone });
  const place = (file: string, line: number) => ({ file: text(file), line, column: 3 });
  const entry = (key: string) => ({
    key,
    label: text(key),
    about: { text: text('Sales'), as: 'name' } as const,
    marks: [mark('^', 'moved', 'move')],
  });
  const group: Item = {
    id: 'sales',
    label: [{ text: text('group/sales'), as: 'address' }, text(', named '), { text: text('Sales'), as: 'name' }],
    place: place('manifest/groups.yaml', 2),
    items: [
      {
        mark: mark('~', 'changed on the license', 'change'),
        label: text('language_code'),
        values: [text('"en"'), text('"pl"'), text('"en"')],
        moved: [1],
        place: place('manifest/groups.yaml', 4),
        remarks: [
          [{ text: text('a conflict'), tone: 'error' }, text(': both sides changed it')],
          [text('seen since '), { text: '2026-11-20T09:00:00Z', as: 'time' }],
        ],
      },
      {
        mark: mark('!', 'changed on both sides', 'error'),
        label: text('routing'),
        items: ['status', 'fallback.group', 'fallback.after_seconds'].map((name, index) => ({
          mark: CHANGED,
          label: text(`routing.${name}`),
          values: [undefined, text(`"${index}"`), index === 1 ? null : { unknown: text('unknown') }],
          moved: [1, 2],
        })),
      },
      {
        mark: mark('^', 'moved', 'move'),
        label: text('is in another order'),
        items: [
          { label: text('live'), names: [text('pricing'), text('rest')] },
          { label: text('declared'), names: [text('rest'), text('pricing')] },
        ],
      },
    ],
    remarks: [
      [text('manifest wins:  '), { text: text('chatform apply -t production --only group/sales'), as: 'command' }],
    ],
  };
  const agent = (name: string): Item => ({
    mark: mark('~', 'changed', 'change'),
    label: { text: text(`agent/${name}@example.com`), as: 'address' },
    place: place('manifest/agents.yaml', 7),
    alike: { one: 'agent', many: 'agents', called: text(name) },
    items: [
      {
        label: text('work_scheduler'),
        words: [
          { about: text('Mon-Fri'), before: text('13:00-20:00'), after: text('13:00-21:00') },
          { about: text('Sat'), before: null, after: text('10:00-14:00') },
        ],
        items: [
          {
            mark: CHANGED,
            label: text('work_scheduler.monday'),
            values: [text('{"end":"20:00"}'), text('{"end":"21:00"}')],
          },
        ],
      },
    ],
  });
  const made: Item = {
    id: 'made',
    mark: mark('-/+', 'replaced', 'destroy'),
    label: { text: text('bot/triage'), as: 'address' },
    about: text('Triage, first in Sales, Support, Billing and Night desk, 20 chats at a time'),
    shorter: () => [text('Triage, first in Sales and 3 more, 20 chats at a time')],
    happens: text('deleted and made again'),
    items: [
      { label: text('name'), values: [text('"Triage"'), null] },
      { label: text('max_chats_count'), values: [null, text('20')], about: text('cannot be read back') },
    ],
    weight: 1,
  };
  const body: readonly Block[] = [
    {
      type: 'section',
      id: 'summary',
      title: text('Summary'),
      weight: 5,
      body: [
        {
          type: 'counts',
          counts: [
            [text('errors'), 2, 'error'],
            [text('for information'), 0, 'calm'],
          ],
        },
        {
          type: 'text',
          text: [
            text('See '),
            { text: text('bot/triage'), as: 'address', to: 'made' },
            text(' and '),
            { text: text('the run'), url: `https://ci.example/${text('7')}` },
            text('. Ignore it under '),
            { text: text('drift: ignore:'), as: 'code' },
            '.',
          ],
        },
        {
          type: 'facts',
          facts: [
            [text('how'), text('apply on production')],
            [text('who'), { text: text('ann@build-7'), as: 'name' }],
            ['', text('commit 3f2a1b9c')],
          ],
        },
        {
          type: 'list',
          texts: [
            text('The first note about the license, which is longer than a line of a terminal of sixty columns.'),
            [{ mark: mark('!', 'conflict', 'error') }, text(' on both sides')],
          ],
        },
        { type: 'list', isOrdered: true, texts: [text('first'), text('second')] },
        { type: 'code', lines: [text('groups:'), `  ${text('sales: { name: Sales }')}`, '', text('```')] },
      ],
    },
    {
      type: 'section',
      id: 'errors',
      title: text('Errors'),
      tone: 'error',
      count: 1,
      weight: 4,
      body: [{ type: 'items', sides: THREE, isOpen: true, isSpaced: true, items: [group] }],
    },
    {
      type: 'section',
      id: 'changes',
      title: text('Changes'),
      count: 5,
      weight: 3,
      body: [
        {
          type: 'items',
          sides: SIDES,
          isPlaceDetail: true,
          items: [...['ann', 'bob', 'cleo', 'dan'].map(agent), made],
        },
      ],
    },
    {
      type: 'section',
      id: 'runs',
      title: text('Runs'),
      body: [
        {
          type: 'table',
          name: text('Runs'),
          columns: [
            { title: text('Run') },
            { title: text('When') },
            { title: text('Chats'), isNumber: true },
            { title: text('State') },
            { title: text('Undo'), dispensable: 1 },
          ],
          rows: [
            {
              cells: [
                { text: text('3f2a1b9c'), as: 'code' },
                { text: '2026-11-20T09:00:00Z', as: 'time' },
                1240,
                { mark: mark('!', 'drift', 'error') },
                text('in part: the rule was changed again'),
              ],
              remarks: [[{ text: 'to do:', tone: 'strong' }, text(' look at the rule')]],
            },
            {
              cells: [
                text('4a'),
                { text: '2026-11-19T09:00:00Z', as: 'time' },
                7,
                { mark: mark('=', 'in sync', 'calm') },
                text('yes'),
              ],
            },
          ],
        },
      ],
    },
    {
      type: 'section',
      id: 'chats',
      title: text('Chats'),
      body: [
        {
          type: 'table',
          name: text('Chats'),
          columns: [{ title: text('Day') }, { title: text('Chats'), isNumber: true }, { title: '', dispensable: 1 }],
          rows: [
            { cells: [text('2026-11-20'), '1,240', { bars: [1240], most: 1240 }] },
            { cells: [text('2026-11-21'), '7', { bars: [7], most: 1240 }] },
            { cells: [text('all'), '1,247', ''] },
          ],
        },
        {
          type: 'table',
          columns: [{ title: text('Tag') }, { title: text('Day by day') }],
          rows: [{ cells: [text('vip'), { bars: [0, 1, 4, 8], most: 8 }] }],
        },
      ],
    },
    {
      type: 'section',
      id: 'weeks',
      title: text('Hours of the week'),
      body: [
        {
          type: 'picture',
          picture: {
            kind: 'heat-map',
            name: text('Sales'),
            what: text('Slots'),
            rows: [
              {
                label: text('Mon'),
                cells: [
                  { from: 0, to: 8.5, look: 'none', text: '0', says: text('Mon 00:00-08:30: no cover') },
                  { from: 8.5, to: 24, look: 's4', text: '8', says: text('Mon 08:30-24:00: 1 person, 8 slots') },
                ],
                frames: [{ from: 6, to: 8.5, look: 'lost', text: '', says: text('loses all cover') }],
              },
              { label: text('Tue'), cells: [], frames: [] },
            ],
            legend: [['none', text('no agent can get a chat')]],
          },
          instead: [],
        },
      ],
    },
    {
      type: 'section',
      id: 'order',
      title: text('Order of the rules'),
      body: [
        {
          type: 'picture',
          picture: {
            kind: 'order',
            name: text('Order'),
            sides: [
              { title: text('Before'), entries: [entry('a'), entry('b')] },
              { title: text('After'), entries: [entry('b'), entry('a')] },
            ],
            moved: ['a'],
          },
          instead: [{ type: 'text', text: text('a moves behind b') }],
        },
      ],
    },
    {
      type: 'section',
      id: 'waiting',
      title: text('Waiting for approval'),
      count: 2,
      weight: -1,
      fold: { brief: '2', names: [text('agent/eve@example.com'), text('agent/joe@example.com')] },
      body: [
        {
          type: 'items',
          sides: SIDES,
          items: [{ label: text('agent/eve@example.com'), details: () => [{ label: text('agent/joe@example.com') }] }],
        },
      ],
    },
    {
      type: 'section',
      id: 'unchecked',
      title: text('Not checked'),
      weight: -2,
      fold: { brief: text('properties'), isComplete: true },
      body: [{ type: 'text', text: text('properties (none declared)') }],
    },
  ];
  return {
    title: ['Drift of ', { text: text('production'), as: 'name' }],
    mark: mark('!', 'drift', 'error'),
    urgent: [
      {
        type: 'section',
        id: 'dangers',
        title: text('Dangers'),
        tone: 'error',
        count: 2,
        body: [
          {
            type: 'list',
            texts: [
              [
                { text: text('destroyed'), tone: 'error' },
                ': ',
                {
                  names: Array.from({ length: 9 }, (_, nth) => ({
                    text: text(`group/team-${nth}`),
                    shorter: text(`Team ${nth}`),
                    as: 'address' as const,
                  })),
                  most: 8,
                },
                text(': their members lose their chats'),
              ],
              { text: text('max_deletes'), below: [text('to continue: --acknowledge deletes')] },
            ],
            most: 3,
            remarks: [text('and possibly others')],
          },
        ],
      },
    ],
    result: [
      { text: text('Drift:'), tone: 'strong' },
      ' ',
      text('3 changed on the license, 1 unmanaged, 1 changed in the manifest, 1 changed differently on both sides.'),
    ],
    about: [[text('Checked '), { text: '2026-11-21T12:00:00Z', as: 'time' }, text(' with 6 requests.')]],
    body,
  };
}

export function findingsOf(text: (usual: string) => string = (usual) => usual): Findings {
  const finding = (rule: string, more: Partial<Finding>): Finding => ({
    rule,
    level: 'error',
    result: 'failed',
    subject: text('group/sales'),
    title: text(`group/sales ${rule}`),
    lines: [text('it differs from the manifest'), text('chatform apply -t production')],
    item: null,
    place: { file: text('manifest/groups.yaml'), line: 4, column: 5 },
    fingerprint: 'f1'.padEnd(32, '0'),
    ...more,
  });
  const [section] = documentOf(text).body.filter((block) => block.type === 'section' && block.id === 'errors');
  const items = section?.type === 'section' && section.body[0]?.type === 'items' ? section.body[0].items : [];
  return {
    operation: 'drift',
    scope: [text('production')],
    at: '2026-11-21T12:00:00.000Z',
    check: 'the license was read',
    failure: null,
    lines: [text('Drift: 2 changed on the license.')],
    rules: [],
    findings: [
      finding('changed', {
        lines: [],
        item: items[0] === undefined ? null : { item: items[0], sides: THREE },
        data: { usual: true },
      }),
      finding('missing', { level: 'warning', result: 'reported', place: null, subject: '', fingerprint: null }),
      finding('unmanaged', {
        level: 'info',
        result: 'ignored',
        reason: text('on purpose [until] {spring}'),
        related: [{ place: { file: text('a.yaml'), line: 1, column: 1 }, text: text('declared here') }],
      }),
      finding('due', { result: 'passed' }),
      finding('unreadable', {
        level: 'info',
        result: 'unknown',
        place: { file: '/elsewhere.yaml', line: 2, column: 1 },
      }),
    ],
    notes: [
      {
        kind: 'ignore-idle',
        level: 'warning',
        text: text('a rule covers nothing'),
        place: { file: text('chatform.yaml'), line: 17, column: 3 },
      },
    ],
    fingerprints: 'chatformDrift/v1',
  };
}
