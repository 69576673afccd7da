// Guards: what a plan may not do unacknowledged. A guard withholds the whole apply, because half a dangerous plan is no safer.

import { groupedBy } from '../../base/grouped.ts';
import type { Address, KindName, Spec, Version } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { counted, few } from '../../base/text.ts';
import { KINDS, ORDERED, subjectOf } from '../../kinds/index.ts';
import { hasSecret, type Kind, makesSecret } from '../../kinds/kind.ts';
import type { Bindings } from '../binding/bind.ts';
import { isAdopted } from '../binding/claims.ts';
import type { Comparison } from '../compare.ts';
import { isInReach } from '../diff.ts';
import { type Draft, isFormer, isLeaving, optionsOf } from '../draft.ts';
import type { PlannerOptions } from '../input.ts';
import type { Danger, Withheld } from '../plan.ts';
import { sent } from '../sent.ts';
import { lastCover } from './last-cover.ts';
import { lastMember } from './last-member.ts';
import { lastAdministrator, ownAgent } from './lockout.ts';
import { protectedOnes } from './protected.ts';
import { stillRouted } from './still-routed.ts';

/** Words that `--acknowledge` takes in addition to addresses, for one run only. */
export const ACKNOWLEDGED_WORDS = ['deletes', 'empty-manifest'] as const;

export type GuardOptions = Pick<
  PlannerOptions,
  'maxDeletes' | 'maxDeletePercent' | 'acknowledged' | 'hasSink' | 'protects' | 'own' | 'destroying' | 'partial'
>;

/** The part of a comparison that guards look at. */
export type Guarded = Pick<Comparison, 'drafts' | 'edges' | 'bindings' | 'live' | 'ledger'>;

export function dangersOf(made: Draft): readonly Danger[] {
  return made.verb === 'none' && made.fields.length === 0 ? [] : dangersIn(made);
}

const dangersIn = oncePer((made: Draft): readonly Danger[] => {
  const dangers: Danger[] = [];
  if (made.verb === 'delete') dangers.push('destroy');
  const isReplaced = made.verb === 'replace' && made.kind.replacing?.loses != null;
  if (made.rival !== null || made.takes !== undefined || made.renamed !== undefined || isReplaced)
    dangers.push('data-loss');
  if (made.fields.some((change) => made.kind.fields[change.field]?.irreversible === true && isInReach(change)))
    dangers.push('irreversible');
  if (made.verb !== 'none' && optionOf(made) !== null) dangers.push('other-licenses');
  if (made.restriction !== undefined) dangers.push('restriction');
  if (isLeaving(made)) dangers.push('leaver');
  return dangers;
});

/** An option that is switched on reaches other licenses. Specification: "Bot templates and bot tokens (3.6)". */
function optionOf({ desired, kind, beyond }: Draft): string | null {
  const spec: Spec = desired ?? {};
  return beyond ?? optionsOf(kind).find((name) => spec[name] === true) ?? null;
}

/** Returns why a change is dangerous, and what else could be done, in one line. */
export function dangerLine(danger: Exclude<Danger, 'destroy'>, made: Draft): string {
  switch (danger) {
    case 'irreversible': {
      const field = made.fields.find((change) => made.kind.fields[change.field]?.irreversible === true)?.field;
      return `\`${field}\` can never be taken back; leave it out until it is certain`;
    }
    case 'other-licenses':
      if (made.beyond !== null)
        return 'bots that it made are deleted with it, on every license that has its application installed; without `prune_installed_bots` they stay';
      return `\`${optionOf(made)}\` reaches other licenses; with \`false\` what is there stays as it is`;
    case 'data-loss':
      if (made.takes !== undefined)
        return `the service deletes ${made.takes.said} with it; to keep any of them, copy it to another ${made.kind.noun.one} first`;
      if (made.renamed !== undefined)
        return `is it ${made.renamed} now? The service renames no ${made.kind.noun.one}: ${made.kind.soleSpelling?.loses}`;
      return made.rival === null
        ? `it is deleted and made again: ${made.kind.replacing?.loses}`
        : `${made.rival} differs from it only in case, and the license has one of the two: ${made.kind.soleSpelling?.loses}`;
    case 'restriction':
      return made.restriction ?? '';
    case 'leaver':
      return `no row of ${made.resource?.leaves?.file} has it any more`;
  }
}

