// The properties of a seed and their values come in and become records. Must not know requests.

import type { License } from '../engine/license.ts';
import { propertyKey } from '../engine/license.ts';
import { isRefusal } from '../engine/refusal.ts';
import type { Seed } from '../engine/seed.ts';
import { badSeed } from '../engine/seed.ts';
import { requireValue } from './definition.ts';
import { builtinProperties } from './known-properties.ts';
import { groupHolder, LICENSE_HOLDER } from './property-values.ts';
import type { Value } from './records.ts';
import type { ConfigurationSettings } from './settings.ts';

type Values = { readonly [namespace: string]: { readonly [name: string]: Value } };

export function plantProperties(license: License, seed: Seed, settings: ConfigurationSettings): void {
  for (const [namespace, definitions] of Object.entries(seed.properties ?? {}))
    for (const [name, { public_access, ...definition }] of Object.entries(definitions)) {
      const published = public_access === undefined ? {} : { published: public_access };
      license.properties.set({ ...definition, ...published, namespace, name });
    }
  plantValues(license, settings, 'license', LICENSE_HOLDER, seed.license_properties ?? {});
  for (const [id, values] of Object.entries(seed.group_properties ?? {})) {
    if (license.groups.get(id) === undefined) badSeed(`group_properties names group ${id}, which does not exist`);
    plantValues(license, settings, 'group', groupHolder(Number(id)), values);
  }
}

function plantValues(
  license: License,
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
        license.properties.get(propertyKey(namespace, name));
      if (definition?.access[location] === undefined) badSeed(`${path} is not a property of a ${location}`);
      requireSeededValue(definition, value, path);
      license.values.set({ holder, namespace, name, value });
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
