// Allowed domains from files to a license: what the first and the last one are told, by plan, drift, doctor and apply.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder } from './chatform.ts';

const VALUES = 'license_properties: { chats: { manual_routing: false } }\n';
const FIRST =
  'it is the first allowed domain, so the chat may vanish from every site that is not on the list: customers there find nobody to ask';
const OPEN = 'any site may show the chat again, and chats from there reach your agents';
const LAST = `it is the last allowed domain, so ${OPEN}; \`monitoring/whitelist_enabled\` is true now`;

const project = (domains: string, version = '3.7'): Promise<string> =>
  folder({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets:
  shop: { base_url: "emulator:license.json", api_version: "${version}", ledger: shop.ndjson }
`,
    'manifest.yaml': `version: 1\n${domains}${VALUES}`,
  });

const domainsIn = async (cwd: string): Promise<readonly string[]> =>
  JSON.parse((await chatform(['api', 'list_allowed_domains', '-q'], { cwd })).stdout).domains;

/** With one domain, and then without a declaration of it. */
async function withoutTheLast(): Promise<string> {
  const cwd = await project('allowed_domains: { shop.example: {} }\n');
  const how = ['--yes', '--acknowledge', 'allowed_domain/shop.example'];
  expect((await chatform(['apply', ...how], { cwd })).code).toBe(0);
  await writeFile(join(cwd, 'manifest.yaml'), `version: 1\n${VALUES}`);
  return cwd;
}

test('The first domain is withheld, and added once it is acknowledged', async () => {
  const cwd = await project('allowed_domains: { shop.example: {} }\n');
  const withheld = await chatform(['apply', '--yes'], { cwd });
  expect(withheld.code).toBe(3);
  expect(withheld.stdout).toContain(FIRST);
  expect(withheld.stdout).toContain('`monitoring/whitelist_enabled` tells whether the list is in force');
  expect(await domainsIn(cwd)).toEqual([]);
  const done = await chatform(['apply', '--yes', '--acknowledge', 'allowed_domain/shop.example'], { cwd });
  expect(done.code).toBe(0);
  expect(await domainsIn(cwd)).toEqual(['shop.example']);
  expect((await chatform(['plan', '--detailed-exitcode'], { cwd })).code).toBe(0);
});

test('The last domain is withheld by plan and apply, with the live value, and doctor says why', async () => {
  const cwd = await withoutTheLast();
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { code, stdout } = await chatform(command, { cwd });
    expect(code).toBe(command[0] === 'plan' ? 0 : 3);
    expect(stdout).toContain(`restriction: allowed_domain/shop.example: ${LAST}`);
    expect(stdout).toContain('to continue: --acknowledge allowed_domain/shop.example');
    expect(stdout.split(LAST)).toHaveLength(2);
  }
  expect((await chatform(['doctor'], { cwd })).stdout).toContain(LAST);
  expect(await domainsIn(cwd)).toEqual(['shop.example']);
  const how = ['--yes', '--acknowledge', 'allowed_domain/shop.example', '--acknowledge', 'deletes'];
  expect((await chatform(['apply', ...how], { cwd })).code).toBe(0);
  expect(await domainsIn(cwd)).toEqual([]);
  const undone = await chatform(['undo', '--yes', '--acknowledge', 'allowed_domain/shop.example'], { cwd });
  expect([undone.code, await domainsIn(cwd)]).toEqual([0, ['shop.example']]);
});

test('Drift says that none is left after the last one went by hand, and the way back is withheld', async () => {
  const cwd = await withoutTheLast();
  await writeFile(join(cwd, 'manifest.yaml'), `version: 1\nallowed_domains: { shop.example: {} }\n${VALUES}`);
  const gone = ['api', 'delete_allowed_domain', '--write', '--yes', '-d', '{"domain":"shop.example"}'];
  expect((await chatform(gone, { cwd })).code).toBe(0);
  const drift = await chatform(['drift'], { cwd });
  expect(drift.code).toBe(2);
  expect(drift.stdout).toContain(`allowed domain shop.example is gone from the license, and none is left: ${OPEN}`);
  const { stdout } = await chatform(['plan'], { cwd });
  expect(stdout).toContain(`${FIRST}; \`monitoring/whitelist_enabled\` is false now`);
  const accepted = await chatform(['drift', '--accept', 'allowed_domain/shop.example'], { cwd });
  expect(accepted.code).toBe(0);
  expect(await readFile(join(cwd, 'manifest.yaml'), 'utf8')).not.toContain('shop.example');
  expect((await chatform(['plan', '--detailed-exitcode'], { cwd })).code).toBe(0);
});

test('An import declares what is on the list, and the next plan is empty', async () => {
  const cwd = await project('');
  await writeFile(
    join(cwd, 'license.json'),
    JSON.stringify({ allowed_domains: ['shop.example', 'blog.shop.example'] }),
  );
  expect((await chatform(['import', '--only', 'allowed_domain'], { cwd })).code).toBe(0);
  expect((await chatform(['show', 'allowed_domain'], { cwd })).stdout).toContain('blog.shop.example');
  const { code, stdout } = await chatform(['plan', '--detailed-exitcode', '--only', 'allowed_domain'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining('(2 of 3)')]);
});

test('A version without allowed domains says so at the section', async () => {
  const cwd = await project('allowed_domains: { shop.example: {} }\n', '3.6');
  const { code, stdout, stderr } = await chatform(['validate'], { cwd });
  expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringContaining('manifest.yaml:2:1')]);
});
