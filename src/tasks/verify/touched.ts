// Groups of which a plan changes something that customers can see: after an apply their `config_version` is another one.
// customer-and-reports-notes.md, section 4, rule 16.

import type { Address, Desired, Spec } from '../../base/model.ts';
import { ROUTED } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { property } from '../../kinds/property.ts';
import { groupProperty, licenseProperty } from '../../kinds/property-values.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import { mayRead, ON_GROUP, ON_LICENSE } from './properties.ts';

/** Declared groups, sorted by address. */
export function touchedGroups({ resource_changes: changes }: Plan, { resources }: Desired): readonly Address[] {
  const groups = resources.flatMap(({ address, kind }) => (kind === ROUTED.name ? [address] : []));
  const specs = new Map<string, Spec>(resources.map(({ address, spec }) => [address, spec]));
  const touched = new Set(
    changes.flatMap((change): readonly string[] => {
      const { address, type } = change;
      const key = address.slice(type.length + 1);
      switch (type) {
        case ROUTED.name:
          return changesGroup(change) ? [address] : [];
        case groupProperty.name: {
          const [group, name] = splitName(key);
          return isWritten(change) && mayRead(specs.get(`${property.name}/${name}`), ON_GROUP) === true
            ? [`${ROUTED.name}/${group}`]
            : [];
        }
        case licenseProperty.name:
          return isWritten(change) && mayRead(specs.get(`${property.name}/${key}`), ON_LICENSE) === true ? groups : [];
        case property.name:
          return isWritten(change) && showsDefault(specs.get(address)) ? groups : [];
        default:
          return [];
      }
    }),
  );
  return groups.filter((address) => touched.has(address));
}

function isWritten({ change: { actions } }: ResourceChange): boolean {
  return actions[0] !== 'no-op';
}

/** Of a group customers see the language, and that it exists. */
function changesGroup({ change: { actions }, fields }: ResourceChange): boolean {
  return actions[0] === 'create' || (actions[0] === 'update' && fields.some(({ field }) => field === 'language_code'));
}

function showsDefault(definition: Spec | undefined): boolean {
  if (definition?.['default_value'] === undefined) return false;
  return [ON_LICENSE, ON_GROUP].some((location) => mayRead(definition, location) === true);
}
