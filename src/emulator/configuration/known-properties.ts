// Every property a license has: those that come with it (`test`, and the read-only `limits`) and those that were registered.
// Must not know values.
// Specification: "Property"; service-notes.md, "Properties".

import type { Context } from './action.ts';
import { isClientOfOrganization } from './clients.ts';
import type { Property } from './records.ts';
import { PROPERTY_TYPES, propertyKey, propertyTable } from './records.ts';
import type { ConfigurationSettings } from './settings.ts';

const EVERYTHING = { agent: ['read', 'write'], customer: ['read', 'write'] } as const;
const EVERYWHERE = {
  chat: EVERYTHING,
  thread: EVERYTHING,
  event: EVERYTHING,
  license: EVERYTHING,
  group: EVERYTHING,
};

/** "readable and writable by everyone everywhere". */
const TEST: readonly Property[] = PROPERTY_TYPES.map((type) => ({
  namespace: 'test',
  name: `${type}_property`,
  type,
  access: EVERYWHERE,
  published: ['read', 'write'],
}));

/** `<resource>.base`, `.additional` and `.hard`: the effective limit is base + additional, at most hard; -1 is unlimited. */
function limitProperties({ agents, groups, bots, accessRules }: ConfigurationSettings['limits']): readonly Property[] {
  return Object.entries({ agents, groups, bots, access_rules: accessRules }).flatMap(([resource, limit]) =>
    Object.entries({ base: limit, additional: 0, hard: limit }).map(([part, default_value]) => ({
      namespace: 'limits',
      name: `${resource}.${part}`,
      type: 'int' as const,
      access: { license: { agent: ['read' as const] } },
      default_value,
      published: ['read' as const],
    })),
  );
}

/** The built-in properties of a namespace. */
export function builtinProperties(settings: ConfigurationSettings, namespace: string): readonly Property[] {
  switch (namespace) {
    case 'test':
      return TEST;
    case 'limits':
      return limitProperties(settings.limits);
    default:
      return [];
  }
}

const BUILTIN_NAMESPACES: readonly string[] = ['test', 'limits'];
/** Where the service has settings whose list is not shown: a seed may describe some, and nobody registers any. */
const SERVICE_NAMESPACES: readonly string[] = [...BUILTIN_NAMESPACES, 'chats', 'core', 'monitoring'];

/** Whether a namespace belongs to the service and not to a client. */
export function isBuiltin(namespace: string): boolean {
  return SERVICE_NAMESPACES.includes(namespace);
}

/** Whether the caller is the owner client of a namespace. In open mode that is any client of the organization. */
export function isOwnNamespace(context: Context, namespace: string): boolean {
  if (isBuiltin(namespace)) return false;
  const { clientId, scopes } = context.caller;
  return clientId === namespace || (scopes === 'every' && isClientOfOrganization(context, namespace));
}

/** The properties of one namespace at the moment that the request sees. */
export function propertiesOf({ license, settings, at }: Context, namespace: string): readonly Property[] {
  return [...builtinProperties(settings, namespace), ...propertyTable.of(license).where('namespace', namespace, at)];
}

export function allProperties({ license, settings, at }: Context): readonly Property[] {
  return [
    ...BUILTIN_NAMESPACES.flatMap((namespace) => builtinProperties(settings, namespace)),
    ...propertyTable.of(license).all(at),
  ];
}

/** The property that a write is about, if it exists now and in the moment that references are looked up in. */
export function findProperty(context: Context, namespace: string, name: string): Property | undefined {
  const builtin = builtinProperties(context.settings, namespace).find((found) => found.name === name);
  const properties = propertyTable.of(context.license);
  const key = propertyKey(namespace, name);
  return builtin ?? (properties.get(key, context.refersAt) && properties.get(key));
}
