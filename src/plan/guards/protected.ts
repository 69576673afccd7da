// Protected objects that a plan would replace, or delete with the object that they belong to. Only the setting ends this veto; `draft.ts` never
// deletes a protected object by itself.

import type { Address } from '../../base/model.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import type { Bindings } from '../binding/bind.ts';
import type { Draft } from '../draft.ts';
import type { Withheld } from '../plan.ts';
import { keyOf } from '../reference.ts';

/** The objects that an existing object belongs to and is deleted with. */
function parentsOf(address: Address): readonly string[] {
  return KINDS[kindOf(address)].parents?.(keyOf(address)) ?? [];
}

export function protectedOnes(
  drafts: readonly Draft[],
  bindings: Bindings,
  protects: (address: Address) => boolean,
): readonly Withheld[] {
  if (!drafts.some(({ verb }) => verb === 'delete' || verb === 'replace')) return [];
  const verbs = new Map(drafts.map(({ address, verb }) => [address as string, verb]));
  const declared = [...bindings.bound].flatMap(([address, { object }]) => (object === null ? [] : [address]));
  const remedy = 'leave it as it is, or take the address out of `protect:` in chatform.yaml';
  const remade = drafts
    .filter(({ verb, address }) => verb === 'replace' && protects(address))
    .map(
      ({ address }): Withheld => ({
        guard: 'protected',
        addresses: [address],
        message: `\`protect:\` covers ${address}, which would be deleted and made again`,
        remedy,
      }),
    );
  const hanging = [...declared, ...bindings.undeclared.keys()]
    .filter((address) => verbs.get(address) !== 'delete' && protects(address))
    .flatMap((address): readonly Withheld[] => {
      // What is declared is written again after a replace.
      const isWritten = verbs.get(address) === 'update';
      const lost = parentsOf(address).filter(
        (parent) => verbs.get(parent) === 'delete' || (verbs.get(parent) === 'replace' && !isWritten),
      );
      if (lost.length === 0) return [];
      const message = `\`protect:\` covers ${address}, which would be gone with ${lost.join(' and ')}`;
      return [{ guard: 'protected', addresses: [address], message, remedy }];
    });
  return [...remade, ...hanging];
}
