// Everything that is known about the states of license webhooks: on or off, per license and client. today/configuration.md, "Webhooks".

import { since } from '../base/api-versions.ts';
import type { LiveObject } from '../base/model.ts';
import { type Fields, PLAIN, type SpecOf } from './field.ts';
import { type Call, defineKind, type KindReader } from './kind.ts';
import { rowOf } from './wire.ts';

const fields = {
  enabled: {
    ...PLAIN,
    about:
      'Whether this license sends the license webhooks of the client. Off stays off, also when the application is installed again.',
    schema: { type: 'boolean' },
  },
} as const satisfies Fields;

type State = SpecOf<typeof fields>;

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  return Promise.all(
    reader.clients.map(async (client): Promise<LiveObject> => {
      const reply = await reader.ask('get_license_webhooks_state', { owner_client_id: client });
      const enabled = rowOf('get_license_webhooks_state', reply).raw('license_webhooks_enabled') === true;
      // On is how each license begins.
      const facts = enabled ? { possiblyUnset: true as const } : {};
      return { kind: 'webhook_state', id: client, name: client, spec: { enabled }, facts };
    }),
  );
}

function turn(client: string, { enabled }: State): Call {
  const action = enabled === false ? 'disable_license_webhooks' : 'enable_license_webhooks';
  return { action, body: { owner_client_id: client } };
}

export const webhookState = defineKind(fields, {
  name: 'webhook_state',
  // 3.3 lets a bearer token turn those of its own client alone, and refuses to be told a client.
  versions: since('3.5'),
  noun: { one: 'state of license webhooks', many: 'states of license webhooks' },
  about:
    'Whether this license sends the license webhooks of a client: owner client id, then `enabled`. An entry that is removed leaves the state as it is. Since 3.5.',
  at: ['webhook_states', '*'],
  entry: 'fields',
  columns: ['enabled'],
  summary: ({ enabled }) => [enabled === false ? 'off' : 'on'],
  required: ['enabled'],
  prune: 'none',
  inPart: true,
  incomplete: 'each client has a state, which can be turned and not removed',
  permanent: () => 'it can be turned on or off, and not removed',
  namespace: ({ key }) => key,
  naturalKeys: [{ about: 'the client, which is the key', ofDesired: ({ key }) => key, ofLive: ({ id }) => String(id) }],
  read,
  create: (given, { key }) => turn(key, given),
  update: (id, given) => turn(String(id), given),
  remove: (id) => turn(String(id), { enabled: true }),
  createdId: (_reply, { key }) => key,
  seed: {
    sections: (states) => ({
      license_webhooks: Object.fromEntries(states.map(({ id, spec }) => [String(id), spec.enabled === true])),
    }),
  },
});
