// Notes of a plan: what a user should know in addition to the changes.

import { isObject } from '../../base/json.ts';
import type { Address } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { MEMBERSHIP } from '../../kinds/index.ts';
import { namedMembers } from '../../kinds/priority.ts';
import type { Recovered } from '../binding/recover.ts';
import type { Comparison } from '../compare.ts';
import type { ServiceTerms } from '../diff.ts';
import type { Draft } from '../draft.ts';
import { optionsOf } from '../draft.ts';
import { dangerLine, dangersOf } from '../guards/guard.ts';
import { missedOwn, type TokenOwner } from '../guards/lockout.ts';
import type { Memberships } from '../membership/edges.ts';
import type { Note } from '../plan.ts';
import { goneText, ownershipNotes, recoveredNotes, secondNotes, secretNotes } from './ownership.ts';
import { accountNotes, administratorNotes, alikeNotes, namesakeNotes, newcomerNotes, standingNotes } from './people.ts';
import { releasedNotes } from './released.ts';

/** Returns every note of a plan: first what concerns the run before, then the changes, then who and what is looked after by nobody. */
export function notesOf(compared: Comparison, recovered: readonly Recovered[], own: TokenOwner): readonly Note[] {
  const { drafts, edges, drafting, bindings, ledger, live } = compared;
  return [
    ...recoveredNotes(recovered),
    ...secretNotes(ledger.secrets, bindings),
    ...drafts.flatMap((made) => draftNotes(made, drafting)),
    ...uncoveredNotes(edges),
    ...unmadeNotes(drafts),
    ...ownershipNotes(drafts, bindings, drafting),
    ...releasedNotes(drafts, drafting),
    ...alikeNotes(drafts, live),
    ...accountNotes(compared),
    ...namesakeNotes(compared),
    ...secondNotes(drafts, live, bindings),
    ...administratorNotes(compared),
    ...missedOwn(drafts, live, own),
  ];
}

function draftNotes(made: Draft, terms: ServiceTerms): readonly Note[] {
  const { address } = made;
  if (made.writer !== null && made.object === null)
    return [{ address, kind: 'left-out', message: `it is not there; only target ${made.writer} makes it` }];
  if (made.verb === 'none' && made.fields.length === 0) return standingNotes(made, terms);
  const dangers = dangersOf(made).flatMap((kind): readonly Note[] =>
    kind === 'destroy' ? [] : [{ address, kind, message: dangerLine(kind, made) }],
  );
  const outOfReach = made.fields.flatMap(({ field, reach, reason }): readonly Note[] =>
    reach === 'unreachable' || reach === 'unreadable' || reach === 'unverified'
      ? [{ address, kind: reach, message: `${field}: ${reason}` }]
      : [],
  );
  return [
    ...dangers,
    ...outOfReach,
    ...(made.verb === 'create' && made.lost !== null
      ? [{ address, kind: 'recreating' as const, message: `${goneText(made)}, so it is created again` }]
      : []),
    ...manualStep(made),
    ...(made.verb === 'delete' && made.beyond === null && optionsOf(made.kind).length > 0
      ? [{ address, kind: 'left-out' as const, message: BOTS_STAY }]
      : []),
    ...sharedNotes(made),
    ...(made.verb === 'create' ? newcomerNotes(made, terms) : standingNotes(made, terms)),
  ];
}

function uncoveredNotes({ planned }: Memberships): readonly Note[] {
  return planned.uncovered.map(({ left, right }) => ({
    address: right as Address,
    kind: 'left-out',
    message: `the membership of ${left} differs, and nothing selected may write it; select one of the two`,
  }));
}

/** Memberships that wait because the other end is not there, and is not selected to be made. */
function unmadeNotes(drafts: readonly Draft[]): readonly Note[] {
  const unmade = drafts.filter(({ object, selected }) => object === null && !selected);
  if (unmade.length === 0) return [];
  const addresses = new Set<string>(unmade.map(({ address }) => address));
  return Object.values(MEMBERSHIP).flatMap(({ kind, field }) =>
    drafts.flatMap(({ address, desired, selected, ...made }): readonly Note[] => {
      const members = desired?.[field];
      if (made.kind !== kind || !selected || !isObject(members)) return [];
      const named = [...namedMembers(members)].filter(([, priority]) => priority !== null);
      const waiting = named.flatMap(([other]) => (addresses.has(other) ? [other] : []));
      if (waiting.length === 0) return [];
      const message = `${few(waiting)} ${waiting.length === 1 ? 'is' : 'are'} not there and not selected, so the membership waits; select both`;
      return [{ address, kind: 'left-out', message }];
    }),
  );
}

/** What a person still has to do for a new object, which a field of it would do. */
function manualStep({ verb, kind, address, desired }: Draft): readonly Note[] {
  const { manualStep: step } = kind;
  const isOpen = verb === 'create' && step !== undefined && desired?.[step.unless] === undefined;
  return isOpen ? [{ address, kind: 'manual-step', message: step.text }] : [];
}

/** Whom else a change of a shared object reaches, and what happens where a replacement has no room to overlap. */
function sharedNotes({
  address,
  kind,
  verb,
  resource,
  former,
  clearedBy,
  object,
  desired,
  live,
}: Draft): readonly Note[] {
  if (verb === 'none' || kind.shared === undefined) return [];
  const spec = { ...live, ...desired };
  const owner = kind.namespace?.({ key: resource?.key ?? String(object?.id), spec }) ?? null;
  const { overlaps } = kind.replacing ?? {};
  return [
    { address, kind: 'shared', message: `it belongs to ${owner}: ${kind.shared.reaches} gets it` },
    ...(verb === 'replace' && former === undefined && overlaps !== undefined
      ? [{ address, kind: 'gap' as const, message: `there is no room for two, so the old one goes first: ${overlaps}` }]
      : []),
    ...(clearedBy !== undefined && overlaps !== undefined
      ? [{ address, kind: 'gap' as const, message: `there is no room for it before ${clearedBy} goes: ${overlaps}` }]
      : []),
  ];
}

const BOTS_STAY =
  'bots that it made stay where they are; `prune_installed_bots: true` of the target deletes them with it';
