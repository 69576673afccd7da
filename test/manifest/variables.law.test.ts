// The law of declared variables: a manifest declares the same when any of its values are in variables, wherever the values of these are given.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { isList, isObject } from '../../src/base/json.ts';
import type { Json, JsonObject } from '../../src/base/model.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { tries } from '../tries.ts';
import { memoryDisk } from './memory-disk.ts';

const MANIFEST: JsonObject = parse(`
version: 1
agents:
  ann@example.com:
    name: Ann
    max_chats_count: 8
    notifications: [incoming_chat, ticket]
    work_scheduler: { timezone: UTC, schedule: [{ day: monday, enabled: true, start: "09:00", end: "17:00" }] }
  bob@example.com: { name: "00123", suspended: false }
groups:
  sales: { name: Sales, language_code: en, agent_priorities: { ann@example.com: first, bob@example.com: normal } }
auto_access:
  - key: pricing
    access: { groups: [sales] }
    conditions: { url: { values: [{ value: /pricing, exact_match: false }] } }
`);

/** Where the value of a variable is given. */
const PLACES = ['default', 'target', 'file', 'flag'] as const;

function typeOf(value: Json): string {
  if (isList(value)) return 'list';
  if (isObject(value)) return 'map';
  return typeof value === 'number' ? 'integer' : typeof value;
}

/** The value with some of its members in variables, which are added to `taken`. */
function moved(value: Json, depth: number, isMoved: (depth: number) => boolean, taken: Map<string, Json>): Json {
  if (depth > 2 && isMoved(depth)) {
    const name = `v${taken.size}`;
    taken.set(name, value);
    return `\${var.${name}}`;
  }
  const inner = (member: Json): Json => moved(member, depth + 1, isMoved, taken);
  if (isList(value)) return value.map(inner);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'version' || name === 'key' ? member : inner(member),
    ]),
  );
}

async function desiredOf(texts: { readonly [file: string]: string }, more: object = {}) {
  const { desired, diagnostics } = await loadManifest({
    files: ['m.yaml'],
    env: {},
    version: '3.6',
    io: memoryDisk(texts),
    ...more,
  });
  expect(diagnostics).toEqual([]);
  return desired;
}

/** Without places, which are those of the values. */
const declared = (desired: Awaited<ReturnType<typeof desiredOf>>): unknown =>
  desired?.resources.map(({ address, spec }) => [address, spec]);

test('A manifest declares the same when some of its values are in variables', async () => {
  const wanted = declared(await desiredOf({ 'm.yaml': stringify(MANIFEST) }));
  let all = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.infiniteStream(fc.nat(2)),
      fc.infiniteStream(fc.constantFrom(...PLACES)),
      async (coin, place) => {
        const taken = new Map<string, Json>();
        const value = moved(MANIFEST, 0, () => coin.next().value === 0, taken);
        const variables: Record<string, Json> = {};
        const given: { readonly [name in (typeof PLACES)[number]]: Record<string, Json> } = {
          default: {},
          target: {},
          file: {},
          flag: {},
        };
        for (const [name, each] of taken) {
          const at: (typeof PLACES)[number] = place.next().value ?? 'default';
          variables[name] = { type: typeOf(each), ...(at === 'default' ? { default: each } : {}) };
          given[at][name] = at === 'flag' && typeof each !== 'string' ? JSON.stringify(each) : each;
        }
        all += taken.size;
        const texts = {
          'm.yaml': stringify({ ...(isObject(value) ? value : {}), variables }),
          'values.yaml': stringify(given.file),
        };
        const more = { vars: given.target, varFiles: ['values.yaml'], flags: given.flag };
        expect(declared(await desiredOf(texts, more))).toEqual(wanted);
      },
    ),
    { numRuns: tries(200, 15) },
  );
  expect(all).toBeGreaterThan(20);
});
