// Tags from files to a license: what another spelling is told, and what a token does that sees a part of the tags.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatform, folder } from './chatform.ts';

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets:
  shop: { base_url: "emulator:license.json", ledger: shop.ndjson, token_env: TOKEN }
`;
const SALES = '{ groups: [{ external: { name: Sales } }] }';
const LICENSE = {
  agents: [{ id: 'ann@example.com', name: 'Ann', groups: [{ id: 1, priority: 'normal' }] }],
  groups: [
    { id: 1, name: 'Sales' },
    { id: 2, name: 'Other' },
  ],
};
const TOKEN = 'dal:tags-1234567';

const project = (tags: string, license: object): Promise<string> =>
  folder({
    'chatform.yaml': PROJECT,
    'manifest.yaml': `version: 1\ntags: { ${tags} }\n`,
    'license.json': JSON.stringify({ ...LICENSE, ...license }),
  });

const tagsIn = async (cwd: string): Promise<string> =>
  JSON.stringify(JSON.parse(await readFile(join(cwd, 'license.json'), 'utf8')).tables.tags);

test('A tag in other capitals is withheld with the reason, and makes room once that is acknowledged', async () => {
  const cwd = await project(`VIP: ${SALES}`, { tags: [{ name: 'vip', group_ids: [1] }] });
  const how = { cwd, env: { TOKEN } };
  const withheld = await chatform(['apply', '--yes'], how);
  expect([withheld.code, await readFile(join(cwd, 'license.json'), 'utf8')]).toEqual([
    3,
    expect.stringContaining('"vip"'),
  ]);
  expect(withheld.stdout).toContain('tag/VIP differs from it only in case, and the license has one of the two');
  expect(withheld.stdout).toContain('chats keep the old word');
  expect(withheld.stdout).toContain('--acknowledge tag/vip');
  const done = await chatform(['apply', '--yes', '--acknowledge', 'tag/vip'], how);
  expect(done.code).toBe(0);
  expect(await tagsIn(cwd)).toContain('"name":"VIP"');
  expect((await chatform(['plan', '--detailed-exitcode'], how)).code).toBe(0);
});

describe('With the scope tags--groups', () => {
  const scoped = (scope: string) => ({
    tags: [{ name: 'Returns', group_ids: [2] }],
    tokens: [{ token: TOKEN, scopes: [scope, 'groups--all:rw', 'agents--all:rw'], agent_id: 'ann@example.com' }],
  });

  test('a create that meets a tag of other groups says which scope hides it, and nothing is owned', async () => {
    const cwd = await project(`returns: ${SALES}`, scoped('tags--groups:rw'));
    const { code, stdout } = await chatform(['apply', '--yes'], { cwd, env: { TOKEN } });
    expect(code).toBe(1);
    expect(stdout).toContain('already_exists');
    expect(stdout).toContain('use a token with tags--all:rw, or another name');
    expect(await readFile(join(cwd, 'license.json'), 'utf8')).not.toContain('"returns"');
    expect(await readFile(join(cwd, 'shop.ndjson'), 'utf8')).not.toContain('"type":"bound"');
  });

  test.each([
    ['tags--groups:rw', 'no answer tells whether it also has tags--all:ro'],
    ['tags--all:rw', 'no answer tells whether it also has tags--all:ro'],
  ])('doctor does not take a list for the whole of it: %s', async (scope, told) => {
    const cwd = await project(`late: ${SALES}`, scoped(scope));
    expect((await chatform(['doctor'], { cwd, env: { TOKEN } })).stdout).toContain(told);
  });
});
