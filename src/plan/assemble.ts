// Desired, live and ledger in, the plan out. Pure: no network, disk, clock or randomness; the same input gives the same bytes.

import { byText } from '../canonical.ts';
import { referencesOf } from '../kinds/fields.ts';
import { KIND_NAMES, KINDS, ORDERED } from '../kinds/index.ts';
import type { Address, Desired, Diagnostic, KindName, LedgerState, Live, ObjectId, Spec } from '../model.ts';
import { type Bindings, bind } from './bind.ts';
import { type Draft, draft } from './draft.ts';
import { type Memberships, memberships } from './edges.ts';
import { dangersOf, guard } from './guard.ts';
import { type PlannedOrder, planOrder } from './order.ts';
import {
  type Actions,
  FORMAT_VERSION,
  type Note,
  type Plan,
  type Request,
  type ResourceChange,
  type Step,
  type Unmanaged,
} from './plan.ts';
import { planRequests, scopesOf } from './requests.ts';
import { planSteps } from './steps.ts';

/** What the user decided about this target. */
export interface PlanOptions {
  readonly target: string;
  /** What `--only` and `--except` leave in. */
  readonly selects: (address: Address) => boolean;
  /** What `protect:` covers. */
  readonly protects: (address: Address) => boolean;
  readonly prune: { readonly [kind in KindName]?: 'owned' | 'none' };
  readonly maxDeletes: number;
  readonly maxDeletePercent: number;
  readonly acknowledged: ReadonlySet<string>;
  readonly hasSink: boolean;
  readonly batchSize: number;
}

/** A plan, or everything that keeps one from being made. */
export type Planned =
  | { readonly plan: Plan; readonly problems: readonly [] }
  | { readonly plan: null; readonly problems: readonly Diagnostic[] };

export interface PlanInput {
  readonly desired: Desired;
  readonly live: Live;
  readonly ledger: LedgerState;
  /** Renamed keys: what `from` owns becomes `to`'s. */
  readonly moved?: readonly { readonly from: Address; readonly to: Address }[];
  readonly options: PlanOptions;
}

export function makePlan({ desired, live, ledger: known, moved = [], options }: PlanInput): Planned {
  const { version } = live;
  const moves = moved.filter(({ from, to }) => known.bindings.has(from) && !known.bindings.has(to));
  const ledger = renamed(known, moves);
  const bindings = bind(desired, live, ledger.bindings);
  const { drafts: compared, released } = draft(bindings, {
    version,
    applied: ledger.applied,
    selects: options.selects,
    protects: options.protects,
    prune: (kind) => options.prune[kind] ?? KINDS[kind].prune,
  });
  const edges = memberships(compared, bindings, live, {
    version,
    batchSize: options.batchSize,
    selects: options.selects,
  });
  const drafts = compared.map((made) => withMembership(made, edges));
  const liveOrder = live.ruleOrder.map((id) => bindings.referenceTo(ORDERED.name, id));
  const order = planOrder(drafts, desired.ruleOrder, liveOrder, options.selects);
  const steps = planSteps(drafts, edges.writes, order);
  const problems = [...bindings.problems, ...missingFields(drafts), ...unresolved(drafts, steps, bindings)];
  if (problems.length > 0) return { plan: null, problems };

  const changes = inReadingOrder(drafts, desired)
    .map((made) => changeOf(made, order))
    .filter((change) => change !== null);
  const requests = planRequests(steps, version, options.batchSize);
  const owned = [...ledger.bindings.keys()].length - bindings.gone.length;
  return {
    problems: [],
    plan: {
      format_version: FORMAT_VERSION,
      api_version: version,
      target: options.target,
      resource_changes: changes,
      reorder: order.reorder,
      steps,
      requests: { total: requests.length, by_action: countByAction(requests), plan: requests },
      scopes: scopesOf(steps, version),
      unmanaged: [...released, ...strangers(bindings)],
      withheld: guard(drafts, owned, options),
      notes: notesOf(drafts, edges),
      bindings: { move: moves.map(({ from, to }) => ({ from, to })), ...adoption(bindings, drafts) },
      references: Object.fromEntries([...bindings.ids].sort(([a], [b]) => byText(a, b))),
      summary: {
        add: count(drafts, 'create', 'replace'),
        change: changes.filter(({ change }) => change.actions[0] === 'update').length,
        destroy: count(drafts, 'delete', 'replace'),
        adopt: drafts.filter(({ adopting }) => adopting).length,
      },
    },
  };
}

