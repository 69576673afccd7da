// A caller of an emulator with customers and a control API, with a clock that tests set.

import { createEmulator, type Emulator, type EmulatorOptions, withControl } from '../../../src/emulator/index.ts';
import { START, seededRandom } from '../caller.ts';

/** Whatever JSON.parse gives: assertions look into it, so that a wrong shape fails a test and not the compiler. */
type Parsed = ReturnType<typeof JSON.parse>;

export type CustomerVersion = '3.3' | '3.7';

export interface ChatCaller {
  readonly emulator: Emulator;
  /** Milliseconds since the epoch; tests move it. */
  readonly clock: { now: number };
  /** Sends an action of the Customer Chat Web API, as the customer of a token. */
  readonly customer: (token: string, action: string, body?: unknown, how?: How) => Promise<Answered>;
  /** Sends an action of the Configuration API. */
  readonly configure: (action: string, body?: unknown) => Promise<Answered>;
  /** Asks the control API: with a body, it writes. */
  readonly control: (name: string, body?: unknown) => Promise<Answered>;
}

interface Answered {
  readonly status: number;
  readonly body: Parsed;
}

interface How {
  readonly version?: CustomerVersion;
  readonly headers?: Readonly<Record<string, string>>;
}

export function createChatCaller(options: Partial<EmulatorOptions> = {}): ChatCaller {
  const clock = { now: START };
  const emulator = createEmulator({ now: () => clock.now, random: seededRandom(1), ...options });
  const { fetch } = withControl(emulator);
  const ask = async (url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Answered> => {
    const sent = { headers: { 'content-type': 'application/json', ...headers } };
    const request = new Request(
      `http://emulator${url}`,
      body === undefined ? sent : { ...sent, method: 'POST', body: JSON.stringify(body) },
    );
    const reply = await fetch(request);
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    emulator,
    clock,
    customer: (token, action, body = {}, { version = '3.7', headers = {} } = {}) => {
      const account = version === '3.7' ? 'organization_id=o' : 'license_id=1';
      const authorization = `Bearer ${token}`;
      return ask(`/v${version}/customer/action/${action}?${account}`, { authorization, ...headers }, body);
    },
    configure: (action, body = {}) =>
      ask(`/v3.6/configuration/action/${action}`, { authorization: 'Bearer dal:agent' }, body),
    control: (name, body) => ask(`/_emulator/${name}`, {}, body),
  };
}

/** The reply of a request that must succeed. */
export async function granted(answer: Promise<Answered>): Promise<Parsed> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** The error type of a request that must fail; `granted` for one that does not. */
export async function outcome(answer: Promise<Answered>): Promise<string> {
  const { status, body } = await answer;
  return status === 200 ? 'granted' : body.error.type;
}
