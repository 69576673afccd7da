// An emulator behind a port of its own, for commands that reach it as they reach the service; gone when the test is over.

import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions, listen } from '../../src/emulator/index.ts';

export interface Served {
  readonly emulator: Emulator;
  readonly url: string;
}

/** `around` stands between the port and the emulator. */
export async function served(
  options: Partial<EmulatorOptions> = {},
  around: (handle: Emulator['handle']) => Emulator['handle'] = (handle) => handle,
  { isRealtime = true } = {},
): Promise<Served> {
  const emulator = createEmulator({ now: Date.now, random: Math.random, ...options });
  const realtime = isRealtime ? { connect: emulator.connect } : {};
  const server = await listen({ handle: around(emulator.handle), ...realtime }, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  return { emulator, url: server.url };
}

/** Requests that change something, by action. */
export function writesOf(emulator: Emulator): { readonly [action: string]: number } {
  return Object.fromEntries(Object.entries(emulator.stats()).filter(([action]) => !/^(list|get)_/.test(action)));
}
