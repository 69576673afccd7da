// A version in; two manifests for it out, such that getting from the first to the second creates, updates, moves and deletes objects of all kinds.

import type { Desired, Json, JsonObject, Version } from '../../src/base/model.ts';
import { KINDS } from '../../src/kinds/index.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { UPHEAVAL_CLIENT } from './kinds/drawing.ts';
import { DRAWINGS } from './kinds/index.ts';

/** Whose properties, templates and webhooks they are; installed on the license. */
export const CLIENT = UPHEAVAL_CLIENT;

const rule = (key: string, group: string, description?: string): JsonObject => ({
  key,
  access: { groups: [group] },
  conditions: { url: { values: [{ value: `/${key}` }] } },
  ...(description === undefined ? {} : { description }),
});
const agent = (key: string, spec: JsonObject = {}): JsonObject => ({ [`${key}@example.com`]: { name: key, ...spec } });
const group = (key: string, members: readonly string[], values: JsonObject = {}): JsonObject => ({
  [key]: {
    name: `The ${key}`,
    agent_priorities: Object.fromEntries(members.map((member) => [`${member}@example.com`, 'normal'])),
    ...(Object.keys(values).length === 0 ? {} : { properties: { [CLIENT]: values } }),
  },
});
const bot = (key: string, spec: JsonObject = {}): JsonObject => ({ [key]: { name: key, ...spec } });
const template = (key: string, spec: JsonObject = {}): JsonObject => bot(key, { owner_client_id: CLIENT, ...spec });
const property = (name: string, spec: JsonObject = {}): JsonObject => ({
  [name]: {
    type: 'string',
    access: { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } },
    ...spec,
  },
});

/** 3.3 has no templates. */
const templates = (version: Version, ...declared: readonly JsonObject[]): JsonObject =>
  version !== '3.3' ? { bot_templates: together(declared) } : {};

/** Sections of the kinds that stand by themselves. */
const drawn = (version: Version, moment: 'before' | 'after'): JsonObject =>
  together(
    DRAWINGS.filter(({ versions }) => versions.includes(version)).map(({ kind, upheaval }) => ({
      [KINDS[kind].at[0] ?? kind]: upheaval[moment],
    })),
  );

function together(parts: readonly JsonObject[]): JsonObject {
  return Object.assign({}, ...parts);
}

/** As the text of a manifest file. */
export const before = (version: Version): string =>
  textOf({
    agents: together([agent('ann', { max_chats_count: 4 }), agent('bob', { max_chats_count: 4 }), agent('eve')]),
    groups: together([group('sales', ['ann', 'bob', 'eve'], { tier: 'gold' }), group('old', ['ann'])]),
    bots: together([
      bot('triage', { max_chats_count: 4, routing_status: 'accepting_chats' }),
      bot('leaving', { routing_status: 'not_accepting_chats' }),
    ]),
    ...templates(version, template('chef', { max_chats_count: 4 }), template('gone')),
    auto_access: [rule('a', 'sales'), rule('b', 'sales'), rule('c', 'old')],
    properties: { [CLIENT]: together([property('tier'), property('stale')]) },
    license_properties: { [CLIENT]: { tier: 'gold' } },
    ...drawn(version, 'before'),
  });

export const after = (version: Version): string =>
  textOf({
    agents: together([
      agent('ann', { max_chats_count: 5 }),
      agent('bob', { max_chats_count: 4, suspended: true }),
      agent('cid', { suspended: true }),
      agent('dot'),
    ]),
    groups: together([
      group('sales', ['bob', 'dot']),
      group('support', ['ann', 'cid'], { tier: 'gold' }),
      group('extra', ['dot']),
    ]),
    bots: together([
      bot('triage', { max_chats_count: 5, groups: { support: 'first' }, routing_status: 'not_accepting_chats' }),
      bot('new', { groups: { sales: 'first' }, routing_status: 'accepting_chats' }),
      bot('newer'),
    ]),
    ...templates(version, template('chef', { max_chats_count: 5 }), template('baker')),
    auto_access: [
      rule('d', 'support', 'a described one'),
      rule('b', 'support'),
      rule('e', 'extra'),
      rule('a', 'sales'),
    ],
    properties: { [CLIENT]: together([property('tier', { default_value: 'none' }), property('fresh')]) },
    license_properties: { [CLIENT]: { tier: 'silver', fresh: 'yes' } },
    ...drawn(version, 'after'),
  });

function textOf(manifest: { readonly [section: string]: Json }): string {
  return JSON.stringify({ version: 1, ...manifest });
}

/** A rule that a person puts before rule `b`. */
export const BY_HAND = {
  access: { groups: [0] },
  conditions: { url: { values: [{ value: '/by-hand' }] } },
  description: 'by hand',
};

export async function desiredIn(text: string, version: Version): Promise<Desired> {
  const { desired, diagnostics } = await loadManifest({
    files: ['manifest.yaml'],
    env: {},
    version,
    clients: [CLIENT],
    io: memoryDisk({ 'manifest.yaml': text }),
  });
  if (desired === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return desired;
}

/** Of everything that may be dangerous. */
export function acknowledged({ resources }: Desired): readonly string[] {
  return resources.map(({ address }) => address);
}
