// Paths, drive letters and line ends of Windows, on every system: here, node:path is that of Windows.

import { expect, test, vi } from 'vitest';

vi.mock('node:path', async (importActual) => {
  const actual = await importActual<typeof import('node:path')>();
  return { ...actual.win32, default: actual.win32 };
});

const [{ isWithin, slashed }, { pathIn }, { localLines }, { schemaFrom }, { targetSettings }, { isInDatabase }] =
  await Promise.all([
    import('../src/base/repository.ts'),
    import('../src/yaml/read.ts'),
    import('../src/project/gitignore.ts'),
    import('../src/features/import/read-import.ts'),
    import('../src/project/settings.ts'),
    import('../src/ledger/place.ts'),
  ]);

test.each([
  ['chatform.yaml', 'manifest/a.yaml', 'manifest/a.yaml'],
  ['chatform.yaml', String.raw`manifest\a.yaml`, 'manifest/a.yaml'],
  [String.raw`sub\chatform.yaml`, String.raw`..\shared.yaml`, 'shared.yaml'],
  ['chatform.yaml', String.raw`C:\licenses\shop.yaml`, String.raw`C:\licenses\shop.yaml`],
  ['chatform.yaml', String.raw`\\server\share\shop.yaml`, String.raw`\\server\share\shop.yaml`],
  [String.raw`D:\desk\chatform.yaml`, 'manifest', 'D:/desk/manifest'],
])('In %s, %s is %s', (file, path, meant) => {
  expect(pathIn(file, path)).toBe(meant);
});

test('Another drive is outside, and so is what only begins with the name of a folder', () => {
  const inside = (path: string): boolean => isWithin(String.raw`C:\desk`, path);
  expect([String.raw`C:\desk\a.yaml`, 'c:/desk/sub/a.yaml', String.raw`C:\desk\..a.yaml`].map(inside)).toEqual([
    true,
    true,
    true,
  ]);
  expect([String.raw`D:\desk\a.yaml`, String.raw`C:\desk2\a.yaml`, String.raw`C:\a.yaml`].map(inside)).toEqual([
    false,
    false,
    false,
  ]);
});

test('What is written into files of the repository has slashes', () => {
  expect(slashed(String.raw`manifest\agents.yaml`)).toBe('manifest/agents.yaml');
  expect(schemaFrom(String.raw`manifest\agents.yaml`)).toBe('../node_modules/chatform/schemas/manifest.schema.json');
  const secrets = { type: 'file', path: String.raw`keys\live secrets.json` } as const;
  expect(localLines({ secrets, baseUrl: String.raw`emulator:state\shop.json` })).toEqual([
    String.raw`/keys/live\ secrets.json`,
    '/state/shop.json',
  ]);
});

test('A target can name its files with a drive', () => {
  const settings = targetSettings(
    'shop',
    { base_url: String.raw`emulator:C:\state\shop.json`, ledger: String.raw`D:\ledgers\shop.ndjson` },
    'chatform.yaml',
  );
  expect([settings.baseUrl, settings.ledger, isInDatabase(settings.ledger)]).toEqual([
    String.raw`emulator:C:\state\shop.json`,
    String.raw`D:\ledgers\shop.ndjson`,
    false,
  ]);
});
