// Secrets of the environment: whether they are those that were applied, by the digests of the ledger, and which of them a plan needs.

import { isObject } from '../base/json.ts';
import type { Address, Json } from '../base/model.ts';
import { isDigestOf } from '../base/slow-digest.ts';
import { KINDS } from '../kinds/index.ts';
import { secretField } from '../kinds/kind.ts';
import type { StandingOf } from '../plan/diff.ts';
import type { Plan } from '../plan/plan.ts';

export type Env = { readonly [name: string]: string | undefined };

/** What is known of a secret by the digest in the ledger. */
export function secretStandings(env: Env): StandingOf {
  return (name, digest) => {
    const secret = env[name] ?? '';
    if (secret === '') return 'unset';
    if (digest === undefined) return 'unknown';
    return isDigestOf(digest, secret) ? 'same' : 'changed';
  };
}

/** The variable that a field names; null where it names none. */
export function variableIn(value: Json | undefined): string | null {
  const name = isObject(value) ? value['env'] : undefined;
  return typeof name === 'string' ? name : null;
}

/** The variables that creates of a plan take a secret from, with the fields that name them. */
export function secretVariables({
  steps,
}: Pick<Plan, 'steps'>): readonly { readonly address: Address; readonly field: string; readonly name: string }[] {
  return steps.flatMap(({ operation, type, address, fields }) => {
    const field = secretField(KINDS[type]);
    if (operation !== 'create' || address === null || field === null) return [];
    const name = variableIn(fields[field]);
    return name === null ? [] : [{ address, field, name }];
  });
}
