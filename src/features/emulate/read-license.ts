// The license of a target as an emulator begins with it: `emulate --like TARGET`. Sends reads only.

import type { JsonObject } from '../../base/model.ts';
import { LICENSE_API } from '../../kinds/actions.ts';
import { limitsOf } from '../../kinds/limits.ts';
import { connected } from '../../license/connect.ts';
import { planTarget, wholeLicense } from '../../planning/planning.ts';
import { createClient } from '../../service/client.ts';
import { createInProcessExchange } from '../../service/in-process.ts';
import type { RunContext } from '../../target/context.ts';
import { declaredIn, prepare } from '../../target/prepare.ts';
import { callsAfter, emulatedLimits, seedOf } from './seed.ts';

export interface LicenseCopy {
  readonly seed: JsonObject;
  /** Settings of the emulator: what the target says that its service takes. */
  readonly limits: ReturnType<typeof emulatedLimits>;
  /** Sends what a seed cannot state. */
  readonly complete: (handle: (request: Request) => Promise<Response>) => Promise<void>;
}

/**
 * All that the token may read and a manifest could declare. Secrets cannot be read, so the copy makes up its own.
 * @throws UsageError for files with errors, and as planning does
 */
export async function readLicense(target: string, context: RunContext): Promise<LicenseCopy> {
  const declared = declaredIn(await prepare({ target }, context));
  const { settings } = declared;
  const { apiVersion: version, accountId, limits, requestTimeout: timeout } = settings;
  const { live } = await connected(settings, context, (connection) =>
    planTarget(declared, connection, {}, context, { viewOf: wholeLicense(declared) }),
  );
  return {
    seed: seedOf(live),
    limits: emulatedLimits(limitsOf(version, limits)),
    complete: async (handle) => {
      const token = 'copy';
      const { clock, signal } = context;
      const client = createClient(LICENSE_API, {
        baseUrl: 'http://emulator.localhost',
        version,
        credential: accountId === null ? { kind: 'bearer', token } : { kind: 'basic', accountId, token },
        exchange: createInProcessExchange(handle),
        clock,
        timeout,
      });
      for (const { action, body } of callsAfter(live)) await client.call(action, body, { signal });
    },
  };
}
