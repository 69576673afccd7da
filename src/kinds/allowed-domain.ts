// Everything that is known about allowed domains. today/configuration.md, "Only in 3.7 (developer preview)".

import { since } from '../base/api-versions.ts';
import { isList } from '../base/json.ts';
import type { LiveObject } from '../base/model.ts';
import { parsedUrl } from '../base/url.ts';
import { defineKind, type KindReader, type Refusal } from './kind.ts';
import { rowOf } from './wire.ts';

/** A domain says nothing but that it is there. */
const fields = {};

const MOST_CHARACTERS = 255;

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  const domains = rowOf('list_allowed_domains', await reader.ask('list_allowed_domains', {})).raw('domains');
  return (isList(domains) ? domains.map(String) : []).map(
    (domain): LiveObject => ({ kind: 'allowed_domain', id: domain, name: domain, spec: {}, facts: {} }),
  );
}

/** Whether scheme, port, `*` or capitals matter is not stated, so they are doubted and not refused. */
function refusedDomain(key: string): Refusal | null {
  const length = Array.from(key).length;
  if (length > MOST_CHARACTERS) {
    const message = `a domain has at most ${MOST_CHARACTERS} characters, and this one has ${length}`;
    return { severity: 'error', code: 'too-long', message, remedy: 'write the name of the host alone' };
  }
  const doubted = { severity: 'warning', code: 'bad-format' } as const;
  const host = /[/@?#:*\s]/.test(key) ? '' : (parsedUrl(`https://${key}`)?.hostname ?? '');
  if (host === '') {
    const message = `\`${key}\` is more than the name of a host, and the service may refuse it`;
    return { ...doubted, message, remedy: 'write the name alone, without scheme, port, path and `*`: `shop.example`' };
  }
  if (host === key) return null;
  return { ...doubted, message: `browsers call this host \`${host}\``, remedy: `write \`${host}\`` };
}

export const allowedDomain = defineKind(fields, {
  name: 'allowed_domain',
  versions: since('3.7'),
  noun: { one: 'allowed domain', many: 'allowed domains' },
  about:
    'The only sites that may show the chat widget: the name of the host, then `{}`. Without any, every site may. Since 3.7.',
  at: ['allowed_domains', '*'],
  entry: 'fields',
  columns: [],
  summary: () => [],
  required: [],
  slashes: true,
  refusedKey: refusedDomain,
  prune: 'owned',
  restricts: {
    first: 'the chat may vanish from every site that is not on the list: customers there find nobody to ask',
    last: 'any site may show the chat again, and chats from there reach your agents',
    flag: 'monitoring/whitelist_enabled',
  },
  forfeits: 'its pages have no chat while any other domain is allowed',
  naturalKeys: [{ about: 'the domain, which is the key', ofDesired: ({ key }) => key, ofLive: ({ id }) => String(id) }],
  read,
  create: (_fields, { key }) => ({ action: 'add_allowed_domain', body: { domain: key } }),
  remove: (id) => ({ action: 'delete_allowed_domain', body: { domain: id } }),
  createdId: (_reply, { key }) => key,
  seed: { sections: (domains) => ({ allowed_domains: domains.map(({ id }) => String(id)) }) },
});
