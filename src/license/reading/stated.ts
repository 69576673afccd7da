// Which license a reading is of, and whether a ledger belongs to it. Small ids of groups are the same on many licenses, so they prove nothing alone.

import type { KindName, LedgerState, Live, LiveObject, ObjectId } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { addressKey, isThisMachine, parsedUrl } from '../../base/url.ts';
import { KINDS, kindOf, MEMBERSHIP } from '../../kinds/index.ts';
import type { LedgerEvent, LicenseEvent } from '../../ledger/events.ts';
import { fold } from '../../ledger/ledger.ts';

/** What tells one license from another. Groups: id -> name, without those that every license has. */
type Marks = Pick<LicenseEvent, 'base_url' | 'identity' | 'owner' | 'groups'>;

/** Marks of the license that was read; null for what was not read. */
export type FoundLicense = Omit<Marks, 'groups'> & { readonly groups: Marks['groups'] | null };

/** What a ledger records of its license. */
type RecordedLicense = Marks & Pick<LicenseEvent, 'administrators'>;

const AGENT = MEMBERSHIP.left.kind.name;
const GROUP = MEMBERSHIP.right.kind.name;

/** The license of a ledger, with the names of its groups as they were applied last; null when no apply has recorded it. */
export function knownLicense(events: readonly LedgerEvent[]): RecordedLicense | null {
  const { license, bound, applied } = fold(events);
  if (license === null) return null;
  const own = [...bound].flatMap(([address, { id }]) => {
    const name = kindOf(address) === GROUP ? applied.get(address)?.spec['name'] : undefined;
    return typeof name === 'string' ? [[String(id), name] as const] : [];
  });
  return { ...license, groups: { ...license.groups, ...Object.fromEntries(own) } };
}

export function foundLicense({ objects }: Live, baseUrl: string, identity: string | null): FoundLicense {
  const all = Object.values(objects).flat();
  const groups = objects[GROUP]?.filter(({ facts }) => facts.builtin !== true);
  return {
    base_url: baseUrl,
    identity,
    owner: all.find(({ facts }) => facts.owner === true)?.id.toString() ?? null,
    groups: groups === undefined ? null : Object.fromEntries(groups.map(({ id, name }) => [String(id), name])),
  };
}

/** Ids of the agents whose role lets them administer the license, the owner included; undefined where agents were not read. */
export function administratorsIn({ objects }: Live): readonly ObjectId[] | undefined {
  const found = objects[AGENT]?.filter(({ spec, facts }) => KINDS[AGENT].standing?.(spec, facts).administers);
  return found?.map(({ id }) => id).sort();
}

/** What an apply records of a license; null when the ledger knows all of it. What was not read stays as it was. */
export function licenseToRecord(
  known: RecordedLicense | null,
  found: FoundLicense & Pick<LicenseEvent, 'administrators'>,
): RecordedLicense | null {
  const isSamePlace = known !== null && isSameAddress(known, found.base_url);
  const { base_url, identity = null, owner, groups } = found;
  const administrators = found.administrators ?? (isSamePlace ? known.administrators : undefined);
  const marks = {
    base_url,
    identity: identity ?? (isSamePlace ? known.identity : null),
    owner: owner ?? known?.owner ?? null,
    groups: groups ?? known?.groups ?? {},
    ...(administrators === undefined ? {} : { administrators }),
  };
  return known !== null && textOf(marks) === textOf(known) ? null : marks;
}

/** Whether a base URL leads where the ledger was used last. Many licenses can be there. */
export function isSameAddress(known: Marks, baseUrl: string): boolean {
  return placeOf(known.base_url) === placeOf(baseUrl);
}

function textOf({ base_url, identity, owner, groups, administrators }: RecordedLicense): string {
  return JSON.stringify([base_url, identity, owner, Object.entries(groups).sort(), administrators]);
}

/** `doubtful`: the marks contradict each other, or only in part. */
export type LicenseMatch = 'same' | 'doubtful' | 'other';

/**
 * Compares what a ledger knows of its license with one that was read. Many licenses share one address, and names, owners and addresses all may change
 * on one license. So a single mark that differs only raises a doubt, unless the address is another one as well.
 */
