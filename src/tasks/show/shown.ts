// What `show` shows: the license, a kind or one resource.

import type { KindName, Live } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Difference } from '../drift/report.ts';
import { referencesFrom, referencesTo } from './catalogue.ts';
import type { KindCount, Shown, ShownObject } from './schema.ts';

type About = Pick<Shown, 'target' | 'api_version' | 'manifest_read'>;

const ALONE = { refers_to: null, referred_to_by: null, differences: null } as const;

function countOf(type: KindName, entries: readonly ShownObject[], { objects }: Live): KindCount {
  const own = entries.filter((entry) => entry.type === type);
  const count = (ownership: ShownObject['ownership']): number =>
    own.filter((entry) => entry.ownership === ownership).length;
  return {
    type,
    read: objects[type] !== undefined,
    total: own.length,
    declared: count('declared'),
    owned: count('owned'),
    unmanaged: count('unmanaged'),
  };
}

/** All kinds that the version has, also those that were not read. */
export function licenseShown(about: About, entries: readonly ShownObject[], live: Live): Shown {
  const kinds = Object.values(KINDS).filter(({ versions }) => versions.includes(live.version));
  return { ...about, kinds: kinds.map(({ name }) => countOf(name, entries, live)), resources: null, ...ALONE };
}

export function kindShown(about: About, kind: KindName, entries: readonly ShownObject[], live: Live): Shown {
  const resources = entries.filter(({ type }) => type === kind);
  return { ...about, kinds: [countOf(kind, entries, live)], resources, ...ALONE };
}

export function resourceShown(
  about: About,
  entry: ShownObject,
  entries: readonly ShownObject[],
  differences: readonly Difference[] | null,
): Shown {
  return {
    ...about,
    kinds: [],
    resources: [entry],
    refers_to: referencesFrom(entry, entries),
    referred_to_by: referencesTo(entry, entries),
    differences,
  };
}
