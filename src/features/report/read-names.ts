// Groups and agents of a report: as a person names them, as the service does, and as they are shown. From the ledger, and from the license.

import { ApiError, UsageError } from '../../base/errors.ts';
import { addCounts } from '../../base/grouped.ts';
import type { Address, JsonObject, KindName } from '../../base/model.ts';
import { rightNames } from '../../base/nearest.ts';
import { personOf } from '../../base/person.ts';
import { inNfc } from '../../base/text.ts';
import { isPersonal, MEMBERSHIP } from '../../kinds/index.ts';
import { rowsOf } from '../../kinds/wire.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { connected, type Requests } from '../../license/connect.ts';
import { type GroupsRead, groupsOfLedger } from '../../license/group-ids.ts';
import { isSameAddress, knownLicense } from '../../license/reading/stated.ts';
import { keyOf } from '../../plan/reference.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../../target/context.ts';
import { ledgerAt } from '../../target/stores.ts';
import type { AskedReport } from './asked.ts';

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

/** Reports count bots among the agents. */
const BOT = 'bot' satisfies KindName;

/**
 * Groups and agents with these keys, addresses, ids or names. Asks the license for agents that the ledger does not know, and for groups that are asked
 * for, whose ids in the ledger count on its own license only. Groups of rows alone are not worth a request: they get addresses where the license can be
 * that of the ledger.
 * @throws UsageError for an unknown one, or a license that is not the ledger's; ApiError for a license that cannot be read
 */
export async function reportNames(
  asked: Pick<AskedReport, 'groups' | 'agents'>,
  settings: TargetSettings,
  context: RunContext,
): Promise<ReportNames> {
  const events = await ledgerAt(settings.ledger, context).read();
  const { bindings } = foldLedger(events);
  const bound = (kind: KindName): readonly Known[] =>
    [...bindings].flatMap(([address, { id }]) =>
      address.startsWith(`${kind}/`) ? [{ id: String(id), address, name: null }] : [],
    );
  const license = knownLicense(events);
  const isElsewhere = license !== null && asked.groups.length === 0 && !isSameAddress(license, settings.baseUrl);
  const sides = {
    group: { kind: 'group', asked: asked.groups, bound: isElsewhere ? [] : bound(GROUPS.kind.name) },
    agent: { kind: 'agent', asked: asked.agents, bound: [...bound(AGENTS.kind.name), ...bound(BOT)] },
  } as const;
  type Side = (typeof sides)[keyof typeof sides];
  const isOpen = (side: Side): boolean => side.asked.some((name) => matches(name, side.bound).length !== 1);
  const usesLedger = sides.group.bound.length > 0 && asked.groups.length > 0;
  const groups =
    isOpen(sides.group) || (usesLedger && license !== null) ? await groupsOfLedger(events, settings, context) : null;
  const read = {
    group: groups === null ? NOTHING_READ : namesIn(groups, isOpen(sides.group)),
    agent: isOpen(sides.agent) ? await readAgents(asked.agents, settings, context) : NOTHING_READ,
  };
  const knownOf = ({ kind, bound: own }: Side): readonly Known[] => {
    const live = read[kind].all;
    const named = own.map((each) => ({ ...each, name: live.find(({ id }) => id === each.id)?.name ?? null }));
    const others = live.filter(({ id }) => !own.some((each) => each.id === id));
    return [...named, ...others.map(({ id, name }): Known => ({ id, name, address: addressFor(kind, id) }))];
  };
  const known = new Map(Object.values<Side>(sides).map((side) => [side.kind as string, knownOf(side)]));
  const subjects = ({ kind, asked: names }: Side): readonly Subject[] => {
    const own = known.get(kind) ?? [];
    const { refusal } = read[kind];
    const subject = (name: string): Subject => {
      if (refusal !== null && matches(name, own).length === 0) return unread(name, kind, refusal);
      return theOnly(name, kind, own);
    };
    return names.map(subject).map(({ id, address }) => ({ id, address }));
  };
  return {
    groups: subjects(sides.group),
    agents: subjects(sides.agent),
    addressOf: (dimension, id) => {
      const own = known.get(dimension);
      return own === undefined ? null : (own.find((each) => each.id === id)?.address ?? addressFor(dimension, id));
    },
    unchecked: read.group.refusal ?? read.agent.refusal,
    requests: addCounts([read.group.requests, read.agent.requests]),
  };
}

