// Groups and agents of a report: as a person names them, as the service does, and as they are shown. From the ledger, and where it does not know all of
// them, from the license.

import { ApiError, UsageError } from '../base/errors.ts';
import type { Address, KindName, ObjectId } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { rowsOf } from '../kinds/wire.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { Requests } from './apply.ts';
import { connected } from './connect.ts';
import type { Surroundings } from './surroundings.ts';

/** A group or an agent. */
export interface Subject {
  readonly id: string;
  /** `<kind>/<key>`; `<kind>/<id>` of one that the ledger does not know. */
  readonly address: Address;
}

export interface ReportNames {
  readonly groups: readonly Subject[];
  readonly agents: readonly Subject[];
  /** Address of what a key of a row is the id of; null where a dimension has no addresses. */
  readonly addressOf: (dimension: string, id: string) => string | null;
  /** What was not checked, and why; null when everything was. */
  readonly unchecked: string | null;
  readonly requests: Requests;
}

interface Known extends Subject {
  /** Its name for a person, which need not be unique; null when the license was not read. */
  readonly name: string | null;
}

const { left: AGENTS, right: GROUPS } = MEMBERSHIP;

/**
 * Groups and agents with these keys, addresses, ids or names. Asks the license only for those that the ledger does not know.
 * @throws UsageError for an unknown one, ApiError for a license that cannot be read
 */
export async function reportNames(
  asked: { readonly groups: readonly string[]; readonly agents: readonly string[] },
  settings: TargetSettings,
  surroundings: Surroundings,
): Promise<ReportNames> {
  const { bindings } = foldLedger(await fileLedger(settings.ledger).read());
  const bound = (kind: KindName): readonly Known[] =>
    [...bindings].flatMap(([address, { id }]) =>
      address.startsWith(`${kind}/`) ? [{ id: String(id), address, name: null }] : [],
    );
  const sides = {
    group: { kind: GROUPS.kind.name, list: 'list_groups', asked: asked.groups, bound: bound(GROUPS.kind.name) },
    agent: { kind: AGENTS.kind.name, list: 'list_agents', asked: asked.agents, bound: bound(AGENTS.kind.name) },
  } as const;
  type Side = (typeof sides)[keyof typeof sides];
  const open = Object.values<Side>(sides).filter((side) =>
    side.asked.some((name) => matches(name, side.bound).length !== 1),
  );
  const read = open.length === 0 ? NOTHING_READ : await readLists(open, settings, surroundings);
  const knownOf = ({ kind, list, bound: own }: Side): readonly Known[] => {
    const live = read.lists.get(list) ?? [];
    const named = own.map((each) => ({ ...each, name: live.find(({ id }) => id === each.id)?.name ?? null }));
    const others = live.filter(({ id }) => !own.some((each) => each.id === id));
    return [...named, ...others.map(({ id, name }): Known => ({ id, name, address: `${kind}/${id}` }))];
  };
  const known = new Map(Object.values<Side>(sides).map((side) => [side.kind as string, knownOf(side)]));
  const subjects = ({ kind, asked: names }: Side): readonly Subject[] => {
    const own = known.get(kind) ?? [];
    const subject = (name: string): Subject => {
      if (read.refusal !== null && matches(name, own).length === 0) return unread(name, kind, read.refusal);
      return theOnly(name, kind, own);
    };
    return names.map(subject).map(({ id, address }) => ({ id, address }));
  };
  return {
    groups: subjects(sides.group),
    agents: subjects(sides.agent),
    addressOf: (dimension, id) => {
      const own = known.get(dimension);
      return own === undefined ? null : (own.find((each) => each.id === id)?.address ?? `${dimension}/${id}`);
    },
    unchecked: read.refusal,
    requests: read.requests,
  };
}

/** Those with this key, address or id; otherwise those with this name. */
function matches(name: string, known: readonly Known[]): readonly Known[] {
  const own = known.filter(({ id, address }) => [id, address, keyOf(address)].includes(name));
  return own.length > 0 ? own.slice(0, 1) : known.filter((each) => each.name === name);
}

function keyOf(address: Address): string {
  return address.slice(address.indexOf('/') + 1);
}

function theOnly(name: string, kind: KindName, known: readonly Known[]): Known {
  const [found, other] = matches(name, known);
  if (found !== undefined && other === undefined) return found;
  if (found !== undefined && other !== undefined)
    throw new UsageError(
      `--${kind} ${name}: several are called so; name one by its id, such as ${found.id} or ${other.id}`,
    );
  const isAddress = name.startsWith(`${kind}/`);
  const names = known.flatMap((each) => {
    const own = isAddress ? each.address : keyOf(each.address);
    return isAddress || each.name === null || own !== each.id ? [own] : [each.name];
  });
  throw new UsageError(`--${kind} ${name}: there is no ${kind} ${name}: ${rightNames(name, [...new Set(names)])}`);
}

/** An id needs no reading; a name does. */
function unread(name: string, kind: KindName, refusal: string): Subject {
  const id = name.startsWith(`${kind}/`) ? name.slice(kind.length + 1) : name;
  const isId = kind === GROUPS.kind.name ? /^\d+$/.test(id) : id.includes('@');
  if (isId) return { id, address: `${kind}/${id}` };
  throw new UsageError(`--${kind} ${name}: the ledger does not know it, and the license was not asked: ${refusal}`);
}

interface NamesRead {
  readonly lists: ReadonlyMap<string, readonly { readonly id: string; readonly name: string }[]>;
  /** Why the license was not read; null when it was. */
  readonly refusal: string | null;
  readonly requests: Requests;
}

const NOTHING_READ: NamesRead = { lists: new Map(), refusal: null, requests: {} };

/** A token of the reports alone may not read the license, which ids do not need. */
async function readLists(
  open: readonly { readonly list: 'list_groups' | 'list_agents' }[],
  settings: TargetSettings,
  surroundings: Surroundings,
): Promise<NamesRead> {
  try {
    return await connected(settings, surroundings, async ({ client, ask }) => {
      const lists = await Promise.all(
        open.map(async ({ list }) => {
          const rows = rowsOf(list, await ask(list, {})).map((row) => {
            const id: ObjectId = list === 'list_groups' ? row.integer('id') : row.text('id');
            return { id: String(id), name: row.text('name') };
          });
          return [list, rows] as const;
        }),
      );
      return { lists: new Map(lists), refusal: null, requests: client.requests() };
    });
  } catch (error) {
    const isRefused = error instanceof ApiError && ['authorization', 'authentication'].includes(error.failure.type);
    if (isRefused || error instanceof UsageError) return { ...NOTHING_READ, refusal: error.message };
    throw error;
  }
}
