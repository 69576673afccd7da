// Callers of the Customer Chat Web API: one that can send everything that a request may be, and one that is also an agent and the control API.
// Knows nothing of what the emulator answers.

import { createEmulator, type Emulator, type EmulatorOptions, withControl } from '../../../src/emulator/index.ts';
import { sendTo } from '../../wire.ts';
import { type Answer, answered, callerOf, START, seededRandom } from '../caller.ts';
import { type CustomerVersion, SEED } from './rows/row.ts';

export interface HowSent {
  readonly version?: CustomerVersion | '3.4';
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
  readonly call: (action: string, body?: unknown, how?: HowSent) => Promise<Answer['body']>;
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

/** The form of a request: of the action that takes one, or as it is given; null for any other body. */
function formIn(action: string, body: unknown): FormData | null {
  if (body instanceof FormData) return body;
  return action === 'upload_file' && typeof body !== 'string' ? formOf(Object(body)) : null;
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
    const inQuery =
      method === 'GET'
        ? Object.entries(Object(body)).map(([name, value]): [string, string] => [name, text(value)])
        : [];
    const search = [query, new URLSearchParams(inQuery).toString()].filter((part) => part !== '').join('&');
    const url = `http://emulator/v${version}/customer/action/${action}?${search}`;
    const headers = { ...(authorization === null ? {} : { authorization }), ...how.headers };
    const form = method === 'GET' ? null : formIn(action, body);
    if (form !== null) {
      const reply = await emulator.fetch(new Request(url, { method, headers, body: form }));
      return answered({ status: reply.status, headers: reply.headers, body: await reply.text() });
    }
    const sent = { 'content-type': 'application/json', ...headers };
    const content = method === 'GET' ? '' : text(body);
    return answered(await sendTo(emulator.handle, { method, url, headers: sent, body: content }));
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

/** A caller for chats: customers by their tokens, an agent, and the control API. */
export interface ChatCaller {
  readonly emulator: Emulator;
  /** Milliseconds since the epoch; tests move it. */
  readonly clock: { now: number };
  /** Sends an action of the Customer Chat Web API, as the customer of a token. */
  readonly customer: (token: string, action: string, body?: unknown, how?: HowSent) => Promise<Answer>;
  /** Sends an action of the Configuration API. */
  readonly configure: (action: string, body?: unknown) => Promise<Answer>;
  /** Asks the control API: with a body, it writes. */
  readonly control: (name: string, body?: unknown) => Promise<Answer>;
}

export function createChatCaller(options: Partial<EmulatorOptions> = {}): ChatCaller {
  const clock = { now: START };
  const emulator = createEmulator({ now: () => clock.now, random: seededRandom(1), ...options });
  const { handle } = withControl(emulator);
  const { send } = customerCallerOf(emulator);
  const { send: configure } = callerOf(emulator);
  return {
    emulator,
    clock,
    customer: (token, action, body, how) => send(action, body, { ...how, authorization: `Bearer ${token}` }),
    configure: (action, body) => configure(action, body, { authorization: 'Bearer dal:agent' }),
    control: async (name, body) =>
      answered(
        await sendTo(handle, {
          method: body === undefined ? 'GET' : 'POST',
          url: `http://emulator/_emulator/${name}`,
          headers: { 'content-type': 'application/json' },
          body: body === undefined ? '' : text(body),
        }),
      ),
  };
}

/** The reply of a request that must succeed. */
export async function granted(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** The error type of a request that must fail; `granted` for one that does not. */
export async function outcome(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  return status === 200 ? 'granted' : body.error.type;
}