/** Of what the ledger does not know. The id of an agent is an e-mail address, and that of a bot is not. */
function addressFor(kind: string, id: string): Address {
  return (kind === AGENTS.kind.name && !id.includes('@') ? `${BOT}/${id}` : `${kind}/${id}`) as Address;
}

/** Those with this key, address or id, of people in any capitals; otherwise those with this name. */
function matches(asked: string, known: readonly Known[]): readonly Known[] {
  const name = inNfc(asked);
  const isCalled = (own: readonly string[]): boolean => own.includes(name);
  const exact = known.filter(({ id, address }) => isCalled([id, address, keyOf(address)]));
  const person = personOf(name);
  const isPerson = (own: readonly string[]): boolean => own.some((each) => personOf(each) === person);
  const people = exact.length > 0 ? [] : known.filter(({ address }) => isPersonal(address));
  const own = exact.length > 0 ? exact : people.filter(({ id, address }) => isPerson([id, address, keyOf(address)]));
  return own.length > 0 ? own.slice(0, 1) : known.filter((each) => each.name === name);
}

function theOnly(name: string, kind: KindName, known: readonly Known[]): Known {
  const [found, other] = matches(name, known);
  if (found !== undefined && other === undefined) return found;
  if (found !== undefined && other !== undefined)
    throw new UsageError(
      `--${kind} ${name}: several are called so; name one by its id, such as ${found.id} or ${other.id}`,
    );
  const isAddress = known.some(({ address }) => name.startsWith(address.slice(0, address.indexOf('/') + 1)));
  const names = known.flatMap((each) => {
    const own = isAddress ? each.address : keyOf(each.address);
    // A number says nothing to a person.
    return each.name !== null && /^\d+$/.test(own) ? [each.name] : [own];
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
  readonly all: readonly { readonly id: string; readonly name: string }[];
  /** Why they were not read; null when they were, or need not be. */
  readonly refusal: string | null;
  readonly requests: Requests;
}

const NOTHING_READ: NamesRead = { all: [], refusal: null, requests: {} };

/** @throws ApiError where the names are needed, and the service did not answer */
function namesIn({ live, failure, requests }: GroupsRead, areNeeded: boolean): NamesRead {
  if (live === null) return { ...NOTHING_READ, refusal: areNeeded ? refusalIn(failure) : null, requests };
  const all = (live.objects[GROUPS.kind.name] ?? []).map(({ id, name }) => ({ id: String(id), name }));
  return { all, refusal: null, requests };
}

/** A token of the reports alone may not read the license, which ids do not need. @throws any other failure */
function refusalIn(failure: unknown): string {
  const isRefused = failure instanceof ApiError && ['authorization', 'authentication'].includes(failure.failure.type);
  if (isRefused || failure instanceof UsageError) return failure.message;
  throw failure;
}

/** Bots only where one of the names can be that of a bot. */
async function readAgents(names: readonly string[], settings: TargetSettings, context: RunContext): Promise<NamesRead> {
  try {
    return await connected(settings, context, async ({ client, ask }) => {
      const read = async (list: 'list_agents' | 'list_bots', body: JsonObject): Promise<NamesRead['all']> =>
        rowsOf(list, await ask(list, body)).map((row) => ({ id: row.text('id'), name: row.text('name') }));
      const agents = await read('list_agents', {});
      const areAgents = names.every((asked) => asked.includes('@') || agents.some(({ name }) => name === asked));
      const bots = areAgents ? [] : await read('list_bots', { all: true });
      return { all: [...agents, ...bots], refusal: null, requests: client.requests() };
    });
  } catch (error) {
    return { ...NOTHING_READ, refusal: refusalIn(error) };
  }
}
