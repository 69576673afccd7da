// A small API of tickets, for tests of what a license keeps.

import type { ActionContext, EmulatedApi } from '../../../src/emulator/engine/api.ts';
import { readJsonBody } from '../../../src/emulator/engine/body.ts';
import type { EngineEmulator } from '../../../src/emulator/engine/emulator.ts';
import type { EmulatedLicense, LicenseContext, TableDefinition } from '../../../src/emulator/engine/license.ts';
import { defineTable } from '../../../src/emulator/engine/license.ts';
import { closed, list, object, optional, string, text } from '../../../src/emulator/engine/shape.ts';

const ticket = { id: text, note: string };
const ticketRecord = object(ticket);
export type Ticket = ReturnType<typeof ticketRecord>;

const keyOf = ({ id }: Ticket): string => id;
/** The topic of a ticket is the first letter of its id. */
const terms = { topic: ({ id }: Ticket): string => id.charAt(0) };

function apiOf(table: TableDefinition<'tickets', Ticket, 'topic'>) {
  const control = (name: string, run: (body: unknown, license: EmulatedLicense) => void) => ({
    name,
    effect: 'write' as const,
    run: (body: unknown, { license }: LicenseContext) => run(body, license) ?? undefined,
  });
  const kind = {
    tables: [table],
    seed: { tickets: optional(list(closed(ticket))) },
    plant: (license: EmulatedLicense, { tickets = [] }: { readonly tickets?: readonly Ticket[] }) => {
      for (const one of tickets) table.of(license).set(one);
    },
    controls: [
      control('put', (body, license) => {
        for (const one of list(ticketRecord)(body, '')) table.of(license).set(one);
      }),
      control('drop', (body, license) => table.of(license).delete(text(body, ''))),
    ],
  };
  const { of } = table;
  return {
    path: 'tickets',
    prefix: '',
    versions: ['1.0'],
    settings: { lifecycle: {} },
    kinds: [kind],
    actions: [
      {
        name: 'list',
        versions: ['1.0'],
        methods: ['POST'],
        effect: 'read',
        reply: 'value',
        run: (body: unknown, { license, at }: ActionContext) => {
          const { topic } = object({ topic: optional(text) })(body, '');
          const found = topic === undefined ? of(license).all(at) : of(license).where('topic', topic, at);
          return { found, size: of(license).size() };
        },
      },
      {
        name: 'get',
        versions: ['1.0'],
        methods: ['POST'],
        effect: 'read',
        reply: 'value',
        run: (body: unknown, { license, at }: ActionContext) => ({
          found: of(license).get(object({ id: text })(body, '').id, at),
        }),
      },
    ],
    isRegional: () => false,
    authenticate: () => null,
    read: readJsonBody,
  } satisfies EmulatedApi;
}

export const ticketApi = apiOf(defineTable('tickets', ticketRecord, keyOf, terms));

export const ticketOf = (id: string, note = ''): Ticket => ({ id, note });

export interface Tickets {
  readonly emulator: EngineEmulator;
  /** Writes tickets in one request. */
  readonly put: (...tickets: readonly Ticket[]) => Promise<unknown>;
  readonly drop: (id: string) => Promise<unknown>;
  /** What a reader sees, as `list` returns it. */
  readonly seen: (topic?: string) => Promise<readonly Ticket[]>;
  readonly get: (id: string) => Promise<Ticket | undefined>;
  /** How many tickets there are. */
  readonly size: () => Promise<number>;
}

export function ticketsOf(emulator: EngineEmulator): Tickets {
  const ask = async (action: string, body: object): Promise<ReturnType<typeof JSON.parse>> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await emulator.fetch(new Request(`http://emulator/v1.0/tickets/${action}`, init))).json();
  };
  return {
    emulator,
    put: (...tickets) => emulator.control('put', tickets),
    drop: (id) => emulator.control('drop', id),
    seen: async (topic) => (await ask('list', topic === undefined ? {} : { topic })).found,
    get: async (id) => (await ask('get', { id })).found,
    size: async () => (await ask('list', {})).size,
  };
}
