// A project of three licenses, of which one needs a person and one cannot be read.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { chatform } from '../../cli/chatform.ts';

const PROJECT = `version: 1
manifest: [manifest.yaml]
defaults: { api_version: "3.6", base_url: "emulator:\${target.name}.json", ledger: "\${target.name}.ndjson", routing: { domain: shop.example } }
targets:
  acme: { labels: { region: eu } }
  bravo: { labels: { region: us } }
  carbon: { labels: { region: eu } }
`;

const MANIFEST = `version: 1
agents: { ann@example.com: { name: Ann, awaiting_approval: false } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: first } } }
`;

const LICENSE = JSON.stringify({ owner: { id: 'zoe@example.com', name: 'Zoe <b>' } });

export const FILES = {
  'chatform.yaml': PROJECT,
  'manifest.yaml': MANIFEST,
  'acme.json': LICENSE,
  'bravo.json': LICENSE,
  'carbon.json': LICENSE,
};

/** Three licenses as the files want them, then one in which somebody suspends Ann, and one that cannot be read. */
export async function makeLicenses(cwd: string): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(cwd, name), text);
  expect((await chatform(['apply', '--all', '--yes', '-q'], { cwd })).code).toBe(0);
  const suspend = ['api', 'suspend_agent', '-t', 'bravo', '--data', '{"id":"ann@example.com"}', '--write', '--yes'];
  expect((await chatform(suspend, { cwd })).code).toBe(0);
  await writeFile(join(cwd, 'carbon.json'), 'not JSON');
}
