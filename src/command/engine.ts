// The engine of workers, as commands ask it: by the database of a project.

import { addressIn } from '../ledger/postgres/address.ts';
import { explainedFailure } from '../ledger/postgres/failure.ts';
import { type EngineClient, engineClient } from '../many/workers/client.ts';
import type { Terminal } from './terminal.ts';

/** @param variable - That with the address of the database. @throws UsageError when it cannot be asked, and when the engine is not installed */
export async function withEngine<T>(
  variable: string,
  terminal: Terminal,
  work: (engine: EngineClient) => Promise<T>,
): Promise<T> {
  const { databases, log } = terminal;
  const address = await databases.at(variable, terminal).address();
  const engine = await engineClient(address, (level, message) => log(level, message));
  try {
    return await work(engine);
  } catch (error) {
    throw explainedFailure(error, addressIn({ variable, env: terminal.env }).name);
  } finally {
    await engine.close();
  }
}
