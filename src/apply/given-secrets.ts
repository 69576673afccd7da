// Secrets that the creates of a plan carry, from the environment or made here; and those that nothing uses after its deletes.

import { randomBytes } from 'node:crypto';
import { UsageError } from '../base/errors.ts';
import type { Address } from '../base/model.ts';
import { slowDigest } from '../base/slow-digest.ts';
import { KINDS, kindOf } from '../kinds/index.ts';
import { secretField } from '../kinds/kind.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import type { Plan } from '../plan/plan.ts';
import { type Env, secretVariables, variableIn } from '../planning/secret-standings.ts';
import type { SecretsSink, TokenSink } from '../target/secrets/secrets.ts';

/** A secret that the create of an address carries. */
export interface GivenSecret {
  readonly secret: string;
  /** What the ledger keeps; null of one that chatform made, which its place has. */
  readonly digest: string | null;
}

const BYTES = 32;

/**
 * The secrets of all creates of a plan that carry one. An object that is replaced keeps the secret that chatform keeps, unless the plan changes it.
 * @throws UsageError that names each variable that is not set
 */
export async function givenSecrets(
  { steps, references, resource_changes: changes }: Pick<Plan, 'steps' | 'references' | 'resource_changes'>,
  env: Env,
  sink: Pick<TokenSink, 'secretOf'> | null,
): Promise<ReadonlyMap<Address, GivenSecret>> {
  requireVariables({ steps }, env);
  const given = new Map<Address, GivenSecret>();
  const changed = new Set(
    changes.flatMap(({ address, type, fields }) =>
      fields.some(({ field }) => field === secretField(KINDS[type])) ? [address] : [],
    ),
  );
  for (const { operation, type, address, fields } of steps) {
    const field = secretField(KINDS[type]);
    if (operation !== 'create' || address === null || field === null) continue;
    const name = variableIn(fields[field]);
    const own = name === null ? undefined : env[name];
    if (own !== undefined) given.set(address, { secret: own, digest: slowDigest(own) });
    else {
      const former = references[address];
      const isKept = former !== undefined && !changed.has(address);
      const kept = !isKept ? null : await sink?.secretOf?.(address, former).catch(() => null);
      given.set(address, { secret: kept ?? randomBytes(BYTES).toString('base64url'), digest: null });
    }
  }
  return given;
}

/** @throws UsageError that names each variable that creates of a plan need and that is not set */
export function requireVariables(plan: Pick<Plan, 'steps'>, env: Env): void {
  const missing = secretVariables(plan)
    .filter(({ name }) => (env[name] ?? '') === '')
    .map(({ address, name }) => `${address}: the environment variable ${name} is not set`);
  if (missing.length > 0)
    throw new UsageError(`${missing.join('; ')}: set it to the secret, or remove \`secret_key\` to have one made`);
}

/**
 * Removes the secrets of objects that chatform deleted: nothing takes them any more. `past`: the ledger.
 * @throws UsageError where the sink cannot be changed
 */
export async function removeUnused(sink: SecretsSink | null, past: readonly LedgerEvent[]): Promise<void> {
  if (sink?.kept === undefined || sink.remove === undefined) return;
  const bound = new Map<Address, string>();
  const deleted = new Set<string>();
  const addresses = new Set<Address>();
  for (const event of past) {
    if (event.type === 'secret') addresses.add(event.address);
    if (event.type === 'bound') {
      const object = `${kindOf(event.address)} ${event.id}`;
      bound.set(event.address, object);
      deleted.delete(object);
    }
    if (event.type === 'moved') bound.set(event.to, bound.get(event.from) ?? '');
    if (event.type === 'forgotten' && event.because === 'deleted') deleted.add(bound.get(event.address) ?? '');
  }
  if (deleted.size === 0) return;
  const kept = await sink.kept([...addresses]);
  const unused = kept.filter(({ address, id }) => deleted.has(`${kindOf(address)} ${id}`));
  if (unused.length > 0) await sink.remove(unused);
}
