// A project whose files have the line ends of Windows: it works, and what chatform adds has the same ends.

import { expect, test } from 'vitest';
import { chatform, filesIn, folder } from './chatform.ts';

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

const FILES = {
  'chatform.yaml': crlf(`version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
defaults: { base_url: "emulator:\${target.name}.json", vars: { who: "\${row.who}" } }
`),
  'licenses.csv': crlf('name,who\nshop,Ann\n'),
  'people.csv': crlf('email,Name\nann@example.com,Ann\nbob@example.com,"Bob, of Sales"\n'),
  'manifest.yaml': crlf(`version: 1
agents_from: { csv: people.csv, columns: { name: Name } }
groups:
  sales: { name: "\${var.who}", agent_priorities: { ann@example.com: normal } }
`),
  '.gitignore': crlf('*.json\n'),
  'shop.json': JSON.stringify({ groups: [{ name: 'By hand', agent_priorities: {} }] }),
};

test('Plan, apply, import and a plan without a change', async () => {
  const cwd = await folder(FILES);
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await chatform([...args, '-t', 'shop'], { cwd });
    expect([args, code, stderr]).toEqual([args, 0, stderr]);
    return stdout;
  };
  expect(await run('plan')).toContain('group/sales  Ann, Ann (normal)');
  await run('apply', '--yes', '-q');
  await run('import');
  expect(await run('plan')).toContain('No changes.');
  const { 'manifest.yaml': manifest = '', '.gitignore': ignored = '' } = await filesIn(cwd);
  expect(manifest.startsWith(FILES['manifest.yaml'].trimEnd())).toBe(true);
  expect(manifest).toContain('By hand');
  expect(manifest.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(ignored).toContain('*.lease.*');
});

test('An error names line and column as an editor shows them', async () => {
  const cwd = await folder({ ...FILES, 'manifest.yaml': FILES['manifest.yaml'].replace('name: "', 'nmae: "') });
  const { code, stderr } = await chatform(['validate', '-t', 'shop'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('manifest.yaml:4:12: error unknown-field')]);
});