/** By kind as people read a license, then by address; an ordered kind in its desired order. */
function inReadingOrder(drafts: readonly Draft[], desired: Desired): readonly Draft[] {
  const places = new Map(desired.ruleOrder.map((address, place) => [address, place]));
  const rank = ({ kind }: Draft): number => KIND_NAMES.indexOf(kind.name);
  const place = ({ address }: Draft): number => places.get(address) ?? places.size;
  return [...drafts].sort((a, b) => rank(a) - rank(b) || place(a) - place(b) || byText(a.address, b.address));
}

/** The ledger as if its owners had always had their new names. */
function renamed(ledger: LedgerState, moves: readonly { readonly from: Address; readonly to: Address }[]): LedgerState {
  if (moves.length === 0) return ledger;
  const names = new Map(moves.map(({ from, to }) => [from, to]));
  const rename = <T>(entries: ReadonlyMap<Address, T>): ReadonlyMap<Address, T> =>
    new Map([...entries].map(([address, entry]) => [names.get(address) ?? address, entry]));
  return { bindings: rename(ledger.bindings), applied: rename(ledger.applied) };
}

function count(drafts: readonly Draft[], ...verbs: readonly Draft['verb'][]): number {
  return drafts.filter(({ verb }) => verbs.includes(verb)).length;
}

function withMembership(made: Draft, edges: Memberships): Draft {
  const field = edges.fields.get(made.address);
  if (field === undefined || made.verb === 'create' || made.verb === 'delete') return made;
  return { ...made, verb: made.verb === 'none' ? 'update' : made.verb, fields: [...made.fields, field] };
}

/** A create that lacks what the service demands fails here, at its place, and not in the middle of an apply. */
function missingFields(drafts: readonly Draft[]): readonly Diagnostic[] {
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb !== 'create' || made.resource === null) return [];
    const missing = made.kind.required.filter((field) => made.desired?.[field] === undefined);
    if (missing.length === 0) return [];
    const names = missing.map((field) => `\`${field}\``).join(' and ');
    return [
      diagnostic(
        made,
        'missing-field',
        `${made.address} does not exist yet, and creating it needs ${names}`,
        `add ${names}`,
      ),
    ];
  });
}

/** A reference to something that does not exist and is not created in this run. */
function unresolved(drafts: readonly Draft[], steps: readonly Step[], bindings: Bindings): readonly Diagnostic[] {
  const created = new Set<string>(
    steps.flatMap((step) => (step.operation === 'create' && step.address !== null ? [step.address] : [])),
  );
  const byAddress = new Map(drafts.map((made) => [made.address, made]));
  return drafts.flatMap((made): readonly Diagnostic[] => {
    if (made.verb === 'none' || made.resource === null) return [];
    const own = steps
      .filter((step) => step.address === made.address)
      .flatMap((step) => referencesOf(KINDS[step.type], step.fields));
    const lost = [...new Set(own)].filter(
      (reference) =>
        bindings.idOf(reference) === null && !created.has(reference) && byAddress.has(reference as Address),
    );
    return lost.map((reference) =>
      diagnostic(
        made,
        'dangling-reference',
        `${made.address} needs ${reference}, which does not exist yet and is left out of this run`,
        `select ${reference} too`,
      ),
    );
  });
}

function diagnostic(made: Draft, code: Diagnostic['code'], message: string, remedy: string): Diagnostic {
  const place = made.resource?.place ?? { file: '', line: 1, column: 1, length: 1 };
  return { code, severity: 'error', place, message, remedy, excerpt: null, related: [] };
}

