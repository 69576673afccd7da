// Every difference between what was applied, what is live and what is desired, in the order in which people read a license.

import { byText } from '../../base/json.ts';
import type { Address } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import type { Comparison } from '../../plan/compare.ts';
import type { Draft } from '../../plan/draft.ts';
import { contextOf } from './about.ts';
import { edgeDifferences } from './edges.ts';
import { fieldDifferences } from './fields.ts';
import { lostDifferences, objectDifferences, undeclaredDifferences } from './objects.ts';
import { orderDifferences } from './order.ts';
import type { Difference } from './report.ts';

/** `selects`: addresses that `--only` and `--except` leave in. `among`: the resources of those to compare. */
export function differencesOf(
  compared: Comparison,
  selects: (address: Address) => boolean,
  among: (made: Draft) => boolean = () => true,
): readonly Difference[] {
  const scene = contextOf(compared);
  const isLookedAt = (made: Draft): boolean => selects(made.address) && among(made);
  const looked = compared.drafts.filter(isLookedAt);
  const rules = compared.desired.ruleOrder;
  return [
    ...looked.flatMap((made) => [...objectDifferences(made, scene), ...fieldDifferences(made, scene)]),
    ...edgeDifferences(scene, isLookedAt),
    ...(rules.every(selects) ? orderDifferences(compared) : []),
    ...lostDifferences(scene, selects),
    ...undeclaredDifferences(scene, selects),
  ].toSorted(
    (a, b) =>
      KIND_NAMES.indexOf(a.type) - KIND_NAMES.indexOf(b.type) ||
      byText(a.address, b.address) ||
      byText(a.path.join('\0'), b.path.join('\0')),
  );
}
