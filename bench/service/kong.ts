// The admin API that decK talks to, as far as it asks for services and consumers: entities in memory. Must not know chatform or the license.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Entity {
  readonly [field: string]: unknown;
  readonly id: string;
}

/** By collection, such as `consumers`, and id. */
export type Entities = ReadonlyMap<string, ReadonlyMap<string, Entity>>;

export interface Kong {
  readonly listen: (onServed: (action: string, begun: number) => void, now: () => number) => Promise<string>;
  readonly begin: (entities: Entities) => void;
  readonly entities: () => Entities;
  readonly slow: (milliseconds: number) => void;
}

const PAGE = 1000;

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}

export function createKong(): Kong {
  let collections = new Map<string, Map<string, Entity>>();
  let delay = 0;

  const of = (name: string): Map<string, Entity> => {
    const known = collections.get(name) ?? new Map<string, Entity>();
    collections.set(name, known);
    return known;
  };

  const list = (name: string, query: URLSearchParams): object => {
    const from = Number(query.get('offset') ?? 0);
    const to = from + Math.min(Number(query.get('size') ?? 100), PAGE);
    const rows = [...of(name).values()];
    const next = to < rows.length ? { next: `/${name}?size=${PAGE}&offset=${to}`, offset: String(to) } : { next: null };
    return { data: rows.slice(from, to), ...next };
  };

  const write = (name: string, key: string | undefined, body: Record<string, unknown>): Entity => {
    const id = key ?? (typeof body['id'] === 'string' ? body['id'] : randomUUID());
    const entity = { created_at: 1700000000, ...of(name).get(id), ...body, id };
    of(name).set(id, entity);
    return entity;
  };

  const answer = async (request: IncomingMessage): Promise<readonly [number, object | null]> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any');
    const [, name = '', key] = pathname.split('/');
    if (name === '') return [200, { version: '2.8.1', configuration: { database: 'postgres' } }];
    const body = await bodyOf(request);
    switch (request.method) {
      case 'GET': {
        if (key === undefined) return [200, list(name, searchParams)];
        const found = of(name).get(key);
        return found === undefined ? [404, { message: 'Not found' }] : [200, found];
      }
      case 'DELETE':
        of(name).delete(key ?? '');
        return [204, null];
      default:
        return [request.method === 'POST' ? 201 : 200, write(name, key, body)];
    }
  };

  return {
    listen: async (onServed, now) => {
      const server = createServer(async (request, response) => {
        const begun = now();
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        const [status, body] = await answer(request);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body === null ? undefined : JSON.stringify(body));
        onServed(`${request.method} ${new URL(request.url ?? '/', 'http://any').pathname.split('/')[1] ?? ''}`, begun);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    begin: (entities) => {
      collections = new Map([...entities].map(([name, rows]) => [name, new Map(rows)]));
    },
    entities: () => new Map([...collections].map(([name, rows]) => [name, new Map(rows)])),
    slow: (milliseconds) => {
      delay = milliseconds;
    },
  };
}