const EXPLAINED: { readonly [danger in Exclude<Danger, 'destroy' | 'leaver' | 'restriction'>]: string } = {
  irreversible: 'can never be taken back',
  'other-licenses': 'would change other licenses also',
  'data-loss': 'would be deleted and made again, so data may be lost',
};

function isAcknowledged({ address, rival, renamed }: Draft, acknowledged: ReadonlySet<string>): boolean {
  if (acknowledged.size === 0) return false;
  return [address, rival ?? renamed ?? address].some((each) => acknowledged.has(subjectOf(each)));
}

function byDanger(drafts: readonly Draft[], acknowledged: ReadonlySet<string>): readonly Withheld[] {
  const dangerous = drafts.flatMap((made): readonly (readonly [Address, readonly Danger[]])[] => {
    const dangers = isAcknowledged(made, acknowledged) || made.takes !== undefined ? [] : dangersOf(made);
    return dangers.length === 0 ? [] : [[made.address, dangers]];
  });
  return (['irreversible', 'other-licenses', 'data-loss'] as const).flatMap((guard): readonly Withheld[] => {
    const addresses = dangerous.flatMap(([address, dangers]) => (dangers.includes(guard) ? [address] : []));
    if (addresses.length === 0) return [];
    return [
      {
        guard,
        addresses,
        message: `${addresses.join(', ')} ${EXPLAINED[guard]}`,
        remedy: acknowledging(addresses),
      },
    ];
  });
}

/** Deletes with which the service deletes what the plan does not. */
function taking(drafts: readonly Draft[], acknowledged: ReadonlySet<string>): readonly Withheld[] {
  return drafts.flatMap((made): readonly Withheld[] => {
    const { address, takes } = made;
    if (takes === undefined || isAcknowledged(made, acknowledged)) return [];
    const message = `${address} would be deleted, and the service deletes ${takes.said} with it`;
    // Consent is to each of them: a saved plan approves no greeting that came later.
    return [
      { guard: 'data-loss', addresses: [address, ...takes.addresses], message, remedy: acknowledging([address]) },
    ];
  });
}

function restrictions(drafts: readonly Draft[], acknowledged: ReadonlySet<string>): readonly Withheld[] {
  return drafts.flatMap(({ address, restriction }): readonly Withheld[] => {
    if (restriction === undefined || acknowledged.has(subjectOf(address))) return [];
    const message = `${address}: ${restriction}`;
    return [{ guard: 'restriction', addresses: [address], message, remedy: acknowledging([address]) }];
  });
}

/**
 * People whose row is missing count as deletes: of a truncated table, nothing may be applied. What makes room for another spelling of it is
 * acknowledged by itself.
 */
function isGoing(made: Draft): boolean {
  return (made.verb === 'delete' && made.rival === null && !isFormer(made)) || isLeaving(made);
}

