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
          return groups.filter((group) => changesDefault(change, group, specs));
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

/** Whether another default shows on a group, or on the license where there is no value of its own. */
function changesDefault(
  { address, change: { actions }, fields }: ResourceChange,
  group: Address,
  specs: ReadonlyMap<string, Spec>,
): boolean {
  const definition = specs.get(address);
  if (definition?.['default_value'] === undefined) return false;
  const name = address.slice(property.name.length + 1);
  const places = [
    { location: ON_LICENSE, value: `${licenseProperty.name}/${name}` },
    { location: ON_GROUP, value: `${groupProperty.name}/${group.slice(ROUTED.name.length + 1)}/${name}` },
  ];
  const written = fields.filter(({ reach }) => !UNWRITTEN.has(reach));
  const access = written.find(({ field }) => field === 'access');
  const isAnother = actions[0] === 'create' || written.some(({ field }) => field === 'default_value');
  return places.some(({ location, value }) => {
    if (specs.has(value)) return false;
    const isShown = mayRead(definition, location) === true;
    const wasShown = access === undefined ? isShown : mayRead({ access: access.before }, location) === true;
    return isShown !== wasShown || (isShown && isAnother);
  });
}

const UNWRITTEN: ReadonlySet<string> = new Set(['unverified', 'unreachable', 'unreadable']);
