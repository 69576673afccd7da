// Secrets that the creates of a plan carry: from the environment, or made here.

import { randomBytes } from 'node:crypto';
import { UsageError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Address, Json } from '../base/model.ts';
import { slowDigest } from '../base/slow-digest.ts';
import { KINDS } from '../kinds/index.ts';
import { secretField } from '../kinds/kind.ts';
import type { Plan } from '../plan/plan.ts';
import type { TokenSink } from '../target/secrets/secrets.ts';

type Env = { readonly [name: string]: string | undefined };

/** A secret that the create of an address carries. */
export interface GivenSecret {
  readonly secret: string;
  /** What the ledger keeps; null of one that chatform made, which its place has. */
  readonly digest: string | null;
}

/** The variable that a field names; null where it names none. */
function variableIn(value: Json | undefined): string | null {
  const name = isObject(value) ? value['env'] : undefined;
  return typeof name === 'string' ? name : null;
}

const BYTES = 32;

/**
 * The secrets of all creates of a plan that carry one. Where an object is replaced whose secret chatform keeps, it keeps its secret.
 * @throws UsageError that names each variable that is not set
 */
export async function givenSecrets(
  { steps, references }: Pick<Plan, 'steps' | 'references'>,
  env: Env,
  sink: Pick<TokenSink, 'secretOf'> | null,
): Promise<ReadonlyMap<Address, GivenSecret>> {
  requireVariables({ steps }, env);
  const given = new Map<Address, GivenSecret>();
  for (const { operation, type, address, fields } of steps) {
    const field = secretField(KINDS[type]);
    if (operation !== 'create' || address === null || field === null) continue;
    const name = variableIn(fields[field]);
    const own = name === null ? undefined : env[name];
    if (own !== undefined) given.set(address, { secret: own, digest: slowDigest(own) });
    else {
      const former = references[address];
      const kept = former === undefined ? null : await sink?.secretOf?.(address, former).catch(() => null);
      given.set(address, { secret: kept ?? randomBytes(BYTES).toString('base64url'), digest: null });
    }
  }
  return given;
}

/** @throws UsageError that names each variable that creates of a plan need and that is not set */
export function requireVariables({ steps }: Pick<Plan, 'steps'>, env: Env): void {
  const missing = steps.flatMap(({ operation, type, address, fields }): readonly string[] => {
    const field = secretField(KINDS[type]);
    const name = operation === 'create' && field !== null ? variableIn(fields[field]) : null;
    return name === null || (env[name] ?? '') !== '' ? [] : [`${address}: the environment variable ${name} is not set`];
  });
  if (missing.length > 0)
    throw new UsageError(`${missing.join('; ')}: set it to the secret, or remove \`secret_key\` to have one made`);
}
