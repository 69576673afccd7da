// A caller of the Reports API in both forms. Flattens a body into a query as the specification describes it; shares no code with the emulator.

import { createEmulator, type Emulator, type EmulatorOptions, withControl } from '../../../src/emulator/index.ts';
import { seededRandom } from '../caller.ts';

/** Whatever JSON.parse gives: assertions look into it, so that a wrong shape fails a test and not the compiler. */
type Parsed = ReturnType<typeof JSON.parse>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Parsed;
}

export interface HowAsked {
  readonly method?: string;
  /** Null sends none. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** What stands before `reports/`; default `/v3.4/`. */
  readonly root?: string;
  /** The query of a GET, instead of the flattened body. */
  readonly query?: string;
}

export interface ReportCaller {
  readonly emulator: Emulator;
  /** Milliseconds since the epoch; tests move it. */
  readonly clock: { now: number };
  /** Asks for a report such as `chats/tags`, and gives whatever comes back. */
  readonly send: (report: string, body?: unknown, how?: HowAsked) => Promise<Answer>;
  /** Asks for a report that must be granted. */
  readonly ask: (report: string, body?: unknown, how?: HowAsked) => Promise<Parsed>;
  /** Sends another request of this license: an action of a customer, or a control. It must be granted. */
  readonly post: (path: string, body: object, token?: string) => Promise<Parsed>;
}

/** Names and texts: `filters.groups.values=1&filters.groups.values=2`. */
export function flattened(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      typeof item === 'object' ? flattened(item, `${path}[${index}]`) : flattened(item, path),
    );
  if (typeof value !== 'object') return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, member]) => {
    const isProperty = /^filters\.properties(?:\[[^\]]*\])?$/.test(path);
    return flattened(member, isProperty ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
  });
}

export function createReportCaller(options: Partial<EmulatorOptions> & { readonly at?: number } = {}): ReportCaller {
  const { at = Date.UTC(2026, 0, 5, 12), ...given } = options;
  const clock = { now: at };
  const emulator = createEmulator({ now: () => clock.now, random: seededRandom(1), ...given });
  const { fetch } = withControl(emulator);
  const answerOf = async (request: Request): Promise<Answer> => {
    const { status, headers, ...reply } = await fetch(request).then(async (found) => ({
      status: found.status,
      headers: found.headers,
      text: await found.text(),
    }));
    return { status, headers, body: reply.text === '' ? undefined : JSON.parse(reply.text) };
  };
  const send: ReportCaller['send'] = (report, body = {}, how = {}) => {
    const { method = 'POST', authorization = 'Bearer dal:reader', root = '/v3.4/' } = how;
    const pairs = flattened(typeof body === 'string' ? {} : body).map(([name, text]): [string, string] => [name, text]);
    const query = how.query ?? new URLSearchParams(pairs).toString();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return answerOf(
      new Request(`http://emulator${root}reports/${report}${method === 'GET' ? `?${query}` : ''}`, {
        method,
        ...(method === 'GET' ? {} : { body: text }),
        headers: {
          'content-type': 'application/json',
          ...(authorization === null ? {} : { authorization }),
          ...how.headers,
        },
      }),
    );
  };
  return {
    emulator,
    clock,
    send,
    ask: async (report, body, how) => {
      const { status, body: reply } = await send(report, body, how);
      if (status !== 200) throw new Error(`${report}: ${status} ${JSON.stringify(reply)}`);
      return reply;
    },
    post: async (path, body, token = 'dal:any') => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const { status, body: reply } = await answerOf(new Request(`http://emulator${path}`, init));
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(reply)}`);
      return reply;
    },
  };
}
