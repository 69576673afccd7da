// A caller of an emulator, with a clock that tests set. Knows nothing of what the emulator answers.

import { seededRandom } from '../../src/emulator/engine/random.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { sendTo } from '../wire.ts';

export { seededRandom };

export type Version = '3.3' | '3.5' | '3.6' | '3.7';
export const VERSIONS: readonly Version[] = ['3.3', '3.5', '3.6', '3.7'];

/** The versions from one on. */
export const since = (first: Version): readonly Version[] => VERSIONS.slice(VERSIONS.indexOf(first));
/** The versions up to one. */
export const until = (last: Version): readonly Version[] => VERSIONS.slice(0, VERSIONS.indexOf(last) + 1);

/** Whatever JSON.parse gives: assertions look into it, so that a wrong shape fails a test and not the compiler. */
type Parsed = ReturnType<typeof JSON.parse>;

/** What came back: status, headers, and the parsed body (undefined when it had no bytes). */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Parsed;
}

export interface Caller {
  readonly emulator: Emulator;
  /** Milliseconds since the epoch; tests move it. */
  readonly clock: { now: number };
  /** Sends an action and gives whatever comes back. */
  readonly send: (action: string, body?: unknown, how?: How) => Promise<Answer>;
  /** Sends an action that must succeed, and gives its reply. */
  readonly call: (action: string, body?: unknown, how?: How) => Promise<Parsed>;
  /** Sends an action that must fail, and gives the error's type. */
  readonly fail: (action: string, body?: unknown, how?: How) => Promise<string>;
}

interface How {
  readonly version?: Version | '3.4';
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

export const PERSONAL = `Basic ${Buffer.from('account:token').toString('base64')}`;
export const START = Date.UTC(2026, 0, 1);

export function createCaller(options: Partial<EmulatorOptions> = {}, version: Version = '3.6'): Caller {
  const clock = { now: START };
  const emulator = createEmulator({ now: () => clock.now, random: seededRandom(1), ...options });
  return { clock, ...callerOf(emulator, version) };
}

export function callerOf(emulator: Emulator, version: Version = '3.6'): Omit<Caller, 'clock'> {
  const send: Caller['send'] = async (action, body = {}, how = {}) => {
    const method = how.method ?? 'POST';
    const authorization = how.authorization === undefined ? 'Bearer dal:token' : how.authorization;
    const reply = await sendTo(emulator.handle, {
      method,
      url: `http://emulator/v${how.version ?? version}/configuration/action/${action}`,
      headers: {
        'content-type': 'application/json',
        ...(authorization === null ? {} : { authorization }),
        ...how.headers,
      },
      body: method === 'GET' ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    });
    return answered(reply);
  };
  const call: Caller['call'] = async (action, body, how) => {
    const { status, body: reply } = await send(action, body, how);
    if (status !== 200) throw new Error(`${action}: ${status} ${JSON.stringify(reply)}`);
    return reply;
  };
  const fail: Caller['fail'] = async (action, body, how) => {
    const { status, body: reply } = await send(action, body, how);
    if (status === 200) throw new Error(`${action} succeeded: ${JSON.stringify(reply)}`);
    return reply.error.type;
  };
  return { emulator, send, call, fail };
}

/** A reply with its body parsed. */
export function answered({ body, ...rest }: Omit<Answer, 'body'> & { readonly body: string }): Answer {
  return { ...rest, body: body === '' ? undefined : JSON.parse(body) };
}