function actionsOf(made: Draft, moves: boolean): Actions {
  switch (made.verb) {
    case 'create':
      return ['create'];
    case 'update':
      return ['update'];
    case 'replace':
      return ['delete', 'create'];
    case 'delete':
      return ['delete'];
    case 'none':
      return moves ? ['update'] : ['no-op'];
  }
}

function managedPart(live: Spec, made: Draft): Spec {
  if (made.desired === null) return live;
  return Object.fromEntries(Object.entries(live).filter(([name]) => made.desired?.[name] !== undefined));
}

function changeOf(made: Draft, order: PlannedOrder): ResourceChange | null {
  const moved = order.moves.get(made.address) ?? null;
  const actions = actionsOf(made, moved !== null);
  if (actions[0] === 'no-op' && made.fields.length === 0 && !made.adopting) return null;
  const place = made.resource?.place;
  return {
    address: made.address,
    type: made.kind.name,
    name: nameOf(made),
    id: made.object?.id ?? null,
    change: {
      actions,
      before: made.live === null ? null : managedPart(made.live, made),
      after: made.desired,
      after_unknown:
        made.object === null && made.kind.choosesId === undefined && made.kind.id !== undefined ? { id: true } : {},
    },
    fields: made.fields,
    moved,
    adopting: made.adopting,
    recreating: made.verb === 'create' && made.lost !== null,
    danger: dangersOf(made),
    source: place === undefined ? null : { file: place.file, line: place.line, column: place.column },
  };
}

function nameOf(made: Draft): string {
  const name = made.desired?.['name'] ?? made.desired?.['description'];
  return made.object?.name ?? (typeof name === 'string' && name !== '' ? name : (made.resource?.key ?? made.address));
}

function countByAction(requests: readonly Request[]): { readonly [action: string]: number } {
  const counts: Record<string, number> = {};
  for (const { action } of requests) counts[action] = (counts[action] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => byText(a, b)));
}

function strangers(bindings: Bindings): readonly Unmanaged[] {
  return bindings.strangers
    .filter(({ facts }) => facts.builtin !== true && facts.possiblyUnset !== true)
    .map(({ kind, id, name, facts }) => ({
      type: kind,
      id,
      name,
      released: null,
      reason: facts.derived === true ? 'made by a bot template' : null,
    }));
}

function adoption(bindings: Bindings, drafts: readonly Draft[]): Pick<Plan['bindings'], 'adopt' | 'forget'> {
  const adopt = drafts
    .filter(({ adopting }) => adopting)
    .flatMap(({ address, object }): readonly { readonly address: Address; readonly id: ObjectId }[] =>
      object === null ? [] : [{ address, id: object.id }],
    );
  return { adopt, forget: [...bindings.gone].sort(byText) };
}

function notesOf(drafts: readonly Draft[], edges: Memberships): readonly Note[] {
  const own = drafts.flatMap((made): readonly Note[] => {
    const { address } = made;
    const outOfReach = made.fields.flatMap(({ field, reach, reason }): readonly Note[] =>
      reach === 'unreachable' || reach === 'unreadable' || reach === 'unverified'
        ? [{ address, kind: reach, message: `${field}: ${reason}` }]
        : [],
    );
    return [
      ...outOfReach,
      ...(made.verb === 'create' && made.lost !== null
        ? [
            {
              address,
              kind: 'recreating' as const,
              message: `${made.kind.noun.one} ${made.lost} is gone from the license, so it is created again`,
            },
          ]
        : []),
      ...(made.verb === 'create' && made.kind.manualStep !== undefined
        ? [{ address, kind: 'manual-step' as const, message: made.kind.manualStep }]
        : []),
      ...(made.object?.facts.pendingApproval === true
        ? [
            {
              address,
              kind: 'pending-approval' as const,
              message: 'it waits for an approval that this API cannot give with an ordinary token',
            },
          ]
        : []),
    ];
  });
  const leftOut = edges.planned.uncovered.map(
    ({ left, right }): Note => ({
      address: right as Address,
      kind: 'left-out',
      message: `the membership of ${left} differs, and nothing selected may write it`,
    }),
  );
  return [...own, ...leftOut];
}
