// A caller of the Customer Chat Web API, which can send everything that a request may be. Knows nothing of what the emulator answers.

import type { Emulator, EmulatorOptions } from '../../../src/emulator/index.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { seededRandom } from '../caller.ts';
import { type CustomerVersion, SEED } from './rows/row.ts';

/** Whatever JSON.parse gives: assertions look into it, so that a wrong shape fails a test and not the compiler. */
type Parsed = ReturnType<typeof JSON.parse>;

/** What came back: status, headers, and the parsed body (undefined when it had no bytes). */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Parsed;
}

export interface HowSent {
  readonly version?: CustomerVersion | '3.5';
  /** Null sends none; default the token of Kim. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** The query; default the account in the parameter of the version. */
  readonly query?: string;
}

export interface CustomerCaller {
  readonly emulator: Emulator;
  /** Milliseconds since the epoch; tests move it. */
  readonly clock: { now: number };
  /** Sends an action and gives whatever comes back. A GET has its body in the query. */
  readonly send: (action: string, body?: unknown, how?: HowSent) => Promise<Answer>;
  /** Sends an action that must succeed, and gives its reply. */
  readonly call: (action: string, body?: unknown, how?: HowSent) => Promise<Parsed>;
  /** Sends an action that must fail, and gives the type of the error. */
  readonly fail: (action: string, body?: unknown, how?: HowSent) => Promise<string>;
}

/** Five minutes after the last event of the seed. */
export const NOW = Date.UTC(2026, 0, 5, 10, 5);
/** The same as replies say it. */
export const SHOWN_NOW = '2026-01-05T10:05:00.000000Z';

export const account = (version: string): string => (version === '3.3' ? 'license_id=1' : 'organization_id=org');

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A file in a row of the conformance table. */
interface RowFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const isFile = (value: unknown): value is RowFile => typeof Object(value).text === 'string';

/** The form of an upload: members that are files, and others as texts. */
export function formOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (isFile(value)) form.append(name, new File([value.text], value.name, { type: value.type }));
    else if (value !== null) form.append(name, text(value));
  }
  return form;
}

/** What goes into a request: a form for the action that takes one, JSON otherwise, and texts as they are. */
function contentOf(action: string, body: unknown, method: string): RequestInit {
  if (method === 'GET') return { method };
  if (typeof body === 'string') return { method, body };
  if (body instanceof FormData) return { method, body };
  return { method, body: action === 'upload_file' ? formOf(Object(body)) : JSON.stringify(body) };
}

export function createCustomerCaller(
  options: Partial<EmulatorOptions> = {},
  standard: CustomerVersion = '3.7',
): CustomerCaller {
  const clock = { now: NOW };
  const beginning = 'state' in options ? {} : { seed: SEED };
  const emulator = createEmulator({ now: () => clock.now, random: seededRandom(1), ...beginning, ...options });
  return { clock, ...customerCallerOf(emulator, standard) };
}

export function customerCallerOf(emulator: Emulator, standard: CustomerVersion = '3.7'): Omit<CustomerCaller, 'clock'> {
  const send: CustomerCaller['send'] = async (action, body = {}, how = {}) => {
    const { version = standard, authorization = 'Bearer dal:kim', method = 'POST', query = account(version) } = how;
    const sent = contentOf(action, body, method);
    const pairs =
      method === 'GET'
        ? Object.entries(Object(body)).map(([name, value]): [string, string] => [name, text(value)])
        : [];
    const search = [query, new URLSearchParams(pairs).toString()].filter((part) => part !== '').join('&');
    const reply = await emulator.fetch(
      new Request(`http://emulator/v${version}/customer/action/${action}?${search}`, {
        ...sent,
        headers: {
          ...(sent.body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          ...(authorization === null ? {} : { authorization }),
          ...how.headers,
        },
      }),
    );
    const said = await reply.text();
    return { status: reply.status, headers: reply.headers, body: said === '' ? undefined : JSON.parse(said) };
  };
  const call: CustomerCaller['call'] = async (action, body, how) => {
    const { status, body: reply } = await send(action, body, how);
    if (status !== 200) throw new Error(`${action}: ${status} ${JSON.stringify(reply)}`);
    return reply;
  };
  const fail: CustomerCaller['fail'] = async (action, body, how) => {
    const { status, body: reply } = await send(action, body, how);
    if (status === 200) throw new Error(`${action} succeeded: ${JSON.stringify(reply)}`);
    return reply.error.type;
  };
  return { emulator, send, call, fail };
}
