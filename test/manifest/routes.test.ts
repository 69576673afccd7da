// Routing tests of a manifest, as the commands that run them get them.

import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from './memory-disk.ts';

const BASE = `version: 1
groups: { sales: { name: Sales }, old: { external: { name: Legacy } } }
auto_access: [{ key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /p }] } } }]
routes:
  - name: prices
    when: { url: "https://\${var.shop}/pricing", country: Poland }
    expect: sales
    rule: pricing
  - { when: { url: http://example.com }, expect: none }
`;

const OVER = `routes:
  - { op: add, path: /-, value: { when: { url: http://a.example }, expect: [old, { external: { id: 7 } }, old] } }
  - { op: replace, path: /prices/expect, value: [old] }
`;

test('Routing tests come in their order, with groups and rules as addresses, each with its place', async () => {
  const { routes, diagnostics, desired } = await loadManifest({
    files: ['a.yaml'],
    overlays: ['over.yaml'],
    vars: { shop: 'shop.example' },
    env: {},
    version: '3.6',
    io: memoryDisk({ 'a.yaml': BASE, 'over.yaml': OVER }),
  });
  expect(diagnostics).toEqual([]);
  expect(
    routes.map(({ place: { file, line, column }, name, when, expect: groups, rule }) => [
      `${file}:${line}:${column}`,
      name,
      when,
      groups,
      rule,
    ]),
  ).toEqual([
    [
      'over.yaml:3:49',
      'prices',
      { url: 'https://shop.example/pricing', country: 'Poland' },
      ['group/old'],
      'auto_access/pricing',
    ],
    ['a.yaml:9:50', null, { url: 'http://example.com' }, [], null],
    ['over.yaml:2:76', null, { url: 'http://a.example' }, ['group/external:id=7', 'group/old'], null],
  ]);
  expect(routes[0]?.ruleMark?.place).toMatchObject({ file: 'a.yaml', line: 8, column: 11 });
  // A group that only a test names has to be looked up, too.
  expect(desired?.externals.map(({ address }) => address)).toEqual(['group/external:id=7', 'group/old']);
});

test('A manifest with an error has no routing tests to run', async () => {
  const io = memoryDisk({ 'a.yaml': `${BASE}bots: { x: {} }\n` });
  const { routes, desired } = await loadManifest({
    files: ['a.yaml'],
    vars: { shop: 'x' },
    env: {},
    version: '3.6',
    io,
  });
  expect([desired, routes]).toEqual([null, []]);
});
