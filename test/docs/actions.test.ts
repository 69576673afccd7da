// The tables of docs/reference/api.md against the tables of the APIs: every action by what it does, its versions, its batch, and whether it needs a token.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Api, ApiAction } from '../../src/service/api.ts';
import { CONFIGURATION } from '../../src/service/configuration.ts';
import { CUSTOMER } from '../../src/service/customer.ts';
import { REPORTS } from '../../src/service/reports.ts';

const EFFECTS = ['read', 'create', 'update', 'delete'] as const;

/** Rows under a heading. */
async function rowsUnder(heading: string): Promise<readonly string[]> {
  const text = await readFile(new URL('../../docs/reference/api.md', import.meta.url), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return Array.from(section.matchAll(/^\| (?!Effect).+ \|$/gm), ([row]) => row);
}

/** `create_agent` (batch), `issue_bot_token` (3.6). */
function actionText(api: Api, [name, { versions, batch, token }]: readonly [string, ApiAction]): string {
  const about = [
    ...(versions.length === api.versions.length ? [] : [versions.join(', ')]),
    ...(batch === null ? [] : ['batch']),
    ...(token === 'optional' ? ['no token'] : []),
  ];
  return `\`${name}\`${about.length === 0 ? '' : ` (${about.join(', ')})`}`;
}

/** A row for each effect that the API has. */
function rowsOf(api: Api): readonly string[] {
  return EFFECTS.flatMap((effect) => {
    const actions = Object.entries(api.actions).filter(([, action]) => action.effect === effect);
    return actions.length === 0 ? [] : [`| ${effect} | ${actions.map((entry) => actionText(api, entry)).join(', ')} |`];
  });
}

test.each([
  ['Actions of the Configuration API', CONFIGURATION],
  ['Actions of the Customer Chat Web API', CUSTOMER],
  ['Actions of the Reports API', REPORTS],
] as const)('%s', async (heading, api) => {
  expect(await rowsUnder(heading)).toEqual(rowsOf(api));
});
