// What was read and asked in; what is shown, as data, out.

import type { KindName, Live, Version } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Difference } from '../drift/report.ts';
import { type Entry, OWNERSHIPS, type Ownership, type Pointer, pointersOf, referrersOf } from './catalogue.ts';

export interface KindCount {
  readonly type: KindName;
  readonly read: boolean;
  readonly total: number;
  readonly declared: number;
  readonly owned: number;
  readonly unmanaged: number;
}

/** What `show --json` prints but for the findings in the files. */
export interface Shown {
  readonly target: string;
  readonly api_version: Version;
  readonly manifest_read: boolean;
  readonly kinds: readonly KindCount[];
  readonly resources: readonly Entry[] | null;
  readonly refers_to: readonly Pointer[] | null;
  readonly referred_to_by: readonly Pointer[] | null;
  readonly differences: readonly Difference[] | null;
}

type About = Pick<Shown, 'target' | 'api_version' | 'manifest_read'>;

const ALONE = { refers_to: null, referred_to_by: null, differences: null } as const;

function countOf(type: KindName, entries: readonly Entry[], { objects }: Live): KindCount {
  const own = entries.filter((entry) => entry.type === type);
  const of = (ownership: Ownership): number => own.filter((entry) => entry.ownership === ownership).length;
  const counts = Object.fromEntries(OWNERSHIPS.map((each) => [each, of(each)])) as {
    readonly [each in Ownership]: number;
  };
  return { type, read: objects[type] !== undefined, total: own.length, ...counts };
}

/** The kinds that the version has, those that were not read too. */
export function licenseShown(about: About, entries: readonly Entry[], live: Live): Shown {
  const kinds = Object.values(KINDS).filter(({ versions }) => versions.includes(live.version));
  return { ...about, kinds: kinds.map(({ name }) => countOf(name, entries, live)), resources: null, ...ALONE };
}

export function kindShown(about: About, kind: KindName, entries: readonly Entry[], live: Live): Shown {
  const resources = entries.filter(({ type }) => type === kind);
  return { ...about, kinds: [countOf(kind, entries, live)], resources, ...ALONE };
}

export function resourceShown(
  about: About,
  entry: Entry,
  entries: readonly Entry[],
  differences: readonly Difference[] | null,
): Shown {
  return {
    ...about,
    kinds: [],
    resources: [entry],
    refers_to: pointersOf(entry, entries),
    referred_to_by: referrersOf(entry, entries),
    differences,
  };
}
