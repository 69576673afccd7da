// Addresses that are acknowledged or protected, checked for a meaning: a misspelt one would look like consent, or like protection.

import { UsageError } from '../base/errors.ts';
import type { Desired, Diagnostic, Live } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import { namesOf } from '../plan/draft.ts';
import { ACKNOWLEDGED_WORDS } from '../plan/guards/guard.ts';
import type { Plan } from '../plan/plan.ts';
import type { TargetSettings } from '../project/settings.ts';
import { diagnose } from '../yaml/mark.ts';
import type { Prepared } from './prepare.ts';

/** Everything that has, had or gets an address: consent that is no longer needed is no mistake. */
export function knownAddresses(
  { resources }: Desired,
  events: readonly LedgerEvent[],
  { resource_changes: changes, withheld }: Plan,
): ReadonlySet<string> {
  const past = events.flatMap((event) => {
    if (event.type === 'moved') return [event.from, event.to];
    return 'address' in event ? [event.address] : [];
  });
  const now = [...changes, ...resources].map(({ address }) => address);
  return new Set([...withheld.flatMap(({ addresses }) => addresses), ...now, ...past]);
}

/** @throws UsageError that names every value of `--acknowledge` without a meaning */
export function requireMeaning(
  given: readonly string[],
  known: ReadonlySet<string>,
  { policies }: TargetSettings,
): void {
  const words: readonly string[] = ACKNOWLEDGED_WORDS;
  const wrong = given.filter((value) => !known.has(value) && !words.includes(value));
  if (wrong.length === 0) return;
  const reasons = wrong.map((value) => {
    if (policies.some(({ name }) => name === value))
      return `--acknowledge ${value}: that is a policy, and a policy is not acknowledged: change what the plan does, or the policy`;
    const meant = nearest(value, [...words, ...known]);
    const right =
      meant === null ? `give one address, such as group/sales, or ${words.join(' or ')}` : `did you mean ${meant}?`;
    return `--acknowledge ${value}: nothing has that address; ${right}`;
  });
  throw new UsageError(reasons.join('\n  '));
}

/** The same, and the names that `protect:` may use for unmanaged objects. */
export function protectable(known: ReadonlySet<string>, { objects }: Live): ReadonlySet<string> {
  return new Set([...known, ...Object.values(objects).flatMap((each) => each.flatMap(namesOf))]);
}

const SAID = { acknowledge: 'acknowledged', protect: 'protected' } as const;

/** Warnings for entries that are nearly an address. Other entries may be for later, or for what is gone. */
export function probableSlips(
  list: keyof typeof SAID,
  { settings, entryAt }: Pick<Prepared, 'settings' | 'entryAt'>,
  known: ReadonlySet<string>,
): readonly Diagnostic[] {
  return settings[list].flatMap((entry, index): readonly Diagnostic[] => {
    const mark = entryAt(list, index);
    const isSeveral = entry.includes('*');
    const meant = isSeveral || known.has(entry) ? null : nearest(entry, [...known]);
    if (mark === null || meant === null) return [];
    const message = `nothing has the address \`${entry}\`, so nothing is ${SAID[list]}`;
    return [
      diagnose(mark, { code: 'unknown-address', severity: 'warning', message, remedy: `did you mean \`${meant}\`?` }),
    ];
  });
}
