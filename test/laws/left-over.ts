// What may be left: everything in a plan that an empty plan does not have, and the end of an apply that nothing can prove.

import type { ApplyReport } from '../../src/apply/apply.ts';
import type { Address, KindName } from '../../src/base/model.ts';
import { KINDS } from '../../src/kinds/index.ts';
import { splitName } from '../../src/kinds/namespaced.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { World } from '../world.ts';

/** What an empty plan may still have to say: differences that no request can close. */
export function leftOver(plan: Plan): readonly unknown[] {
  const changes = plan.resource_changes.filter(
    ({ change, adopting, fields }) =>
      adopting ||
      change.actions[0] !== 'no-op' ||
      fields.some(({ reach }) => reach !== 'unreachable' && reach !== 'unreadable'),
  );
  return [...plan.steps, ...changes, ...(plan.reorder === null ? [] : [plan.reorder]), ...plan.withheld];
}

/** A deleted value that reads as before, of a definition whose default no reading shows and the ledger does not know: it may be the same. */
export async function isUnprovable({ ledger }: World, { outcome, unsettled }: ApplyReport): Promise<boolean> {
  const { bindings, applied } = foldLedger(await ledger.read());
  const isKnown = (definition: Address): boolean => {
    const { spec = {}, digests = {} } = applied.get(definition) ?? {};
    return bindings.get(definition)?.origin === 'created' || 'default_value' in { ...spec, ...digests };
  };
  return (
    outcome === 'unsettled' &&
    unsettled.every(({ address, reading }) => {
      const [kind, key] = splitName(address);
      const definition = KINDS[kind as KindName].definition?.of(key);
      return reading === 'still listed' && definition !== undefined && !isKnown(definition as Address);
    })
  );
}
