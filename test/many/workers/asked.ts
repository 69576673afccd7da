// Single questions to the engine, each by a connection of its own.

import { type EngineClient, engineClient, type RunState } from '../../../src/many/workers/client.ts';
import type { LiveWorker } from '../../../src/many/workers/workers.ts';

async function asked<T>(url: string, question: (engine: EngineClient) => Promise<T>): Promise<T> {
  const engine = await engineClient(url);
  try {
    return await question(engine);
  } finally {
    await engine.close();
  }
}

export function enqueueRun(url: string, run: Parameters<EngineClient['enqueue']>[0]): Promise<void> {
  return asked(url, ({ enqueue }) => enqueue(run));
}

export function liveWorkers(url: string): Promise<readonly LiveWorker[]> {
  return asked(url, ({ workers }) => workers());
}

export function runState(url: string, run: string): Promise<RunState> {
  return asked(url, ({ stateOf }) => stateOf(run));
}
