// Random small licenses for the laws about customers: what a manifest declares of them, and the same license as a seed, with or without a fault.

import fc from 'fast-check';
import type { Address, JsonObject } from '../../src/base/model.ts';
import type { Seed, SettingsInput } from '../../src/emulator/index.ts';
import type { CustomerSubject } from '../../src/features/test/customer/subject.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { targetSettings } from '../../src/project/settings.ts';
import type { Declared } from '../../src/target/prepare.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';

const LANGUAGES = ['en', 'de', 'pl', 'en-GB'] as const;

/** A pair of rules of which the first is narrower, so that their order matters. */
export interface RulePair {
  /** Indexes of groups; they differ. */
  readonly narrow: number;
  readonly wide: number;
}

export interface ShopProperty {
  readonly onLicense: { readonly isReadable: boolean; readonly hasValue: boolean } | null;
  readonly onGroups: { readonly isReadable: boolean; readonly values: readonly boolean[] } | null;
  readonly hasDefault: boolean;
}

export interface Shop {
  /** By group. */
  readonly languages: readonly string[];
  readonly pairs: readonly RulePair[];
  readonly properties: readonly ShopProperty[];
  readonly trusts: boolean;
  readonly hasForm: boolean;
}

const readable = fc.boolean();

export const shop: fc.Arbitrary<Shop> = fc.integer({ min: 2, max: 4 }).chain((groups) =>
  fc.record({
    languages: fc.array(fc.constantFrom(...LANGUAGES), { minLength: groups, maxLength: groups }),
    pairs: fc.array(
      fc
        .shuffledSubarray(
          Array.from({ length: groups }, (_, index) => index),
          { minLength: 2, maxLength: 2 },
        )
        .map(([narrow = 0, wide = 1]): RulePair => ({ narrow, wide })),
      { minLength: 1, maxLength: 3 },
    ),
    properties: fc.array(
      fc.record({
        onLicense: fc.option(fc.record({ isReadable: readable, hasValue: fc.boolean() })),
        onGroups: fc.option(
          fc.record({ isReadable: readable, values: fc.array(fc.boolean(), { minLength: groups, maxLength: groups }) }),
        ),
        hasDefault: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    trusts: fc.boolean(),
    hasForm: fc.boolean(),
  }),
);

const NAMESPACE = 'shop';
export const groupKey = (index: number): string => `g${index}`;
export const propertyName = (index: number): string => `p${index}`;
const agentOf = (index: number): string => `agent${index}@example.com`;
/** Group 0 comes with the license. */
export const idOf = (index: number): number => index + 1;
export const pageOf = (pair: number, end: '' | 'special'): string => `https://www.shop.example/pair${pair}/${end}`;

const ALWAYS = {
  timezone: 'UTC',
  schedule: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => ({
    day,
    enabled: true,
    start: '00:00',
    end: '23:59',
  })),
};

const rights = (isReadable: boolean): JsonObject => ({
  agent: ['read', 'write'],
  ...(isReadable ? { customer: ['read'] } : {}),
});

function definitionOf({ onLicense, onGroups, hasDefault }: ShopProperty): JsonObject {
  return {
    type: 'string',
    access: {
      chat: { agent: ['read'] },
      ...(onLicense === null ? {} : { license: rights(onLicense.isReadable) }),
      ...(onGroups === null ? {} : { group: rights(onGroups.isReadable) }),
    },
    ...(hasDefault && (onLicense !== null || onGroups !== null) ? { default_value: 'preset' } : {}),
  };
}

interface ShopRule {
  readonly key: string;
  readonly group: number;
  readonly value: string;
}

function rulesOf({ pairs }: Shop): readonly ShopRule[] {
  return pairs.flatMap(({ narrow, wide }, index) => [
    { key: `narrow${index}`, group: narrow, value: `/pair${index}/special` },
    { key: `wide${index}`, group: wide, value: `/pair${index}/` },
  ]);
}

const conditionsOf = ({ value }: ShopRule): JsonObject => ({ url: { values: [{ value }] } });

/** What the manifest says: JSON is YAML. */
export function manifestOf(made: Shop): JsonObject {
  const { languages, properties } = made;
  return {
    version: 1,
    agents: Object.fromEntries(
      languages.map((_, index) => [agentOf(index), { name: `Agent ${index}`, work_scheduler: ALWAYS }]),
    ),
    groups: Object.fromEntries(
      languages.map((language_code, index) => [
        groupKey(index),
        {
          name: `Group ${index}`,
          language_code,
          agent_priorities: { [agentOf(index)]: 'normal' },
          properties: {
            [NAMESPACE]: Object.fromEntries(
              properties.flatMap(({ onGroups }, at) =>
                onGroups?.values[index] === true ? [[propertyName(at), `value ${index}`]] : [],
              ),
            ),
          },
        },
      ]),
    ),
    properties: {
      [NAMESPACE]: Object.fromEntries(properties.map((each, at) => [propertyName(at), definitionOf(each)])),
    },
    license_properties: {
      [NAMESPACE]: Object.fromEntries(
        properties.flatMap(({ onLicense }, at) =>
          onLicense?.hasValue === true ? [[propertyName(at), 'a value']] : [],
        ),
      ),
    },
    auto_access: rulesOf(made).map((rule) => ({
      key: rule.key,
      access: { groups: [groupKey(rule.group)] },
      conditions: conditionsOf(rule),
    })),
    routes: [
      ...made.pairs.flatMap(({ narrow, wide }, index) => [
        { when: { url: pageOf(index, 'special') }, expect: groupKey(narrow) },
        { when: { url: pageOf(index, '') }, expect: groupKey(wide) },
      ]),
      { when: { url: 'https://www.shop.example/' }, expect: 'none' },
    ],
  };
}

/** Something of the license that is not as the manifest says. */
export type Fault =
  | { readonly fault: 'swapped'; readonly pair: number }
  | { readonly fault: 'language'; readonly group: number; readonly language: string }
  | { readonly fault: 'access'; readonly property: number; readonly on: 'onLicense' | 'onGroups' }
  | { readonly fault: 'untrusted' }
  | { readonly fault: 'unstaffed'; readonly group: number }
  | null;

/** The license as the manifest says, but for the fault. */
export function seedOf(made: Shop, fault: Fault = null): Seed {
  const { languages, properties, trusts, hasForm } = made;
  const rules = rulesOf(made);
  const ordered =
    fault?.fault === 'swapped'
      ? rules.map((rule, index) => (Math.floor(index / 2) === fault.pair ? (rules[index ^ 1] ?? rule) : rule))
      : rules;
  const found = properties.map((each, at): ShopProperty => {
    if (fault?.fault !== 'access' || fault.property !== at) return each;
    const side = each[fault.on];
    return side === null ? each : { ...each, [fault.on]: { ...side, isReadable: !side.isReadable } };
  });
  return {
    agents: languages.map((_, index) => ({
      id: agentOf(index),
      name: `Agent ${index}`,
      work_scheduler: ALWAYS,
      awaiting_approval: false,
    })),
    groups: languages.map((language_code, index) => ({
      name: `Group ${index}`,
      language_code: fault?.fault === 'language' && fault.group === index ? fault.language : language_code,
      agent_priorities:
        fault?.fault === 'unstaffed' && fault.group === index ? {} : { [agentOf(index)]: 'normal' as const },
    })),
    auto_access: ordered.map((rule) => ({
      access: { groups: [idOf(rule.group)] },
      conditions: conditionsOf(rule),
    })),
    properties: { [NAMESPACE]: Object.fromEntries(found.map((each, at) => [propertyName(at), definitionOf(each)])) },
    license_properties: {
      [NAMESPACE]: Object.fromEntries(
        found.flatMap(({ onLicense }, at) => (onLicense?.hasValue === true ? [[propertyName(at), 'a value']] : [])),
      ),
    },
    group_properties: Object.fromEntries(
      languages.map((_, index) => [
        String(idOf(index)),
        {
          [NAMESPACE]: Object.fromEntries(
            found.flatMap(({ onGroups }, at) =>
              onGroups?.values[index] === true ? [[propertyName(at), `value ${index}`]] : [],
            ),
          ),
        },
      ]),
    ),
    ...(fault?.fault === 'untrusted'
      ? { allowed_domains: ['else.example'] }
      : trusts
        ? { allowed_domains: ['shop.example'] }
        : {}),
    ...(hasForm
      ? {
          forms: [
            {
              type: 'prechat',
              fields: [{ type: 'group_chooser', label: 'Team', options: [{ label: 'A', group_id: 1 }] }],
            },
          ],
        }
      : {}),
  } as unknown as Seed;
}

/** Agents are there by their hours. */
export const AT_WORK: SettingsInput = { presence: 'schedule', dynamicConfigurationGroup: 'routed' };

export interface DeclaredShop {
  readonly declared: Declared;
  readonly subject: CustomerSubject;
}

/** What `verify` is given for a shop. Version 3.3 of the customers' API on request. */
export async function declaredShop(
  made: Shop,
  { at, version = '3.7', hasCustomer = false }: { at: number; version?: '3.3' | '3.7'; hasCustomer?: boolean },
): Promise<DeclaredShop> {
  const text = JSON.stringify(manifestOf(made));
  const loaded = await loadManifest({
    files: ['manifest.yaml'],
    env: {},
    version: '3.6',
    io: memoryDisk({ 'manifest.yaml': text }),
  });
  const { desired, diagnostics } = loaded;
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  const settings = targetSettings(
    'shop',
    { base_url: 'https://shop.example', organization_id: 'o-1', license_id: 7, customer_api_version: version },
    'chatform.yaml',
  );
  return {
    declared: { ...loaded, settings, desired, entryAt: () => null, others: () => [] },
    subject: {
      target: 'shop',
      version,
      desired,
      routes: loaded.routes,
      assumptions: settings.routing.assumptions,
      groups: new Map(made.languages.map((_, index): [Address, number] => [`group/${groupKey(index)}`, idOf(index)])),
      applied: new Map(),
      watched: [],
      hasCustomer,
      visits: false,
      predicts: false,
      predictsByGroup: version !== '3.3',
      staffed: { at, zone: 'UTC', version: '3.6' },
      placeOf: (address, path = []) => loaded.markOf(address, path)?.place ?? null,
    },
  };
}
