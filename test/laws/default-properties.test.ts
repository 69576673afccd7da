// Law: what the files refuse of a default property, the emulator refuses as well, and what both accept reads back. The oracle is the published table.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { PUBLISHED, type PublishedProperty } from '../base/published-properties.ts';
import { createCaller } from '../emulator/caller.ts';
import { createCustomerCaller } from '../emulator/customer/caller.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { tries } from '../tries.ts';

type Value = boolean | number | string;
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.boolean(),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(-1, 0, 1, 2),
  fc.string({ maxLength: 8 }).filter((text) => !text.includes('$')),
  fc.constantFrom('commonmark', 'prechat', 'ai_agent'),
);

/** Values that have no meaning, although their type fits. */
const fits = ({ type, values, name }: PublishedProperty, given: Value): boolean => {
  const isOfType = { int: 'number', bool: 'boolean', string: 'string', tokenized_string: 'string' }[type];
  if (typeof given !== isOfType) return false;
  if (name === 'manual_routing.override' || name === 'queue.enabled.override')
    return [-1, 0, 1].includes(Number(given));
  if (name === 'form_type' && given === 'ticket') return true;
  return values === undefined || values.some((one) => one === given);
};

/** The codes of the findings in a manifest that sets one value. */
async function codesOf(location: 'license' | 'group', namespace: string, values: object): Promise<readonly string[]> {
  const properties = { [namespace]: values };
  const manifest = {
    version: 1,
    ...(location === 'license'
      ? { license_properties: properties }
      : { groups: { sales: { name: 'Sales', properties } } }),
  };
  const io = memoryDisk({ 'manifest.yaml': JSON.stringify(manifest) });
  const { diagnostics } = await loadManifest({
    files: ['manifest.yaml'],
    overlays: [],
    vars: {},
    varFiles: [],
    flags: {},
    env: {},
    version: '3.6',
    credential: 'bearer',
    limits: {},
    now: 0,
    io,
  });
  return diagnostics.map(({ code }) => code);
}

const REFUSED = { 'not-allowed': 'validation', 'wrong-type': 'validation', 'not-writable': 'authorization' } as const;

describe.each(['license', 'group'] as const)('On a %s', (location) => {
  test('the files and the emulator agree, and what is accepted reads back', async () => {
    const { call, fail } = createCaller({ seed: { groups: [{ id: 1, name: 'One' }] } });
    const holder = location === 'license' ? {} : { group_id: 1 };
    const read = async (namespace: string) => {
      if (location === 'license') return call('list_license_properties', { namespace });
      const [found] = await call('list_groups_properties', { group_ids: [1], namespace });
      return found.properties;
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PUBLISHED), value, async (property, given) => {
        const { namespace, name, access } = property;
        const properties = { [namespace]: { [name]: given } };
        const rights = access[location]?.agent;
        const isAccepted = rights?.includes('write') === true && fits(property, given);
        const codes = await codesOf(location, namespace, { [name]: given });
        expect(codes.length === 0).toBe(isAccepted);
        const body = { ...holder, properties };
        if (isAccepted) {
          await call(`update_${location}_properties`, body);
          expect((await read(namespace))[namespace]?.[name]).toBe(given);
          return;
        }
        const type = await fail(`update_${location}_properties`, body);
        expect([type]).toEqual(codes.map((code) => REFUSED[code as keyof typeof REFUSED]));
      }),
      { numRuns: tries(5000, 400) },
    );
  });
});

const NAMED = {
  chat: { id: 'CHATKIM001' },
  thread: { chat_id: 'CHATKIM001', thread_id: 'THREADKIM2' },
  event: { chat_id: 'CHATKIM001', thread_id: 'THREADKIM2', event_id: 'THREADKIM2_1' },
} as const;

describe.each(['chat', 'thread', 'event'] as const)('On a %s', (location) => {
  test('customers write and read what the published table lets them', async () => {
    const { call, fail } = createCustomerCaller();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PUBLISHED), value, async (property, given) => {
        const { namespace, name, access } = property;
        const users = access[location];
        const body = { ...NAMED[location], properties: { [namespace]: { [name]: given } } };
        const action = `update_${location}_properties`;
        const refusal =
          users === undefined || (users.customer?.includes('write') === true && !fits(property, given))
            ? 'validation'
            : users.customer?.includes('write') === true
              ? null
              : 'authorization';
        if (refusal !== null) {
          expect(await fail(action, body)).toBe(refusal);
          return;
        }
        await call(action, body);
        const { thread, properties } = await call('get_chat', { chat_id: 'CHATKIM001' });
        const at = { chat: properties, thread: thread.properties, event: thread.events[0].properties }[location];
        expect(at?.[namespace]?.[name]).toBe(users?.customer?.includes('read') === true ? given : undefined);
      }),
      { numRuns: tries(2000, 200) },
    );
  });
});

test('Without a token, customers see the properties of license and group that the published table shows them', async () => {
  const visible = (location: 'license' | 'group') =>
    PUBLISHED.flatMap(({ access, namespace, name }) =>
      access[location]?.customer?.includes('read') ? [`${namespace}/${name}`] : [],
    ).sort();
  const values = (location: 'license' | 'group') => {
    const found: { [namespace: string]: { [name: string]: Value } } = {};
    for (const { access, namespace, name, type } of PUBLISHED)
      if (access[location] !== undefined && namespace !== 'limits')
        found[namespace] = {
          ...found[namespace],
          [name]: { int: 1, bool: true, string: 'x', tokenized_string: 'x' }[type],
        };
    return found;
  };
  const seed = {
    groups: [{ id: 1, name: 'One' }],
    license_properties: values('license'),
    group_properties: { '1': values('group') },
  };
  const { call } = createCustomerCaller({ seed });
  const names = (reply: { readonly [namespace: string]: object }) =>
    Object.entries(reply).flatMap(([namespace, members]) => Object.keys(members).map((name) => `${namespace}/${name}`));
  expect(names(await call('list_license_properties', {})).sort()).toEqual(visible('license'));
  expect(names(await call('list_group_properties', { id: 1 })).sort()).toEqual(visible('group'));
});
