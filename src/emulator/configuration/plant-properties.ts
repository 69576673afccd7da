// The properties of a seed and their values come in and become records. Must not know requests.

import type { EmulatedLicense } from '../engine/license.ts';
import { isRefusal } from '../engine/refusal.ts';
import type { Seed } from '../engine/seed.ts';
import { badSeed } from '../engine/seed.ts';
import { requireValue } from './definition.ts';
import { builtinProperties } from './known-properties.ts';
import { groupHolder, LICENSE_HOLDER } from './property-values.ts';
import type { Value } from './records.ts';
import { groupTable, propertyKey, propertyTable, valueTable } from './records.ts';
import type { ConfigurationSettings } from './settings.ts';

type Values = { readonly [namespace: string]: { readonly [name: string]: Value } };

export function plantProperties(license: EmulatedLicense, seed: Seed, settings: ConfigurationSettings): void {
  for (const [namespace, definitions] of Object.entries(seed.properties ?? {}))
    for (const [name, { public_access, ...definition }] of Object.entries(definitions)) {
      const published = public_access === undefined ? {} : { published: public_access };
      propertyTable.of(license).set({ ...definition, ...published, namespace, name });
    }
  plantValues(license, settings, 'license', LICENSE_HOLDER, seed.license_properties ?? {});
  for (const [id, values] of Object.entries(seed.group_properties ?? {})) {
    if (groupTable.of(license).get(id) === undefined)
      badSeed(`group_properties names group ${id}, which does not exist`);
    plantValues(license, settings, 'group', groupHolder(Number(id)), values);
  }
}

function plantValues(
  license: EmulatedLicense,
  settings: ConfigurationSettings,
  location: 'license' | 'group',
  holder: string,
  values: Values,
): void {
  for (const [namespace, members] of Object.entries(values))
    for (const [name, value] of Object.entries(members)) {
      const path = `${location}_properties: ${namespace}: ${name}`;
      const definition =
        builtinProperties(settings, namespace).find((property) => property.name === name) ??
        propertyTable.of(license).get(propertyKey(namespace, name));
      if (definition?.access[location] === undefined) badSeed(`${path} is not a property of a ${location}`);
      requireSeededValue(definition, value, path);
      valueTable.of(license).set({ holder, namespace, name, value });
    }
}

function requireSeededValue(definition: Parameters<typeof requireValue>[0], value: Value, path: string): void {
  try {
    requireValue(definition, value, path);
  } catch (error) {
    if (isRefusal(error)) badSeed(error.message);
    throw error;
  }
}
