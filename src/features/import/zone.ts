// The time zone of imported hours as `routing.timezone`: chatform.yaml with it, where all hours have one zone.

import { editYaml } from '../../authoring/edit/edit.ts';
import type { NewText } from '../../authoring/files.ts';
import { isObject, valueAt } from '../../base/json.ts';
import type { Desired, Json } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import { ROUTING_DEFAULTS } from '../../routing/settings.ts';

/** chatform.yaml as it becomes, and the zone that it names. */
export interface ZonedProject extends NewText {
  readonly zone: string;
}

/** Null where hours have several zones, or none, where chatform.yaml sets a zone already, and where it does not write the target out. */
export function zonedProject(path: string, before: string, target: string, desired: Desired): ZonedProject | null {
  const zone = zoneOf(desired);
  const read = editYaml(path, before, []);
  if (zone === null || 'refused' in read || !isObject(read.parsed.value)) return null;
  const own = valueAt(read.parsed.value, ['targets', target]);
  if (!isObject(own) || isSet(own) || isSet(valueAt(read.parsed.value, ['defaults']))) return null;
  const edited = editYaml(path, before, [{ op: 'set', path: ['targets', target, 'routing', 'timezone'], value: zone }]);
  return 'refused' in edited ? null : { path, before, text: edited.text, zone };
}

function isSet(settings: Json | undefined): boolean {
  return settings !== undefined && valueAt(settings, ['routing', 'timezone']) !== undefined;
}

/** The one zone of all hours; null for the default, which needs no setting. */
function zoneOf({ resources }: Desired): string | null {
  const zones = new Set(
    resources.flatMap(({ kind, spec }) => {
      const field = KINDS[kind].serving?.hours;
      const hours = field === undefined ? undefined : spec[field];
      const zone = isObject(hours) ? hours['timezone'] : undefined;
      return typeof zone === 'string' && zone !== '' ? [zone] : [];
    }),
  );
  const [zone, ...others] = zones;
  return zone === undefined || others.length > 0 || zone === ROUTING_DEFAULTS.timezone ? null : zone;
}