export function matchLicense(known: Marks, found: FoundLicense, ledger: LedgerState, live: Live): LicenseMatch {
  const unique = uniqueIds(ledger, live);
  if (unique === 'found') return isOtherIdentity(known, found) ? 'doubtful' : 'same';
  if (isOtherIdentity(known, found)) return 'other';
  if (known.identity !== null && known.identity === found.identity) return 'same';
  const [groups, owner] = [groupMarks(known, found), ownerMark(known, live)];
  if (!isSameAddress(known, found.base_url)) {
    const isOther = unique === 'missing' || groups === 'missing' || groups === 'others';
    return isOther || (owner === 'missing' && groups !== 'found') ? 'other' : 'doubtful';
  }
  if (groups === 'found') return 'same';
  if (owner === 'found') return unique === 'missing' && groups !== 'none' ? 'doubtful' : 'same';
  if (groups === 'others' || (groups === 'missing' && owner === 'missing')) return 'other';
  return groups === 'missing' || (unique === 'missing' && owner === 'missing') ? 'doubtful' : 'same';
}

function isOtherIdentity({ identity }: Marks, found: FoundLicense): boolean {
  return identity !== null && found.identity !== null && identity !== found.identity;
}

type Evidence = 'found' | 'missing' | 'none';

/** Whether objects that the ledger owns are there, of kinds whose ids the service draws for one license. */
function uniqueIds({ bindings }: LedgerState, { objects }: Live): Evidence {
  const own = [...bindings].filter(([address]) => drawsIds(kindOf(address)) && objects[kindOf(address)] !== undefined);
  const isThere = own.some(([address, { id }]) =>
    objects[kindOf(address)]?.some((object) => object.id === id && isOnlyHere(object)),
  );
  return isThere ? 'found' : own.length > 0 ? 'missing' : 'none';
}

/** Ids that count up are the same everywhere, and an object of an owner client may be on many licenses. */
function drawsIds(kind: KindName): boolean {
  const { id, identity, namespace } = KINDS[kind];
  return id === 'string' && identity !== undefined && namespace === undefined;
}

/** A template makes a bot with its own id on each license. */
function isOnlyHere({ facts }: LiveObject): boolean {
  return facts.derived !== true;
}

/** `others`: several groups of other names have the known ids, and none has its name. */
function groupMarks(known: Marks, { groups }: FoundLicense): Evidence | 'others' {
  const own = Object.entries(known.groups);
  if (groups === null || own.length === 0) return 'none';
  if (own.some(([id, name]) => groups[id] === name)) return 'found';
  return own.filter(([id]) => groups[id] !== undefined).length > 1 ? 'others' : 'missing';
}

/** `missing`: agents were read, and none has the id of the owner. */
function ownerMark({ owner }: Marks, { objects }: Live): Evidence {
  const agents = objects[AGENT];
  if (owner === null || agents === undefined) return 'none';
  return agents.some(({ id }) => String(id) === owner) ? 'found' : 'missing';
}

/** A base URL without what may differ at one license: its spelling, its region, the name of this machine, the folder of a file. */
function placeOf(baseUrl: string): string {
  if (/^emulator:/.test(baseUrl)) return `emulator:${baseUrl.split(/[/:\\]/).at(-1)}`;
  const url = parsedUrl(baseUrl);
  if (url === null) return baseUrl;
  return isThisMachine(url) ? `this machine:${url.port}` : addressKey(baseUrl);
}

/** Its name, as `--new-license` takes it: the beginning of an identity, or the host and the owner, or else a group. */
export function licenseName({ base_url, identity, owner, groups }: FoundLicense): string {
  if (identity !== null) return identity.slice(0, 8);
  const host = parsedUrl(base_url)?.host ?? '';
  const place = host === '' ? base_url : host;
  const about = owner ?? Object.values(groups ?? {})[0];
  return about === undefined ? place : `${place}/${about}`;
}

/** For a person. The names come from outside, so escape the text before printing it. */
export function licenseText(license: FoundLicense): string {
  const { base_url, identity, owner, groups } = license;
  const name = licenseName(license);
  const names = Object.values(groups ?? {});
  const about = [
    ...(name.startsWith(base_url) ? [] : [base_url]),
    ...(identity === null || owner === null ? [] : [`owner ${owner}`]),
    ...(groups === null ? [] : [names.length === 0 ? 'no groups' : `groups: ${few(names, 3)}`]),
  ];
  return about.length === 0 ? name : `${name} (${about.join(', ')})`;
}