function caps({ drafts, bindings }: Guarded, options: GuardOptions): readonly Withheld[] {
  const going = drafts.filter(isGoing);
  if (going.length === 0 || options.acknowledged.has('deletes')) return [];
  const deletes = going.map(({ address }) => address);
  const leavers = going.flatMap(({ verb, resource }) => (verb === 'delete' ? [] : [resource?.leaves?.file]));
  const [table] = leavers;
  const owned = ownedIn(bindings);
  const whose = drafts.some(({ neverOwned }) => neverOwned) ? 'owned or in the way' : 'owned';
  const all = Math.max(owned, deletes.length);
  const percent = (deletes.length / all) * 100;
  const allowing = '--acknowledge deletes, or a higher limit in chatform.yaml';
  const remedy = table === undefined ? allowing : `add the missing rows to ${table}, or ${allowing}`;
  const vetoes: Withheld[] = [];
  if (deletes.length > options.maxDeletes) {
    const counting = table === undefined ? '' : `, ${leavers.length} of them people whose row in ${table} is missing`;
    const message = `${counted(deletes.length, 'delete')}${counting}, and at most ${options.maxDeletes} are allowed at once`;
    vetoes.push({ guard: 'max_deletes', addresses: deletes, message, remedy });
  }
  if (deletes.length * 100 > options.maxDeletePercent * all) {
    const going = table === undefined ? 'deleted' : 'deleted or suspended';
    const message = `${deletes.length} of the ${owned} objects that are ${whose} would be ${going} (${Number(percent.toFixed(1))} %), and at most ${options.maxDeletePercent} % are allowed at once`;
    vetoes.push({ guard: 'max_delete_percent', addresses: deletes, message, remedy });
  }
  return vetoes;
}

/** What a kind needs for half of it to be much: of less, every change of mind would be. Rules come and go more often than other objects. */
const LEAST = 2;
const LEAST_RULES = 4;

/** A file that was lost takes most of a kind with it, however little that is of everything owned. A destroy and an undo are asked for. */
function mostOfKind(
  { drafts, bindings }: Guarded,
  { acknowledged, destroying, partial }: GuardOptions,
): readonly Withheld[] {
  if (acknowledged.has('deletes') || destroying !== undefined || partial === true) return [];
  const byKind = groupedBy(drafts.filter(isGoing), ({ kind }) => kind);
  return Object.values(KINDS).flatMap((kind): readonly Withheld[] => {
    const going = byKind.get(kind) ?? [];
    const owned = ownedIn(bindings, kind);
    const least = kind === ORDERED ? LEAST_RULES : LEAST;
    if (owned < least || going.length * 2 < owned) return [];
    const whose = going.some(({ neverOwned }) => neverOwned) ? 'owned or in the way' : 'owned';
    const end = going.some(isLeaving) ? 'deleted or suspended' : 'deleted';
    return [
      {
        guard: 'most-of-kind',
        addresses: going.map(({ address }) => address),
        message: `${going.length} of the ${owned} ${kind.noun.many} that are ${whose} would be ${end}, which is half of the kind or more`,
        remedy: '--acknowledge deletes, unless a file of the manifest is missing',
      },
    ];
  });
}

/** Objects that existed before chatform managed them. A destroy is asked about them by its flag. */
function adoptedOnes({ drafts, ledger }: Guarded, { acknowledged, destroying }: GuardOptions): readonly Withheld[] {
  if (destroying?.adopted === true) return [];
  const addresses = drafts.flatMap(({ verb, address }) => {
    const binding =
      verb === 'delete' && !acknowledged.has(subjectOf(address)) ? ledger.bindings.get(address) : undefined;
    return binding !== undefined && isAdopted(binding) ? [address] : [];
  });
  if (addresses.length === 0) return [];
  const them = addresses.length === 1 ? 'it' : 'them';
  return [
    {
      guard: 'adopted',
      addresses,
      message: `${few(addresses)} existed before chatform managed ${them}, and would be deleted`,
      remedy: `declare ${them} again, \`chatform ledger forget ${addresses.length === 1 ? addresses[0] : 'ADDRESS'}\` to leave ${them} on the license, or ${acknowledging(addresses)}`,
    },
  ];
}

function acknowledging(addresses: readonly Address[]): string {
  return addresses.map((address) => `--acknowledge ${address}`).join(' ');
}

function emptyManifest(
  drafts: readonly Draft[],
  deletes: readonly Address[],
  acknowledged: ReadonlySet<string>,
): readonly Withheld[] {
  if (deletes.length === 0 || acknowledged.has('empty-manifest')) return [];
  if (drafts.some(({ resource }) => resource !== null && resource.leaves?.by !== 'missing-row')) return [];
  return [
    {
      guard: 'empty-manifest',
      addresses: deletes,
      message: drafts.some(({ neverOwned }) => neverOwned)
        ? 'the manifest declares nothing, so everything that is owned, or covered by `prune: all`, would be deleted'
        : 'the manifest declares nothing, so everything that is owned would be deleted',
      remedy: '--acknowledge empty-manifest',
    },
  ];
}

/** A complete kind that declares nothing: a lost section would delete every object of it. */
function emptyKinds(drafts: readonly Draft[], acknowledged: ReadonlySet<string>): readonly Withheld[] {
  const kinds = new Set(drafts.filter(({ neverOwned }) => neverOwned).map(({ kind }) => kind));
  if (kinds.size === 0 || acknowledged.has('empty-manifest')) return [];
  const declared = new Set(drafts.filter(({ resource }) => resource !== null).map(({ kind }) => kind));
  if (declared.size === 0) return [];
  return [...kinds].flatMap((kind): readonly Withheld[] => {
    if (declared.has(kind)) return [];
    const going = drafts.filter((made) => made.kind === kind);
    return [
      {
        guard: 'empty-manifest',
        addresses: going.map(({ address }) => address),
        message: `no ${kind.noun.one} is declared, so \`prune: { ${kind.name}: all }\` would delete every one that may be deleted`,
        remedy: '--acknowledge empty-manifest',
      },
    ];
  });
}

function missingSink(drafts: readonly Draft[], version: Version, options: GuardOptions): readonly Withheld[] {
  if (options.hasSink) return [];
  const making = drafts.filter((made) => {
    const isMade = made.verb === 'create' || (made.verb === 'replace' && !hasSecret(made.kind, version));
    return isMade && makesSecret(made.kind, version, sent(made));
  });
  const addresses = making.map(({ address }) => address);
  if (addresses.length === 0) return [];
  const does = making.every(({ kind }) => hasSecret(kind, version)) ? 'returns' : 'makes';
  return [
    {
      guard: 'secrets-sink',
      addresses,
      message: `creating ${addresses.join(', ')} ${does} a secret that can never be read again, and there is no place to keep it`,
      remedy:
        'add `secrets: { file: ".chatform/${target.name}.secrets.json" }` under `defaults` in chatform.yaml, or --secrets-file FILE',
    },
  ];
}

/** Counts the live objects that the ledger owns, and those in the way; of one kind, or of all. A lost one does not make the share of deletes smaller. */
function ownedIn({ bound, undeclared }: Bindings, kind: Kind | null = null): number {
  const isMeant = (name: KindName): boolean => kind === null || kind.name === name;
  let count = 0;
  for (const object of undeclared.values()) if (isMeant(object.kind)) count += 1;
  for (const each of bound.values()) if (each.owned && isMeant(each.resource.kind)) count += 1;
  return count;
}

export function guard(guarded: Guarded, options: GuardOptions): readonly Withheld[] {
  const { drafts, edges, bindings, live } = guarded;
  const { acknowledged } = options;
  const deletes = drafts.filter(({ verb }) => verb === 'delete').map(({ address }) => address);
  return [
    ...caps(guarded, options),
    ...mostOfKind(guarded, options),
    ...adoptedOnes(guarded, options),
    ...(options.destroying === undefined ? emptyManifest(drafts, deletes, acknowledged) : []),
    ...emptyKinds(drafts, acknowledged),
    ...protectedOnes(drafts, bindings, live, options.protects),
    ...ownAgent(drafts, options.own ?? null, acknowledged),
    ...lastAdministrator(drafts, live, acknowledged),
    ...lastMember(drafts, edges, bindings, live, acknowledged),
    ...lastCover(guarded, acknowledged),
    ...stillRouted(drafts, bindings, live, acknowledged),
    ...byDanger(drafts, acknowledged),
    ...taking(drafts, acknowledged),
    ...restrictions(drafts, acknowledged),
    ...missingSink(drafts, live.version, options),
  ];
}
